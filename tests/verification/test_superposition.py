"""Small motion on a nominal one with forces that stay non-linear, against full equations and against linear ones."""

from math import pi, sqrt

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Bearing, Mass, Truss
from references.gallery import model as example

# -- offset slider-crank with play in the crank pin [Schwab2002, section 4.4.5], after Rogers and Andrews --------------

CRANK, ROD, OFFSET, SPEED = 0.0508, 0.1524, 0.0508, 150.0
CLEARANCE, STIFFNESS, DAMPING = 51e-6, 1.09e8, 100.0
X, Y = "journal.along", "journal.across"
TURN = 2 * pi / SPEED


def slider_crank(loads=None, start=None, **bearing) -> fx.Model:
    slider = CRANK + sqrt(ROD**2 - OFFSET**2)
    return fx.Model(
        nodes={"O": (0, 0), "A": (CRANK, 0), "J": (CRANK, 0), "B": (slider, OFFSET)},
        elements={
            "crank": Beam("O", "A", fx.Section(rhoA=0.1366 / CRANK), rigid=True),
            "journal": Bearing("crank.q", "rod.p", **({"kx": 0.0, "ky": 0.0} | bearing)),
            "rod": Beam("J", "B", fx.Section(rhoA=0.3406 / ROD), rigid=True),
            "plunger": Mass("B", 0.3406),
        },
        fixed=["O", "B.y"],
        inputs={"crank.p.phi": fx.Ramp(rate=SPEED)},
        loads=loads or {},
        independent=[X, Y],
        start=start or {},
    )


def with_play(r: float) -> fx.Model:
    """The journal starts at a distance from the centre, in the direction of the load on the ideal bearing."""
    away = f"sqrt({X}^2 + {Y}^2 + 1e-20)"
    spring = f"{STIFFNESS}*max({away} - {CLEARANCE}, 0)"
    damper = f"{DAMPING}*step({away} - {CLEARANCE})*({X}*{X}' + {Y}*{Y}')/{away}"
    push = f"-({spring} + {damper})"
    load = ideal_load()
    x, y = map(float, r * load / np.linalg.norm(load))
    return slider_crank({X: f"{push}*{X}/{away}", Y: f"{push}*{Y}/{away}"}, {X: x, Y: y})


def ideal_load() -> np.ndarray:
    return fx.linearise(slider_crank()).forcing


def radial(motion) -> np.ndarray:
    return np.hypot(motion[X], motion[Y])


def first_loss(motion, apart: float = 0.0) -> float:
    """The angle of the crank, beyond 200°, where the journal first leaves the bearing, by so much of the clearance."""
    angle, gap = np.degrees(SPEED * motion.t), radial(motion) - (1.0 - apart) * CLEARANCE
    k = int(np.flatnonzero((gap < 0.0) & (angle > 200.0))[0])
    return float(angle[k - 1] + (angle[k] - angle[k - 1]) * gap[k - 1] / (gap[k - 1] - gap[k]))


TIMES = np.linspace(0.0, TURN, 4001).tolist()


def test_the_load_on_the_ideal_journal():
    # what the crank puts on the rod, in the axes of the crank: along x at the start
    np.testing.assert_allclose(ideal_load(), [1010.880, 279.455], atol=1e-3)


def test_loss_of_contact_in_a_bearing_with_play():
    model = with_play(CLEARANCE + float(np.linalg.norm(ideal_load())) / STIFFNESS)
    small = fx.superpose(model, period=TURN, times=TIMES)
    full = fx.simulate(model, times=TIMES, method=fx.DormandPrince(tolerance=1e-9))
    assert first_loss(small) == pytest.approx(312.2, abs=0.3)
    assert first_loss(full) == pytest.approx(312.18, abs=0.02)
    until = np.degrees(SPEED * full.t) < first_loss(full)
    assert np.abs(radial(small) - radial(full))[until].max() < 0.01 * CLEARANCE
    # transients of 3.5 µm at the start, on the outer side
    assert radial(full)[:400].max() > CLEARANCE + 3e-6
    assert small.note == ""
    print(f"\nsteps: superposed {small.statistics['steps']:g}, full {full.statistics['steps']:g}")


