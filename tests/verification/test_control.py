"""Controllers in the loop: closed forms, balance of energy, orders, linear equations, python-control."""

from __future__ import annotations

import runpy
from pathlib import Path

import control
import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Hinge, Mass, Truss
from flexura.spatial import Beam as SpatialBeam
from flexura.spatial import Hinge as SpatialHinge
from references.loop import constant_response, differences

MASS, STIFFNESS = 2.0, 50.0
ARM = Path(__file__).parents[2] / "examples" / "flexible_arm.py"


def oscillator(**given) -> fx.Model:
    return fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"spring": Truss("O", "A", fx.Section(EA=STIFFNESS)), "mass": Mass("A", MASS)},
        fixed=["O", "A.y"],
        **given,
    )


FILTERED = {
    "loads": {"A.x": "-40*(A.x - 1.1) - 3*A.x' + 30*charge"},
    "states": {"charge": "1.1 - A.x - 0.1*charge"},
    "start": {"charge": 0.02, "A.x'": -0.1},
}
"""A controller with proportional, differential and leaky integral action, written as formulas."""

CLOSED = np.array([[0, 1, 0], [-(STIFFNESS + 40) / MASS, -3 / MASS, 30 / MASS], [-1, 0, -0.1]])
PUSH = np.array([0, 4 / MASS, 0.1])
"""z′ = A z + b of (displacement, rate, charge)."""


# ── closed forms ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_proportional_and_differential_action_is_a_spring_and_a_damper():
    model = oscillator(loads={"A.x": "-40*(A.x - 1.1) - 3*A.x'"}, start={"A.x": 1.05})
    motion = fx.simulate(model, until=3.0, samples=61, method=fx.DormandPrince(tolerance=1e-12))
    exact = constant_response(CLOSED[:2, :2], PUSH[:2], np.array([0.05, 0.0]), motion.t)
    assert motion["A.x"] - 1.0 == pytest.approx(exact[:, 0], abs=1e-12)
    assert motion["A.x'"] == pytest.approx(exact[:, 1], abs=1e-11)


def test_a_load_on_a_strain_follows_its_strain_and_rate():
    on_strain = oscillator(loads={"spring.elongation": "-40*spring.elongation - 3*spring.elongation'"})
    on_coordinate = oscillator(loads={"A.x": "-40*(A.x - 1) - 3*A.x'"})
    one, other = (
        fx.simulate(m.replace(start={"A.x": 1.05}), until=1.0, method=fx.DormandPrince(tolerance=1e-12))
        for m in (on_strain, on_coordinate)
    )
    assert one["A.x"] == pytest.approx(other["A.x"], abs=1e-13)
    # what the strain carries is the spring's and the load's
    assert one.force("spring.elongation") == pytest.approx(-90 * (one["A.x"] - 1) - 3 * one["A.x'"], abs=1e-12)
    assert other.force("A.x") == pytest.approx(-40 * (other["A.x"] - 1) - 3 * other["A.x'"], abs=1e-12)


def test_a_state_integrates_its_formula():
    motion = fx.simulate(oscillator(**FILTERED), until=3.0, samples=61, method=fx.DormandPrince(tolerance=1e-12))
    exact = constant_response(CLOSED, PUSH, np.array([0.0, -0.1, 0.02]), motion.t)
    assert motion["A.x"] - 1.0 == pytest.approx(exact[:, 0], abs=1e-12)
    assert motion["charge"] == pytest.approx(exact[:, 2], abs=1e-12)
    assert motion["charge'"] == pytest.approx((exact @ CLOSED.T + PUSH)[:, 2], abs=1e-12)


def test_a_controller_is_the_same_as_its_formulas():
    servo = fx.Controller([[-0.1]], [[1.0]], [[30.0]], [[40.0]], ["A.x"], ["A.x"], [1.1])
    model = oscillator(loads={"A.x": "-3*A.x'"}, controllers={"servo": servo}, start={"servo.z1": 0.02, "A.x'": -0.1})
    motion = fx.simulate(model, until=3.0, samples=61, method=fx.DormandPrince(tolerance=1e-12))
    exact = constant_response(CLOSED, PUSH, np.array([0.0, -0.1, 0.02]), motion.t)
    assert motion["A.x"] - 1.0 == pytest.approx(exact[:, 0], abs=1e-12)
    assert motion["servo.z1"] == pytest.approx(exact[:, 2], abs=1e-12)


