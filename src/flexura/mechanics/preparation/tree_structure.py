"""Search for a tree: rigid bodies connected by hinges, sliders and balls to the ground, or floating.

A body is an orientation with the points that rigid links fix in it. Bodies that share a point turn about it: freely,
or as a joint between them permits. A model is a tree if every held strain is explained in this way; in any
other there are loops, or parts that are not rigid bodies.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from flexura.mechanics.core.joint_tree import BALL, FREE, HINGE, SLIDER
from flexura.mechanics.core.layout import Layout
from flexura.model.names import Address

_FREEDOMS = {HINGE: 1, SLIDER: 1, BALL: 3, FREE: 6}
GROUND = -1
"""The body of all orientations that are held."""


@dataclass(frozen=True)
class Limb:
    """A body of a tree; its parent comes before it."""

    frame: int
    """first coordinate of its orientation"""
    kind: int
    parent: int
    """index of the parent in the list of limbs, -1 for the ground"""
    reference: int
    """first coordinate of the point at the joint"""
    points: tuple[int, ...]
    """first coordinates of all its points"""
    joint: str = ""
    """name of the hinge or slider"""
    sign: int = 1
    """-1 if the joint counts from the child to the parent"""


@dataclass(frozen=True)
class _Edge:
    """A hinge or a slider between two bodies, with the points of its ends."""

    name: str
    turns: bool
    bodies: tuple[int, int]
    points: tuple[int, int]


@dataclass
class _Parts:
    """Bodies, the points in them, and the joints between them; ``used`` are the held strains that these explain."""

    points: dict[int, dict[int, None]] = field(default_factory=lambda: {GROUND: {}})
    links: dict[int, int] = field(default_factory=dict)
    edges: list[_Edge] = field(default_factory=list)
    used: set[int] = field(default_factory=set)


def limbs_of(layout: Layout) -> list[Limb] | None:
    """Bodies of a model that is a tree; None for other models."""
    if not _in_question(layout):
        return None
    parts = _parts(layout)
    if parts is None or parts.used != set(layout.constraints) or not _connected(parts):
        return None
    limbs = _hung(parts)
    if limbs is None or sum(_FREEDOMS[limb.kind] for limb in limbs) != _freedoms(layout, limbs):
        return None
    covered = {c for limb in limbs for c in range(limb.frame, limb.frame + 4)}
    covered |= {c for limb in limbs for point in limb.points for c in range(point, point + 3)}
    covered |= {c for point in parts.points[GROUND] for c in range(point, point + 3)} | set(layout.integral_index)
    return limbs if covered >= set(layout.free) else None


def _freedoms(layout: Layout, limbs: list[Limb]) -> int:
    """Degrees of freedom of the model, and held or driven ones of its joints."""
    held = {layout.strains[k] for k in layout.constraints}
    joints = [layout.names.elements[limb.joint].joint for limb in limbs if limb.joint]
    named = zip((limb.joint for limb in limbs if limb.joint), joints, strict=True)
    taken = sum(Address("strain", name, motion.strain) in held for name, motion in named if motion)
    return len(layout.free) - len(layout.integral_index) - len(layout.constraints) + taken


def _in_question(layout: Layout) -> bool:
    """False for a model with features that a tree of rigid bodies does not have."""
    elements = layout.names.elements.values()
    return (
        layout.model.dimension == 3
        and not (layout.switched or layout.rolling or layout.redundancy.left_out or layout.about)
        and not any(element.coordinates or element.contacts or element.rolling for element in elements)
        and all(signal is None for signal in layout.known.values())
    )


def _parts(layout: Layout) -> _Parts | None:
    """Bodies, points and joints; None if a point or an orientation is partly held, or a strain is held alone."""
    parts, held = _Parts(), set(layout.constraints)
    grounded = _grounded(layout)
    if grounded is None:
        return None
    points, frames = grounded
    parts.points[GROUND] |= dict.fromkeys(points)
    for name, element in layout.names.elements.items():
        ends = [*_ends(layout, name)]
        bodies = [GROUND if frame in frames else frame for frame, _ in ends]
        for (frame, point), body in zip(ends, bodies, strict=True):
            if frame >= 0 and body != GROUND:
                parts.points.setdefault(body, {})[point] = None
        strains = {s: k for s in element.rows() if (k := layout.strain_index[Address("strain", name, s)]) in held}
        if not strains:
            continue
        turning = {body for (frame, _), body in zip(ends, bodies, strict=True) if frame >= 0}
        places = dict.fromkeys(point for _, point in ends)
        if name.endswith(":unit"):
            pass
        elif (
            element.joint
            and len(ends) == 2 == len(turning)
            and _only_free(element.rows(), strains, element.joint.strain)
        ):
            parts.edges.append(_Edge(name, element.joint.turns, (bodies[0], bodies[1]), (ends[0][1], ends[1][1])))
        elif len(turning) == 1 and len(places) == 2 and len(strains) == 3:
            (body,) = turning
            parts.points.setdefault(body, {}).update(places)
            parts.links[body] = parts.links.get(body, 0) + 1
        else:
            return None
        parts.used |= set(strains.values())
    return parts


def _only_free(rows: tuple[str, ...], held: dict[str, int], motion: str) -> bool:
    """True if everything except the motion of a joint is held; the motion may be, too."""
    return all(row in held for row in rows if row != motion)


def _ends(layout: Layout, name: str) -> Iterator[tuple[int, int]]:
    """First coordinates of the orientation (-1 for none) and of the point of each end of an element."""
    turning = layout.names.turn_components[0]
    for end in layout.names.attachments[name].values():
        if end.position:
            frame = -1
            if end.orientation is not None:
                frame = layout.coordinate_index[Address("coordinate", end.orientation, turning)]
            yield frame, layout.coordinate_index[Address("coordinate", end.position, "x")]


def _grounded(layout: Layout) -> tuple[set[int], set[int]] | None:
    """First coordinates of the points and orientations that are held; None if one is partly held."""
    known: dict[tuple[str, bool], list[int]] = {}
    for c in layout.known:
        address = layout.coordinates[c]
        known.setdefault((address.owner, address.turns), []).append(c)
    if any(len(found) != (4 if turns else 3) for (_, turns), found in known.items()):
        return None
    points = {min(found) for (_, turns), found in known.items() if not turns}
    return points, {min(found) for (_, turns), found in known.items() if turns}


def _connected(parts: _Parts) -> bool:
    """True if links fix all points of each body, without redundancy.

    Links in a closed circle would be redundant, and were left out before.
    """
    bodies = [body for body in parts.points if body != GROUND]
    return all(len(parts.points[body]) == parts.links.get(body, 0) + 1 for body in bodies)


def _hung(parts: _Parts) -> list[Limb] | None:
    """Bodies from the ground outwards; None if there is a closed loop."""
    limbs: list[Limb] = []
    number = {GROUND: -1}
    placed = dict.fromkeys(parts.points[GROUND], GROUND)
    edges = [*parts.edges]

    def hang(body: int, parent: int, reference: int, kind: int, joint: str = "", sign: int = 1) -> bool:
        """Add a body; false if another of its points has already been placed."""
        own = parts.points[body]
        if reference not in own or any(
            point in placed for point in own if point != reference or kind in {SLIDER, FREE}
        ):
            return False
        number[body] = len(limbs)
        placed.update({point: body for point in own if point not in placed})
        limbs.append(Limb(body, kind, number[parent], reference, tuple(own), joint, sign))
        return True

    while len(limbs) < len(parts.points) - 1:
        edge = next((edge for edge in edges if sum(body in number for body in edge.bodies) == 1), None)
        if edge is not None:
            edges.remove(edge)
            end = 1 if edge.bodies[0] in number else 0
            child, parent = edge.bodies[end], edge.bodies[1 - end]
            shared = [point for point in parts.points[child] if point in parts.points[parent]]
            sign = 1 if end else -1
            if edge.turns and len(shared) == 1:
                done = hang(child, parent, shared[0], HINGE, edge.name, sign)
            else:
                fits = not edge.turns and not shared and edge.points[1 - end] in parts.points[parent]
                done = fits and hang(child, parent, edge.points[end], SLIDER, edge.name, sign)
        else:
            done = _hang_freely(parts, number, placed, hang)
        if not done:
            return None
    return limbs if not edges else None


def _hang_freely(parts: _Parts, number: dict[int, int], placed: dict[int, int], hang: object) -> bool:
    """Add a body that shares a point with a placed one, or that floats."""
    assert callable(hang)
    rest = [body for body in parts.points if body not in number]
    for body in rest:
        for point in parts.points[body]:
            if point in placed:
                return bool(hang(body, placed[point], point, BALL))
    return bool(hang(rest[0], GROUND, next(iter(parts.points[rest[0]])), FREE))
