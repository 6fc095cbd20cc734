"""Elements that give their stresses by a law of their own: in every analysis as if the law were a load by formula."""

from typing import ClassVar

import numpy as np
import pytest

import flexura as fx
from flexura.algebra import vec
from flexura.battery import run_battery
from flexura.elements.element import Element
from flexura.nodes import At, End, Point
from flexura.planar import Mass

FOOT = {"k": 4e3, "c": 0.1, "mu": 0.3}
PRESSURE = "4e3*max(-0.02 - foot.height, 0)^1.5*max(1 - 0.1*foot.height', 0)"
LOADS = {"foot.height": PRESSURE, "foot.way": f"-0.3*{PRESSURE}*tanh(20*foot.way')"}


def dropped(foot, **more):
    """A mass on a rubber foot, thrown on the floor."""
    return fx.Model(
        nodes={"F": (0, 0), "A": (0.5, 0.02)},
        elements={"foot": foot("F", "A", **more), "body": Mass("A", 2.0)},
        fixed=["foot.p"],
        gravity=(0, -9.81),
        start={"A.x'": 0.5},
    )


def test_the_battery_takes_it(rubber):
    assert [finding.detail for finding in run_battery(rubber) if not finding.ok] == []


def test_it_is_the_same_as_a_load_by_formula(rubber):
    # the law is compiled and the load interpreted: rounding differs, and with it steps across the touch
    by_law, by_load = dropped(rubber, **FOOT), dropped(rubber, **FOOT | {"k": 0.0}).replace(loads=LOADS)
    method = fx.DormandPrince(tolerance=1e-12)
    motion, other = (fx.simulate(model, until=0.5, samples=51, method=method) for model in (by_law, by_load))
    for signal in ("A.x", "A.y", "A.y'"):
        assert np.abs(motion[signal] - other[signal]).max() < 1e-10
    pressed = motion["A.y"] < 0.0
    assert pressed.any()
    assert not pressed.all()
    expected = np.where(pressed, 4e3 * np.maximum(-motion["A.y"], 0.0) ** 1.5 * (1 - 0.1 * motion["A.y'"]), 0.0)
    assert np.abs(motion.force("foot.height") - expected).max() < 1e-10
    # what a law takes is lost, what a load gives is put in
    assert np.abs(motion.energy["balance"]).max() < 1e-10
    assert np.abs(motion.energy["dissipated"] + other.energy["work"]).max() < 1e-10


@pytest.mark.parametrize(
    ("method", "limit"),
    [(fx.GeneralisedAlpha(step=2e-4), 2e-6), (fx.KennedyCarpenter(tolerance=1e-9), 2e-6)],
    ids=["alpha", "Kennedy-Carpenter"],
)
def test_implicit_methods_know_its_slopes(rubber, method, limit):
    model = dropped(rubber, **FOOT)
    exact = fx.simulate(model, until=0.5, samples=51, method=fx.DormandPrince(tolerance=1e-10))
    motion = fx.simulate(model, until=0.5, samples=51, method=method)
    assert np.abs(motion["A.y"] - exact["A.y"]).max() < limit
    assert np.abs(motion["A.x"] - exact["A.x"]).max() < limit


def test_equilibrium(rubber):
    state = fx.equilibrium(dropped(rubber, k=4e3).replace(start={}, fixed=["foot.p", "A.x"]))
    assert state["A.y"] == pytest.approx(-((2.0 * 9.81 / 4e3) ** (2.0 / 3.0)), rel=1e-12)


def test_linear_equations(rubber):
    h, speed = 0.01, 0.02
    system = fx.linearise(dropped(rubber, **FOOT).replace(start={"A.y": -h, "A.x'": speed}), at=0.0)
    pressure = 4e3 * h**1.5
    assert [str(name) for name in system.coordinates] == ["foot.height", "foot.way"]
    down, along = 0, 1
    assert system.K[down, down] == pytest.approx(1.5 * 4e3 * h**0.5, rel=1e-12)
    assert system.C[down, down] == pytest.approx(0.1 * pressure, rel=1e-12)
    assert system.K[along, down] == pytest.approx(-0.3 * 1.5 * 4e3 * h**0.5 * np.tanh(20 * speed), rel=1e-12)
    assert system.C[along, along] == pytest.approx(0.3 * pressure * 20 / np.cosh(20 * speed) ** 2, rel=1e-12)


def test_a_law_without_stiffness_is_refused():
    """By default strains are rigid, and a rigid strain does not ask its law."""
    with pytest.raises(
        fx.ModelError, match="Bare: with stress alone it is open which strains are rigid; give stiffness"
    ):

        class Bare(Element):
            p: At[End]
            q: At[Point]
            strains: ClassVar = ("height",)

            def strain(self, p, q):
                return vec(p.n @ (q.r - p.r) - self.drawn)

            def stress(self, e, v):
                return vec(4e3 * e[0])


def test_a_strain_that_is_held_does_not_ask_its_law(rubber):
    model = dropped(rubber, **FOOT).replace(fixed=["foot.p", "foot.height"], start={"A.x'": 0.5})
    motion = fx.simulate(model, until=0.1, samples=11)
    assert np.abs(motion.force("foot.height") - 2.0 * 9.81).max() < 1e-10
    # drawn above the floor: no pressure, no drag
    assert np.abs(motion["A.x'"] - 0.5).max() < 1e-12