def test_states_alone_are_a_system_of_first_order():
    """A clock and a filter of the time: z″ = -4 z as two states."""
    model = oscillator(states={"clock": 1.0, "p": "q", "q": "-4*p", "lag": "(sin(t) - lag)/0.5"}, start={"p": 1.0})
    motion = fx.simulate(model, until=2.0, samples=21, method=fx.DormandPrince(tolerance=1e-12))
    assert motion["clock"] == pytest.approx(motion.t, abs=1e-13)
    assert motion["p"] == pytest.approx(np.cos(2.0 * motion.t), abs=1e-11)
    exact = (4.0 * np.sin(motion.t) - 2.0 * np.cos(motion.t) + 2.0 * np.exp(-2.0 * motion.t)) / 5.0
    assert motion["lag"] == pytest.approx(exact, abs=1e-11)


def test_a_law_may_depend_on_the_time_alone():
    model = oscillator(laws={"spring.elongation": "-t"})
    motion = fx.simulate(model, until=1.0, samples=11, method=fx.DormandPrince(tolerance=1e-12))
    assert motion["A.x"] - 1.0 == pytest.approx(motion.t**3 / 6.0 / MASS, abs=1e-13)


# ── methods ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("method", "order"),
    [
        (lambda h: fx.RungeKutta4(step=h), 4),
        (lambda h: fx.GeneralisedAlpha(step=h, tolerance=1e-9), 2),
        (lambda h: fx.Newmark(step=h), 2),
        (lambda h: fx.KennedyCarpenter(step=h, tolerance=1e-11), 4),
    ],
)
def test_methods_keep_their_order_with_a_controller(method, order):
    steps = [0.02, 0.01]
    errors = []
    for h in steps:
        motion = fx.simulate(oscillator(**FILTERED), until=1.0, samples=11, method=method(h))
        exact = constant_response(CLOSED, PUSH, np.array([0.0, -0.1, 0.02]), motion.t)
        errors.append([np.abs(motion["A.x"] - 1.0 - exact[:, 0]).max(), np.abs(motion["charge"] - exact[:, 2]).max()])
    assert np.log2(np.array(errors[0]) / errors[1]) == pytest.approx(order, abs=0.25)


@pytest.mark.parametrize("lag", [1e-3, 1e-5])
@pytest.mark.parametrize(
    "method", [fx.KennedyCarpenter(tolerance=1e-8), fx.GeneralisedAlpha(step=1e-3, tolerance=1e-8)]
)
def test_a_lag_may_be_shorter_than_the_steps_of_an_implicit_method(method, lag):
    model = oscillator(
        loads={"A.x": "-20*(seen - 1)"}, states={"seen": f"(A.x - seen)/{lag}"}, start={"A.x": 1.05, "seen": 1.05}
    )
    motion = fx.simulate(model, until=2.0, samples=11, method=method)
    A = np.array([[0, 1, 0], [-STIFFNESS / MASS, 0, -20 / MASS], [1 / lag, 0, -1 / lag]])
    exact = constant_response(A, np.zeros(3), np.array([0.05, 0.0, 0.05]), motion.t)
    assert motion["A.x"] - 1.0 == pytest.approx(exact[:, 0], abs=1e-4 * 0.05)
    assert motion.statistics["steps"] <= 2000


def test_both_formulations_agree():
    model = linked_arm()
    multipliers, minimal = (
        fx.simulate(model, until=0.3, method=fx.DormandPrince(tolerance=1e-11), formulation=formulation)
        for formulation in (fx.Multipliers(), fx.Minimal())
    )
    for signal in ("A.y", "motor.z1", "heat"):
        assert minimal[signal] == pytest.approx(multipliers[signal], abs=1e-8)


def test_an_event_watches_a_state():
    model = oscillator(states={"clock": 1.0})
    motion = fx.simulate(model, until=1.0, events=[fx.Event("clock", 0.375, stop=True)])
    assert motion.t[-1] == pytest.approx(0.375, abs=1e-12)


