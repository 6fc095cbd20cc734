"""Planar bodies that meet: distances of outlines, piles, slopes, dominoes."""

from __future__ import annotations

from math import atan, cos, hypot, pi, sin
from typing import Any

import numpy as np
import pytest

import flexura as fx
from flexura.elements.planar.candidates import close_pairs
from flexura.planar import Body, BodyContact, PointContact

G = 9.81
STICKY = fx.Friction(0.5, regularisation_speed=0.0)
SHORT = fx.Limits(steps=100)


def box(width: float, height: float) -> tuple[tuple[float, float], ...]:
    """Rectangle about its centre."""
    w, h = width / 2, height / 2
    return ((-w, -h), (w, -h), (w, h), (-w, h))


FLOOR = ((-1.0, -0.1), (1.0, -0.1), (1.0, 0.0), (-1.0, 0.0))


def pile(blocks: int, law: Any, friction: fx.Friction | None, size: float = 1.0) -> fx.Model:
    """Equal blocks on top of each other."""
    w, h = 0.2 * size, 0.1 * size
    floor = tuple((x * size, y * size) for x, y in FLOOR)
    nodes = {"G": (0.0, 0.0)} | {f"C{i}": (0.0, (i + 0.5) * h) for i in range(blocks)}
    elements: dict[str, Any] = {}
    for i in range(blocks):
        below, outline = ("G", floor) if i == 0 else (f"block{i - 1}.p", box(w, h))
        elements[f"block{i}"] = Body(f"C{i}", 1.0, (w * w + h * h) / 12.0)
        elements[f"hit{i}"] = BodyContact(below, f"block{i}.p", law, outline, box(w, h), friction=friction)
    return fx.Model(nodes=nodes, elements=elements, fixed=["G"], gravity=(0.0, -G))


@pytest.mark.parametrize("friction", [STICKY, pytest.param(None, marks=pytest.mark.slow)])
def test_pile_of_ten_blocks_stands(friction: fx.Friction | None) -> None:
    """Ten blocks at rest for ten seconds, to a millionth of a metre; the floor carries them all."""
    motion = fx.simulate(pile(10, fx.Restitution(0.0), friction), 10.0, samples=11)
    for i in range(10):
        for signal in (f"C{i}.x", f"C{i}.y", f"block{i}.p.phi"):
            assert np.ptp(motion[signal]) < 1e-6
    carried = sum(motion.force(f"hit0.{corner}.gap")[-1] for corner in ("q1", "q2"))
    assert carried == pytest.approx(10.0 * G, rel=1e-9)
    assert motion.outcome is fx.Outcome.DONE


@pytest.mark.parametrize("tolerance", [1e-5, 1e-6, 1e-8, 1e-10])
def test_pile_stands_with_any_tolerance(tolerance: float) -> None:
    """Contacts that others hold have distances and rates of rounding, which must not open them."""
    motion = fx.simulate(
        pile(10, fx.Restitution(0.0), STICKY), 10.0, samples=3, method=fx.DormandPrince(tolerance), limits=SHORT
    )
    assert max(np.ptp(motion[f"C{i}.{axis}"]) for i in range(10) for axis in "xy") < 1e-9
    assert motion.outcome is fx.Outcome.DONE
    assert max(event.time for event in motion.events) == 0.0


@pytest.mark.parametrize("size", [1e-3, 1e3])
def test_piles_of_any_size(size: float) -> None:
    motion = fx.simulate(pile(3, fx.Restitution(0.0), STICKY, size), 1.0, samples=3)
    assert np.ptp(motion["C2.y"]) < 1e-9 * size
    assert motion.outcome is fx.Outcome.DONE


@pytest.mark.parametrize(("mu", "slides"), [(0.3, True), (0.5, False)])
def test_block_on_a_slope(mu: float, slides: bool) -> None:
    """A block on a slope of tan θ = 0.4 slides with g(sin θ - μ cos θ), or stays."""
    angle, friction = atan(0.4), fx.Friction(mu, regularisation_speed=0.0)
    model = fx.Model(
        nodes={"G": (0.0, 0.0), "C": (0.0, 0.05)},
        elements={
            "block": Body("C", 1.0, 0.01),
            "hit": BodyContact("G", "block.p", fx.Restitution(0.0), FLOOR, box(0.2, 0.1), friction=friction),
        },
        fixed=["G"],
        gravity=(G * sin(angle), -G * cos(angle)),
    )
    motion = fx.simulate(model, 0.5, samples=3)
    gained = 0.5 * G * (sin(angle) - mu * cos(angle)) * 0.25 if slides else 0.0
    assert motion["C.x"][-1] == pytest.approx(gained, abs=1e-9)


