"""Random machines in space: trees and loops of bars and bodies on balls and hinges, balls on planes, rolling discs."""

from __future__ import annotations

from dataclasses import replace
from math import cos, dist, inf, pi, sin

import numpy as np
from hypothesis import strategies as st

from properties.random_machines import Draw, Sketch, motion_of, number, units
from references.plain.description import (
    Bar,
    Disc,
    Drive,
    Hard,
    Machine,
    Particle,
    Pivot,
    Rod,
    Soft,
    Solid,
    Spring,
    Touch,
)

Vector = tuple[float, float, float]


def _direction(draw: Draw) -> Vector:
    turn, height = draw(number(0.0, 2 * pi)), draw(number(-0.95, 0.95))
    flat = (1.0 - height * height) ** 0.5
    return (round(flat * cos(turn), 6), round(flat * sin(turn), 6), height)


def _across(along: np.ndarray) -> Vector:
    """Global axis most nearly normal to a direction."""
    axis = [0.0, 0.0, 0.0]
    axis[int(np.argmin(np.abs(along)))] = 1.0
    return (axis[0], axis[1], axis[2])


def _bar(draw: Draw, sketch: Sketch, place: str, start: str, node: str) -> Bar:
    u = sketch.units
    along = np.array(sketch.nodes[node]) - np.array(sketch.nodes[start])
    rhoA = draw(number(0.3, 3.0)) * u.of(1, -1, 0)
    rhoI = (draw(number(0.01, 0.05)) * u.of(1, 1, 0), draw(number(0.01, 0.05)) * u.of(1, 1, 0))
    if draw(st.sampled_from([True, True, False])):
        return Bar(place, node, rhoA, rhoI=rhoI, EI=(inf, inf), y_axis=_across(along))
    EI = tuple(draw(number(0.3, 2.0)) * u.of(1, 3, -2) for _ in range(2))
    damping = draw(st.sampled_from([0.0, 0.01])) * u.time
    EA, GIt = draw(number(20.0, 60.0)) * u.of(1, 1, -2), draw(number(0.3, 1.0)) * u.of(1, 3, -2)
    return Bar(place, node, rhoA, EA, EI, GIt, rhoI, _across(along), damping=damping)


def _grow(draw: Draw, sketch: Sketch) -> None:
    """Add a bar from a node to a new one: on a ball joint, a hinge or welded."""
    start = draw(st.sampled_from(sorted(sketch.nodes)))
    length, direction = draw(number(0.4, 1.2)), _direction(draw)
    name, node = f"l{len(sketch.parts)}", f"N{len(sketch.nodes)}"
    sketch.nodes[node] = tuple(round(x + length * d, 6) for x, d in zip(sketch.nodes[start], direction, strict=True))
    ends = sketch.ends.get(start, [])
    joint = draw(st.sampled_from(["ball", "hinge", "weld"]))
    place = draw(st.sampled_from(ends)) if joint == "weld" and ends else start
    sketch.parts[name] = _bar(draw, sketch, place, start, node)
    u = sketch.units
    if joint == "hinge" and (ends or start in sketch.fixed):
        other = draw(st.sampled_from(ends)) if ends else start
        k, c = draw(number(0.0, 5.0)) * u.of(1, 2, -2), draw(number(0.0, 0.3)) * u.of(1, 2, -1)
        sketch.parts[f"h{len(sketch.parts)}"] = Pivot(other, f"{name}.p", _direction(draw), k, c)
    sketch.ends.setdefault(start, []).append(f"{name}.p")
    sketch.ends.setdefault(node, []).append(f"{name}.q")


def _solid(draw: Draw, sketch: Sketch, node: str, points: tuple[str, ...]) -> Solid:
    """A body of a box's inertia, turned."""
    u = sketch.units
    sides = np.array([draw(number(0.2, 1.0)) for _ in range(3)]) ** 2
    mass = draw(number(0.3, 3.0))
    turn = np.linalg.qr(np.array([_direction(draw), _direction(draw), (0.1, 0.2, 1.0)]) + 0.01 * np.eye(3))[0]
    tensor = turn @ np.diag(mass / 12 * (sides.sum() - sides)) @ turn.T * u.of(1, 2, 0)
    tensor = 0.5 * (tensor + tensor.T)
    centre = tuple(draw(number(-0.2, 0.2)) * u.length for _ in range(3))
    rows = tuple(tuple(float(x) for x in row) for row in tensor)
    return Solid(node, mass * u.mass, (rows[0], rows[1], rows[2]), centre, points)


def _close(draw: Draw, sketch: Sketch) -> None:
    """Add a rod or a spring between two nodes, or to the ground, where the machine can still move."""
    free = sorted(name for name in sketch.nodes if name not in sketch.fixed)
    first, second = draw(st.sampled_from(free)), draw(st.sampled_from([*sorted(sketch.nodes), "ground"]))
    u, added = sketch.units, None
    if second == "ground":
        length, direction = draw(number(0.4, 1.5)), _direction(draw)
        second = added = f"G{len(sketch.nodes)}"
        sketch.nodes[added] = tuple(
            round(x + length * d, 6) for x, d in zip(sketch.nodes[first], direction, strict=True)
        )
        sketch.fixed.append(added)
    name = f"c{len(sketch.parts)}"
    if draw(st.booleans()):
        k, c = draw(number(2.0, 60.0)) * u.of(1, 0, -2), draw(number(0.0, 2.0)) * u.of(1, 0, -1)
        sketch.parts[name] = Spring(first, second, k, c, draw(number(-2.0, 2.0)) * u.of(1, 1, -2))
    else:
        sketch.parts[name] = Rod(first, second, draw(number(0.3, 3.0)) * u.of(1, -1, 0))
    if dist(sketch.nodes[first], sketch.nodes[second]) < 0.3 or not sketch.regular():
        del sketch.parts[name]
        if added:
            del sketch.nodes[added]
            sketch.fixed.remove(added)