# ── energy ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def linked_arm(**given) -> fx.Model:
    """Two bending beams with gravity, an actuator and a motor, all of whose formulas bend."""
    section = fx.Section(EI=40.0, rhoA=0.8, damping=1e-3)
    servo = fx.Controller([[-5.0, 1.0], [-1.0, -8.0]], [[2.0], [3.0]], [[4.0, -6.0]], [[3.0]], ["arm.p.phi"], ["A.y"])
    return fx.Model(
        nodes={"O": (0, 0), "A": (1, 0), "B": (1.6, 0.3), "G": (0.2, -0.7)},
        elements={
            "arm": Beam("O", "A", section),
            "fore": Beam("A", "B", section),
            "elbow": Hinge("arm.q", "fore.p"),
            "ram": Truss("G", "A", fx.Section(EA=200.0)),
        },
        fixed=["O", "G"],
        loads={
            "elbow.rotation": "-6*tanh(2*elbow.rotation) - 0.4*elbow.rotation'*abs(elbow.rotation') + 2*heat",
            "ram.elongation": "-30*ram.elongation*arm.bending_p - 2*ram.elongation' + sin(7*t)",
            "B.y": "-3*A.x'*arm.p.phi - fore.bending_p'",
        },
        states={"heat": "arm.p.phi'*elbow.rotation - 2*heat^3 - heat + motor.z1"},
        controllers={"motor": servo},
        gravity=(0.0, -9.81),
        **({"start": {"arm.p.phi'": 1.0, "elbow.rotation'": 0.7, "heat": 0.3}} | given),
    )


def test_the_balance_of_energy_closes():
    motion = fx.simulate(linked_arm(), until=0.5, method=fx.DormandPrince(tolerance=1e-11))
    assert motion.imbalance < 1e-9
    assert np.abs(motion.energy["work"]).max() > 0.1
    # states have no energy: the kinetic energy is that of the beams alone
    still = linked_arm(start={"heat": 1e3, "motor.z1": 1e3})
    assert fx.simulate(still, until=1e-9, samples=2).energy["kinetic"][0] == 0.0


# ── linear equations ─────────────────────────────────────────────────────────────────────────────────────────────────


def agree_with_differences(model: fx.Model, within: float) -> None:
    """The linear equations about the first state against differences of the accelerations there."""
    motion = fx.simulate(model, until=1e-9, samples=2)
    system = fx.linearise(model, (motion, 0.0))
    n = len(system.coordinates) - len(system.states)
    coordinates, states = system.coordinates[:n], system.states
    values = np.array([motion[name][0] for name in coordinates])
    rates = np.array([motion[f"{name}'"][0] for name in coordinates])
    inner = np.array([motion[name][0] for name in states])
    found = system.to_state_space([], [])[0][n:]
    wanted = differences(model, coordinates, states, np.concatenate([values, rates, inner]))
    assert np.abs(found - wanted).max() <= within * np.abs(wanted).max()
    feedback = system.contributions["feedback"]
    assert all(np.abs(part).max() > 1.0 for part in feedback)


def test_linear_equations_in_the_plane_are_those_of_the_full_ones():
    agree_with_differences(linked_arm(), within=1e-9)


def spatial_arm() -> fx.Model:
    """A beam on a driven hinge, with torques on its tip about axes of space and its own, by measured rates."""
    section = fx.Section(EA=2e3, EI=30.0, GIt=20.0, rhoA=0.8, rhoIy=2e-3, rhoIz=2e-3)
    return fx.Model(
        nodes={"O": (0, 0, 0), "A": (0.8, 0.1, 0)},
        elements={"hub": SpatialHinge("O", "arm.p", axis=(0, 0.2, 1)), "arm": SpatialBeam("O", "A", section)},
        fixed=["hub.p"],
        loads={
            "hub.rotation": "-20*hub.rotation - 2*hub.rotation' + 3*lag",
            "arm.q.about_z": "-arm.q.about_x' + 0.5*hub.rotation",
            "arm.q.about_own_x": "-0.5*arm.q.about_own_x' - 3*arm.bending_y_q",
            "A.z": "-4*A.z'*A.y",
        },
        states={"lag": "arm.q.about_z' - 4*lag"},
        start={"hub.rotation": 0.4, "hub.rotation'": 2.0, "arm.bending_z_q": 0.02, "lag": 0.1},
    )


def test_linear_equations_in_space_are_those_of_the_full_ones():
    agree_with_differences(spatial_arm(), within=1e-9)


