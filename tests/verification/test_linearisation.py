"""Linear equations and signals against automatic differentiation of the full ones, at random states of motion."""

from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import flexura as fx
from flexura.algebra import maximum, minimum, step
from flexura.model.files import load_file
from references.crowded_models import IN_SPACE, IN_THE_PLANE, cubic
from references.dual_equations import DualEquations
from references.linear_terms import Terms
from references.random_states import motion_of, random_moment

EXAMPLES = Path(__file__).parents[2] / "examples"
LARGE = ("bend",)
ROLLING = ("bicycle", "caster", "planimeter", "rattleback", "rolling_disc", "sleigh", "swivel_wheel")
STICKING = ("ball_with_spin", "falling_rod", "pile_of_blocks", "stick_slip")
TOUCHING = ("colliding_bars", "newtons_cradle")
PLATES = ("impact_beam_base", "motor_on_base_plate")
ELSEWHERE = (*ROLLING, "motor_in_series", *STICKING, *TOUCHING, *PLATES)
"""What rolls is in ``test_rolling_linear.py``, loads that follow signals are in ``test_control.py``; what sticks, or
touches in the drawn position, has no linear equations; plates have hundreds of coordinates, see ``test_shells.py``."""
NEAR = {
    "iltis": (0.3, 2e-3),
    "journal_with_clearance": (0.01, 1e-3),
    "ravn_impact": (0.3, 1e-3),
    "ravn_oil_film": (0.3, 1e-3),
}
"""Time and size of the random state where suspensions or the play of a joint do not reach as far as other models."""
GALLERY = [
    pytest.param(path.stem, marks=[pytest.mark.slow] if path.stem in LARGE else [])
    for path in sorted(EXAMPLES.glob("*.toml"))
    if path.stem not in ELSEWHERE
]
CROWDED = {"plane": IN_THE_PLANE, "space": IN_SPACE}
LAWS = {"guy.elongation": cubic}

CLOSE = 1e-9
"""Of automatic differentiation, relative to what a matrix is made of."""
T = 0.3
RATE = 3.0
"""Of the random motion, in rad/s: terms of the motion that cancel are seen beside the mass times this."""


def deviation(found, expected, *parts):
    """The largest deviation, each entry relative to the largest numbers of its row and column among the parts."""
    if not expected.size:
        return 0.0
    size = sum(map(np.abs, parts), np.abs(expected))
    scale = np.sqrt(np.outer(size.max(axis=1), size.max(axis=0)))
    error = np.abs(found - expected)
    assert not np.any(error[scale == 0.0])
    return float(np.max(error / np.where(scale == 0.0, 1.0, scale)))


def check(system, linear):
    """All matrices of a linear system."""
    K, C, M = linear.matrices
    u = linear.u
    assert system.drives == tuple(map(str, linear.drives))
    assert deviation(system.M, M[:, u:]) < CLOSE
    damping, stiffness = zip(*system.contributions.values(), strict=True)
    assert deviation(system.C, C[:, u:], RATE * M[:, u:], *damping) < CLOSE
    assert deviation(system.K, K[:, u:], RATE**2 * M[:, u:], *stiffness) < CLOSE
    for order, (found, whole) in enumerate(zip(system.drive_matrices, (M, C, K), strict=True)):
        # what drives do may cancel to nothing: it is seen beside what the coordinates do
        assert deviation(np.hstack([found, whole[:, u:]]), whole, RATE**order * M) < CLOSE
    forcing = linear.held_stress[linear.held + u :]
    assert np.abs(system.forcing - forcing).max(initial=0.0) <= CLOSE * np.abs(forcing).max(initial=0.0)


def leaf(e, v, t):
    """The formula of the Iltis's leaf springs."""
    return 35906 * minimum(e + 0.076, 0.146) + 1e7 * maximum(e - 0.07, 0)


def shock(e, v, t):
    """That of its dampers."""
    l = e + 0.44055647
    slow = 9945.627 * v + 33955.72 * v**2 - 59832.25 * v**3 - 395651 * v**4
    fast = step(-0.2 - v) * (-416.42 + 1844.3 * v) + step(v - 0.21) * (1919.1638 + 1634.727 * v)
    return -4.0092e6 + 2.8397e7 * l - 6.7061e7 * l**2 + 5.2796e7 * l**3 + fast + step(v + 0.2) * step(0.21 - v) * slow


CORNERS = ("fl", "fr", "rl", "rr")
FORMULAS = {
    "iltis": {f"leaf_{corner}.across_z": leaf for corner in CORNERS}
    | {f"shock_{corner}.elongation": shock for corner in CORNERS}
}


@cache
def gallery(name):
    """A model of the gallery; one whose motion is prescribed wholly is let go, as nothing would be left of it.

    Controllers are taken off: ``test_control.py`` has them.
    """
    model = load_file(EXAMPLES / f"{name}.toml").model.replace(controllers={})
    return model if fx.linearise(model, T).coordinates else model.replace(inputs={})


@pytest.mark.parametrize("name", GALLERY)
def test_gallery_is_linearised_exactly(name):
    model = gallery(name)
    t, size = NEAR.get(name, (T, 0.1))
    moment = random_moment(model, t, 5, size)
    equations = DualEquations(model, moment, FORMULAS.get(name))
    for in_space in (False, True):
        system = fx.linearise(model, (motion_of(model, moment), t), in_space=in_space)
        assert system.coordinates
        check(system, equations.linear(system.coordinates))


@cache
def crowded(space, seed):
    """A crowded model at a random state, and its equations."""
    model = CROWDED[space]
    moment = random_moment(model, T, seed, size=0.05)
    return motion_of(model, moment), DualEquations(model, moment, LAWS)


