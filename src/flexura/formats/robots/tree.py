"""Trees of rigid links with joints, and the model that they make."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from flexura.errors import placed
from flexura.formats.registry import Imported, Note, Severity
from flexura.laws.signals import Expression
from flexura.model.model import Model
from flexura.spatial import Body, Hinge, Slider
from flexura.spatial import Link as Arm

Array = NDArray[np.float64]
Kind = Literal["hinge", "slide", "ball", "free", "fixed"]

STOP_STIFFNESS = 1e5
"""N·m/rad or N/m of the stops at the limits of joints, unless given"""
ROUNDING = 1e-13
"""moment of inertia, by the largest, below which it is rounding"""
NEGLIGIBLE = 1e-15
"""moment of inertia, by the mass [m²], below which it is rounding"""


@dataclass
class Inertia:
    """Mass, centre of mass and inertia about the centre, in the axes of the world as drawn."""

    mass: float = 0.0
    centre: Array = field(default_factory=lambda: np.zeros(3))
    tensor: Array = field(default_factory=lambda: np.zeros((3, 3)))

    def __add__(self, other: Inertia) -> Inertia:
        mass = self.mass + other.mass
        if not mass:
            return Inertia(0.0, self.centre, self.tensor + other.tensor)
        centre = (self.mass * self.centre + other.mass * other.centre) / mass
        tensor = sum((each.about(centre) for each in (self, other)), np.zeros((3, 3)))
        return Inertia(mass, centre, tensor)

    def about(self, point: Array) -> Array:
        """Tensor about another point."""
        d = self.centre - point
        return np.asarray(self.tensor + self.mass * ((d @ d) * np.eye(3) - np.outer(d, d)))


@dataclass
class Joint:
    """Joint of a link with its parent; position and axis in the world as drawn."""

    kind: Kind
    name: str
    origin: Array
    axis: Array = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    damping: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0
    """value at which the spring has no force"""
    limits: tuple[float, float] | None = None


@dataclass
class Link:
    """Link of a tree, with the joint to its parent; the parent of a root is None."""

    name: str
    parent: str | None
    joint: Joint
    inertia: Inertia


@dataclass
class Tree:
    """Links in the order of their parents, loops between them, and notes."""

    links: dict[str, Link] = field(default_factory=dict)
    loops: list[tuple[str, str, str, Array]] = field(default_factory=list)
    """name, first link, second link ("" for the world), common point"""
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)
    title: str = ""
    notes: list[Note] = field(default_factory=list)

    def note(self, severity: Severity, where: str, what: str) -> None:
        """Record what became of a part of the file."""
        self.notes.append(Note(severity, where, what))


def plain(name: str) -> str:
    """Name of a node or an element."""
    return re.sub(r"\W", "_", name)[:50] or "_"


class _Names:
    """Unique names of nodes and elements."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def new(self, *options: str) -> str:
        base = next((each for each in options if each not in self.taken), options[-1])
        name, i = base, 2
        while name in self.taken:
            name, i = f"{base}_{i}", i + 1
        self.taken.add(name)
        return name


def build(tree: Tree, stop_stiffness: float = STOP_STIFFNESS) -> Imported:
    """Model of a tree: a body for each link, with hinges, sliders and shared points."""
    merged = _without_fixed(tree)
    names, maker = _Names(), _Maker(tree, stop_stiffness)
    for link in merged.values():
        maker.names[link.name] = names.new(plain(link.name))
    for link in merged.values():
        maker.nodes_of[link.name] = names.new(f"{maker.names[link.name]}_o")
        maker.joint_names[link.name] = names.new(plain(link.joint.name), f"{plain(link.joint.name)}_joint")
    for link in merged.values():
        with placed(link.name):
            maker.add(link, merged)
    for name, first, second, point in tree.loops:
        maker.close(names.new(plain(name)), first, second, point, tree)
    model = Model(
        nodes=maker.nodes, elements=maker.elements, fixed=maker.fixed, loads=maker.loads, laws=maker.laws,
        gravity=tree.gravity, title=tree.title, space="spatial",
    )  # fmt: skip
    return Imported(model, {}, tuple(tree.notes))


def _without_fixed(tree: Tree) -> dict[str, Link]:
    """Links that can move; what is fixed to another one is added to it, what is fixed to the world is left out."""
    carrier: dict[str, str | None] = {}
    found: dict[str, Link] = {}
    for name, link in tree.links.items():
        above = None if link.parent is None else carrier[link.parent]
        if link.joint.kind != "fixed":
            carrier[name] = name
            found[name] = Link(name, above, link.joint, link.inertia)
        else:
            carrier[name] = above
            if above is not None:
                found[above].inertia = found[above].inertia + link.inertia
    tree.loops = [(name, carrier.get(a) or "", carrier.get(b) or "", point) for name, a, b, point in tree.loops]
    return found


