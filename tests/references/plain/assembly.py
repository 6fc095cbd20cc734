"""Assembly of a machine from its description: frames, masses, constraints and forces as arrays over vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf

import numpy as np

from references.plain.beams import CUBIC, CUBIC_MEAN, Beams, stiffness_matrices
from references.plain.description import (
    Bar,
    Disc,
    Drive,
    Guide,
    Machine,
    Particle,
    Pivot,
    Rod,
    Roller,
    Solid,
    Spring,
    Touch,
)  # fmt: skip
from references.plain.frames import GROUND, Array, Frames

HALVES = np.array([[1 / 3, 1 / 6], [1 / 6, 1 / 3]])
"""Mass matrix of a straight line by its ends."""


@dataclass
class Row:
    """A constraint Σ α z·x = value(t) on one component, or a rate of turning Σ β u = value′(t)."""

    name: str
    vectors: Mapping[int, float]
    component: int
    drive: Drive | None = None
    turning: Mapping[int, float] = field(default_factory=dict)
    """Coefficients of rates in u, in place of vectors."""


@dataclass
class Product:
    """A constraint (Σ α z)·(Σ β z) = constant."""

    first: Mapping[int, float]
    second: Mapping[int, float]


@dataclass
class Assembly:
    """Arrays of a machine."""

    machine: Machine
    frames: Frames
    mass: Array = field(default_factory=lambda: np.zeros((0, 0)))
    weight: Array = field(default_factory=lambda: np.zeros(0))
    turning_mass: dict[int, float] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    products: list[Product] = field(default_factory=list)
    ends: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Frame and point of each end."""
    nodes: dict[str, int] = field(default_factory=dict)
    """Point of each node."""
    beams: Beams | None = None
    beam_names: list[str] = field(default_factory=list)
    springs: dict[str, tuple[int, int, Spring, float]] = field(default_factory=dict)
    pivots: dict[str, tuple[int, int, int, Pivot]] = field(default_factory=dict)
    """First and second frame, axis, and numbers, of pivots with an angle of interest."""
    travels: dict[str, tuple[int, int, int, Guide, float]] = field(default_factory=dict)
    rollers: dict[str, tuple[int, int, int, float]] = field(default_factory=dict)
    """Point and heading of the first end, frame of the second, radius."""
    discs: dict[str, tuple[int, int, int, float]] = field(default_factory=dict)
    """Frame, centre, axle and radius."""
    touches: dict[str, tuple[int, int, Touch]] = field(default_factory=dict)
    """Point on the ground, point that touches it."""


