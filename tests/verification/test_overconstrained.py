"""Linkages with more conditions than they need, and mobile all the same: Bennett's, and a parallelogram in space.

What is redundant is named; let go, it stays fulfilled by itself.
"""

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import flexura as fx
from flexura.mechanics.preparation.prepared_model import prepare
from flexura.spatial import Beam, Hinge
from references import bennett
from references.bennett import Bennett

Array = NDArray[np.float64]

BAR = fx.Section(rhoA=2.0)
TARGET = 1e-9
"""Of metres and radians; the largest deviation seen is 6e-15."""


def place(motion: fx.Motion, node: str) -> Array:
    return np.stack([motion[f"{node}.{axis}"] for axis in "xyz"], axis=-1)


def vector(array: Array) -> tuple[float, float, float]:
    x, y, z = array.tolist()
    return x, y, z


def surplus(model: fx.Model) -> list[str]:
    """Constraints that are left out in the drawn position."""
    return [str(address) for address in prepare(model).mobility.surplus]


def mobility(model: fx.Model) -> tuple[int, int]:
    """How many ways it can move, and how many conditions are too many."""
    found = prepare(model, redundant_allowed=True).mobility
    return found.degrees, found.excess


# ── Bennett's linkage ────────────────────────────────────────────────────────────────────────────────────────────────

LINKAGE = Bennett(0.3, np.deg2rad(40.0), np.deg2rad(70.0))
DRAWN = 1.0
"""The crank angle as drawn."""
BALL_AND_TELESCOPE = ("four.bending_y", "four.bending_z", "rocker.elongation")
"""Released, the last hinge is a ball and the rocker may stretch; without dead points over the whole turn."""


def linkage(released: Sequence[str] = (), drawn: float = DRAWN, **given: Any) -> fx.Model:
    """Four hinges and three bars; the fourth link is the ground."""
    position = bennett.position(LINKAGE, drawn)
    axes = [vector(axis) for axis in position.axes]
    return fx.Model(
        nodes={f"H{i}": vector(point) for i, point in enumerate(position.points, start=1)},
        elements={
            "one": Hinge("H1", "H1", axis=axes[0]),
            "crank": Beam("one.q", "H2", BAR, rigid=True),
            "two": Hinge("crank.q", "H2", axis=axes[1]),
            "coupler": Beam("two.q", "H3", BAR, rigid=True),
            "three": Hinge("coupler.q", "H3", axis=axes[2]),
            "rocker": Beam("three.q", "H4", BAR, rigid=True),
            "four": Hinge("rocker.q", "H4", axis=axes[3]),
        },
        fixed=["one.p", "four.q"],
        released=released,
        **given,
    )


def follows_bennett(motion: fx.Motion, crank: Array) -> None:
    """Points and hinge angles against the closed form, and what was released."""
    assert motion.outcome is fx.Outcome.DONE
    expected = bennett.position(LINKAGE, crank)
    assert np.abs(place(motion, "H2") - expected.points[:, 1]).max() < TARGET
    assert np.abs(place(motion, "H3") - expected.points[:, 2]).max() < TARGET
    for i, name in enumerate(["one", "two", "three", "four"]):
        turned = expected.angles[:, i] - bennett.position(LINKAGE, DRAWN).angles[i]
        assert np.abs(motion[f"{name}.rotation"] - turned).max() < TARGET
    for strain in motion.model.released:
        assert np.abs(motion[strain]).max() < TARGET


@pytest.mark.parametrize("drawn", [0.5, 1.0, 2.5, 4.0])
def test_bennett_linkage_is_mobile(drawn: float) -> None:
    """Grübler: 6·3 − 5·4 = −2 ways to move; there is one, so three conditions are too many."""
    assert mobility(linkage(drawn=drawn)) == (1, 3)


def test_bennett_linkage_needs_its_proportions() -> None:
    """With one hinge askew by a degree it is a structure: one condition less is redundant, and nothing moves."""
    axis = bennett.position(LINKAGE, DRAWN).axes[3] + np.array([0.02, 0.0, 0.0])
    model = linkage()
    stuck = dataclasses.replace(model, elements={**model.elements, "four": Hinge("rocker.q", "H4", axis=vector(axis))})
    assert mobility(stuck) == (0, 2)


def test_redundant_conditions_of_bennett_linkage_are_named() -> None:
    (finding,) = fx.kinematics(linkage(inputs={"one.rotation": fx.Ramp(1.0)}), [0.0]).findings
    assert "3 redundant constraints" in finding.what
    for name in ("one", "two", "three", "four"):
        assert f"{name}.bending_y" in finding.where
        assert f"{name}.bending_z" in finding.where
    for name in ("crank", "coupler", "rocker"):
        assert f"{name}.elongation" in finding.where
        assert f"{name}.torsion" in finding.where
    # the drive and the unit lengths of Euler parameters are not in excess
    assert "one.rotation" not in finding.where
    assert ":" not in finding.where