def test_pyramid_stands() -> None:
    """Three, two and one blocks, each of the upper ones on two below, with gaps between neighbours.

    Rigid blocks do not determine the forces: those that are given press, lie in the cones of friction, balance the
    weights and are as symmetric as the pyramid.
    """
    w, h = 0.28, 0.2
    rows = {"b": [-0.3, 0.0, 0.3], "m": [-0.15, 0.15], "t": [0.0]}
    places = {f"{row}{i}": (x, (k + 0.5) * h) for k, row in enumerate(rows) for i, x in enumerate(rows[row])}
    carried = [("G", f"b{i}") for i in range(3)]
    carried += [("b0", "m0"), ("b1", "m0"), ("b1", "m1"), ("b2", "m1"), ("m0", "t0"), ("m1", "t0")]
    ends = {"G": ("G", FLOOR)} | {name: (f"{name}.p", box(w, h)) for name in places}
    model = fx.Model(
        nodes={"G": (0.0, 0.0)} | {f"C{name}": place for name, place in places.items()},
        elements={name: Body(f"C{name}", 5.0, 5.0 * (w * w + h * h) / 12.0) for name in places}
        | {
            f"{a}_{b}": BodyContact(
                ends[a][0], ends[b][0], fx.Restitution(0.0), ends[a][1], ends[b][1], friction=STICKY
            )
            for a, b in carried
        },
        fixed=["G"],
        gravity=(0.0, -G),
    )
    motion = fx.simulate(model, 5.0, samples=6)
    assert motion.outcome is fx.Outcome.DONE
    assert max(np.ptp(motion[f"C{name}.{axis}"]) for name in places for axis in "xy") < 1e-9
    corners = ("q1", "q2", "p3", "p4")
    forces = {
        (pair, c): (motion.force(f"{pair}.{c}.gap")[-1], motion.force(f"{pair}.{c}.slide")[-1])
        for pair in (f"{a}_{b}" for a, b in carried)
        for c in corners
    }
    assert all(normal >= 0.0 and abs(along) <= 0.5 * normal + 1e-9 for normal, along in forces.values())
    for below, above, blocks in (("G", "b", 6), ("b", "m", 3), ("m", "t", 1)):
        weights = [f[0] for (pair, _), f in forces.items() if pair[0] == below and pair.split("_")[1][0] == above]
        assert sum(weights) == pytest.approx(5.0 * G * blocks, rel=1e-9)
    mirrored = {"q1": "q2", "q2": "q1", "p3": "p4", "p4": "p3"}
    for c in corners:
        assert forces["m0_t0", c][0] == pytest.approx(forces["m1_t0", mirrored[c]][0], abs=1e-6)


@pytest.mark.parametrize("blocks", [1, 3])
def test_pile_is_pulled_from_rest(blocks: int) -> None:
    """A force that grows from zero moves a pile of mass M as soon as it exceeds μMg, and all of it together.

    Nothing has moved before, so that rates are rounding: they must not decide which way it slides.
    """
    rate, begins = 10.0, 0.5 * blocks * G / 10.0
    model = pile(blocks, fx.Restitution(0.0), STICKY).replace(loads={"C0.x": fx.Ramp(rate=rate)})
    motion = fx.simulate(model, begins + 0.5, samples=3)
    assert motion.outcome is fx.Outcome.DONE
    assert min(event.time for event in motion.events if event.kind == "slip") == pytest.approx(begins, abs=1e-6)
    for i in range(blocks):
        assert np.ptp(motion[f"C{i}.x"]) == pytest.approx(rate * 0.5**3 / 6.0 / blocks, rel=1e-9)


def test_hexagon_lands_on_a_face() -> None:
    """A hexagon that slides on two corners after its blows does not bounce between them, and comes to rest."""
    hexagon = tuple((0.1 * cos(np.pi / 3 * k), 0.1 * sin(np.pi / 3 * k)) for k in range(6))
    model = fx.Model(
        nodes={"G": (0.0, 0.0), "C": (0.0, 0.5)},
        elements={
            "body": Body("C", 1.0, 0.004),
            "hit": BodyContact(
                "G", "body.p", fx.Restitution(0.0), FLOOR, hexagon, friction=fx.Friction(0.3, regularisation_speed=0.0)
            ),
        },
        fixed=["G"],
        gravity=(0.0, -G),
        start={"body.p.phi'": 3.0, "C.x'": 1.0},
    )
    motion = fx.simulate(model, 0.8, samples=3, limits=fx.Limits(steps=500))
    assert motion.outcome is fx.Outcome.DONE
    assert motion["body.p.phi"][-1] == pytest.approx(np.pi / 3, abs=1e-12)


