"""Elements whose contacts are held open are left out inside steps, and nothing depends on it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import flexura as fx
from flexura.mechanics.contact.held_contacts import OPEN, PRESSED, hold_branch
from flexura.mechanics.core.idle_elements import KERNELS, rest, resting, wake
from flexura.mechanics.motion.equations_of_motion import accelerate
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.planar import Body, BodyContact, Mass, PointContact

SOFT = fx.KelvinVoigt(k=2e3, c=5.0)
ROUGH = fx.Friction(0.3, regularisation_speed=1e-2)
SQUARE = ((-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1))
FLOOR = ((-1.0, -0.1), (3.0, -0.1), (3.0, 0.0), (-1.0, 0.0))


def row(count: int, **given: Any) -> fx.Model:
    """Squares on a floor, the first of which is thrown at the second."""
    bodies = {f"b{i}": Body(f"C{i}", 1.0, 0.01) for i in range(count)}
    floor = {f"on{i}": BodyContact("G", f"b{i}.p", SOFT, FLOOR, SQUARE, friction=ROUGH) for i in range(count)}
    hits = {
        f"hit{i}": BodyContact(f"b{i}.p", f"b{i + 1}.p", SOFT, SQUARE, SQUARE, friction=ROUGH) for i in range(count - 1)
    }
    return fx.Model(
        nodes={"G": (0.0, 0.0)} | {f"C{i}": (0.25 * i, 0.1) for i in range(count)},
        elements=bodies | floor | hits,
        fixed=["G"],
        gravity=(0.0, -9.81),
        start={"C0.x'": 2.0},
        **given,
    )


def prepared(model: fx.Model) -> PreparedModel:
    machine = PreparedModel(model)
    machine.start(model)
    return machine


def accelerations(machine: PreparedModel, left_out: bool) -> Any:
    """Accelerations and stresses where the hits are held open and the floor is pressed, from stale outputs."""
    s = machine.system
    on_floor = [name.startswith("on") for name, e in machine.layout.names.elements.items() for _ in e.contacts]
    for n in range(s.touch.strain.size):
        hold_branch(s, n, PRESSED if on_floor[n] else OPEN)
    x, v = machine.x.copy(), machine.v.copy()
    a, stress = np.zeros_like(x), np.full(s.strain.size, 7.0)
    # outputs of another state lie about
    accelerate(s, 0.0, x + 0.05, v - 1.0, a, stress)
    if left_out:
        rest(s, stress)
        assert resting(s)
        assert s.idle.count[KERNELS] < s.motion.count.sum()
    accelerate(s, 0.0, x, v, a, stress)
    wake(s)
    return a, stress


def test_open_contacts_change_nothing() -> None:
    machine = prepared(row(4))
    assert machine.system.idle.asleep.size == 7 * 8
    for whole, part in zip(accelerations(machine, False), accelerations(machine, True), strict=True):
        assert np.array_equal(whole, part)


def test_what_a_formula_mentions_stays_awake() -> None:
    """A load that follows a gap needs this gap in every stage; one on a gap acts across it."""
    watched = prepared(row(3, loads={"C2.y": fx.Expression("3 * hit0.q1.gap")}))
    assert watched.system.idle.asleep.size == 5 * 8 - 1
    loaded = prepared(row(3, loads={"hit1.q2.gap": 1.0}))
    assert loaded.system.idle.asleep.size == 5 * 8 - 1


def test_formula_of_an_open_gap_acts() -> None:
    """F = k·gap on a mass that approaches an open stop: x″ = k(x - 1)/m, an exponential."""
    model = fx.Model(
        nodes={"W": (1.0, 0.0), "A": (0.0, 0.0)},
        elements={
            "ball": Mass("A", 2.0),
            "stop": PointContact("W", "A", SOFT, normal=(-1.0, 0.0)),
        },
        fixed=["W", "A.y"],
        loads={"A.x": fx.Expression("-2 * stop.gap")},
    )
    motion = fx.simulate(model, 1.0, samples=2, method=fx.DormandPrince(1e-10))
    assert motion["A.x"][-1] == pytest.approx(1.0 - np.cosh(1.0), rel=1e-8)