class _Maker:
    """Nodes and elements of a model as the links are added."""

    def __init__(self, tree: Tree, stop_stiffness: float) -> None:
        self.tree, self.stop_stiffness = tree, stop_stiffness
        self.names: dict[str, str] = {}
        self.nodes_of: dict[str, str] = {}
        self.joint_names: dict[str, str] = {}
        self.nodes: dict[str, tuple[float, ...]] = {}
        self.elements: dict[str, Any] = {}
        self.fixed: list[str] = []
        self.loads: dict[str, float] = {}
        self.laws: dict[str, Expression] = {}

    def add(self, link: Link, links: dict[str, Link]) -> None:
        """Add a link: its body, and the joint that holds it to its parent."""
        joint, body, node = link.joint, self.names[link.name], self.nodes_of[link.name]
        inertia = link.inertia
        self.nodes[node] = tuple(map(float, joint.origin))
        J = 0.5 * (inertia.tensor + inertia.tensor.T)
        # zero, turned into the axes of the world, may come out as a little less
        least = ROUNDING * float(np.abs(J).max()) + NEGLIGIBLE * inertia.mass
        J[np.abs(J) < least] = 0.0
        centre = tuple(map(float, inertia.centre - joint.origin)) if inertia.mass else (0.0, 0.0, 0.0)
        self.elements[body] = Body(
            node, float(inertia.mass), float(J[0, 0]), float(J[1, 1]), float(J[2, 2]), float(J[0, 1]), float(J[0, 2]),
            float(J[1, 2]), (centre[0], centre[1], centre[2]),
        )  # fmt: skip
        name = self.joint_names[link.name]
        x, y, z = map(float, joint.axis)
        parent = "" if link.parent is None else f"{self.names[link.parent]}.p"
        if joint.kind == "slide":
            self._slide(name, parent, f"{body}.p", (x, y, z), joint)
        elif joint.kind in {"hinge", "ball"}:
            if not parent:
                self.fixed.append(node)
            else:
                self.elements[f"{name}_at"] = Arm(parent, node)
            if joint.kind == "hinge":
                self.elements[name] = Hinge(parent or node, f"{body}.p", (x, y, z), k=joint.stiffness, c=joint.damping)
                if not parent:
                    self.fixed[-1] = f"{name}.p"
                self._spring(f"{name}.rotation", joint)
            elif joint.damping or joint.stiffness or joint.limits:
                self.tree.note("left out", joint.name, "damping, stiffness and limits of a ball joint")

    def _slide(self, name: str, parent: str, body: str, axis: tuple[float, float, float], joint: Joint) -> None:
        if not parent:
            ground = f"{name}_ground"
            self.nodes[ground] = tuple(map(float, joint.origin))
            self.fixed.append(f"{name}.p")
            parent = ground
        self.elements[name] = Slider(parent, body, direction=axis, k=joint.stiffness, c=joint.damping)
        self._spring(f"{name}.travel", joint)

    def _spring(self, signal: str, joint: Joint) -> None:
        """Force of a spring away from zero, and stops at the limits."""
        if joint.stiffness and joint.rest:
            self.loads[signal] = joint.stiffness * joint.rest
        if joint.limits is None or not self.stop_stiffness:
            return
        low, high = joint.limits
        K = self.stop_stiffness
        self.laws[signal] = Expression(
            f"{joint.stiffness!r}*e + {joint.damping!r}*v + {K!r}*min(e - ({low!r}), 0) + {K!r}*max(e - ({high!r}), 0)"
        )

    def close(self, name: str, first: str, second: str, point: Array, tree: Tree) -> None:
        """Hold a point of one link at a point of another, or in the world."""
        if not first and not second:
            tree.note("left out", name, "the loop joins two parts that do not move")
            return
        self.nodes[name] = tuple(map(float, point))
        for i, link in enumerate((first, second), start=1):
            if link:
                self.elements[f"{name}_{i}"] = Arm(f"{self.names[link]}.p", name)
            else:
                self.fixed.append(name)


def ordered(children: dict[str, list[str]], roots: Iterable[str]) -> list[str]:
    """Names of a tree, each after its parent."""
    found, waiting = list[str](), list(roots)
    while waiting:
        name = waiting.pop(0)
        found.append(name)
        waiting += children.get(name, [])
    return found