def distance(place: tuple[float, float], outline: Any) -> float:
    """Distance of a point outside from an outline, by its sides one after the other."""
    found, sides = [], list(zip(outline, (*outline[1:], outline[0]), strict=True))
    for a, b in sides:
        along = np.subtract(b, a)
        part = np.clip(np.dot(np.subtract(place, a), along) / np.dot(along, along), 0.0, 1.0)
        found.append(hypot(*(np.subtract(place, a) - part * along)))
    return min(found)


@pytest.mark.parametrize("outline", [box(0.4, 0.2), ((-0.3, -0.1), (0.2, -0.2), (0.3, 0.2)), ((-0.3, 0.0), (0.3, 0.1))])
def test_distance_of_a_disc(outline: Any) -> None:
    """The gap of a disc before a polygon or a line is its distance less its radius, all round."""
    radius_p = 0.02 if len(outline) == 2 else 0.0
    for turn in np.linspace(0.0, 2.0 * np.pi, 9):
        place = (0.6 * cos(turn), 0.6 * sin(turn))
        model = fx.Model(
            nodes={"P": (0.0, 0.0), "Q": place},
            elements={
                "body": Body("P", 1.0, 0.1),
                "disc": Body("Q", 1.0, 0.1),
                "hit": BodyContact(
                    "body.p", "disc.p", fx.KelvinVoigt(1e4, 1.0), outline, radius_p=radius_p, radius_q=0.05
                ),
            },
        )
        gap = fx.simulate(model, 1e-6, samples=2)["hit.q1.gap"][0]
        assert gap == pytest.approx(distance(place, outline) - 0.05 - radius_p, rel=1e-9)


def test_disc_rolls_on_a_round_line() -> None:
    """A disc that rolls has no slip where the surfaces meet, which is on the round line and not on its axis."""
    radius, thick, mu = 0.1, 0.04, 0.3
    model = fx.Model(
        nodes={"G": (0.0, 0.0), "C": (0.0, radius + thick)},
        elements={
            "disc": Body("C", 2.0, 0.5 * 2.0 * radius**2),
            "hit": BodyContact(
                "G", "disc.p", fx.Restitution(0.0), ((-9.0, 0.0), (9.0, 0.0)), radius_p=thick, radius_q=radius,
                friction=fx.Friction(mu, regularisation_speed=0.0),
            ),
        },
        fixed=["G"],
        gravity=(0.0, -G),
        start={"C.x'": 1.0},
    )  # fmt: skip
    motion = fx.simulate(model, times=[0.0, 0.05, 0.5])
    assert motion["C.x'"] == pytest.approx([1.0, 1.0 - mu * G * 0.05, 2.0 / 3.0], rel=1e-9)
    assert motion["disc.p.phi'"] == pytest.approx([0.0, -2.0 * mu * G * 0.05 / radius, -2.0 / 3.0 / radius], rel=1e-9)
    # the slip halts after v/(3μg)
    (stick,) = (event.time for event in motion.events if event.kind == "stick")
    assert stick == pytest.approx(1.0 / (3.0 * mu * G), rel=1e-9)


STIFFNESS = 1e3
"""N/m, of surfaces of dominoes"""


def dominoes(count: int) -> fx.Model:
    """Row of dominoes on a floor, the first of which is pushed."""
    w, h, apart, mass, rate = 0.0075, 0.048, 0.024, 0.01, -6.0
    outline, friction = box(w, h), fx.Friction(0.4, regularisation_speed=2e-2)
    places = {f"d{i}.p": (i * apart, h / 2) for i in range(count)} | {"G": (0.0, 0.0)}
    outlines: dict[str, Any] = {"G": ((-0.1, -0.1), (1.0, -0.1), (1.0, 0.0), (-0.1, 0.0))}
    outlines |= {f"d{i}.p": outline for i in range(count)}
    pairs = fx.contact_pairs(places, outlines, fx.KelvinVoigt(k=STIFFNESS, c=10.0), reach=0.0, friction=friction)
    bodies = {f"d{i}": Body(f"C{i}", mass, mass * (w * w + h * h) / 12.0) for i in range(count)}
    return fx.Model(
        nodes={"G": (0.0, 0.0)} | {f"C{i}": (i * apart, h / 2) for i in range(count)},
        elements=bodies | pairs,
        fixed=["G"],
        gravity=(0.0, -G),
        start={"d0.p.phi'": rate, "C0.x'": -rate * h / 2, "C0.y'": rate * w / 2},
    )