def test_forces_follow_loads_wherever_they_act():
    """On a driven and a fixed coordinate, a rigid and an elastic strain, and a free coordinate."""
    names = ("arm.p.phi", "O.x", "O.y", "arm.elongation", "arm.bending_p", "arm.bending_q", "A.y")
    model = fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"arm": Beam("O", "A", fx.Section(EI=10.0, rhoA=1.0)), "load": Mass("A", 0.5)},
        fixed=["O"],
        inputs={"arm.p.phi": "0.3*sin(2*t)"},
        loads={
            "arm.p.phi": "5*A.y",
            "O.x": "3*A.y'",
            "arm.elongation": "7*A.y + 2*A.y'",
            "arm.bending_p": "-4*arm.bending_q",
            "A.y": "-3*A.y' - 2*arm.bending_p",
        },
        start={"arm.bending_p": 0.02, "arm.bending_q": 0.01},
    )
    motion = fx.simulate(model, until=1e-9, samples=2)
    system = fx.linearise(model, (motion, 0.0))
    signals = [f"{name}{prime}" for prime in ("", "'") for name in system.coordinates]
    nominal = np.array([motion[name][0] for name in signals])

    def forces(values):
        moved = fx.simulate(model.replace(start=dict(zip(signals, values, strict=True))), until=1e-9, samples=2)
        return np.array([moved.force(name)[0] for name in names])

    step = 1e-4
    wanted = np.array([(forces(nominal + e) - forces(nominal - e)) / (2.0 * step) for e in step * np.eye(4)]).T
    found = system.to_state_space([], [f"{name}.force" for name in names])[2]
    assert found == pytest.approx(wanted, abs=1e-7 * np.abs(wanted).max())


def test_a_spring_and_a_damper_may_be_written_as_a_formula():
    formula = fx.linearise(oscillator(loads={"A.x": "-40*(A.x - 1) - 3*A.x'"}))
    assert pytest.approx(np.array([[90.0]])) == formula.K
    assert pytest.approx(np.array([[3.0]])) == formula.C
    assert formula.contributions["feedback"][1] == pytest.approx(np.array([[40.0]]))


def test_eigenvalues_and_responses_of_the_closed_loop():
    system = fx.linearise(oscillator(**FILTERED))
    wanted = np.linalg.eigvals(CLOSED)
    assert np.sort_complex(system.eigenvalues) == pytest.approx(np.sort_complex(wanted[wanted.imag >= 0.0]), abs=1e-12)
    A, B, C, D = system.to_state_space(["A.x"], ["A.x", "charge", "charge'", "A.x.force"])
    assert pytest.approx(CLOSED, abs=1e-13) == A
    assert C[3] == pytest.approx(np.array([-40.0, -3.0, 30.0]), abs=1e-12)
    for w in (0.0, 2.0):
        state = np.linalg.solve(1j * w * np.eye(3) - A, B)[:, 0]
        for k, name in enumerate(("A.x", "charge", "charge'", "A.x.force")):
            assert system.frequency_response("A.x", name, [w])[0] == pytest.approx(C[k] @ state + D[k, 0], abs=1e-12)


# ── equilibrium ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_states_stand_still_in_an_equilibrium():
    state = fx.equilibrium(oscillator(**FILTERED))
    rest = -np.linalg.solve(CLOSED, PUSH)
    assert [state["A.x"] - 1.0, state["charge"]] == pytest.approx([rest[0], rest[2]], abs=1e-14)
    assert fx.linearise(oscillator(**FILTERED), state).forcing == pytest.approx(np.zeros(2), abs=1e-12)


def held_arm(**given) -> fx.Model:
    """A beam that hangs out from a hub with a controller as its only support."""
    section = fx.Section(EI=20.0, rhoA=1.0)
    return fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"arm": Beam("O", "A", section, parts=2)},
        fixed=["O"],
        gravity=(0.0, -9.81),
        **given,
    )


def test_a_controller_may_be_the_only_support():
    held = fx.equilibrium(held_arm(loads={"arm.p.phi": "-40*arm.p.phi - arm.p.phi'"}))
    # the weight acts where the centre of the bent arm is
    moment = held.motion.model.gravity[1] * centre(held)
    assert -40.0 * held["arm.p.phi"] == pytest.approx(-moment, rel=1e-12)
    integral = fx.equilibrium(
        held_arm(loads={"arm.p.phi": "-40*arm.p.phi - arm.p.phi' + 5*sum"}, states={"sum": "0.05 - arm.p.phi"})
    )
    assert integral["arm.p.phi"] == pytest.approx(0.05, abs=1e-13)
    assert 5.0 * integral["sum"] - 2.0 == pytest.approx(9.81 * centre(integral), rel=1e-12)
    again = fx.equilibrium(integral.motion.model, near=integral)
    assert again["sum"] == pytest.approx(integral["sum"], rel=1e-12)


