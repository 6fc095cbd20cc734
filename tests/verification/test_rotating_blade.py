"""A blade that turns, clamped to a hub, of eight beams: its frequencies in flap and lag against Rayleigh and Ritz.

The steady rotation is an equilibrium with the tension of the turning; the blade does not stretch, so nothing couples
flap or lag with motion along the blade. EI = ρA = L = 1: the speed is the speed ratio.
"""

import numpy as np
import pytest
from numpy.typing import NDArray

import flexura as fx
from flexura import planar, spatial
from flexura.results.linear_system import LinearSystem
from references import rotating_blade

Array = NDArray[np.float64]

SPEEDS = [0.0, 1.0, 2.0, 5.0, 10.0]
HUBS = [0.0, 0.5, 2.0]
BEAMS = 8


def in_the_plane(speed: float, hub: float, beams: int = BEAMS) -> LinearSystem:
    """Lag: a rigid hub that the axis turns, with the blade welded to it."""
    blade = {"blade": planar.Beam("hub.q" if hub else "R", "T", fx.Section(EI=1.0, rhoA=1.0), parts=beams)}
    rigid = {"hub": planar.Beam("O", "R", fx.Section(EI=1.0), rigid=True)} if hub else {}
    model = fx.Model(
        nodes=({"O": (0, 0)} if hub else {}) | {"R": (hub, 0), "T": (hub + 1, 0)},
        elements=rigid | blade,
        fixed=["O" if hub else "R"],
        inputs={"hub.p.phi" if hub else "blade.p.phi": fx.Ramp(speed)},
    )
    return fx.linearise(model, fx.equilibrium(model))


def in_space(speed: float, hub: float, beams: int = BEAMS) -> LinearSystem:
    """Flap about y and lag about z, which is the axis."""
    section = fx.Section(EI=1.0, GIt=np.inf, rhoA=1.0)
    start = "hub.q" if hub else "R"
    blade = {"blade": spatial.Beam(start, "T", section, y_axis=(0, 1, 0), parts=beams)}
    rigid = {"hub": spatial.Beam("O", "R", fx.Section(EI=1.0, GIt=1.0), rigid=True)} if hub else {}
    end, node = ("hub.p", "O") if hub else ("blade.p", "R")
    model = fx.Model(
        nodes=({"O": (0, 0, 0)} if hub else {}) | {"R": (hub, 0, 0), "T": (hub + 1, 0, 0)},
        elements=rigid | blade | {"axis": spatial.Hinge(node, end, axis=(0, 0, 1))},
        fixed=["axis.p"],
        inputs={"axis.rotation": fx.Ramp(speed)},
    )
    return fx.linearise(model, fx.equilibrium(model))


def flap_and_lag(system: LinearSystem) -> tuple[Array, Array]:
    """The frequencies of the motions about y and about z, which do not know of each other."""
    about_y = np.array(["bending_y" in name for name in system.coordinates])
    about_z = np.array(["bending_z" in name for name in system.coordinates])
    assert np.all(about_y | about_z)
    found = []
    for own in (about_y, about_z):
        for matrix in (system.M, system.C, system.K):
            assert np.abs(matrix[np.ix_(own, ~own)]).max() < 1e-9 * np.abs(system.K).max()
        squares = np.linalg.eigvals(np.linalg.solve(system.M[np.ix_(own, own)], system.K[np.ix_(own, own)]))
        assert np.abs(np.imag(squares)).max() < 1e-6 * np.abs(squares).max()
        found.append(np.sqrt(np.sort(np.real(squares))))
    return found[0], found[1]


@pytest.mark.parametrize("hub", HUBS)
@pytest.mark.parametrize("speed", SPEEDS)
def test_lag_in_the_plane(speed: float, hub: float) -> None:
    """The first three modes are within 0.1 %."""
    found = in_the_plane(speed, hub).frequencies[:3]
    np.testing.assert_allclose(found, rotating_blade.lag(3, speed, hub), rtol=1e-3)


@pytest.mark.parametrize("hub", HUBS)
@pytest.mark.parametrize("speed", SPEEDS)
def test_flap_and_lag_in_space(speed: float, hub: float) -> None:
    flap, lag = flap_and_lag(in_space(speed, hub))
    np.testing.assert_allclose(flap[:3], rotating_blade.flap(3, speed, hub), rtol=1e-3)
    np.testing.assert_allclose(lag[:3], rotating_blade.lag(3, speed, hub), rtol=1e-3)
    # Southwell's law holds for any number of beams, since mass and tension are the same in both directions
    np.testing.assert_allclose(flap**2 - lag**2, speed**2, atol=1e-9 * flap.max() ** 2)


def test_lag_in_the_plane_and_in_space_are_the_same() -> None:
    found = in_the_plane(5.0, 0.5).frequencies
    np.testing.assert_allclose(found, flap_and_lag(in_space(5.0, 0.5))[1], rtol=1e-9)


def test_order() -> None:
    """The error of the third mode at the highest speed falls with the fourth power of the number of beams."""
    known = rotating_blade.lag(3, 10.0, 0.5)
    errors = np.array([in_the_plane(10.0, 0.5, beams).frequencies[:3] / known - 1.0 for beams in (8, 16, 32)])
    assert np.abs(np.log2(errors[1] / errors[2]) - 4.0).max() < 0.1


def test_tension_is_what_stiffens() -> None:
    """Without the geometric stiffness the lag of a fast blade would be unstable."""
    system = in_the_plane(10.0, 0.0)
    rest = system.K - system.contributions["geometric"][1]
    assert np.linalg.eigvalsh(0.5 * (rest + rest.T))[0] < 0.0 < np.linalg.eigvalsh(0.5 * (system.K + system.K.T))[0]


@pytest.mark.parametrize("hub", HUBS)
def test_reference_has_converged(hub: float) -> None:
    for speed in SPEEDS:
        fine, finer = (rotating_blade.flap(3, speed, hub, functions) for functions in (16, 22))
        np.testing.assert_allclose(fine, finer, rtol=1e-8)