@pytest.mark.parametrize("in_space", [False, True])
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("space", CROWDED)
def test_crowded_models_are_linearised_exactly(space, seed, in_space):
    motion, equations = crowded(space, seed)
    system = fx.linearise(motion.model, (motion, T), in_space=in_space)
    linear = equations.linear(system.coordinates)
    check(system, linear)

    # there is something of everything: drives, preload, stresses that no coordinate has, forced motion
    assert {address.kind for address in linear.drives} == {"coordinate", "strain"}
    redundant = [
        address
        for address, kind in zip(linear.layout.strains, linear.layout.strain_class, strict=True)
        if kind == "elastic" and address not in linear.rows
    ]
    assert len(redundant) >= 2
    size = np.abs(system.K).max()
    assert all(np.abs(stiffness).max() > 1e-5 * size for _, stiffness in system.contributions.values())
    assert np.abs(system.forcing).max() > 1.0


@pytest.mark.parametrize("space", CROWDED)
def test_terms_of_the_source_add_up_with_their_corrections(space):
    """C17 says H for F in one factor: without rolling they are the same, and there is nothing to show."""
    motion, equations = crowded(space, 2)
    system = fx.linearise(motion.model, (motion, T))
    terms = Terms(equations.linear(system.coordinates))
    stiffness, damping = terms.stiffness(), terms.damping()
    assert deviation(system.K, sum(stiffness.values()), *stiffness.values()) < CLOSE
    assert deviation(system.C, sum(damping.values()), *damping.values()) < CLOSE

    # without one of the corrections the stiffness is wrong, far beyond what could pass for rounding
    for correction, printed in terms.as_printed().items():
        wrong = sum((stiffness | printed).values())
        assert deviation(system.K, wrong, *stiffness.values()) > 1e5 * CLOSE, correction


# -- signals -----------------------------------------------------------------------------------------------------


def expected_rows(linear, address, order):
    """Δ(signal) for changes of drives and coordinates, of their rates and accelerations, by dual numbers."""
    e, layout = linear.equations, linear.layout
    if address.kind == "coordinate":
        levels = (linear.x, linear.v, linear.a)[order]
        return [linear.wide(level)[layout.coordinate_index[address]] for level in levels]
    slope, none = e.slopes[0], np.zeros_like(e.slopes[0])
    changes = linear.change(((slope, none, none), e.rates, e.seconds)[order])
    return [change[layout.strain_index[address]] for change in changes]


def expected_force(linear, address):
    """The same of the force of a signal."""
    layout = linear.layout
    rows = linear.rows[: linear.held + linear.u]
    if address in rows:
        # a stress is an inner force, that on a coordinate comes from outside
        sign = 1.0 if address.kind == "strain" else -1.0
        return [sign * change[rows.index(address)] for change in linear.held_stress_change]
    if address.kind == "strain":
        return [change[layout.strain_index[address]] for change in linear.change(linear.equations.stresses)]
    k = layout.coordinate_index[address]
    fixed = k in layout.known
    return [change[k] if fixed else np.zeros(change.shape[1]) for change in linear.reaction_change]


def in_motion(rows, linear):
    """Rows of a signal where the accelerations of the coordinates follow from the equations of motion."""
    K, C, M = linear.matrices
    u = linear.u
    second = rows[2][u:] @ np.linalg.inv(M[:, u:])
    return np.concatenate([row - second @ part for row, part in zip(rows, (K, C, M), strict=True)])


def names_of(space, kind):
    """The signals of a crowded model: those that are carried have rates only."""
    layout = crowded(space, 1)[1].layout
    if kind == "coordinate":
        return layout.coordinates
    carried = kind == "carried"
    return [a for a in layout.strains if a.internal is carried and not a.owner.endswith(":unit")]


RATES_ONLY = [("space", "carried")]


@pytest.mark.parametrize("in_space", [False, True])
@pytest.mark.parametrize(("space", "kind"), [*product(CROWDED, ("coordinate", "strain")), *RATES_ONLY])
def test_signals_follow_exactly(space, kind, in_space):
    motion, equations = crowded(space, 1)
    system = fx.linearise(motion.model, (motion, T), in_space=in_space)
    linear = equations.linear(system.coordinates)
    names, wrong = names_of(space, kind), []
    for order in range(kind == "carried", 3):
        expected = [expected_rows(linear, address, order) for address in names]
        size = np.abs(expected).max(initial=0.0)
        for address, rows in zip(names, expected, strict=True):
            if np.abs(np.array(system.following.rows(str(address), order, False)) - rows).max() > CLOSE * size:
                wrong.append(f"{address}{order * chr(39)}")
    assert not wrong


@pytest.mark.parametrize("in_space", [False, True])
@pytest.mark.parametrize("kind", ["coordinate", "strain"])
@pytest.mark.parametrize("space", CROWDED)
def test_forces_follow_exactly(space, kind, in_space):
    motion, equations = crowded(space, 1)
    system = fx.linearise(motion.model, (motion, T), in_space=in_space)
    linear = equations.linear(system.coordinates)
    wrong = []
    for address in names_of(space, kind):
        if address.turns and address.component != "phi":
            continue  # what holds Euler parameters is a torque and a part that holds their length
        rows = in_motion(system.following.rows(str(address), 0, True), linear)
        # the force of a strain is minus its stress: force times rate is the power put into the machine
        expected = (-1.0 if kind == "strain" else 1.0) * in_motion(expected_force(linear, address), linear)
        if np.abs(rows - expected).max() > CLOSE * np.abs(expected).max():
            wrong.append(str(address))
    assert not wrong
