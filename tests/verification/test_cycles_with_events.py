"""Cycles with stick, impacts, rolling, states and full turns: closed forms, an independent return map, simulations."""

from math import acos, atan, cos, exp, pi, sin, sqrt

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Body, Mass, PointContact, Wheel
from references.gallery import model as example
from references.section_maps import limit_cycle


def free(**start: float) -> fx.Shooting:
    return fx.Shooting(free_period=True, start=start)


# -- block on a belt ---------------------------------------------------------------------------------------------------

STIFFNESS, SPEED, WEIGHT, SLIDING, STICKING = 50.0, 0.4, 10.0, 0.3, 0.5
"""The example of the gallery, of unit mass."""


def stick_slip_period() -> float:
    omega, drawn = sqrt(STIFFNESS), (STICKING - SLIDING) * WEIGHT / STIFFNESS
    return 2 * (pi - atan(omega * drawn / SPEED)) / omega + 2 * drawn / SPEED


@pytest.mark.parametrize("factor", [0.8, 1.2])
@pytest.mark.parametrize(
    "start",
    [{"block.x'": SPEED}, {"block.x": 0.09, "block.x'": SPEED}, {"block.x": 0.12, "block.x'": -0.1}],
    ids=["sticks", "sticks by static friction alone", "slides"],
)
def test_stick_slip_cycle(start, factor):
    """A disturbance is gone as soon as the block sticks, so that one multiplier is zero."""
    found = fx.periodic(example("stick_slip"), factor * stick_slip_period(), method=free(**start))
    assert found.period == pytest.approx(stick_slip_period(), abs=1e-9)
    np.testing.assert_allclose(found.multipliers, [1.0, 0.0], atol=1e-9)
    assert found.stable
    assert found.judged(fx.DirectIntegration()).stable
    with pytest.raises(fx.AnalysisError, match="Hill needs smooth equations"):
        found.judged(fx.Hill())


def test_block_that_never_sticks_is_neutral():
    """Slower than the belt all the time it is an undamped oscillator: any amplitude, both multipliers 1."""
    found = fx.periodic(example("stick_slip"), 0.9, method=free(**{"block.x": 0.03, "block.x'": 0.3}))
    assert found.period == pytest.approx(2 * pi / sqrt(STIFFNESS), abs=1e-9)
    np.testing.assert_allclose(found.multipliers, [1.0, 1.0], atol=1e-6)


def falling_friction(creep: float) -> fx.Model:
    """Friction that falls with the slip rate v, rounded below the speed ``creep``."""
    slip = f"({SPEED} - block.x')"
    law = f"{WEIGHT}*({SLIDING} + 0.2*exp(-abs({slip})/0.3))*tanh({slip}/{creep})"
    return fx.Model(
        nodes={"block": (0, 0)},
        elements={"mass": Mass("block", 1.0)},
        fixed=["block.y"],
        loads={"block.x": f"-{STIFFNESS}*block.x + {law}"},
    )


@pytest.mark.parametrize("creep", [0.1, 0.01, 1e-3, 1e-4])
def test_stick_slip_by_friction_that_falls(creep):
    model, start = falling_friction(creep), {"block.x": 0.06, "block.x'": 0.35}
    found = [fx.periodic(model, guess, method=free(**start)) for guess in (0.8, 1.1)]
    assert found[0].period == pytest.approx(found[1].period, rel=1e-9)
    for cycle in found:
        assert cycle.multipliers[0] == pytest.approx(1.0, abs=1e-7)
        assert abs(cycle.multipliers[1]) < 0.02
        assert cycle.stable
    # methods that need series of the coefficients agree, or refuse
    assert found[0].judged(fx.DirectIntegration()).critical == pytest.approx(1.0, abs=1e-6)
    if creep == 0.1:
        assert found[0].judged(fx.Hill()).critical == pytest.approx(1.0, abs=1e-6)
    if creep < 2e-3:
        with pytest.raises(fx.AnalysisError, match="Fourier series"):
            found[0].judged(fx.Hill())


