"""The planimeter: a wheel that only rolls across its arm measures the area that the tracer goes round."""

import time
from math import pi

import numpy as np
import pytest
from scipy.optimize import fsolve

import flexura as fx
from flexura.planar import Beam, Truss, Wheel

POLE, ARM, RADIUS, PLACE = 0.2, 0.2, 0.0125, 0.04


def planimeter(x: str, y: str, start: tuple[float, float], pole: tuple[float, float]) -> fx.Model:
    """The tracer F goes along (x, y); the pole is fixed, the hinge Q is between them [Schwab2002, section 3.5.1]."""

    def gaps(q: np.ndarray) -> list[float]:
        return [np.hypot(*(q - np.array(pole))) - POLE, np.hypot(*(q - np.array(start))) - ARM]

    Q = fsolve(gaps, [0.0, 0.0], xtol=1e-15)
    along = (np.array(start) - Q) / ARM
    W = Q - PLACE * along  # beyond the hinge
    return fx.Model(
        nodes={"P": pole, "Q": tuple(Q.tolist()), "W": tuple(W.tolist()), "F": start},
        elements={
            "pole": Truss("P", "Q", fx.Section(rhoA=1.0), rigid=True),
            "near": Beam("W", "Q", fx.Section(rhoA=1.0), rigid=True),
            "far": Beam("near.q", "F", fx.Section(rhoA=1.0), rigid=True),
            "wheel": Wheel("near.p", "W", radius=RADIUS, direction=(float(-along[1]), float(along[0]))),
        },
        fixed=["P"],
        released=["wheel.across"],
        inputs={"F.x": x, "F.y": y},
    )


def side(number: int) -> str:
    """From 0 to 1 while the tracer goes along a side, at rest at its ends."""
    u = f"min(max(t-{number},0),1)"
    return f"({u})^3*(10-15*({u})+6*({u})^2)"


def turned(model: fx.Model, until: float) -> fx.Motion:
    method = fx.DormandPrince(tolerance=1e-11, largest_step=0.05)
    motion = fx.simulate(model, until, samples=int(20 * until) + 1, method=method)
    assert motion.outcome is fx.Outcome.DONE
    return motion


@pytest.mark.parametrize(
    ("pole", "corners"),
    [((0.0, -0.2), (-2.625207, 0.439644, 1.853623, 4.0)), ((0.0, 0.2), (-2.208844, 3.351598, 6.146377, 4.0))],
    ids=["below", "above"],
)
def test_square(pole, corners):
    """100 mm, counter-clockwise from the lower right corner: 4 rad, and the published turns at the corners."""
    x, y = f"0.2-0.1*{side(1)}+0.1*{side(3)}", f"0.1*{side(0)}-0.1*{side(2)}"
    motion = turned(planimeter(x, y, (0.2, 0.0), pole), 4.0)
    angle = motion["wheel.q.phi"]
    assert angle[[20, 40, 60, 80]] == pytest.approx(corners, abs=1e-6)
    assert angle[-1] == pytest.approx(4.0, abs=1e-8)


CLOSED = "2*pi*min(max(t,0),1)^3*(10-15*min(max(t,0),1)+6*min(max(t,0),1)^2)"
"""From 0 to 2π, at rest at both ends."""


def ellipse(half_x: float, half_y: float, centre: tuple[float, float], pole: tuple[float, float]) -> fx.Motion:
    """Once round an ellipse, counter-clockwise from its right."""
    x, y = f"{centre[0]}+{half_x}*cos({CLOSED})", f"{centre[1]}+{half_y}*sin({CLOSED})"
    return turned(planimeter(x, y, (centre[0] + half_x, centre[1]), pole), 1.0)


def measured(motion: fx.Motion) -> float:
    """ARM · RADIUS · turns [Schwab2002 (3.41)]."""
    return ARM * RADIUS * motion["wheel.q.phi"][-1]


@pytest.mark.parametrize(("half_x", "half_y"), [(0.05, 0.05), (0.1, 0.03), (0.02, 0.11)])
@pytest.mark.parametrize("pole", [(0.0, -0.2), (0.05, 0.22)], ids=["below", "above"])
def test_areas_beside_the_pole(half_x, half_y, pole):
    """Circle and ellipses, with the pole on either side."""
    motion = ellipse(half_x, half_y, (0.2, 0.0), pole)
    assert measured(motion) == pytest.approx(pi * half_x * half_y, rel=1e-8)


@pytest.mark.parametrize(("half_x", "half_y"), [(0.3, 0.3), (0.33, 0.25), (0.2, 0.36)])
def test_areas_round_the_pole(half_x, half_y):
    """The circle on which the wheel does not turn, of 309.838668 mm, comes on top [Schwab2002 (3.42), (3.43)]."""
    still = POLE**2 + ARM**2 + 2.0 * ARM * PLACE
    assert still**0.5 == pytest.approx(0.309838668, abs=1e-9)
    motion = ellipse(half_x, half_y, (0.01, -0.02), (0.0, 0.0))
    assert measured(motion) + pi * still == pytest.approx(pi * half_x * half_y, rel=1e-8)


def test_figure_of_eight_measures_the_difference():
    """Two loops of a lemniscate, gone round in opposite directions."""
    x, y = f"0.2+0.06*sin({CLOSED})", f"0.05*sin(2*{CLOSED})"
    motion = turned(planimeter(x, y, (0.2, 0.0), (0.0, -0.2)), 1.0)
    assert measured(motion) == pytest.approx(0.0, abs=1e-10)


def test_a_place_out_of_reach_is_refused_at_once() -> None:
    """The way there has 5000 pieces, of which the links reach two: it took more than ten seconds to say so."""
    model = planimeter("0.2", "1000", (0.2, 0.0), (0.0, -0.2))
    began = time.process_time()
    with pytest.raises(fx.AnalysisError, match="the links cannot be assembled with the given values of"):
        fx.simulate(model, 1e-3, samples=3)
    assert time.process_time() - began < 5.0
