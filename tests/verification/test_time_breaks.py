"""Discontinuities of loads and inputs in time: steps end there, and what follows is exact."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Mass

METHODS = {
    "chosen": None,
    "Dormand-Prince": fx.DormandPrince(1e-6),
    "Adams": fx.Adams(),
    "Kennedy-Carpenter": fx.KennedyCarpenter(),
    "Newmark": fx.Newmark(step=0.07),
}

MASS, FORCE, OFF = 2.0, 8.0, 2.5


def pushed(load: Any) -> fx.Model:
    """Mass that is pushed along x."""
    return fx.Model(nodes={"A": (0, 0)}, elements={"m": Mass("A", MASS)}, loads={"A.x": load})


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("load", ["8*step(2.5 - t)", "4 - 4*sign(t - 2.5)", "8 - 8*step(t - 5/2)"])
def test_load_that_ends(method: str, load: str) -> None:
    """Constant force until a time: momentum F·t, and uniform motion afterwards, to rounding."""
    motion = fx.simulate(pushed(load), 5.0, samples=11, method=METHODS[method])
    speed = FORCE * OFF / MASS
    assert motion["A.x'"][5:] == pytest.approx(speed, rel=1e-13)
    assert motion["A.x"][-1] == pytest.approx(0.5 * speed * OFF + speed * OFF, rel=1e-13)
    assert motion.outcome is fx.Outcome.DONE


def test_many_breaks() -> None:
    """A square wave of forces: a saw tooth of speeds."""
    motion = fx.simulate(pushed("2*sign(sin(20*pi*t))"), 1.0, times=[0.0, 0.05, 0.1, 0.95, 1.0])
    assert motion["A.x'"] == pytest.approx([0.0, 0.05, 0.0, 0.05, 0.0], abs=1e-12)


@pytest.mark.parametrize("method", ["chosen", "Kennedy-Carpenter"])
def test_jump_of_a_driven_rate(method: str) -> None:
    """The end of a rigid bar is set in motion at once: it turns about its centre of percussion, ω = -3v/2L."""
    model = fx.Model(
        nodes={"A": (0, 0), "B": (1, 0)},
        elements={"bar": Beam("A", "B", fx.Section(rhoA=1.0), rigid=True)},
        inputs={"A.y": fx.Ramp(rate=1.0, start=0.3)},
        fixed=["A.x"],
    )
    motion = fx.simulate(model, times=[0.0, 0.2, 0.3, 0.3 + 1e-9], method=METHODS[method])
    assert motion["bar.p.phi'"] == pytest.approx([0.0, 0.0, -1.5, -1.5], abs=1e-8)
    assert motion.outcome is fx.Outcome.DONE
    # the drive has done the work ½ m v²/4 of the impulse
    assert motion.energy["kinetic"][-1] == pytest.approx(0.125, rel=1e-8)


def test_a_load_that_begins_with_the_run() -> None:
    """A discontinuity at t = 0 leaves no room for a step: implicit methods ended with STEP_TOO_SMALL."""
    motion = fx.simulate(pushed(fx.Smoothstep(rise=1.0, duration=0.5)), 1.0, samples=3, method=fx.KennedyCarpenter())
    assert motion.outcome is fx.Outcome.DONE
    assert motion["A.x'"][1:] == pytest.approx(np.array([0.25, 0.75]) / MASS, abs=1e-5)
