"""Description of a machine by plain numbers, for the plain simulator and for comparison with other programs.

A place is the name of a node, or an end of a part such as ``"arm.q"``. Parts that share a node are joined by a pin (in
space by a ball joint); parts attached to an end are welded to it. The machine is drawn in its initial position.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import dist, inf

Point = tuple[float, ...]


@dataclass(frozen=True)
class Bar:
    """Uniform bar; rigid where its stiffnesses are infinite, else ``parts`` beam elements with cubic shapes."""

    p: str
    q: str
    rhoA: float
    EA: float = inf
    EI: tuple[float, ...] = (inf,)
    """Bending stiffness; in space about the y axis and about the z axis of the section."""
    GIt: float = inf
    rhoI: tuple[float, float] = (0.0, 0.0)
    """Rotary inertia per length about y and z; in space only."""
    y_axis: Point = ()
    parts: int = 1
    damping: float = 0.0
    """Ratio of damping to stiffness [s]."""

    @property
    def rigid(self) -> bool:
        """True if the bar does not deform."""
        return min(self.EA, *self.EI, self.GIt) == inf


@dataclass(frozen=True)
class Rod:
    """Rigid link between two points, with mass but without rotary inertia about its axis."""

    p: str
    q: str
    rhoA: float


@dataclass(frozen=True)
class Particle:
    """Mass at a place, with rotary inertia where the place is an end in the plane."""

    p: str
    mass: float
    inertia: float = 0.0


@dataclass(frozen=True)
class Solid:
    """Rigid body in space at its own node, with nodes fixed to it."""

    p: str
    mass: float
    tensor: tuple[Point, Point, Point]
    centre: Point
    points: tuple[str, ...] = ()


@dataclass(frozen=True)
class Spring:
    """Massless spring and damper between two points, with a tension ``preload`` as drawn."""

    p: str
    q: str
    k: float
    c: float = 0.0
    preload: float = 0.0


@dataclass(frozen=True)
class Pivot:
    """Relative rotation of two ends with stiffness and damping; in space it keeps the axis of both together.

    In the plane both places are ends. In space the first may be a fixed node, which stands for the ground.
    """

    p: str
    q: str
    axis: Point = ()
    k: float = 0.0
    c: float = 0.0


@dataclass(frozen=True)
class Guide:
    """Prismatic guide in the plane, fixed to the end p, on which the end q slides; q may turn if it is a ``pivot``."""

    p: str
    q: str
    direction: Point
    pivot: bool = False
    k: float = 0.0
    c: float = 0.0


@dataclass(frozen=True)
class Roller:
    """Wheel on the plane seen from above: heading of the end p, rotation of the end q about the axle."""

    p: str
    q: str
    radius: float
    direction: Point


@dataclass(frozen=True)
class Disc:
    """Thin disc of the solid p that rolls without slip on the ground below it, z = 0; its axle as drawn."""

    p: str
    contact: str
    axle: Point


@dataclass(frozen=True)
class Soft:
    """Contact force by a spring and a damper in parallel, without tension."""

    k: float
    c: float


@dataclass(frozen=True)
class Hard:
    """Impacts by Newton's law of restitution, and persistent contact without penetration."""

    e: float


@dataclass(frozen=True)
class Touch:
    """Contact of the point q with the straight line (in space the plane) through the fixed node p."""

    p: str
    q: str
    law: Soft | Hard
    normal: Point
    radius: float = 0.0
    mu: float = 0.0
    speed: float = 0.0
    """Regularisation speed of the friction, a linear ramp; exact friction if zero."""


Part = Bar | Rod | Particle | Solid | Spring | Pivot | Guide | Roller | Disc | Touch


@dataclass(frozen=True)
class Drive:
    """Prescribed motion a sin(w t) + b t, from the drawn position."""

    b: float
    a: float = 0.0
    w: float = 1.0


@dataclass(frozen=True)
class Machine:
    """A machine, its loads and its initial rates."""

    nodes: Mapping[str, Point]
    parts: Mapping[str, Part]
    fixed: tuple[str, ...]
    """Nodes, their coordinates such as ``"B.y"``, and in the plane rotations of ends such as ``"beam.p.phi"``."""
    gravity: Point
    loads: Mapping[str, float] = field(default_factory=dict)
    """Constant forces on coordinates of nodes, in the plane also moments on rotations of ends."""
    drives: Mapping[str, Drive] = field(default_factory=dict)
    """Of coordinates of nodes, in the plane of rotations of ends, in space of rotations of pivots."""
    stir: tuple[float, ...] = (0.0,)
    """Wanted initial rates of all coordinates over their scale, repeated; the nearest admissible ones are taken."""

    duration: float = 1.0
    """Time over which the machine moves [s]; the scale of its rates."""

    @property
    def space(self) -> int:
        """Number of dimensions."""
        return len(self.gravity)

    @property
    def size(self) -> float:
        """Largest distance between two nodes."""
        places = list(self.nodes.values())
        return max(dist(a, b) for a in places for b in places)