@pytest.mark.parametrize("count", [4, pytest.param(20, marks=pytest.mark.slow)])
def test_dominoes_fall(count: int) -> None:
    """Each domino knocks over the next, and the energy, with that of the compressed surfaces, falls all the while."""
    until = 0.3 + 0.05 * count
    motion = fx.simulate(dominoes(count), until, samples=201)
    assert motion.outcome is fx.Outcome.DONE
    assert all(motion[f"d{i}.p.phi"][-1] < -0.9 for i in range(count))
    gaps = [signal for signal in motion.signals if signal.endswith(".gap")]
    total = motion.energy["total"] + sum(0.5 * STIFFNESS * np.minimum(motion[gap], 0.0) ** 2 for gap in gaps)
    assert np.all(np.diff(total) <= 1e-6 * total[0])


def test_candidates_grow_with_the_number_of_bodies() -> None:
    """A hundred discs on a grid: neighbours alone are paired, as by comparing all."""
    circles = [(float(i % 10), float(i // 10), 0.3) for i in range(100)]
    found = {tuple(sorted(pair)) for pair in close_pairs(circles, 0.5)}
    known = {
        (i, j)
        for i in range(100)
        for j in range(i + 1, 100)
        if hypot(circles[i][0] - circles[j][0], circles[i][1] - circles[j][1]) - 0.6 <= 0.5
    }
    assert found == known
    assert len(found) == 180


CONCAVE = ((0.0, 0.0), (1.0, 0.0), (0.2, 0.2), (0.0, 1.0))


def test_errors_say_what_to_do() -> None:
    law = fx.Restitution(0.5)
    with pytest.raises(fx.ModelError) as concave:
        BodyContact("P", "Q", law, CONCAVE)
    assert str(concave.value) == (
        "BodyContact.outline_p: the outline is not convex, or runs clockwise, at the corner (0.2, 0.2); "
        "give the corners of a convex polygon anticlockwise; divide concave bodies"
    )
    with pytest.raises(fx.ModelError) as thin:
        BodyContact("P", "Q", law, outline_q=((0.0, 0.0), (1.0, 0.0)))
    assert str(thin.value) == (
        "BodyContact.outline_q: a line without a radius has no inside; give it the radius of its ends"
    )
    with pytest.raises(fx.ModelError) as points:
        BodyContact("P", "Q", law)
    assert str(points.value) == (
        "BodyContact.radius_q: two points without radius never meet; give one of them a radius or an outline"
    )
    with pytest.raises(fx.ModelError, match=r"outline_p: the outline is not convex, or runs clockwise"):
        BodyContact("P", "Q", law, box(1.0, 1.0)[::-1])
    star = tuple((cos(0.8 * pi * k), sin(0.8 * pi * k)) for k in range(5))
    with pytest.raises(fx.ModelError, match=r"outline_q: the outline goes round more than once; give the corners of a"):
        BodyContact("P", "Q", law, outline_q=star)
    with pytest.raises(fx.ModelError) as lively:
        fx.Restitution(1.5)
    assert "Restitution.e" in str(lively.value)
    model = pile(2, law, None)
    with pytest.raises(fx.ModelError) as overlap:
        fx.simulate(model.replace(nodes=dict(model.nodes) | {"C1": (0.02, 0.14)}), 1.0)
    assert "the surfaces overlap by 0.01 m at the start (hit1." in str(overlap.value)


def test_contacts_name_two_bodies() -> None:
    block, law = box(0.2, 0.1), fx.Restitution(0.5)
    with pytest.raises(fx.ModelError) as alone:
        fx.Model(
            nodes={"C": (0, 0)},
            elements={"body": Body("C", 1.0, 0.1), "hit": BodyContact("body.p", "body.p", law, block, block)},
        )
    assert str(alone.value) == (
        "elements.hit: both its ends are at 'C', and no body touches itself; name the end or the node of the other body"
    )
    with pytest.raises(fx.ModelError, match=r"PointContact\.size: a point does not meet a circle of radius zero"):
        PointContact("P", "Q", law, "circle")
    places = {"a.p": (0, 0), "b.p": (0, 1)}
    with pytest.raises(fx.ModelError, match=r"outlines\.b\.p: the outline has no corner"):
        fx.contact_pairs(places, {"a.p": block, "b.p": ()}, law, reach=2.0)
    with pytest.raises(fx.ModelError, match=r"radii\.c\.p: the outline of this body is not given"):
        fx.contact_pairs(places, {"a.p": block, "b.p": ((0.0, 0.0),)}, law, reach=2.0, radii={"c.p": 0.1})
