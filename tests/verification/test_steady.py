"""Steady motions: circles of the disc, the bicycle in a turn, tops; and small motions about them."""

from math import cos, sin

import numpy as np
import pytest

import flexura as fx
from flexura import planar
from flexura.planar import Mass as PlanarMass
from flexura.spatial import Body
from references.bicycle import CAPSIZE, REAR, bicycle, with_angles
from references.leaning_disc import rates, roots, steady_turning
from references.rolling_models import caster, disc


def circling(state):
    """Lean, spin about the axle and turning about the normal of a disc."""
    axle = state.orientation("disc.p", "cosines")[:, 1]
    spin = np.array([state[f"disc.p.about_{axis}'"] for axis in "xyz"])
    (turning, _), *_ = np.linalg.lstsq(np.stack([[0.0, 0.0, 1.0], axle], axis=1), spin, rcond=None)
    return np.arcsin(axle[2]), spin @ axle, turning


def leaning(lean, spin, turning=0.0):
    """A disc that leans and rolls about as it should."""
    start = {
        "disc.p": fx.Rotation(angles=(0.0, lean, 0.0), order="ZXZ"),
        "disc.p.about_own_y'": spin,
        "disc.p.about_z'": turning + spin * sin(lean),
    }
    return disc(start=start)


@pytest.mark.parametrize(("lean", "spin"), [(0.1, 1.0), (0.3, 1.45), (-0.5, 1.2), (0.8, 0.9)])
def test_disc_rolls_in_a_circle(lean, spin):
    """Lean and spin are wished for; the turning is that of the closed form, and the small motions too."""
    slow = steady_turning(lean, spin)[1]
    model = leaning(lean, spin, 0.7 * slow)
    state = fx.steady(model, {"disc.p.about_own_y'": spin, "W.z": cos(lean)})
    found = circling(state)
    assert found == pytest.approx((lean, spin, slow), rel=1e-10)
    assert np.abs(rates(np.array([lean, 0.0, slow * cos(lean), spin]))).max() < 1e-12

    # friction holds the centre, of speed ω_e r, on its circle
    assert abs(state.force("wheel.across")) == pytest.approx(abs(spin * slow), rel=1e-9)
    assert abs(state.force("wheel.height")) == pytest.approx(1.0, rel=1e-9)

    values = fx.linearise(model, state).eigenvalues
    expected = roots(lean, slow, spin)
    assert values[values.imag.argmax()] == pytest.approx(expected[expected.imag.argmax()], rel=1e-8)
    assert np.sum(np.abs(values) > 1e-5) == 1


def test_disc_may_turn_fast_on_the_spot():
    """The other root: the disc spins about, nearly at rest otherwise."""
    lean, spin = 1.2, 0.2
    fast = steady_turning(lean, spin)[0]
    model = leaning(lean, spin, fast)
    state = fx.steady(model, {"disc.p.about_own_y'": spin, "W.z": cos(lean)})
    assert circling(state) == pytest.approx((lean, spin, fast), rel=1e-9)


def test_disc_goes_on_in_its_circle():
    model = leaning(0.3, 1.45, -0.14)
    state = fx.steady(model)
    motion = fx.simulate(model.replace(start=state.start), 40.0, samples=41, method=fx.DormandPrince(tolerance=1e-11))
    assert motion["W.z"] == pytest.approx(np.full(41, state["W.z"]), abs=1e-8)
    assert motion["disc.p.about_z'"] == pytest.approx(np.full(41, state["disc.p.about_z'"]), abs=1e-8)


# ── the bicycle ──────────────────────────────────────────────────────────────────────────────────────────────────────


def turning_bicycle(lean, steer, **given):
    """At about its capsize speed, leaning."""
    model = with_angles(bicycle(CAPSIZE))
    return model.replace(start={**model.start, "lean.rotation": lean, "steer.rotation": steer}, **given)


