"""A straight cantilever rolled up by a torque at its end, in the plane to circles and in space to a helix."""

import numpy as np
import pytest
from numpy.typing import NDArray

import flexura as fx
from flexura.spatial import Beam
from references.cosserat_rod import Rod, rolled

Array = NDArray[np.float64]

ROD = Rod(1.0, 1.3, (2.0, 2.0))


def rolled_up(beams: int, moment: tuple[float, float, float]) -> fx.State:
    section = fx.Section(EI=ROD.EI[0], GIt=ROD.GJ)
    return fx.equilibrium(
        fx.Model(
            nodes={"O": (0, 0, 0), "A": (ROD.length, 0, 0)},
            elements={"rod": Beam("O", "A", section, y_axis=(0, 1, 0), parts=beams)},
            fixed=["rod.p"],
            loads={f"rod.q.about_{axis}": m for axis, m in zip("xyz", moment, strict=True) if m},
        )
    )


def place(state: fx.State, end: str) -> Array:
    return np.array([state[f"{end}.{axis}"] for axis in "xyz"])


@pytest.mark.parametrize("beams", [5, 8, 16])
def test_two_full_circles(beams: int) -> None:
    """M = 4π EI/L brings the tip back to the clamp, turned by nothing; exact with any number of beams."""
    state = rolled_up(beams, (0.0, 0.0, 8.0 * np.pi))
    assert place(state, "A") == pytest.approx(np.zeros(3), abs=1e-13)
    np.testing.assert_allclose(state.orientation("rod.q", "cosines"), np.eye(3), atol=1e-12)
    assert state.force("rod.p.about_z") == pytest.approx(-8.0 * np.pi, rel=1e-12)


def test_radius_of_the_circles() -> None:
    """A quarter of the way along, on the far side of the first circle: order four."""
    moment, errors = (0.0, 0.0, 8.0 * np.pi), []
    for beams in (8, 16, 32):
        known, _ = rolled(ROD, moment, 0.25)
        errors.append(np.abs(place(rolled_up(beams, moment), f"rod.{beams // 4}.q") - known[0]).max() * 4.0 * np.pi)
    assert np.log2(errors[-2] / errors[-1]) > 3.95
    assert errors[-1] < 3e-5


def test_helix() -> None:
    """A torque oblique to the rod bends and twists it: order four."""
    moment, errors = (1.5, 0.0, 2.0), []
    for beams in (8, 16, 32):
        known, frame = rolled(ROD, moment, 1.0)
        state = rolled_up(beams, moment)
        turned = state.orientation("rod.q", "cosines") - frame[0]
        errors.append([np.abs(place(state, "A") - known[0]).max(), np.abs(turned).max()])
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.abs(orders - 4.0).max() < 0.1
    assert np.max(errors[-1]) < 2e-7