def _dress(draw: Draw, sketch: Sketch) -> None:
    u = sketch.units
    free = sorted(name for name in sketch.nodes if name not in sketch.fixed)
    if draw(st.booleans()):
        sketch.parts[f"m{len(sketch.parts)}"] = Particle(draw(st.sampled_from(free)), draw(number(0.1, 2.0)) * u.mass)
    if draw(st.booleans()):
        name = f"{draw(st.sampled_from(free))}.{draw(st.sampled_from('xyz'))}"
        sketch.loads[name] = draw(number(-5.0, 5.0)) * u.of(1, 1, -2)


def _new(draw: Draw) -> Sketch:
    return Sketch(draw(units()), {"O": (0.0, 0.0, 0.0)}, gravity=(0.0, 0.0, 0.0))


@st.composite
def spatial_linkages(draw: Draw) -> Machine:
    """Trees and loops of bars and bodies in space."""
    sketch = _new(draw)
    if draw(st.sampled_from([True, True, False])):
        sketch.fixed.append("O")
    for _ in range(draw(st.integers(1, 3))):
        _grow(draw, sketch)
    if draw(st.booleans()):
        node = draw(st.sampled_from(sorted(name for name in sketch.nodes if name not in sketch.fixed)))
        x, y, z = sketch.nodes[node]
        sketch.nodes["P"] = (x + 0.4, y - 0.3, z + 0.2)
        sketch.parts["s"] = _solid(draw, sketch, node, ("P",))
        sketch.ends.setdefault(node, []).append("s.p")
    for _ in range(draw(st.integers(0, 2))):
        _close(draw, sketch)
    _dress(draw, sketch)
    grounded = [name for name, part in sketch.parts.items() if isinstance(part, Pivot) and "." not in part.p]
    if grounded and draw(st.booleans()):
        u = sketch.units
        drive = Drive(draw(number(-2.0, 2.0)) / u.time, draw(number(0.0, 0.3)), draw(number(1.0, 4.0)) / u.time)
        sketch.drives[f"{grounded[0]}.rotation"] = drive
        sketch.parts[grounded[0]] = replace(sketch.parts[grounded[0]], k=0.0, c=0.0)
        if not sketch.regular():
            sketch.drives.clear()
    motion_of(draw, sketch)
    return sketch.machine()


@st.composite
def spatial_landings(draw: Draw) -> Machine:
    """Bars and bodies in space that meet a plane without friction."""
    sketch = _new(draw)
    for _ in range(draw(st.integers(1, 2))):
        _grow(draw, sketch)
    _dress(draw, sketch)
    motion_of(draw, sketch)
    u = sketch.units
    sketch.gravity = (0.0, 0.0, -1.0)
    touching = draw(st.lists(st.sampled_from(sorted(sketch.nodes)), min_size=1, max_size=2, unique=True))
    tilt = draw(number(-0.4, 0.4))
    normal = np.array([-sin(tilt), 0.0, cos(tilt)])
    under = min(float(normal @ sketch.nodes[node]) for node in touching) - draw(number(0.05, 0.3))
    sketch.nodes["F"] = tuple(round(float(x), 6) for x in under * normal)
    sketch.fixed.append("F")
    law = (
        Hard(draw(st.sampled_from([0.0, 0.3, 0.5, 1.0])))
        if draw(st.booleans())
        else Soft(draw(number(100.0, 500.0)) * u.of(1, 0, -2), draw(number(0.0, 3.0)) * u.of(1, 0, -1))
    )
    for node in touching:
        sketch.parts[f"f{len(sketch.parts)}"] = Touch("F", node, law, tuple(round(float(x), 6) for x in normal))
    return sketch.machine()


@st.composite
def discs(draw: Draw) -> Machine:
    """A body with a disc that rolls on the ground, with or without a bar attached to it."""
    sketch = _new(draw)
    radius = draw(number(0.3, 1.0))
    sketch.nodes = {"W": (0.0, 0.0, radius), "C": (0.0, 0.0, 0.0)}
    heading = draw(number(0.0, 2 * pi))
    axle = (round(cos(heading), 6), round(sin(heading), 6), 0.0)
    sketch.parts["s"] = _solid(draw, sketch, "W", ())
    sketch.parts["w"] = Disc("s.p", "C", axle)
    sketch.ends = {"W": ["s.p"]}
    if draw(st.booleans()):
        start, node = "W", "N1"
        direction = _direction(draw)
        sketch.nodes[node] = tuple(round(x + 0.8 * d, 6) for x, d in zip(sketch.nodes[start], direction, strict=True))
        place = draw(st.sampled_from(["W", "s.p"]))
        sketch.parts["l"] = _bar(draw, sketch, place, start, node)
    motion_of(draw, sketch)
    sketch.gravity = (0.0, 0.0, -1.0)
    return sketch.machine()