@pytest.mark.parametrize("lean", [-0.05, -0.2])
def test_bicycle_turns_without_hands(lean):
    """Next to the capsize speed there are turns without a torque at the handlebar; it goes on in them."""
    model = turning_bicycle(lean, -0.3 * lean)
    state = fx.steady(model, {"lean.rotation": lean})
    assert state["lean.rotation"] == pytest.approx(lean, rel=1e-12)
    assert state.force("steer.rotation") == 0.0
    for signal in ("lean.rotation'", "steer.rotation'", "lean.rotation''", "steer.rotation''", "rear_axle.rotation''"):
        assert abs(state[signal]) < 1e-10
    motion = fx.simulate(model.replace(start=state.start), 2.0, samples=21, method=fx.DormandPrince(tolerance=1e-11))
    assert motion["lean.rotation"] == pytest.approx(np.full(21, lean), abs=1e-7)
    assert motion["yaw.rotation'"] == pytest.approx(np.full(21, state["yaw.rotation'"]), abs=1e-7)
    assert motion.force("front_wheel.across") == pytest.approx(np.full(21, state.force("front_wheel.across")), rel=1e-6)

    # it is as unstable as a bicycle at that speed, and no more; there are six roots of zero
    values = fx.linearise(model, state).eigenvalues
    assert np.sum(np.abs(values) > 1e-5) == 3
    assert values[values.imag.argmax()] == pytest.approx(-1.55 + 5.9j, abs=0.05)


def test_turns_of_the_bicycle_begin_at_the_capsize_speed():
    speeds = [
        REAR * fx.steady(turning_bicycle(lean, -0.3 * lean), {"lean.rotation": lean})["rear_axle.rotation'"]
        for lean in (-0.02, -0.01)
    ]
    # even in the lean
    assert (4.0 * speeds[1] - speeds[0]) / 3.0 == pytest.approx(CAPSIZE, rel=1e-7)


def test_bicycle_turns_with_its_handlebar_held():
    """Speed and steer are given: the lean follows, about as of a thin wheel in such a turn."""
    speed = 6.0
    model = with_angles(bicycle(speed)).replace(inputs={"steer.rotation": 0.1})
    state = fx.steady(model, {"rear_axle.rotation'": speed / REAR})
    assert state["rear_axle.rotation'"] == pytest.approx(speed / REAR, rel=1e-12)
    assert np.tan(-state["lean.rotation"]) == pytest.approx(speed * state["yaw.rotation'"] / 9.81, rel=0.05)
    assert abs(state.force("rear_wheel.height") + state.force("front_wheel.height")) == pytest.approx(
        94 * 9.81, rel=1e-9
    )
    held = fx.linearise(model, state)
    assert not held.stable
    assert len(held.coordinates) == 2


def test_small_motions_about_a_turn_are_those_of_the_whole_motion():
    """A small push in a turn grows or swings as the eigenvalues say, though all turns round meanwhile."""
    model = turning_bicycle(-0.2, 0.06)
    state = fx.steady(model, {"lean.rotation": -0.2})
    system = fx.linearise(model, state)
    follows, number = system.following, int(system.eigenvalues.imag.argmax())
    root, shape = system.eigenvalues[number], system.modes[:, number]
    n, size = len(system.M), 1e-6
    place = np.real(follows.F @ shape)
    rate = np.real(follows.H @ (root * shape[:n]) + follows.P @ shape)
    index = {name: follows.coordinate_index[follows.names.resolve(name.rstrip("'"))] for name in state.start}
    change = {name: (rate if name.endswith("'") else place)[k] for name, k in index.items()}
    start = {name: value + size * change[name] for name, value in state.start.items()}
    motion = fx.simulate(model.replace(start=start), 1.5, samples=31, method=fx.DormandPrince(tolerance=1e-12))
    for signal in ("lean.rotation", "steer.rotation"):
        expected = np.real((system.output(signal)[0] @ shape) * np.exp(root * motion.t))
        assert (motion[signal] - state[signal]) / size == pytest.approx(expected, abs=2e-4 * np.abs(expected).max())


# ── other things that turn ───────────────────────────────────────────────────────────────────────────────────────────


def test_top_precesses_steadily():
    """C ω Ω - A Ω² cos θ = m g l of a symmetrical top, A about its point and ω its whole spin."""
    A, C, mass, arm, weight = 0.05 + 2.0 * 0.3**2, 0.08, 2.0, 0.3, 9.81
    tilt, spin = 0.4, 60.0
    top = fx.Model(
        nodes={"O": (0, 0, 0), "T": (0, 0, 1)},
        elements={"top": Body("O", mass, Jxx=0.05, Jyy=0.05, Jzz=C, centre=(0, 0, arm), points=("T",))},
        fixed=["O"],
        gravity=(0, 0, -weight),
        start={
            "top.p": fx.Rotation(angles=(0.0, tilt, 0.0), order="ZXZ"),
            "top.p.about_own_z'": spin,
        },
    )
    slow = np.roots([-A * cos(tilt), C * spin, -mass * weight * arm])[1]
    top = top.replace(start={**top.start, "top.p.about_z'": spin * cos(tilt) + 0.8 * slow * sin(tilt) ** 2})
    state = fx.steady(top, {"top.p.about_own_z'": spin, "T.z": cos(tilt)})
    axis = state.orientation("top.p", "cosines")[:, 2]
    whole = np.array([state[f"top.p.about_{name}'"] for name in "xyz"])
    (turning, _), *_ = np.linalg.lstsq(np.stack([[0.0, 0.0, 1.0], axis], axis=1), whole, rcond=None)
    assert axis[2] == pytest.approx(cos(tilt), rel=1e-12)
    assert turning == pytest.approx(slow, rel=1e-9)
    # it nods at one frequency, and turns, precesses and leans at any
    values = fx.linearise(top, state).eigenvalues
    assert np.sum(np.abs(values) > 1e-5) == 1
    nodding = values[np.abs(values).argmax()]
    assert nodding.imag == pytest.approx(nutation(A, C * spin, turning, tilt), rel=1e-8)


