"""Linear equations of what rolls: closed forms of the sources, and automatic differentiation at random states."""

from functools import cache
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

import flexura as fx
from flexura.spatial import Hinge
from references.bicycle import bicycle, with_angles
from references.dual_equations import DualEquations
from references.dual_rolling import RollingLinear, rolling_moment
from references.random_states import motion_of
from references.rolling_models import caster, disc, swivel

# ── the swivel wheel ─────────────────────────────────────────────────────────────────────────────────────────────────


def random_swivel(seed):
    """Numbers of a swivel wheel: mass, stiffness, length, place of the centre of mass, radius of gyration, speed."""
    m, k, length, a, r, v = np.random.default_rng(seed).uniform([0.5, 1, 0.5, 0.1, 0.1, 0.2], [9, 90, 2, 0.9, 0.6, 5])
    return m, k, length, a * length, r * length, v


@pytest.mark.parametrize("seed", range(8))
def test_swivel_wheel_has_the_matrices_and_roots_of_the_source(seed):
    """[Schwab2002 (3.44)-(3.45)], for random numbers."""
    m, k, length, a, r, v = random_swivel(seed)
    b = length - a
    system = fx.linearise(swivel(a, r, length=length, mass=m, stiffness=k, speed=v))
    assert system.coordinates == ("A.y",)
    assert system.rolls.coordinates[0].endswith(".phi")
    coupled = m * (a * b - r**2) / length**2
    assert system.M[0, 0] == pytest.approx(m * (a**2 + r**2) / length**2, rel=1e-10)
    assert system.C[0, 0] == pytest.approx(coupled * v / length, rel=1e-10)
    assert system.K[0, 0] == pytest.approx(k, rel=1e-10)
    assert system.rolls.K[0, 0] == pytest.approx(-coupled * v**2 / length, rel=1e-10)
    assert system.rolls.A[0, 0] == pytest.approx(1.0 / length, rel=1e-10)
    assert system.rolls.B[0] == pytest.approx([0.0, -v / length], rel=1e-10, abs=1e-14)
    assert np.abs(system.forcing).max() < 1e-10 * k

    mu, w, square = (a * b - r**2) / (a**2 + r**2), v / length, k * length**2 / (m * (a**2 + r**2))
    for root in np.roots([1.0, (1.0 + mu) * w, square, w * square]):
        if root.imag >= 0.0:
            assert np.abs(system.eigenvalues - root).min() < 1e-10 * abs(root)


@pytest.mark.parametrize("seed", range(8))
def test_swivel_wheel_at_its_centre_of_percussion_swings_without_damping(seed):
    """a(l - a) = r²: the roots -ω and ±iω_n, on the axis to rounding."""
    m, k, length, a, _, v = random_swivel(seed)
    r = sqrt(a * (length - a))
    values = fx.linearise(swivel(a, r, length=length, mass=m, stiffness=k, speed=v)).eigenvalues
    swinging = values[values.imag.argmax()]
    assert abs(swinging.real) < 1e-12 * abs(swinging)
    assert swinging.imag == pytest.approx(sqrt(k * length**2 / (m * (a**2 + r**2))), rel=1e-12)
    assert values[np.abs(values.imag).argmin()] == pytest.approx(-v / length, rel=1e-12)


@pytest.mark.parametrize(
    ("place", "roots"),
    [
        (0.0, [0.432189 + 2.307004j, -0.864378]),
        (0.2, [0.081198 + 2.037080j]),
        (0.3, [1.825742j, -1.0]),
        (0.5, [-0.029248 + 1.453581j, -1.028461]),
        (0.7, [1.195229j, -1.0]),
        (1.0, [0.043209 + 0.950509j, -0.912864]),
    ],
)
def test_swivel_wheel_has_the_roots_of_the_catalogue(place, roots):
    """[Schwab2002, section 3.5.2], figure 3.19."""
    values = fx.linearise(swivel(place)).eigenvalues
    for root in roots:
        assert np.abs(values - root).min() < 1e-6


@pytest.mark.parametrize("seed", range(4))
def test_swivel_wheel_lags_behind_its_pin(seed):
    """[Schwab2002 (3.47)]: phase and ratio of the swings of wheel and pin."""
    m, k, length, a, r, v = random_swivel(seed)
    system = fx.linearise(swivel(a, r, length=length, mass=m, stiffness=k, speed=v))
    number = int(system.eigenvalues.imag.argmax())
    root, shape = system.eigenvalues[number], system.modes[:, number]
    ratio = (system.output("C.y")[0] @ shape) / (system.output("A.y")[0] @ shape)
    w = v / length
    assert abs(ratio) == pytest.approx(w / sqrt((w + root.real) ** 2 + root.imag**2), rel=1e-10)
    assert ratio.imag / ratio.real == pytest.approx(-root.imag / (w + root.real), rel=1e-10)


