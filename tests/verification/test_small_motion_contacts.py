"""Contacts in small motions: gaps and forces are those of the laws on the displacements."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import flexura as fx
from flexura.algebra import Vector, sqrt, vec
from flexura.elements.contacts import Contact
from flexura.nodes import At, Point
from flexura.planar import Beam, Clearance, Element, Mass, PinSlot, PointContact, Truss
from flexura.spatial import Ball
from flexura.spatial import Mass as SpatialMass
from flexura.spatial import Truss as SpatialTruss

STIFFNESS = 1e6
HERTZ = fx.Hertz(STIFFNESS)
TIGHT = fx.DormandPrince(1e-11)


class CentredSlot(Element):
    """Pin between two walls, as one gap that has no slope where the pin is in the middle."""

    p: At[Point]
    q: At[Point]
    width: float
    contact: fx.Hertz

    contacts: ClassVar = (Contact("gap"),)

    def gap(self, p: Point, q: Point) -> Vector:
        y = q.r[0] - p.r[0]
        return vec(0.5 * self.width - sqrt(y * y + 1e-30))


def oscillator(contacts: dict[str, fx.Element], others: dict[str, tuple[float, float]], speed: float = 0.5) -> fx.Model:
    """A mass on a spring with contacts between it and fixed points: all else is linear."""
    return fx.Model(
        nodes={"O": (0, 0), "A": (1, 0), **others},
        elements={"spring": Truss("O", "A", fx.Section(EA=400.0)), "mass": Mass("A", 1.0), **contacts},
        fixed=["O", "A.y", *others],
        start={"A.x'": speed},
    )


def stops(law: Any) -> fx.Model:
    contacts = {"left": PointContact("L", "A", law, normal=(1, 0)), "right": PointContact("A", "R", law, normal=(1, 0))}
    return oscillator(contacts, {"L": (0.99, 0), "R": (1.02, 0)})


CASES = {
    "stops": (stops(HERTZ), ("left.gap", "right.gap")),
    "slot": (
        oscillator({"slot": PinSlot("C", "A", 0.02, 0.01, HERTZ, HERTZ)}, {"C": (1, 0)}),
        ("slot.near", "slot.far"),
    ),
    "bearing": (oscillator({"pin": Clearance("C", "A", 0.01, HERTZ)}, {"C": (1, 0)}), ("pin.gap",)),
    "own slot": (oscillator({"slot": CentredSlot("C", "A", 0.02, HERTZ)}, {"C": (1, 0)}), ("slot.gap",)),
}


@pytest.mark.parametrize("name", CASES)
def test_forces_are_those_of_the_law_on_the_gaps_and_of_the_full_motion(name: str) -> None:
    """All but the contacts is linear, so that the small motion is the full one."""
    model, gaps = CASES[name]
    small = fx.superpose(model, 0.5, samples=201, tolerance=1e-11)
    full = fx.simulate(model, 0.5, samples=201, method=TIGHT)
    assert small.note == ""
    for gap in gaps:
        law = STIFFNESS * np.maximum(-small[gap], 0.0) ** 1.5
        assert np.ptp(law) > 50.0
        np.testing.assert_allclose(small.force(gap), law, atol=1e-9 * np.ptp(law))
        np.testing.assert_allclose(small[gap], full[gap], atol=1e-8)
        np.testing.assert_allclose(small[f"{gap}'"], full[f"{gap}'"], atol=2e-5)
        np.testing.assert_allclose(small.force(gap), full.force(gap), atol=2e-5 * np.ptp(law))
        np.testing.assert_allclose(small.change(f"{gap}.force"), small.force(gap), atol=1e-9 * np.ptp(law))
    wall = "L" if name == "stops" else "C"
    for signal in ("A.x", "spring.elongation", f"{wall}.x", "O.x", "A.y"):
        np.testing.assert_allclose(small.force(signal), full.force(signal), atol=5e-3, err_msg=signal)
    np.testing.assert_allclose(small["A.x"], full["A.x"], atol=1e-8)


def test_laws_that_remember() -> None:
    model = stops(fx.Hertz(STIFFNESS, restitution=0.6))
    small = fx.superpose(model, 0.5, samples=201, tolerance=1e-11)
    full = fx.simulate(model, 0.5, samples=201, method=TIGHT)
    for gap in ("left.gap", "right.gap"):
        np.testing.assert_allclose(small.force(gap), full.force(gap), atol=1e-6 * np.ptp(full.force(gap)))


# -- flexible parts: implicit steps ------------------------------------------------------------------------------------


def beam_in_a_slot(parts: int) -> fx.Model:
    """A beam with a mass at its tip, which is shaken between two walls."""
    section, wall = fx.Section(EA=1e6, EI=5.0, rhoA=0.2, damping=1e-4), fx.Hertz(1e7)
    return fx.Model(
        nodes={"O": (0, 0), "A": (0.5, 0), "C": (0.5, 0)},
        elements={
            "beam": Beam("O", "A", section, parts=parts),
            "tip": Mass("A", 0.1),
            "slot": PinSlot("C", "A", 1.0, 2e-3, wall, wall),
        },
        fixed=["O", "beam.p.phi", "C"],
        loads={"A.y": fx.Sine(amplitude=5.0, frequency=60.0)},
    )


def test_implicit_steps_where_vibrations_are_fast(monkeypatch: pytest.MonkeyPatch) -> None:
    superpose = import_module("flexura.analyses.periodic.superpose")
    implicit = [fx.superpose(beam_in_a_slot(8), 0.06, samples=61, tolerance=each) for each in (1e-7, 1e-8, 1e-9)]
    monkeypatch.setattr(superpose, "_FOLLOWED", 1e9)
    explicit = fx.superpose(beam_in_a_slot(8), 0.06, samples=61, tolerance=1e-9)
    assert implicit[1].statistics["steps"] < 0.2 * explicit.statistics["steps"]
    errors = [np.abs(each["A.y"] - explicit["A.y"]).max() for each in implicit]
    assert errors[2] < errors[1] < errors[0] < 1e-6
    assert errors[1] < 1e-7
    force = explicit.force("slot.left")
    assert np.ptp(force) > 10.0
    np.testing.assert_allclose(implicit[1].force("slot.left"), force, atol=2e-3 * np.ptp(force))


def test_many_beams_cost_few_steps() -> None:
    """Explicit steps would be 205 000 for 16 beams over three times this time."""
    small = fx.superpose(beam_in_a_slot(16), 0.06, samples=61)
    assert small.statistics["steps"] < 2000
    law = 1e7 * np.maximum(-small["slot.left"], 0.0) ** 1.5
    np.testing.assert_allclose(small.force("slot.left"), law, atol=1e-9 * np.ptp(law))


# -- nominal motions that turn, and space ------------------------------------------------------------------------------


def turning_slot(friction: fx.Friction | None = None) -> fx.Model:
    """A pin in the slot of an arm that turns, held by a spring to its middle."""
    law = fx.Hertz(1e6, restitution=0.8)
    return fx.Model(
        nodes={"O": (0, 0), "A": (0.1, 0), "P": (0.1, 0)},
        elements={
            "arm": Beam("O", "A", fx.Section(rhoA=1.0), rigid=True),
            "pin": Mass("seat.q", 0.2, inertia=1e-5),
            "slot": PinSlot("arm.q", "P", 4e-4, 2e-4, law, law, friction=friction),
            "seat": fx.planar.Bearing("arm.q", "P", kx=2e4, ky=1e4, kt=1.0, cx=1.0, cy=1.0),
        },
        fixed=["O"],
        inputs={"arm.p.phi": fx.Ramp(rate=30.0)},
        gravity=(0, -9.81),
        start={"P.y'": 0.1},
    )


@pytest.mark.parametrize("friction", [None, fx.Friction(0.2, regularisation_speed=1e-3)])
def test_a_slot_that_turns(friction: fx.Friction | None) -> None:
    model, turn = turning_slot(friction), 2 * np.pi / 30.0
    full = fx.simulate(model, 1.2 * turn, samples=301)
    for period in (turn, None):
        small = fx.superpose(model, 1.2 * turn, period=period, samples=301)
        force = full.force("slot.far")
        assert np.ptp(force) > 5.0
        # a clearance of 2e-3 of the arm: second-order differences
        assert np.abs(small["slot.far"] - full["slot.far"]).max() < 1e-2 * np.ptp(full["slot.far"])
        assert np.abs(small.force("slot.far") - force).mean() < 1e-2 * np.ptp(force)
        assert np.abs(small.force("arm.p.phi") - full.force("arm.p.phi")).mean() < 1e-2 * np.ptp(
            full.force("arm.p.phi")
        )


def test_a_ball_in_space(tmp_path: Path) -> None:
    model = fx.Model(
        nodes={"O": (0, 0, 0), "A": (0, 0, 1), "F": (0, 0, 0.94)},
        elements={
            "spring": SpatialTruss("O", "A", fx.Section(EA=400.0)),
            "mass": SpatialMass("A", 1.0),
            "floor": Ball("F", "A", HERTZ, radius=0.05, normal=(0, 0, 1)),
        },
        fixed=["O", "F", "A.x", "A.y"],
        start={"A.z'": -0.5},
    )
    small = fx.superpose(model, 0.5, samples=101, tolerance=1e-11)
    full = fx.simulate(model, 0.5, samples=101, method=TIGHT)
    assert np.ptp(full.force("floor.gap")) > 10.0
    for signal in ("floor.gap", "F.z", "O.z"):
        np.testing.assert_allclose(small.force(signal), full.force(signal), atol=2e-3)
    small.save(tmp_path / "small.nc")
    again = fx.load(tmp_path / "small.nc")
    assert again == small
    np.testing.assert_array_equal(again.force("floor.gap"), small.force("floor.gap"))
    np.testing.assert_allclose(again.force("F.z"), small.force("F.z"), atol=1e-9)