def test_loss_of_contact_from_a_start_just_in_contact():
    # at rest in space, while the crank turns
    model = with_play(CLEARANCE)
    x, y = model.start[X], model.start[Y]
    model = model.replace(start={X: x, Y: y, f"{X}'": SPEED * y, f"{Y}'": -SPEED * x})
    small = fx.superpose(model, period=TURN, times=TIMES)
    full = fx.simulate(model, times=TIMES, method=fx.DormandPrince(tolerance=1e-9))
    assert first_loss(full) == pytest.approx(311.57, abs=0.02)
    # it bounces until 100°, and vibrates from there on: one vibration before the loss the journal is just in contact
    # in the full motion, and just not in the small one
    assert first_loss(small, apart=0.001) == pytest.approx(first_loss(full, apart=0.001), abs=0.1)


# -- the same as linear equations --------------------------------------------------------------------------------------


def test_without_other_forces_it_is_the_transient_of_the_linear_equations():
    period = 2 * pi / 150.0
    model = example("slider_crank_resonance").with_parameter("inputs.crank.p.phi.rate", 150.0)
    times = np.linspace(0.0, 1.5 * period, 121)
    exact = fx.periodic(model, period).transient(times)
    for repeats in (period, None):
        small = fx.superpose(model, period=repeats, times=times.tolist(), tolerance=1e-10)
        for signal in ("rod.1.bending_q", "rod.2.bending_p'", "B.x", "rod.1.bending_q.force", "crank.p.phi.force"):
            size = np.abs(exact[signal]).max()
            np.testing.assert_allclose(small[signal], exact[signal], atol=1e-6 * size)
        assert small.note == ""


def test_few_times_over_many_turns():
    period = 2 * pi / 150.0
    model = example("slider_crank_resonance").with_parameter("inputs.crank.p.phi.rate", 150.0)
    times = [3.3 * period, 7.9 * period]
    exact = fx.periodic(model, period).transient(times)
    small = fx.superpose(model, period=period, times=times)
    np.testing.assert_allclose(small["rod.1.bending_q"], exact["rod.1.bending_q"], atol=1e-8)
    np.testing.assert_allclose(small["B.x"], exact["B.x"], atol=1e-12)
    assert small.note == ""


def test_a_load_by_formula_is_a_spring_with_a_damper():
    formulas = {X: f"-2e6*{X} - 50*{X}'", Y: f"-1e6*{Y} - 80*{Y}'"}
    start = {X: 1e-5, f"{Y}'": 0.02}
    one, other = (
        fx.superpose(m, 0.5 * TURN, period=TURN, tolerance=1e-11)
        for m in (slider_crank(formulas, start), slider_crank(None, start, kx=2e6, ky=1e6, cx=50.0, cy=80.0))
    )
    for signal in (X, Y, f"{X}'", "B.x", "rod.p.phi'", "B.y.force"):
        size = np.abs(other.change(signal)).max()
        np.testing.assert_allclose(one[signal], other[signal], atol=1e-8 * size)


# -- controllers and states --------------------------------------------------------------------------------------------


def oscillator(**given) -> fx.Model:
    return fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"spring": Truss("O", "A", fx.Section(EA=50.0)), "mass": Mass("A", 2.0)},
        fixed=["O", "A.y"],
        **given,
    )