# ── the disc ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def with_hinges(speed):
    """The disc with its yaw, roll and pitch, driven at a speed besides a free deviation of the pitch."""
    turns = {
        "yaw": Hinge("W", "roll.p", axis=(0, 0, 1)),
        "roll": Hinge("W", "pitch.p", axis=(1, 0, 0)),
        "pitch": Hinge("W", "more.p", axis=(0, 1, 0)),
        "more": Hinge("W", "disc.p", axis=(0, 1, 0)),
    }
    return disc(
        elements=turns,
        fixed=[f"yaw.p.e{i}" for i in range(4)],
        inputs={"pitch.rotation": fx.Ramp(rate=speed)},
        independent=["yaw.rotation", "roll.rotation", "more.rotation"],
    )


@pytest.mark.parametrize("speed", [0.0, 0.2, 0.4116, 0.5, 0.7, 1.0])
def test_disc_falls_or_wobbles_by_its_speed(speed):
    """λ² = 0.8 - 2.4 v² and six zeros, with the matrices of [Schwab2002, section 3.6]."""
    system = fx.linearise(with_hinges(speed))
    order = [system.coordinates.index(name) for name in ("yaw.rotation", "roll.rotation", "more.rotation")]
    grid = np.ix_(order, order)
    assert system.M[grid] == pytest.approx(np.diag([0.25, 1.25, 1.5]), abs=1e-12)
    C = np.zeros((3, 3))
    C[0, 1], C[1, 0] = 0.5 * speed, -1.5 * speed
    assert system.C[grid] == pytest.approx(C, abs=1e-12)
    assert system.K[grid] == pytest.approx(np.diag([0.0, -1.0, 0.0]), abs=1e-12)
    assert len(system.rolls.coordinates) == 2
    assert not np.any(system.rolls.K)

    # the contact goes ahead by the pitch, and aside by the yaw: A and B
    forward, aside = system.output("C.x'"), system.output("C.y'")
    assert forward[1][order] == pytest.approx([0.0, 0.0, 1.0], abs=1e-12)
    assert aside[0][order] == pytest.approx([speed, 0.0, 0.0], abs=1e-12)
    assert np.abs(aside[1]).max() < 1e-12

    A, *_ = system.to_state_space([], [])
    values = np.linalg.eigvals(A)
    moving = values[np.abs(values) > 1e-4]
    assert len(values) == 8
    assert moving**2 == pytest.approx(np.full(2, 0.8 - 2.4 * speed**2), abs=1e-8)
    assert np.sum(np.abs(values) < 1e-7) == 6


# ── automatic differentiation ────────────────────────────────────────────────────────────────────────────────────────

CLOSE = 1e-9
T, RATE = 0.3, 3.0
EXAMPLES = Path(__file__).parents[2] / "examples"
GALLERY = ("bicycle", "caster", "planimeter", "rattleback", "rolling_disc", "sleigh", "swivel_wheel")
FREED = {"planimeter": {"inputs": {}}, "swivel_wheel": {"loads": {}}}
"""What is taken off: drives that leave nothing to move, and loads that follow signals, which are in other tests."""
MODELS = {
    **{
        f"{name}.toml": fx.Model.from_file(EXAMPLES / f"{name}.toml").replace(**FREED.get(name, {})) for name in GALLERY
    },
    "swivel wheel": swivel(0.4).replace(loads={}),
    "disc": disc(),
    "disc with hinges": with_hinges(0.7),
    "bicycle": bicycle(3.0),
    "bicycle with angles": with_angles(bicycle(3.0)),
    "caster with a fork": caster(10.0, 1.0),
    "driven slip": disc(inputs={"wheel.across": fx.Sine(amplitude=0.2, frequency=1.3)}),
}


@cache
def moment(name, seed):
    """A random state, with the equations there."""
    model = MODELS[name]
    found = rolling_moment(model, T, seed)
    return motion_of(model, found), DualEquations(model, found)


def deviation(found, expected, *parts):
    """Against the largest numbers of rows and columns, or a thousandth of the largest of all."""
    size = sum(map(np.abs, parts), np.abs(expected))
    scale = np.maximum(np.sqrt(np.outer(size.max(axis=1), size.max(axis=0))), 1e-3 * size.max(initial=0.0))
    error = np.abs(found - expected)
    assert not np.any(error[scale == 0.0])
    return float(np.max(error / np.where(scale == 0.0, 1.0, scale), initial=0.0))