# -- friction that reverses, and sticks twice --------------------------------------------------------------------------

FRICTION = 0.3


def shaken(frequency: float, phase: float) -> fx.Model:
    """A unit mass of unit weight on a spring, shaken on a rough floor."""
    return fx.Model(
        nodes={"floor": (0, 0), "b": (0, 0)},
        elements={
            "mass": Mass("b", 1.0),
            "touch": PointContact("floor", "b", contact=fx.Restitution(0.0), friction=fx.Friction(FRICTION, 0.0)),
        },
        fixed=["floor"],
        gravity=(0, -1.0),
        loads={"b.x": f"-b.x + cos({frequency}*t + {phase})"},
    )


def test_sliding_that_reverses_at_once():
    """det Φ = Π a⁺/a⁻ over the reversals: the area of disturbances changes nowhere else."""
    found = fx.periodic(shaken(1.3, 0.4), 2 * pi / 1.3, method=fx.Shooting(start={"b.x": 1.0}))
    speed, t, product = found["b.x'"], found.t, 1.0
    for k in np.flatnonzero(speed[:-1] * speed[1:] < 0.0):
        time = t[k] - speed[k] * (t[k + 1] - t[k]) / (speed[k + 1] - speed[k])
        force = -float(np.interp(time, t, found["b.x"])) + cos(1.3 * time + 0.4)
        before = -FRICTION * np.sign(speed[k])
        product *= (force - before) / (force + before)
    assert abs(found.multipliers[0]) ** 2 == pytest.approx(product, rel=1e-4)
    assert product == pytest.approx(0.5809, abs=1e-3)
    assert found.stable


def test_gradient_through_a_reversal_is_that_of_runs():
    tight, h = fx.DormandPrince(tolerance=1e-12), 1e-5
    models = [shaken(1.3, 0.4).replace(start={"b.x'": 1.0 + side * h}) for side in (0, 1, -1)]
    assert "stick" not in [event.kind for event in fx.simulate(models[0], 4.0).events]
    found = fx.gradient(models[0], "final(b.x)", "start.b.x'", 4.0, method=tight)
    ends = [fx.simulate(model, times=[0.0, 4.0], method=tight)["b.x"][-1] for model in models[1:]]
    assert found.derivatives[0, 0] == pytest.approx((ends[0] - ends[1]) / (2 * h), rel=1e-6)


def test_forced_cycle_that_sticks_twice():
    model, period = shaken(0.4, 1.0), 5 * pi
    found = fx.periodic(model, period, method=fx.Shooting())
    assert [event.kind for event in found.motion.events].count("stick") == 2
    assert abs(found.multipliers[1]) < 1e-9
    assert found.stable
    # what is left of a disturbance after each period
    away = found.initial["b.x"] + 1e-4
    times = period * np.arange(4.0)
    later = fx.simulate(model.replace(start={**found.initial, "b.x": away}), times=list(times))["b.x"]
    ratio = (later - found.initial["b.x"])[1:] / (later - found.initial["b.x"])[:-1]
    np.testing.assert_allclose(ratio[1:], found.multipliers[0].real, rtol=2e-3)