@pytest.mark.parametrize("released", [(), BALL_AND_TELESCOPE])
def test_bennett_linkage_over_a_turn(released: Sequence[str]) -> None:
    times = np.linspace(0.0, 2.0 * np.pi, 721)
    motion = fx.kinematics(linkage(released, inputs={"one.rotation": fx.Ramp(1.0)}), times)
    follows_bennett(motion, DRAWN + times)
    ratio = motion["two.rotation'"] / motion["one.rotation'"]
    assert np.abs(ratio - bennett.speed_ratio(LINKAGE, DRAWN + times)).max() < TARGET


@pytest.mark.parametrize("direction", [-1.0, 1.0])
def test_proposed_release_of_bennett_linkage(direction: float) -> None:
    """Without the constraints that are left out, the linkage is determined, from the drawn position on."""
    released = surplus(linkage())
    assert mobility(linkage(released)) == (1, 0)
    times = np.linspace(0.0, 0.2, 41)
    motion = fx.kinematics(linkage(released, inputs={"one.rotation": fx.Ramp(direction)}), times)
    follows_bennett(motion, DRAWN + direction * times)


def inertia(crank: Array) -> Array:
    """2 T / θ̇² of three slender bars, by central differences of the closed form, in error by h⁶."""
    h = 5e-3
    points = bennett.position(LINKAGE, crank).points
    rates = np.zeros_like(points)
    for k, weight in ((1, 3.0 / 4.0), (2, -3.0 / 20.0), (3, 1.0 / 60.0)):
        ahead, behind = (bennett.position(LINKAGE, crank + side * k * h).points for side in (1, -1))
        rates += weight / h * (ahead - behind)
    p, q = rates[..., :3, :], rates[..., 1:, :]
    masses = 2.0 * np.linalg.norm(np.diff(points, axis=-2), axis=-1)
    return np.asarray((masses / 3.0 * (p * p + p * q + q * q).sum(axis=-1)).sum(axis=-1))


@pytest.mark.parametrize("released", [(), BALL_AND_TELESCOPE])
def test_bennett_linkage_runs_by_itself(released: Sequence[str]) -> None:
    """More than two turns after a push: the kinetic energy stays, so that the rate follows from the inertia."""
    model = linkage(released, start={"one.rotation'": 4.0})
    motion = fx.simulate(model, 5.0, samples=1001, method=fx.DormandPrince(tolerance=1e-11))
    crank = DRAWN + motion["one.rotation"]
    assert crank[-1] > DRAWN + 4.0 * np.pi
    follows_bennett(motion, crank)
    expected = 4.0 * np.sqrt(inertia(crank[0]) / inertia(crank))
    assert np.abs(motion["one.rotation'"] / expected - 1.0).max() < TARGET
    assert np.ptp(expected) > 2.0
    assert motion.imbalance is not None
    assert motion.imbalance < 1e-10


@pytest.mark.parametrize("released", [(), BALL_AND_TELESCOPE])
def test_bennett_linkage_in_gravity(released: Sequence[str]) -> None:
    """The energy of a fall is balanced, and its potential is that of the closed form."""
    model = linkage(released, start={"one.rotation'": 8.0}, gravity=(0.0, -9.81, 0.0))
    motion = fx.simulate(model, 3.0, samples=601, method=fx.DormandPrince(tolerance=1e-11))
    crank = DRAWN + motion["one.rotation"]
    follows_bennett(motion, crank)
    points = bennett.position(LINKAGE, crank).points
    masses = 2.0 * np.linalg.norm(np.diff(points, axis=-2), axis=-1)
    height = 0.5 * (points[:, :3, 1] + points[:, 1:, 1])
    potential = 9.81 * (masses * height).sum(axis=-1)
    kinetic = 0.5 * inertia(crank) * motion["one.rotation'"] ** 2
    total = potential + kinetic
    assert np.abs(total - total[0]).max() < TARGET * kinetic[0]
    assert motion.imbalance is not None
    assert motion.imbalance < 1e-10


# ── three parallel cranks ────────────────────────────────────────────────────────────────────────────────────────────

FEET = {"one": (0.0, 0.0, 0.0), "two": (1.0, 0.0, 0.3), "three": (0.2, 0.8, -0.2)}
RADIUS = 0.4
"""Cranks of equal length turn about axes along z through the feet; a plate on them moves without turning."""


def parallelogram(drawn: float, released: Sequence[str] = (), **given: Any) -> fx.Model:
    """The plate is two bars, welded to each other at the first crank."""
    arm = RADIUS * np.array([np.cos(drawn), np.sin(drawn), 0.0])
    z = (0.0, 0.0, 1.0)
    nodes: dict[str, tuple[float, float, float]] = {}
    elements: dict[str, Beam | Hinge] = {}
    for name, foot in FEET.items():
        nodes |= {f"foot_{name}": foot, f"pin_{name}": vector(np.array(foot) + arm)}
        elements[f"base_{name}"] = Hinge(f"foot_{name}", f"foot_{name}", axis=z)
        elements[f"crank_{name}"] = Beam(f"base_{name}.q", f"pin_{name}", BAR, y_axis=z, rigid=True)
    elements |= {
        "top_one": Hinge("crank_one.q", "pin_one", axis=z),
        "plate_two": Beam("top_one.q", "pin_two", BAR, rigid=True),
        "plate_three": Beam("top_one.q", "pin_three", BAR, rigid=True),
        "top_two": Hinge("crank_two.q", "plate_two.q", axis=z),
        "top_three": Hinge("crank_three.q", "plate_three.q", axis=z),
    }
    return fx.Model(
        nodes=nodes, elements=elements, fixed=[f"base_{name}.p" for name in FEET], released=released, **given
    )