@pytest.mark.parametrize("in_space", [False, True])
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", MODELS)
def test_what_rolls_is_linearised_exactly(name, seed, in_space):
    motion, equations = moment(name, seed)
    system = fx.linearise(motion.model, (motion, T), in_space=in_space)
    linear = RollingLinear(equations, system.coordinates, system.rolls.coordinates)
    K, C, M = linear.matrices
    u, n = linear.u, len(system.M)
    assert system.drives == tuple(map(str, linear.drives))
    damping, stiffness = zip(*system.contributions.values(), strict=True)
    assert deviation(np.hstack([system.drive_matrices[0], system.M]), M) < CLOSE
    assert deviation(system.C, C[:, u:], RATE * M[:, u:], *damping) < CLOSE
    assert deviation(np.hstack([system.K, system.rolls.K]), K[:, u:], *stiffness) < CLOSE
    assert deviation(np.hstack([system.rolls.drive_matrices[0], system.rolls.A]), linear.A) < CLOSE
    assert deviation(np.hstack([system.rolls.drive_matrices[1], system.rolls.B]), linear.B) < CLOSE
    assert deviation(np.hstack([system.drive_matrices[1], system.C]), C, RATE * M) < CLOSE
    drives = np.hstack([system.drive_matrices[2], system.K, system.rolls.K])
    assert deviation(drives, K, np.pad(RATE**2 * M, ((0, 0), (0, K.shape[1] - u - n)))) < CLOSE
    # what they are made of adds up
    assert deviation(sum(damping), system.C, *damping) < CLOSE
    assert deviation(sum(stiffness), np.hstack([system.K, system.rolls.K]), *stiffness) < CLOSE


@pytest.mark.parametrize("name", ["disc", "bicycle", "caster with a fork"])
def test_signals_of_what_rolls_follow_exactly(name):
    motion, equations = moment(name, 2)
    system = fx.linearise(motion.model, (motion, T))
    linear = RollingLinear(equations, system.coordinates, system.rolls.coordinates)
    layout, u = linear.layout, linear.u
    wheel = "wheel" if name != "bicycle" else "front_wheel"
    for order, level in enumerate((linear.x, linear.v, linear.a)):
        k = layout.coordinate_index[layout.names.resolve("W.y" if name != "bicycle" else "B.y")]
        rows = system.output(str(layout.coordinates[k]) + "'" * order)
        for row, change in zip(rows, level, strict=True):
            assert row == pytest.approx(linear.wide(change)[k][u:], abs=1e-9 * max(1.0, np.abs(change).max()))
    # rates of what is no strain, and the forces of friction
    spin = layout.strain_index[layout.names.resolve(f"{wheel}.spin")]
    for row, change in zip(system.output(f"{wheel}.spin'"), linear.change(equations.rates), strict=True):
        assert row == pytest.approx(change[spin][u:], abs=1e-9)
    for slip in ("along", "across", "height"):
        row = linear.rows.index(layout.names.resolve(f"{wheel}.{slip}"))
        for found, expected in zip(system.output(f"{wheel}.{slip}.force"), linear.held_stress_change, strict=True):
            assert found == pytest.approx(-expected[row][u:], abs=1e-9 * max(1.0, np.abs(expected).max()))


# ── inputs and outputs ───────────────────────────────────────────────────────────────────────────────────────────────


def test_state_space_and_frequency_response_agree():
    """C (iω - A)⁻¹ B + D, with the states q, k, q̇ in this order."""
    system = fx.linearise(with_angles(bicycle(5.0)))
    n, k = len(system.M), len(system.rolls.coordinates)
    loads, signals = (
        ["steer.rotation", "frame.p.about_x"],
        ["lean.rotation", "steer.rotation'", "B.y''", "yaw.rotation"],
    )
    signals.append("rear_wheel.across.force")
    A, B, C, D = system.to_state_space(loads, signals)
    assert A.shape == (2 * n + k, 2 * n + k)
    assert np.array_equal(A[:n, n + k :], np.eye(n))
    assert np.array_equal(A[n : n + k, n + k :], system.rolls.A)
    assert np.array_equal(A[n : n + k, : n + k], system.rolls.B)
    for w in (0.7, 4.0, 20.0):
        whole = C @ np.linalg.solve(1j * w * np.eye(len(A)) - A, B) + D
        for i, signal in enumerate(signals):
            for j, load in enumerate(loads):
                assert system.frequency_response(load, signal, [w])[0] == pytest.approx(whole[i, j], rel=1e-9)


def test_a_steering_damper_is_attached_or_built_in():
    """Attached to the linear system or a law of the model: the same equations."""
    model = bicycle(6.0)
    attached = fx.linearise(model).attach(["steer.rotation"], K=3.0, C=2.0)
    built = fx.linearise(
        model.replace(laws={"steer.rotation": fx.LinearLaw(k=3.0, c=2.0)}, independent=attached.coordinates[:2])
    )
    found, expected = (np.sort_complex(s.eigenvalues[np.abs(s.eigenvalues) > 1e-6]) for s in (attached, built))
    assert found == pytest.approx(expected, rel=1e-9)


def test_modes_of_what_rolls_are_drawn():
    system = fx.linearise(bicycle(5.0))
    weave = int(system.eigenvalues.imag.argmax())
    scene = system.mode_scene(weave, frames=5)
    assert len(scene.t) == 5
    assert system.modes.shape[0] == len(system.coordinates) + len(system.rolls.coordinates)