def centre(state: fx.State) -> float:
    """The first moment of the mass along x: the energy in a field of gravity against it."""
    model = state.motion.model
    turned = fx.simulate(
        model.replace(gravity=(-1.0, 0.0), loads={}, states={}, start={n: state[n] for n in strains(state)}),
        until=1e-9,
        samples=2,
    )
    return float(turned.energy["gravity"][0])


def strains(state: fx.State) -> list[str]:
    return ["arm.p.phi", *(str(a) for a in state.motion.strains if "bending" in str(a))]


def test_states_that_cannot_stand_still_are_named():
    with pytest.raises(fx.ModelError, match="in which the states sum are constant; check that"):
        fx.equilibrium(held_arm(loads={"arm.p.phi": "-40*arm.p.phi"}, states={"sum": "1 + arm.p.phi^2"}))


# ── python-control ───────────────────────────────────────────────────────────────────────────────────────────────────

SIGNALS = ("arm.p.phi", "A.y", "arm.1.bending_p")


@pytest.fixture(scope="module")
def arm():
    return runpy.run_path(str(ARM))


@pytest.fixture(scope="module")
def loop(arm):
    """The plant and the controller of the gallery, closed in python-control: from the reference to the signals."""
    plant = fx.linearise(arm["model"].replace(controllers={})).to_control(["arm.p.phi"], SIGNALS)
    servo = arm["servo"]
    K = control.ss(servo.A, servo.B, servo.C, servo.D)
    opened = control.ss(plant.A, plant.B, plant.C[:1], plant.D[:1]) * K
    return plant * K * control.feedback(control.ss([], [], [], [[1.0]]), opened), control.feedback(opened, 1)


def test_the_poles_of_the_arm_are_those_of_python_control(arm, loop):
    values = fx.linearise(arm["model"]).eigenvalues
    values = np.concatenate([values, values[values.imag > 1e-9].conj()])
    poles = loop[1].poles()
    assert len(values) == len(poles) == 24
    assert np.sort_complex(values) == pytest.approx(np.sort_complex(poles), abs=1e-10 * np.abs(poles).max())


def test_a_small_step_of_the_arm_is_that_of_python_control(arm, loop):
    motion = fx.simulate(arm["model"], until=2.0, samples=401)
    wanted = arm["STEP"] * control.step_response(loop[0], motion.t).outputs[:, 0]
    worst = [np.abs(motion[name] - linear).max() / arm["STEP"] for name, linear in zip(SIGNALS, wanted, strict=True)]
    # hub angle 5e-6, tip 5.5e-5, strain 1.1e-6 of the step; the tip moves on a circle
    assert worst[0] < 1e-5
    assert worst[1] < 1e-4
    assert worst[2] < 1e-5


def test_the_difference_falls_with_the_square_of_the_step(arm, loop):
    errors = []
    for step in (0.04, 0.02):
        model = arm["model"].with_parameter("controllers.servo.reference.0.value", step)
        motion = fx.simulate(model, until=0.5, samples=101, method=fx.DormandPrince(tolerance=1e-11))
        linear = step * control.step_response(loop[1], motion.t).outputs
        errors.append(np.abs(motion["arm.p.phi"] - linear).max() / step)
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.02)


def test_a_large_step_of_the_arm_is_not(arm, loop):
    model = arm["model"].with_parameter("controllers.servo.reference.0.value", 1.0)
    motion = fx.simulate(model, until=2.0, samples=401, method=fx.DormandPrince())
    linear = control.step_response(loop[1], motion.t).outputs
    assert np.abs(motion["arm.p.phi"] - linear).max() > 0.03
    assert motion.imbalance < 1e-9


def test_the_controller_of_the_arm_is_the_one_that_is_designed(arm):
    """Shapes of vibrations have no sign of their own, so that transfer functions are compared."""
    designed = arm["design"]()
    given = arm["servo"]
    for w in (0.3, 3.0, 15.0, 30.0, 80.0, 300.0):
        one, other = (control.ss(c.A, c.B, c.C, c.D)(1j * w) for c in (designed, given))
        assert other == pytest.approx(one, rel=2e-3)


def test_the_number_of_the_gallery_is_that_of_python_control(arm, loop):
    times = np.linspace(0.0, 2.0, 401)
    assert arm["SOURCE"] == pytest.approx(control.step_response(loop[1], times).outputs.max(), abs=5e-6)