def test_states_go_along():
    # all of it is linear: small or not, it is the same motion
    leaky = oscillator(
        loads={"A.x": "-40*(A.x - 1.1) - 3*A.x' + 30*charge"},
        states={"charge": "1.1 - A.x - 0.1*charge"},
        start={"charge": 0.02, "A.x'": -0.1},
    )
    servo = fx.Controller([[-0.1]], [[1.0]], [[30.0]], [[40.0]], ["A.x"], ["A.x"], [1.1])
    for model, state in ((leaky, "charge"), (oscillator(controllers={"servo": servo}), "servo.z1")):
        small = fx.superpose(model, 3.0, samples=31, tolerance=1e-11)
        full = fx.simulate(model, 3.0, samples=31, method=fx.DormandPrince(tolerance=1e-12))
        for signal in ("A.x", "A.x'", state, "spring.elongation.force", "O.x.force"):
            np.testing.assert_allclose(small[signal], full[signal], atol=1e-8)
        assert small.note == ""


def test_a_controller_on_a_machine_that_runs():
    # a servo with its own state in the crank pin of the running mechanism
    servo = fx.Controller([[-500.0]], [[1.0]], [[1e9]], [[2e7]], [Y], [Y], [2e-6])
    model = slider_crank(None, {X: 1e-6}, kx=2e7, cx=100.0, cy=100.0).replace(controllers={"servo": servo})
    small = fx.superpose(model, 0.25 * TURN, period=TURN)
    full = fx.simulate(model, 0.25 * TURN, method=fx.DormandPrince(tolerance=1e-10))
    for signal in (X, Y, "servo.z1"):
        assert np.abs(small[signal] - full[signal]).max() < 0.01 * np.abs(full[signal]).max()
    assert np.abs(full["servo.z1"]).max() > 1e-9


# -- what is said ------------------------------------------------------------------------------------------------------


def swing(start: float) -> fx.Model:
    return example("elliptic_pendulum").replace(start={"pendulum.p.phi": start}, inputs={"crank.p.phi": fx.Ramp(0.1)})


def test_a_motion_that_is_no_longer_small():
    assert fx.superpose(swing(0.02), 10.0).note == ""
    large = fx.superpose(swing(1.2), 10.0)
    assert "the motion is not small: the full equations leave" in large.note
    assert "pendulum.p.phi" in large.note


def test_one_that_grows():
    growing = example("elliptic_pendulum").with_parameter("inputs.crank.p.phi.rate", 0.95 * sqrt(9.81))
    assert "not small" in fx.superpose(growing, 40.0).note


def test_what_is_refused():
    model = slider_crank(None, None, kx=1e7, ky=1e7)
    for given, message in (
        ({"period": 0.9 * TURN}, r"period: the equations, or the signals on which loads depend, do not repeat after"),
        ({"period": -1.0}, "period: -1 s is not a period"),
        ({"positions": 3}, "positions: 3 are too few"),
        ({"tolerance": 0.0}, "tolerance: 0 is not a tolerance"),
        ({"times": [-1.0, 0.0]}, "times: a run starts at t = 0"),
        ({"times": [0.0]}, "times: the last output time must be positive, got 0"),
    ):
        with pytest.raises(fx.ModelError, match=message):
            fx.superpose(model, None if "times" in given else TURN, **given)


def test_a_load_that_follows_the_turning_crank_does_not_repeat():
    model = slider_crank({X: "10*sin(crank.p.phi)"}, None, kx=1e7, ky=1e7, cx=100.0, cy=100.0)
    with pytest.raises(fx.ModelError, match="period: the equations, or the signals on which loads depend"):
        fx.superpose(model, TURN, period=TURN)
    in_time = slider_crank({X: f"10*sin({SPEED}*t)"}, None, kx=1e7, ky=1e7, cx=100.0, cy=100.0)
    one, other = fx.superpose(model, 0.3 * TURN), fx.superpose(in_time, 0.3 * TURN, period=TURN)
    np.testing.assert_allclose(one[X], other[X], atol=1e-6 * np.abs(other[X]).max())


def test_a_motion_that_cannot_be_followed():
    blown = oscillator(loads={"A.x": "1e4*(A.x - 1)^3"}, start={"A.x": 1.5})
    with pytest.raises(fx.AnalysisError, match="the small motion cannot be followed beyond"):
        fx.superpose(blown, 10.0)
