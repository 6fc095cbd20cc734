"""The spatial beam at small displacements, in all twelve directions, against the matrix of the textbooks."""

import numpy as np
import pytest
from numpy.typing import NDArray

import flexura as fx
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.preparation.assembly import Assembler
from flexura.mechanics.preparation.signal_slopes import Slopes
from flexura.spatial import Beam

Array = NDArray[np.float64]

SECTION = fx.Section(EA=7.3e4, EIy=310.0, EIz=190.0, GIt=88.0, GA=2.4e4)
CASES = {
    "along x": ((0.8, 0.0, 0.0), (0.0, 1.0, 0.0)),
    "upright": ((0.0, 0.0, 1.3), (0.0, 0.0, 0.0)),
    "askew": ((0.3, -0.7, 0.5), (0.2, 0.4, -1.1)),
    "backwards": ((-0.6, 0.1, -0.2), (1.0, 1.0, 1.0)),
}
"""Chord, and the direction across (none where zero)."""


def textbook(length: float, shear: float) -> Array:
    """J. S. Przemieniecki, Theory of Matrix Structural Analysis (1968), (5.116): x, y, z, θx, θy, θz of either end."""
    s, l = SECTION, length
    K = np.zeros((12, 12))
    K[np.ix_([0, 6], [0, 6])] = s.EA / l * np.array([[1, -1], [-1, 1]])
    K[np.ix_([3, 9], [3, 9])] = s.GIt / l * np.array([[1, -1], [-1, 1]])
    for EI, places, sign in ((s.EIz, [1, 5, 7, 11], 1.0), (s.EIy, [2, 4, 8, 10], -1.0)):
        phi = 12.0 * EI / (shear * s.GA * l**2) if shear else 0.0
        a, b, c = 6.0 * l * sign, (4.0 + phi) * l**2, (2.0 - phi) * l**2
        plane = np.array([[12, a, -12, a], [a, b, -a, c], [-12, -a, 12, -a], [a, c, -a, b]])
        K[np.ix_(places, places)] = EI / ((1.0 + phi) * l**3) * plane
    return K


def axes(chord: Array, across: Array) -> Array:
    """The beam's axes as columns; without a direction across, the global axis that is most nearly normal to it."""
    t = chord / np.linalg.norm(chord)
    wish = across if np.any(across) else np.eye(3)[np.argmin(np.abs(t))]
    n = wish - (wish @ t) * t
    n = n / np.linalg.norm(n)
    return np.column_stack([t, n, np.cross(t, n)])


def beam(case: str, **options: object) -> fx.Model:
    chord, across = CASES[case]
    at = np.array([0.2, -0.1, 0.4])
    element = Beam("A", "B", SECTION, y_axis=across, **options)
    return fx.Model(nodes={"A": tuple(at), "B": tuple(at + chord)}, elements={"beam": element})


def expected(case: str, shear: float) -> Array:
    chord, across = (np.array(v) for v in CASES[case])
    turn = np.kron(np.eye(4), axes(chord, across))
    return np.asarray(turn @ textbook(float(np.linalg.norm(chord)), shear) @ turn.T)


def stiffness(model: fx.Model) -> Array:
    """DᵀSD of the compiled strains as drawn, over displacements and small rotations: δe = ½ (0, δθ)∘e."""
    layout = Layout(model)
    own = [k for k, address in enumerate(layout.strains) if not address.internal]
    D = Slopes(layout, Assembler(layout).system(), layout.drawn.copy()).of([layout.strains[k] for k in own], False)
    T = np.zeros((len(layout.coordinates), 12))
    directions = {"x": 0, "y": 1, "z": 2, "e1": 3, "e2": 4, "e3": 5}
    for i, address in enumerate(layout.coordinates):
        if address.component in directions:
            first = 0 if address.owner in {"A", "beam.p"} else 6
            T[i, first + directions[address.component]] = 0.5 if address.turns else 1.0
    S = layout.stiffness[own[0]]
    return np.asarray((D @ T).T @ S @ (D @ T))


@pytest.mark.parametrize("shear", [0.0, 5.0 / 6.0])
@pytest.mark.parametrize("second_order", [True, False])
@pytest.mark.parametrize("case", CASES)
def test_twelve_directions(case: str, second_order: bool, shear: float) -> None:
    found = stiffness(beam(case, second_order=second_order, shear=shear))
    known = expected(case, shear)
    scale = np.sqrt(np.diag(known))
    # entry by entry, over the stiffness of the two directions it couples
    assert np.abs((found - known) / np.outer(scale, scale)).max() < 1e-12


@pytest.mark.parametrize("shear", [0.0, 5.0 / 6.0])
@pytest.mark.parametrize("direction", range(6))
def test_small_loads_on_a_cantilever(direction: int, shear: float) -> None:
    """The tip under a force or torque along an axis of space; half the difference of both senses is linear enough."""
    names = ["B.x", "B.y", "B.z", "beam.q.about_x", "beam.q.about_y", "beam.q.about_z"]
    flexibility = np.linalg.inv(expected("askew", shear)[6:, 6:])[:, direction]
    load = 1e-4 / np.abs(flexibility).max()
    model, tips = beam("askew", shear=shear).replace(fixed=["beam.p"]), []
    for sense in (1.0, -1.0):
        state = fx.equilibrium(model.replace(loads={names[direction]: sense * load}))
        tips.append([*(state[name] for name in names[:3]), *state.orientation("beam.q", "vector")])
    found = (np.array(tips[0]) - tips[1]) / 2.0
    # what is left is of third order in angles of 1e-4
    np.testing.assert_allclose(found, load * flexibility, atol=1e-11)