def leaning(name: str) -> list[str]:
    """A crank that holds the plate along its own line only: a ball on top, and free to lean out of its plane."""
    return [f"top_{name}.bending_y", f"top_{name}.bending_z", f"crank_{name}.bending_z_p"]


def slack(name: str) -> list[str]:
    """A crank that holds nothing."""
    return [*leaning(name), f"crank_{name}.elongation"]


def follows_circle(motion: fx.Motion, angle: Array) -> None:
    """All pins move on equal circles, the plate does not turn, and what was released stays."""
    assert motion.outcome is fx.Outcome.DONE
    arm = RADIUS * np.stack([np.cos(angle), np.sin(angle), np.zeros_like(angle)], axis=-1)
    for name, foot in FEET.items():
        assert np.abs(place(motion, f"pin_{name}") - foot - arm).max() < TARGET
        assert np.abs(motion[f"base_{name}.rotation"] - (angle - angle[0])).max() < TARGET
    for plate in ("plate_two.q", "plate_three.q"):
        assert np.abs(motion.orientation(plate, "vector")).max() < TARGET
    for strain in motion.model.released:
        assert np.abs(motion[strain]).max() < TARGET


@pytest.mark.parametrize("drawn", [0.0, 0.7, 2.0])
def test_parallelogram_is_mobile(drawn: float) -> None:
    """Grübler: 6·4 − 5·6 = −6 ways to move; there is one, so seven conditions are too many."""
    assert mobility(parallelogram(drawn)) == (1, 7)


def test_redundant_conditions_of_parallelogram_are_named() -> None:
    motion = fx.simulate(parallelogram(0.7), 0.1, samples=2)
    assert "7 redundant constraints" in motion.note
    for name in FEET:
        assert f"crank_{name}.elongation" in motion.note
        assert f"top_{name}.bending_y" in motion.note
    released = surplus(parallelogram(0.7))
    assert len(released) == 7
    assert mobility(parallelogram(0.7, released)) == (1, 0)


def test_two_cranks_are_enough_where_they_are_not_in_line() -> None:
    """The second crank loses its hold where it points along x, at 0 and at π, which the mobility says."""
    released = [*leaning("two"), *slack("three")]
    assert mobility(parallelogram(0.7, released)) == (1, 0)
    assert mobility(parallelogram(0.0, released)) == (2, 1)


PARTS = [
    (0.5, 2.6, "two", "three"),
    (2.6, np.pi + 0.5, "three", "two"),
    (np.pi + 0.5, np.pi + 2.6, "two", "three"),
    (np.pi + 2.6, 2.0 * np.pi + 0.5, "three", "two"),
]
"""Parts of a turn, and the crank that holds the plate in it, which has no dead point there."""


@pytest.mark.parametrize(("first", "last", "holding", "idle"), PARTS)
def test_parallelogram_over_a_turn(first: float, last: float, holding: str, idle: str) -> None:
    times = np.linspace(0.0, last - first, 201)
    model = parallelogram(first, [*leaning(holding), *slack(idle)], inputs={"base_one.rotation": fx.Ramp(1.0)})
    follows_circle(fx.kinematics(model, times), first + times)


@pytest.mark.parametrize(("first", "last", "holding", "idle"), PARTS)
def test_parallelogram_turns_by_itself(first: float, last: float, holding: str, idle: str) -> None:
    """All moves on circles at one speed, so that the speed stays."""
    rate = 3.0
    model = parallelogram(first, [*leaning(holding), *slack(idle)], start={"base_one.rotation'": rate})
    motion = fx.simulate(model, (last - first) / rate, samples=101, method=fx.DormandPrince(tolerance=1e-11))
    follows_circle(motion, first + rate * motion.t)
    assert motion.imbalance is not None
    assert motion.imbalance < 1e-10


@pytest.mark.parametrize("direction", [-1.0, 1.0])
def test_parallelogram_over_all_turns_without_release(direction: float) -> None:
    """The set of constraints that is held changes on the way."""
    times = np.linspace(0.0, 4.0 * np.pi, 241)
    motion = fx.kinematics(parallelogram(0.7, inputs={"base_one.rotation": fx.Ramp(direction)}), times)
    follows_circle(motion, 0.7 + direction * times)
    model = parallelogram(0.7, start={"base_one.rotation'": direction})
    motion = fx.simulate(model, 4.0 * np.pi, samples=121, method=fx.DormandPrince(tolerance=1e-11))
    follows_circle(motion, 0.7 + direction * motion.t)
    assert motion.statistics["new sets of constraints"] >= 4
