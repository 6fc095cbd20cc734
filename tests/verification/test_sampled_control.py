"""Sampled controllers against recursions in closed form, and against SciPy from one change of actions to the next."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.signal import butter, sosfilt, sosfilt_zi

import flexura as fx
from flexura.planar import Beam, Mass, Truss

MASS = 2.0


def cart(sampled, **more):
    parts = {"nodes": {"B": (0.0, 0.0)}, "elements": {"cart": Mass("B", MASS)}, "fixed": ["B.y"]}
    return fx.Model(**parts | more, sampled={"servo": sampled}, start={"B.x": 0.3})


@pytest.mark.parametrize("method", [None, fx.KennedyCarpenter(tolerance=1e-12)])
def test_pd_control_is_a_recursion(method):
    # between samples the acceleration u/m is constant
    kp, kd, period, count = 40.0, 12.0, 0.01, 60
    law = fx.Discrete(((kp, kd),))
    model = cart(fx.Sampled(100.0, law, ("B.x", "B.x'"), ("B.x",), ("0.1*t", 0.1)))
    motion = fx.simulate(model, times=period * np.arange(count + 1), method=method)
    x, v = 0.3, 0.0
    for k in range(count + 1):
        assert motion["B.x"][k] == pytest.approx(x, abs=1e-10)
        assert motion["B.x'"][k] == pytest.approx(v, abs=1e-10)
        u = kp * (0.1 * k * period - x) + kd * (0.1 - v)
        assert motion["servo.u1"][k] == pytest.approx(u, abs=1e-9)
        assert motion.force("B.x")[k] == pytest.approx(u, abs=1e-9)
        x, v = x + period * v + 0.5 * period**2 * u / MASS, v + period * u / MASS
    assert motion.outcome is fx.Outcome.DONE
    assert motion.imbalance < 1e-9


def reference_run(period, delay, until, decide):
    """Spring-mass oscillator under actions that change at times of their own, step by step with SciPy."""
    queue, state, u, t = [], np.array([0.3, 0.0]), 0.0, 0.0
    samples = np.arange(0.0, until, period)
    ticks = sorted({*samples, *(tick for tick in samples + delay if tick < until), until})
    for tick in ticks:
        if tick > t:
            force = u
            run = solve_ivp(
                lambda _, s, f=force: [s[1], (f - 50.0 * s[0]) / MASS], (t, tick), state, rtol=1e-13, atol=1e-14
            )
            state, t = run.y[:, -1], tick
        due = [item for item in queue if item[0] <= tick + 1e-12]
        if np.isclose(tick / period, round(tick / period), atol=1e-9):
            queue.append((tick + delay, decide(state)))
            due = [item for item in queue if item[0] <= tick + 1e-12]
        for item in due:
            u = item[1]
            queue.remove(item)
    return state


def oscillator(sampled):
    return cart(
        sampled,
        nodes={"O": (-1.0, 0.0), "B": (0.0, 0.0)},
        elements={"cart": Mass("B", MASS), "spring": Truss("O", "B", fx.Section(EA=50.0))},
        fixed=["O", "B.y"],
    )


@pytest.mark.parametrize("delay", [0.0, 0.004, 0.013])
def test_delay_quantisation_and_saturation(delay):
    kp, step, most = 60.0, 0.02, 5.0

    def decide(state):
        measured = step * np.round(state[0] / step)
        return float(np.clip(-kp * measured, -most, most))

    law = fx.Discrete(((kp,),))
    sampled = fx.Sampled(100.0, law, ("B.x",), ("B.x",), delay=delay, resolution=(step,), limits=(most,))
    until = 0.405
    motion = fx.simulate(oscillator(sampled), until, samples=2, method=fx.DormandPrince(tolerance=1e-11))
    expected = reference_run(0.01, delay, until, decide)
    assert motion["B.x"][-1] == pytest.approx(expected[0], abs=1e-8)
    assert motion["B.x'"][-1] == pytest.approx(expected[1], abs=1e-8)


@pytest.mark.parametrize("windup", [0.0, 0.05])
def test_pid_with_limited_action(windup):
    kp, ki, kd, filtered, most, period = 60.0, 200.0, 10.0, 0.02, 4.0, 0.01
    memory = {"i": 0.0, "e": None, "d": 0.0}

    def decide(state):
        e = 0.1 - state[0]
        before = e if memory["e"] is None else memory["e"]
        d = (filtered * memory["d"] + kd * (e - before)) / (filtered + period)
        u = kp * e + memory["i"] + d
        limited = float(np.clip(u, -most, most))
        if windup:
            memory["i"] += period * (ki * e + (limited - u) / windup)
        elif (u - limited) * e <= 0.0:
            memory["i"] += period * ki * e
        memory["e"], memory["d"] = e, d
        return limited

    law = fx.PID(kp, ki, kd, filter=filtered, windup=windup)
    sampled = fx.Sampled(100.0, law, ("B.x",), ("B.x",), (0.1,), limits=(most,))
    motion = fx.simulate(oscillator(sampled), 0.6, samples=2, method=fx.DormandPrince(tolerance=1e-11))
    expected = reference_run(period, 0.0, 0.6, decide)
    assert motion["B.x"][-1] == pytest.approx(expected[0], abs=1e-8)
    # the spring needs 5 N at the reference
    with pytest.raises(fx.AnalysisError, match=r"the action servo.u1 is 5 in this equilibrium, beyond its limit of 4"):
        fx.equilibrium(oscillator(sampled))
    rest = fx.equilibrium(oscillator(replace(sampled, limits=(6.0,))))
    assert rest["B.x"] == pytest.approx(0.1, abs=1e-9)


def test_filtered_sensor():
    period, cutoff = 0.01, 20.0
    sections = butter(2, cutoff, fs=1.0 / period, output="sos")
    memory = {"zi": sosfilt_zi(sections) * 0.3}

    def decide(state):
        smooth, memory["zi"] = sosfilt(sections, [state[0]], zi=memory["zi"])
        return -30.0 * float(smooth[0])

    sampled = fx.Sampled(100.0, fx.Discrete(((30.0,),)), ("B.x",), ("B.x",), filter=fx.LowPass(cutoff))
    motion = fx.simulate(oscillator(sampled), 0.3, samples=2, method=fx.DormandPrince(tolerance=1e-11))
    assert motion["B.x"][-1] == pytest.approx(reference_run(period, 0.0, 0.3, decide)[0], abs=1e-8)


def test_observer_finds_the_state():
    period, k = 0.01, 50.0
    plant = {"A": ((0.0, 1.0), (-k / MASS, 0.0)), "B": ((0.0,), (1.0 / MASS,))}
    control = pytest.importorskip("control")
    system = control.ss(plant["A"], plant["B"], [[1.0, 0.0]], [[0.0]]).sample(period)
    A, B, C = (np.asarray(matrix) for matrix in (system.A, system.B, system.C))
    K = np.asarray(control.place(A, B, [0.9, 0.88]))
    L = np.asarray(control.place(A.T, C.T, [0.5, 0.45])).T
    law = fx.Observer(*(tuple(map(tuple, matrix.tolist())) for matrix in (A, B, C, L, K)))
    motion = fx.simulate(oscillator(fx.Sampled(1.0 / period, law, ("B.x",), ("B.x",))), 0.5, samples=51)
    z, state = np.zeros(2), np.array([0.3, 0.0])
    for n in range(51):
        assert motion["B.x"][n] == pytest.approx(state[0], abs=1e-8)
        u = -K @ z
        z, state = A @ z + B @ u + L @ (C @ state - C @ z), A @ state + B @ u
    # the estimate at the next sample
    assert [motion["servo.z1"][-1], motion["servo.z2"][-1]] == pytest.approx(z, abs=1e-7)


def test_discrete_system_of_python_control(tmp_path):
    control = pytest.importorskip("control")
    lead = control.ss(control.tf([40.0, -36.0], [1.0, -0.6], 0.01))
    sampled = fx.Sampled.of(lead, ["B.x"], ["B.x"], [0.1], delay=0.002)
    model = oscillator(sampled)
    assert sampled.rate == pytest.approx(100.0)
    model.to_file(tmp_path / "cart.toml")
    assert fx.Model.from_file(tmp_path / "cart.toml") == model
    motion = fx.simulate(model, 0.5, samples=11)
    assert np.all(np.isfinite(motion["servo.u1"]))


def test_errors_name_place_and_remedy():
    with pytest.raises(fx.ModelError, match=r"Sampled\.rate: 0 is out of range; give a finite number greater than 0"):
        fx.Sampled(0.0, fx.PID(1.0), ("B.x",), ("B.x",))
    with pytest.raises(fx.ModelError, match=r"Sampled\.limits: 2 are given where the law has 1; give 1, or none"):
        fx.Sampled(10.0, fx.PID(1.0), ("B.x",), ("B.x",), limits=(1.0, 2.0))
    with pytest.raises(fx.ModelError, match="60 Hz is not below half of the 100 samples per second; lower it"):
        fx.Sampled(100.0, fx.PID(1.0), ("B.x",), ("B.x",), filter=fx.LowPass(60.0))
    model = cart(fx.Sampled(10.0, fx.PID(1.0), ("B.x",), ("B.x",)))
    with pytest.raises(
        fx.ModelError, match=r"sampled\.servo: linearise does not support sampled controllers; give a Co"
    ):
        fx.linearise(model)
    with pytest.raises(fx.ModelError, match="there is no 'C'"):
        cart(fx.Sampled(10.0, fx.PID(1.0), ("C.x",), ("B.x",)))


def test_reactions_just_after_a_sample() -> None:
    """Each action sets off fast motions of a damped arm; their reactions are right by default, without a finer look."""
    section = fx.Section(EA=108092.54, EI=27.993793, rhoA=1.3672135, damping=1e-3)
    law = fx.PID(kp=34.158867, ki=44.147509, kd=2.6430216, filter=0.0077374392)
    servo = fx.Sampled(
        314.52732, law, ["arm.p.phi"], ["arm.p.phi"], reference=["1.1222377*min(t/0.23212318, 1)"], delay=3.0949757e-5
    )
    model = fx.Model(
        nodes={"O": (0, 0), "A": (0.76558654, 0)},
        elements={"arm": Beam("O", "A", section, parts=4), "load": Mass("A", 0.64992228)},
        fixed=["O"],
        sampled={"servo": servo},
    )
    motion = fx.simulate(model, 1.1606159, samples=151)
    exact = fx.simulate(model, 1.1606159, samples=151, method=fx.DormandPrince(1e-9))
    assert motion.outcome is fx.Outcome.DONE
    for signal in ("O.x", "O.y"):
        right = exact.force(signal)
        assert np.abs(motion.force(signal) - right).max() < 1e-2 * np.ptp(right)
    assert np.abs(motion["arm.p.phi'"] - exact["arm.p.phi'"]).max() < 1e-2 * np.ptp(exact["arm.p.phi'"])