# -- ball on a vibrating table -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("amplitude", "stable"), [(0.03, True), (0.06, False)])
def test_bouncing_ball(amplitude, stable):
    """One impact in each period: from time and rate of an impact to those of the next is a map in closed form."""
    g, e, w = 9.81, 0.5, 20.0
    period = 2 * pi / w
    phase = acos(0.5 * g * period * (1 - e) / (1 + e) / (amplitude * w))
    table = -amplitude * w * w * sin(phase)
    slopes = np.array([[1, (1 + e) / g], [(1 + e) * table, (1 + e) ** 2 * table / g + e * e]])
    # t = 0 in the middle of a flight
    model = fx.Model(
        nodes={"T": (0, 0), "B": (0, 0)},
        elements={"ball": Mass("B", 1.0), "impact": PointContact("T", "B", contact=fx.Restitution(e))},
        fixed=["T.x", "B.x"],
        inputs={"T.y": f"{amplitude}*sin({w}*t + {phase + pi})"},
        gravity=(0, -g),
    )
    top = amplitude * sin(phase) + g * period**2 / 8
    found = fx.periodic(model, period, method=fx.Shooting(start={"B.y": 1.2 * top, "B.y'": 0.1}))
    assert found.initial["B.y"] == pytest.approx(top, abs=1e-9)
    key = np.argsort(-np.abs(np.linalg.eigvals(slopes)))
    np.testing.assert_allclose(np.abs(found.multipliers), np.abs(np.linalg.eigvals(slopes))[key], atol=1e-8)
    assert found.stable == stable
    near = fx.simulate(model.replace(start={"B.y": top + 1e-6}), times=[0.0, 12 * period])["B.y"][-1] - top
    assert (abs(near) < 1e-8) == stable


# -- full turns --------------------------------------------------------------------------------------------------------


def turning(load: str, **given) -> fx.Model:
    return fx.Model(
        nodes={"O": (0, 0), "A": (0, -1)},
        elements={"arm": Beam("O", "A", fx.Section(), rigid=True), "bob": Mass("A", 1.0)},
        fixed=["O"],
        loads={"arm.p.phi": load},
        gravity=(0, -1.0),
        **given,
    )


@pytest.mark.parametrize("factor", [0.8, 1.2])
@pytest.mark.parametrize("sense", [1, -1])
def test_pendulum_that_goes_round(sense, factor):
    """φ̈ + cφ̇ + sin φ = τ: the multipliers are 1 and exp(-cT)."""
    torque, damping = 2.0 * sense, 0.5
    known = limit_cycle(
        lambda z: [z[1], torque - damping * z[1] - sin(z[0])], np.array([0.0, 4.0 * sense]), 1.57, 0,
        jump=np.array([2 * pi * sense, 0.0]),
    )  # fmt: skip
    model = turning(f"{torque} - {damping}*arm.p.phi'")
    found = fx.periodic(model, factor * known.period, method=free(**{"arm.p.phi'": 4.0 * sense}))
    assert found.period == pytest.approx(known.period, abs=1e-9)
    np.testing.assert_allclose(found.multipliers, [1.0, exp(-damping * known.period)], atol=1e-8)
    for method in (fx.Hill(), fx.DirectIntegration()):
        judged = found.judged(method)
        np.testing.assert_allclose(judged.multipliers, found.multipliers, atol=1e-7)
        assert judged.stable
    assert found["arm.p.phi"][-1] - found["arm.p.phi"][0] == pytest.approx(2 * pi * sense, abs=1e-8)
    assert found.series("arm.p.phi'")[0].real == pytest.approx(2 * pi * sense / known.period, rel=1e-9)


def test_spring_that_winds_up_does_not_repeat_after_a_turn():
    with pytest.raises(fx.AnalysisError, match=r"no periodic motion is found|converges to rest"):
        fx.periodic(
            turning("2.0 - 0.5*arm.p.phi' - 0.2*arm.p.phi"), 1.57, method=free(**{"arm.p.phi": 0.0, "arm.p.phi'": 4.0})
        )


def test_motor_with_a_current():
    """A state beside the coordinates: the current of a motor that turns a pendulum."""
    model = turning("3*i - 0.2*arm.p.phi'", states={"i": "10*(4 - i - arm.p.phi')"})
    known = limit_cycle(
        lambda z: [z[1], 3 * z[2] - 0.2 * z[1] - sin(z[0]), 10 * (4 - z[2] - z[1])],
        np.array([0.0, 3.7, 0.3]), 1.7, 0, jump=np.array([2 * pi, 0.0, 0.0]),
    )  # fmt: skip
    found = fx.periodic(model, 1.1 * known.period, method=free(**{"arm.p.phi'": 3.5}))
    assert found.period == pytest.approx(known.period, rel=1e-8)
    key = np.argsort(-np.abs(known.multipliers))
    np.testing.assert_allclose(found.multipliers[0], 1.0, atol=1e-7)
    np.testing.assert_allclose(np.abs(found.multipliers[1:]), np.abs(known.multipliers[key]), atol=1e-6)