def nutation(A, momentum, turning, tilt):
    """The frequency about a steady precession: θ̈ + f(θ) = 0 with Ω following from the momentum about the upright.

    A θ̈ = A Ω² sin θ cos θ - L Ω sin θ + G sin θ with (A Ω sin²θ + L cos θ) constant, differentiated.
    """
    s, c = sin(tilt), cos(tilt)
    weight = momentum * turning - A * turning**2 * c
    slope = -(2.0 * A * turning * s * c - momentum * s) / (A * s**2)
    force = A * turning**2 * (c * c - s * s) - momentum * turning * c + weight * c
    return np.sqrt(-(force + (2.0 * A * turning * s * c - momentum * s) * slope) / A)


def test_caster_goes_straight():
    """It is steady as drawn."""
    state = fx.steady(caster(10.0, 1.0))
    assert state["A.x'"] == pytest.approx(1.0)
    assert state["pitch.rotation'"] == pytest.approx(1.0, rel=1e-12)
    assert abs(state["yaw.rotation"]) < 1e-12


# ── errors ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_is_not_steady_is_refused():
    model = leaning(0.3, 1.45, -0.14)
    with pytest.raises(fx.AnalysisError, match=r"no steady motion near the start with disc.p.about_x' = 3"):
        fx.steady(model, {"disc.p.about_x'": 3.0, "disc.p.about_z'": 0.0, "W.z": 1.0, "disc.p.about_own_y'": 1.0})
    with pytest.raises(fx.ModelError, match="write one prime"):
        fx.steady(model, {"wheel.across": 0.0})
    still = fx.Model(
        nodes={"A": (1, 0)}, elements={"m": PlanarMass("A", 1.0)}, fixed=["A.x"], laws={}, gravity=(0, -9.81)
    )
    with pytest.raises(fx.ModelError, match="therefore no steady motion"):
        fx.steady(still)


def test_an_unbalanced_wheel_has_no_steady_motion():
    round_one = leaning(0.0, 1.0)
    lopsided = Body("W", 1.0, Jxx=0.25, Jyy=0.5, Jzz=0.25, centre=(0.1, 0, 0))
    with pytest.raises(fx.AnalysisError, match=r"about_own_y' = 3"):
        fx.steady(round_one.replace(elements={**round_one.elements, "disc": lopsided}), {"disc.p.about_own_y'": 3.0})


@pytest.mark.parametrize("pin", [(0.0, 0.0), (20.0, -3.0)])
@pytest.mark.parametrize("stiffness", [np.inf, 1e4])
def test_an_arm_turns_about_a_pin(pin, stiffness):
    """The equation of a rigid one is always true; a soft one is pulled to the length tan(kL)/k."""
    x, y = pin
    section = fx.Section(rhoA=1.0, EA=stiffness, EI=stiffness)
    arm = planar.Beam("O", "A", section, parts=1 if np.isinf(stiffness) else 16)
    model = fx.Model({"O": pin, "A": (x + 1.0, y)}, {"arm": arm}, fixed=["O"], start={"arm.p.phi'": 3.0})
    state = fx.steady(model, {"arm.p.phi'": 3.0})
    speed = 3.0 / np.sqrt(stiffness)
    length = 1.0 if np.isinf(stiffness) else np.tan(speed) / speed
    assert np.hypot(state["A.x"] - x, state["A.y"] - y) == pytest.approx(length, rel=1e-6)
    assert state["arm.p.phi'"] == pytest.approx(3.0, rel=1e-10)
    assert np.hypot(state["A.x''"], state["A.y''"]) == pytest.approx(9.0 * length, rel=1e-6)