class _Builder:
    """Assembly in progress."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.space = machine.space
        self.at = {name: np.array(place, dtype=float) for name, place in machine.nodes.items()}
        self.frames = Frames(self.space)
        self.made = Assembly(machine, self.frames)
        self.masses: list[tuple[list[int], Array]] = []
        self.weights: list[tuple[list[int], Array]] = []
        self.beams: list[tuple[str, list[int], float, Bar]] = []
        self.joined: dict[tuple[str, int], int] = {}

    # ── places ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def node_of(self, place: str) -> str:
        """Node at which a place is drawn."""
        if place in self.at:
            return place
        name, end = place.rsplit(".", 1)
        return self.node_of(getattr(self.machine.parts[name], end))

    def frame_at(self, place: str) -> int:
        """Frame of an end, or a new frame at a node."""
        return self.ends[place][0] if place in self.ends else self.frames.new(self.at[self.node_of(place)])

    @property
    def ends(self) -> dict[str, tuple[int, int]]:
        return self.made.ends

    def join(self, node: str, frame: int) -> int:
        """Point of a frame at a node, pinned to what is there already."""
        if (node, frame) in self.joined:
            return self.joined[node, frame]
        point = self.joined[node, frame] = self.frames.attach(frame, self.at[node])
        first = self.made.nodes.setdefault(node, point)
        if first != point:
            self.made.rows += [Row("", {point: 1.0, first: -1.0}, axis) for axis in range(self.space)]
        return point

    def point(self, place: str) -> int:
        """Point of a place; a node that nothing holds is a particle, or ground where it is fixed."""
        if place in self.ends:
            return self.ends[place][1]
        if place not in self.made.nodes:
            if place in self.machine.fixed:
                self.made.nodes[place] = self.frames.attach(GROUND, self.at[place])
            else:
                frame = self.frames.new(self.at[place])
                self.made.nodes[place] = self.frames.attach(frame, self.at[place])
                self.made.turning_mass |= dict.fromkeys(self.columns(frame), 1.0)
        return self.made.nodes[place]

    def columns(self, frame: int) -> list[int]:
        """Columns of the angular velocity of a frame."""
        n = self.frames.rates
        return list(range(n * frame + self.space, n * frame + n))

    def add_mass(self, vectors: list[int], matrix: Array, means: Array) -> None:
        self.masses.append((vectors, matrix))
        self.weights.append((vectors, means))

    # ── parts ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def bar(self, name: str, bar: Bar) -> None:
        a, b = (self.at[self.node_of(place)] for place in (bar.p, bar.q))
        axes = drawn_axes(b - a, bar.y_axis)
        parts = 1 if bar.rigid else bar.parts
        length = float(np.linalg.norm(b - a)) / parts
        frames = [self.frame_at(bar.p)]
        if bar.rigid:
            frames.append(frames[0])
            if bar.q in self.ends:
                raise ValueError("a rigid bar is welded at its first end only")
        else:
            frames += [self.frames.new(a + (b - a) * k / parts) for k in range(1, parts)] + [self.frame_at(bar.q)]
        points = [self.join(self.node_of(bar.p), frames[0])]
        points += [self.frames.attach(frames[k], a + (b - a) * k / parts) for k in range(1, parts)]
        points.append(self.join(self.node_of(bar.q), frames[-1]))
        self.ends[f"{name}.p"], self.ends[f"{name}.q"] = (frames[0], points[0]), (frames[-1], points[-1])
        self.ends.update({f"{name}.{k}.q": (frames[k], points[k]) for k in range(1, parts)})
        mass = bar.rhoA * length
        turned = [[self.frames.attach(f, axis, point=False) for axis in axes] for f in frames]
        for k in range(parts):
            i, j = points[k], points[k + 1]
            if bar.rigid:
                self.add_mass([i, j], mass * HALVES, mass * np.full(2, 0.5))
            else:
                slope = np.array([1.0, length, 1.0, length])
                own = [i, turned[k][0], j, turned[k + 1][0]]
                self.add_mass(own, mass * CUBIC * np.outer(slope, slope), mass * CUBIC_MEAN * slope)
                every = [i, *turned[k], j, *turned[k + 1]] if self.space == 3 else own
                self.beams.append((f"{name}.{k + 1}" if parts > 1 else name, every, length, bar))
            if self.space == 3:
                for side in (k, k + 1):
                    halves = np.diag([bar.rhoI[1], bar.rhoI[0]]) * length / 2
                    self.add_mass(turned[side][1:], halves, np.zeros(2))

    def solid(self, name: str, solid: Solid) -> None:
        frame, origin = self.frames.new(self.at[solid.p]), self.at[solid.p]
        point = self.join(solid.p, frame)
        self.ends[f"{name}.p"] = (frame, point)
        for node in solid.points:
            self.join(node, frame)
        tensor, centre = np.array(solid.tensor), self.frames.attach(frame, origin + solid.centre)
        axes = [self.frames.attach(frame, axis, point=False) for axis in np.eye(3)]
        self.add_mass([centre], np.array([[solid.mass]]), np.array([solid.mass]))
        self.add_mass(axes, 0.5 * np.trace(tensor) * np.eye(3) - tensor, np.zeros(3))

    def rod(self, rod: Rod) -> None:
        i, j = self.point(rod.p), self.point(rod.q)
        d = {i: -1.0, j: 1.0}
        self.made.products.append(Product(d, d))
        mass = rod.rhoA * float(np.linalg.norm(self.at[rod.q] - self.at[rod.p]))
        self.add_mass([i, j], mass * HALVES, mass * np.full(2, 0.5))

    def particle(self, part: Particle) -> None:
        self.add_mass([self.point(part.p)], np.array([[part.mass]]), np.array([part.mass]))
        if part.inertia:
            column = self.columns(self.ends[part.p][0])[0]
            self.made.turning_mass[column] = self.made.turning_mass.get(column, 0.0) + part.inertia

    def spring(self, name: str, part: Spring) -> None:
        i, j = self.point(part.p), self.point(part.q)
        length = float(np.linalg.norm(self.at[self.node_of(part.q)] - self.at[self.node_of(part.p)]))
        self.made.springs[name] = (i, j, part, length)

    def pivot(self, name: str, part: Pivot) -> None:
        p, q = (self.ends[place][0] if place in self.ends else GROUND for place in (part.p, part.q))
        axis = -1
        if self.space == 3:
            along, *across = drawn_axes(np.array(part.axis), ())
            axis = self.frames.attach(q, along, point=False)
            for direction in across:
                self.made.products.append(Product({axis: 1.0}, {self.frames.attach(p, direction, point=False): 1.0}))
        self.made.pivots[name] = (p, q, axis, part)

    def guide(self, name: str, part: Guide) -> None:
        (p, i), (q, j) = self.ends[part.p], self.ends[part.q]
        along = np.array(part.direction) / np.linalg.norm(part.direction)
        across = self.frames.attach(p, np.array([-along[1], along[0]]), point=False)
        self.made.products.append(Product({j: 1.0, i: -1.0}, {across: 1.0}))
        if not part.pivot:
            turning = {self.columns(q)[0]: 1.0, self.columns(p)[0]: -1.0}
            self.made.rows.append(Row("", {}, 0, turning=turning))
        drawn = float(along @ (self.at[self.node_of(part.q)] - self.at[self.node_of(part.p)]))
        self.made.travels[name] = (i, j, self.frames.attach(p, along, point=False), part, drawn)

    def roller(self, name: str, part: Roller) -> None:
        (p, i), (q, _) = self.ends[part.p], self.ends[part.q if part.q in self.ends else f"{name}.q"]
        heading = np.array(part.direction) / np.linalg.norm(part.direction)
        self.made.rollers[name] = (i, self.frames.attach(p, heading, point=False), q, part.radius)

    def disc(self, name: str, part: Disc) -> None:
        frame, centre = self.ends[part.p]
        axle = np.array(part.axle) / np.linalg.norm(part.axle)
        drawn = self.at[self.node_of(part.p)] - self.at[part.contact]
        self.made.discs[name] = (frame, centre, self.frames.attach(frame, axle, point=False), float(drawn[2]))

    def touch(self, name: str, part: Touch) -> None:
        self.made.touches[name] = (self.point(part.p), self.point(part.q), part)

    # ── all together ─────────────────────────────────────────────────────────────────────────────────────────────────

    def fixed(self) -> None:
        for name in self.machine.fixed:
            self.hold(name, None)
        for name, drive in self.machine.drives.items():
            self.hold(name, drive)

    def hold(self, name: str, drive: Drive | None) -> None:
        """Hold a node, a coordinate, the rotation of an end or that of a pivot."""
        if name in self.at:
            if name in self.made.nodes and self.frames.frame[self.made.nodes[name]] != GROUND:
                for axis in range(self.space):
                    self.hold(f"{name}.{'xyz'[axis]}", drive)
            return
        owner, what = name.rsplit(".", 1)
        if what == "phi":
            self.made.rows.append(Row(name, {}, 0, drive, {self.columns(self.ends[owner][0])[0]: 1.0}))
        elif what == "rotation":
            self.made.rows.append(Row(name, {}, -1, drive))
        else:
            self.made.rows.append(Row(name, {self.point(owner): 1.0}, "xyz".index(what), drive))

    def build(self) -> Assembly:
        handlers: dict[type, Callable[..., None]] = {
            Pivot: self.pivot, Guide: self.guide, Roller: self.roller,
            Disc: self.disc, Spring: self.spring, Touch: self.touch,
        }  # fmt: skip
        parts = self.machine.parts.items()
        for name, part in parts:
            if isinstance(part, Bar):
                self.bar(name, part)
            elif isinstance(part, Solid):
                self.solid(name, part)
        for name, part in parts:
            if isinstance(part, Roller) and part.q in self.at:
                frame = self.frames.new(self.at[part.q])
                self.ends[f"{name}.q"] = (frame, self.join(part.q, frame))
        for _, part in parts:
            if isinstance(part, Rod):
                self.rod(part)
            elif isinstance(part, Particle):
                self.particle(part)
        for name, part in parts:
            if type(part) in handlers:
                handlers[type(part)](name, part)
        self.fixed()
        self._collect()
        return self.made

    def _collect(self) -> None:
        made, count = self.made, len(self.frames.frame)
        made.mass, made.weight = np.zeros((count, count)), np.zeros(count)
        for vectors, matrix in self.masses:
            made.mass[np.ix_(vectors, vectors)] += matrix
        for vectors, means in self.weights:
            made.weight[vectors] += means
        if self.beams:
            made.beam_names = [name for name, *_ in self.beams]
            tables = [stiffness_matrices(b.EA, b.EI, b.GIt, l) for _, _, l, b in self.beams]
            finite = [self.space == 3 and max(*b.EI, b.GIt) < inf for *_, b in self.beams]
            over = [
                [k / (12 * b.GIt) for k in b.EI] if f else [0.0, 0.0]
                for f, (*_, b) in zip(finite, self.beams, strict=True)
            ]
            made.beams = Beams(
                self.space,
                np.array([vectors for _, vectors, *_ in self.beams]),
                np.array([length for _, _, length, _ in self.beams]),
                np.array([matrix for matrix, _ in tables]),
                np.array([bar.damping for *_, bar in self.beams]),
                np.array([rigid for _, rigid in tables]),
                np.array(over),
            )
        self.frames.close()


def drawn_axes(along: Array, near: tuple[float, ...]) -> list[Array]:
    """Axes of a part: along it, in space also across it near a direction, and normal to both."""
    t = along / np.linalg.norm(along)
    if len(t) == 2:
        return [t]
    chosen = np.array(near) if near else np.eye(3)[np.argmin(np.abs(t))]
    n = chosen - t * (chosen @ t)
    n /= np.linalg.norm(n)
    return [t, n, np.cross(t, n)]


def assemble(machine: Machine) -> Assembly:
    """Arrays of a machine."""
    return _Builder(machine).build()