# -- shimmy of a wheel that is towed -----------------------------------------------------------------------------------

TRAIL, TOWING, INERTIA, PIVOT = 0.3, 2.0, 0.5, 40.0


def towed(damping: str) -> fx.Model:
    """A wheel on an arm behind a pivot of unit mass on a spring, which is led ahead: it goes where it points."""
    return fx.Model(
        nodes={"A": (0, 0), "B": (-TRAIL, 0)},
        elements={
            "arm": Beam("A", "B", fx.Section(), rigid=True),
            "mass": Mass("A", 1.0),
            "yaw": Body("arm.p", 0.0, INERTIA),
            "wheel": Wheel("arm.q", "arm.q"),
        },
        inputs={"A.x": fx.Ramp(rate=TOWING)},
        released=["wheel.along"],
        loads={"A.y": f"-{PIVOT}*A.y - ({damping})*A.y'"},
    )


def towed_rates(z: np.ndarray, damping) -> list[float]:
    """ẏ, ÿ and ψ̇ = (ẏ cos ψ - v sin ψ)/l, with the force of the wheel eliminated."""
    y, v, yaw = z
    rate = (v * cos(yaw) - TOWING * sin(yaw)) / TRAIL
    inertia = INERTIA * cos(yaw) / TRAIL**2
    force = -PIVOT * y - damping(y) * v + inertia * (v * sin(yaw) + TOWING * cos(yaw)) * rate
    return [v, force / (1.0 + inertia * cos(yaw)), rate]


SHIMMY = {
    "supercritical": ("5 + 3000*A.y^2", lambda y: 5 + 3000 * y**2, (0.08, 0.08), 1.57, True),
    "subcritical, outer": (
        "16 - 1e4*A.y^2 + 1e6*A.y^4",
        lambda y: 16 - 1e4 * y**2 + 1e6 * y**4,
        (0.13, 0.17),
        1.6,
        True,
    ),
    "subcritical, inner": (
        "16 - 1e4*A.y^2 + 1e6*A.y^4",
        lambda y: 16 - 1e4 * y**2 + 1e6 * y**4,
        (0.05, 0.05),
        1.5,
        False,
    ),
}


@pytest.mark.parametrize("name", SHIMMY)
def test_shimmy_cycle(name):
    damping, law, (y, yaw), period, stable = SHIMMY[name]
    known = limit_cycle(lambda z: towed_rates(z, law), np.array([y, 0.0, yaw]), period, 1)
    assert (np.abs(known.multipliers).max() < 1.0) == stable
    y, yaw = known.point[0], known.point[2]
    start = {"A.y": 1.02 * y, "arm.p.phi": 0.98 * yaw}
    for factor in (1.15,):
        found = fx.periodic(towed(damping), factor * known.period, method=free(**start))
        assert found.period == pytest.approx(known.period, rel=1e-8)
        assert np.abs(found.multipliers - 1.0).min() < 1e-6
        others = np.sort(np.abs(np.delete(found.multipliers, np.abs(found.multipliers - 1.0).argmin())))
        np.testing.assert_allclose(others, np.sort(np.abs(known.multipliers)), rtol=1e-5, atol=1e-6)
        assert found.stable == stable


@pytest.mark.slow
def test_the_repelling_shimmy_cycle_is_found_from_starts_within_a_tenth():
    """Its motions leave it by a factor of 5.8 in each turn, for the outer cycle."""
    damping, law, (y, yaw), period, _ = SHIMMY["subcritical, inner"]
    known = limit_cycle(lambda z: towed_rates(z, law), np.array([y, 0.0, yaw]), period, 1)
    for factor, share in ((0.9, 1.1), (1.2, 0.95), (1.0, 1.0)):
        start = {"A.y": share * known.point[0], "arm.p.phi": (2.0 - share) * known.point[2]}
        found = fx.periodic(towed(damping), factor * known.period, method=free(**start))
        assert found.period == pytest.approx(known.period, rel=1e-8)
        assert not found.stable


