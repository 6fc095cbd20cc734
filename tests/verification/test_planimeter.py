"""The planimeter: a wheel that only rolls across its arm measures the area that the tracer goes round."""

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
    at_corners = angle[[20, 40, 60, 80]] * (1.0 if angle[-1] > 0.0 else -1.0)
    assert at_corners == pytest.approx(corners, abs=2e-6)
    assert abs(angle[-1]) == pytest.approx(4.0, abs=1e-8)


def test_circle_with_the_pole_outside_and_inside():
    """An area outside of the pole is ARM · RADIUS · turns; round the pole the zero circle comes on top."""
    u = "min(max(t,0),1)"
    phase = f"2*pi*({u})^3*(10-15*({u})+6*({u})^2)"
    size = 0.05
    model = planimeter(f"0.2+{size}*cos({phase})", f"{size}*sin({phase})", (0.2 + size, 0.0), (0.0, -0.2))
    assert abs(turned(model, 1.0)["wheel.q.phi"][-1]) * ARM * RADIUS == pytest.approx(pi * size**2, abs=1e-10)
    # round the pole, the circle on which the wheel does not turn is taken off: its radius is 309.838668 mm
    size = 0.3
    model = planimeter(f"{size}*cos({phase})", f"{size}*sin({phase})", (size, 0.0), (0.0, 0.0))
    still = POLE**2 + ARM**2 + 2.0 * ARM * PLACE
    measured = abs(turned(model, 1.0)["wheel.q.phi"][-1]) * ARM * RADIUS
    assert measured == pytest.approx(pi * abs(size**2 - still), abs=1e-9)