@pytest.mark.parametrize(("strength", "inner", "outer"), [(0.1, 0.8, 1.2), (0.5, 0.3, 1.7), (0.1, 0.95, 1.05)])
def test_a_repelling_cycle_is_found_from_starts_near_it(strength, inner, outer):
    """Damping with two cycles, whose squares of amplitudes are the given ones if it is weak."""
    c, a, b = strength * inner * outer, 4 * strength * (inner + outer), 8 * strength
    known = limit_cycle(
        lambda z: [z[1], -z[0] - (c - a * z[0] ** 2 + b * z[0] ** 4) * z[1]], np.array([sqrt(inner), 0.0]), 2 * pi, 1
    )
    assert known.multipliers[0] > 1.0
    model = particle(f"-A.x - ({c} - {a}*A.x^2 + {b}*A.x^4)*A.x'")
    deviation = 0.1 * (sqrt(outer) - sqrt(inner))
    for factor, start in ((0.8, known.point[0] - deviation), (1.2, known.point[0] + deviation)):
        found = fx.periodic(model, factor * known.period, method=free(**{"A.x": start}))
        assert found.period == pytest.approx(known.period, abs=1e-9)
        np.testing.assert_allclose(found.multipliers, [known.multipliers[0], 1.0], atol=1e-6)
        assert not found.stable


# -- forced cycles from far away, and what is refused ------------------------------------------------------------------


def particle(load: str) -> fx.Model:
    return fx.Model(nodes={"A": (0, 0)}, elements={"mass": Mass("A", 1.0)}, fixed=["A.y"], loads={"A.x": load})


@pytest.mark.parametrize(
    ("load", "period"),
    [
        ("0.5*cos(1.4*t) - 0.1*A.x' - A.x - A.x^3", 2 * pi / 1.4),
        ("-(1 + 0.4*cos(2*t))*A.x - 0.1*A.x' - A.x^3", 2 * pi),
    ],
    ids=["Duffing", "parametric"],
)
def test_forced_cycles_by_all_methods(load, period):
    for start in (0.1, 0.5, 2.0):
        found = fx.periodic(particle(load), period, method=fx.Shooting(start={"A.x": start}))
        for method in (fx.Hill(), fx.DirectIntegration()):
            judged = found.judged(method)
            assert judged.stable == found.stable
            np.testing.assert_allclose(np.abs(judged.multipliers), np.abs(found.multipliers), atol=1e-7)
        # the long simulation of a disturbed start
        near = {**found.initial, "A.x": found.initial["A.x"] + 1e-4}
        later = fx.simulate(particle(load).replace(start=near), times=[0.0, 60 * period])["A.x"][-1]
        assert (abs(later - found.initial["A.x"]) < 1e-5) == found.stable


def test_a_discontinuous_load_has_no_verdict():
    with pytest.raises(fx.AnalysisError, match="nothing is known of the stability: replace a load"):
        fx.periodic(particle("-A.x + 0.5*step(A.x') - 0.1*A.x'"), 2 * pi, method=free(**{"A.x": 1.0}))


def test_methods_that_need_smooth_equations_name_the_one_that_does_not():
    for method in (fx.HarmonicBalance(), fx.FullBalance()):
        with pytest.raises(fx.ModelError, match=r"Shooting\(\)"):
            fx.periodic(example("stick_slip"), 0.9, method=method)


def test_a_cycle_with_events_is_stored(tmp_path):
    found = fx.periodic(example("stick_slip"), 0.9, method=free(**{"block.x'": SPEED}))
    found.save(tmp_path / "cycle.nc")
    loaded = fx.load(tmp_path / "cycle.nc")
    assert loaded.judged(fx.DirectIntegration()).stable
    np.testing.assert_array_equal(loaded.multipliers, found.multipliers)
