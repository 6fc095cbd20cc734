"""Random machines: trees and loops of rigid and flexible links with springs, drives, contacts, friction and wheels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import cos, hypot, inf, pi, sin

import numpy as np
from hypothesis import strategies as st

from references.plain.assembly import assemble
from references.plain.description import (
    Bar,
    Drive,
    Hard,
    Machine,
    Part,
    Particle,
    Pivot,
    Rod,
    Roller,
    Soft,
    Spring,
    Touch,
)  # fmt: skip
from references.plain.equations import Equations

Draw = Callable[..., object]
GRAVITY = 9.81


@dataclass(frozen=True)
class Units:
    """Units of length, mass and time in which a machine is drawn with numbers near one."""

    length: float
    mass: float
    time: float

    def of(self, mass: int, length: int, time: int) -> float:
        """Unit of a quantity by its dimensions."""
        return self.mass**mass * self.length**length * self.time**time


@dataclass
class Sketch:
    """Machine in progress, in its units."""

    units: Units
    nodes: dict[str, tuple[float, ...]] = field(default_factory=dict)
    parts: dict[str, Part] = field(default_factory=dict)
    fixed: list[str] = field(default_factory=list)
    loads: dict[str, float] = field(default_factory=dict)
    drives: dict[str, Drive] = field(default_factory=dict)
    gravity: tuple[float, ...] = (0.0, 0.0)
    ends: dict[str, list[str]] = field(default_factory=dict)
    """Ends of bars at each node."""
    stir: tuple[float, ...] = (0.0,)
    duration: float = 1.0

    def machine(self) -> Machine:
        """The machine in SI units."""
        u = self.units
        return Machine(
            nodes={name: tuple(u.length * x for x in place) for name, place in self.nodes.items()},
            parts=self.parts,
            fixed=tuple(self.fixed),
            gravity=tuple(g * u.of(0, 1, -2) for g in self.gravity),
            loads=self.loads,
            drives=self.drives,
            stir=self.stir,
            duration=self.duration * u.time,
        )

    def regular(self) -> bool:
        """True if the machine can move and its constraints are far from dependent."""
        equations = Equations(assemble(self.machine()))
        at = equations.instant(
            0.0, equations.q, np.zeros(equations.nu), np.zeros(len(equations.made.pivots)), forces=False
        )
        if not len(at.G):
            return True
        size, turns = self.units.length, equations.frames.rates - len(self.gravity)
        rows = at.G * np.tile([size] * len(self.gravity) + [1.0] * turns, equations.frames.count)
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
        values = np.linalg.svd(rows, compute_uv=False)
        dummies = len(equations.made.turning_mass)
        return len(rows) < equations.nu - dummies and values[-1] > 0.02 * values[0]


def number(low: float, high: float) -> st.SearchStrategy[float]:
    """Numbers in a range with three digits; they shrink to the lower end."""
    return st.integers(0, 1000).map(lambda k: float(f"{low + (high - low) * k / 1000:.6g}"))


def units() -> st.SearchStrategy[Units]:
    """Sizes from a millimetre to a kilometre, masses from a gram to a tonne."""
    powers = st.sampled_from([0, 0, -1, 1, -2, 2, -3, 3])
    return st.builds(lambda l, m: Units(10.0**l, 10.0**m, (10.0**l / GRAVITY) ** 0.5), powers, powers)


SIGNS = st.sampled_from([1.0, -1.0])


def _bar(draw: Draw, sketch: Sketch, p: str, q: str, kinds: tuple[str, ...]) -> Part:
    kind, u = draw(st.sampled_from(kinds)), sketch.units
    rhoA = draw(number(0.3, 3.0)) * u.of(1, -1, 0)
    if kind == "rod":
        return Rod(p, q, rhoA)
    if kind == "rigid":
        return Bar(p, q, rhoA)
    soft = draw(st.sampled_from(["both", "bending"]))
    EA = draw(number(20.0, 100.0)) * u.of(1, 1, -2) if soft == "both" else inf
    EI = draw(number(0.3, 3.0)) * u.of(1, 3, -2)
    damping = draw(st.sampled_from([0.0, 0.01])) * u.time
    return Bar(p, q, rhoA, EA, (EI,), parts=draw(st.sampled_from([1, 1, 2])), damping=damping)


def _grow(draw: Draw, sketch: Sketch) -> None:
    """Add a link from a node to a new one, pinned or welded."""
    start = draw(st.sampled_from(sorted(sketch.nodes)))
    turn, length = draw(number(0.0, 2 * pi)), draw(number(0.4, 1.2))
    x, y = sketch.nodes[start]
    name, node = f"l{len(sketch.parts)}", f"N{len(sketch.nodes)}"
    sketch.nodes[node] = (round(x + length * cos(turn), 6), round(y + length * sin(turn), 6))
    ends = sketch.ends.get(start, [])
    place = draw(st.sampled_from([start, *ends]))
    part = _bar(
        draw, sketch, place, node, ("rigid", "rigid", "flexible", "rod") if place == start else ("rigid", "flexible")
    )
    sketch.parts[name] = part
    if isinstance(part, Bar):
        sketch.ends.setdefault(start, []).append(f"{name}.p")
        sketch.ends.setdefault(node, []).append(f"{name}.q")


def _close(draw: Draw, sketch: Sketch) -> None:
    """Add a link or a spring between two nodes, or from a node to the ground, where the machine can still move."""
    free = [name for name in sketch.nodes if name not in sketch.fixed]
    first, second = draw(st.sampled_from(free)), draw(st.sampled_from([*sorted(sketch.nodes), "ground"]))
    added = None
    if second == "ground":
        x, y = sketch.nodes[first]
        turn, length = draw(number(0.0, 2 * pi)), draw(number(0.4, 1.5))
        second = added = f"G{len(sketch.nodes)}"
        sketch.nodes[added] = (round(x + length * cos(turn), 6), round(y + length * sin(turn), 6))
        sketch.fixed.append(added)
    name = f"c{len(sketch.parts)}"
    kind = draw(st.sampled_from(["spring", "link"]))
    (a, b), (c, d) = sketch.nodes[first], sketch.nodes[second]
    u = sketch.units
    if kind == "spring":
        sketch.parts[name] = Spring(
            first, second, draw(number(2.0, 60.0)) * u.of(1, 0, -2), draw(number(0.0, 2.0)) * u.of(1, 0, -1),
            draw(number(-2.0, 2.0)) * u.of(1, 1, -2),
        )  # fmt: skip
    else:
        sketch.parts[name] = _bar(draw, sketch, first, second, ("rigid", "rod", "flexible"))
    if hypot(a - c, b - d) < 0.3 or not sketch.regular():
        del sketch.parts[name]
        if added:
            del sketch.nodes[added]
            sketch.fixed.remove(added)


def _base(draw: Draw, sketch: Sketch) -> None:
    """Support of the first node."""
    base = draw(st.sampled_from(["pin", "slide", "free", "clamp", "drive"]))
    if base in {"pin", "clamp", "drive"}:
        sketch.fixed.append("O")
    elif base == "slide":
        sketch.fixed.append("O.y")
    if base in {"clamp", "drive"} and "O" in sketch.ends:
        end, u = sketch.ends["O"][0], sketch.units
        if base == "clamp":
            sketch.fixed.append(f"{end}.phi")
        else:
            rate = draw(number(-3.0, 3.0)) / u.time
            sketch.drives[f"{end}.phi"] = Drive(rate, draw(number(0.0, 0.3)), draw(number(1.0, 4.0)) / u.time)
        if not sketch.regular():
            sketch.drives.clear()
            sketch.fixed = [name for name in sketch.fixed if not name.endswith("phi")]


def _dress(draw: Draw, sketch: Sketch) -> None:
    """Add masses, torsion springs and loads."""
    u = sketch.units
    free = [name for name in sorted(sketch.nodes) if name not in sketch.fixed]
    for _ in range(draw(st.integers(0, 2))):
        node = draw(st.sampled_from(free))
        end = draw(st.sampled_from([node, *sketch.ends.get(node, [])]))
        inertia = draw(number(0.01, 0.1)) * u.of(1, 2, 0) if end != node else 0.0
        sketch.parts[f"m{len(sketch.parts)}"] = Particle(end, draw(number(0.1, 2.0)) * u.mass, inertia)
    shared = [ends for ends in sketch.ends.values() if len(ends) > 1]
    if shared and draw(st.booleans()):
        ends = draw(st.sampled_from(shared))
        sketch.parts[f"t{len(sketch.parts)}"] = Pivot(
            ends[0], ends[-1], (), draw(number(0.0, 10.0)) * u.of(1, 2, -2), draw(number(0.0, 0.5)) * u.of(1, 2, -1)
        )
    if draw(st.booleans()):
        node = draw(st.sampled_from(free))
        sketch.loads[f"{node}.{draw(st.sampled_from('xy'))}"] = draw(number(-5.0, 5.0)) * u.of(1, 1, -2)


def motion_of(draw: Draw, sketch: Sketch) -> None:
    """Choose gravity, initial rates and duration."""
    down = draw(st.sampled_from([1.0, 1.0, 0.0]))
    sketch.gravity = (0.0, -down) if len(sketch.gravity) == 2 else (0.0, 0.0, -down)
    flexible = sum(isinstance(part, Bar) and not part.rigid for part in sketch.parts.values())
    sketch.duration = draw(number(0.3, 1.5)) / (1 + 3 * flexible)
    sketch.stir = tuple(draw(st.lists(number(-0.6, 0.6), min_size=1, max_size=7)))


@st.composite
def linkages(draw: Draw) -> Machine:
    """Planar trees and loops of rigid and flexible links, without contact."""
    sketch = Sketch(draw(units()), {"O": (0.0, 0.0)})
    for _ in range(draw(st.integers(1, 4))):
        _grow(draw, sketch)
    _base(draw, sketch)
    for _ in range(draw(st.integers(0, 2))):
        _close(draw, sketch)
    _dress(draw, sketch)
    motion_of(draw, sketch)
    return sketch.machine()


def _floor(draw: Draw, sketch: Sketch, law: Hard | Soft, mu: float, speed: float) -> None:
    """Add a floor or a wall below the machine, that some of its nodes can touch."""
    free = [name for name in sorted(sketch.nodes) if name not in sketch.fixed and not name.startswith("G")]
    touching = draw(st.lists(st.sampled_from(free), min_size=1, max_size=2, unique=True))
    tilt = draw(number(-0.5, 0.5))
    normal = (round(-sin(tilt), 6), round(cos(tilt), 6))
    heights = [normal[0] * sketch.nodes[n][0] + normal[1] * sketch.nodes[n][1] for n in touching]
    under = min(heights) - draw(number(0.05, 0.3))
    size = hypot(*normal)
    sketch.nodes["F"] = (round(under * normal[0] / size, 6), round(under * normal[1] / size, 6))
    sketch.fixed.append("F")
    for node in touching:
        sketch.parts[f"f{len(sketch.parts)}"] = Touch("F", node, law, normal, mu=mu, speed=speed)


@st.composite
def landings(draw: Draw) -> Machine:
    """Planar machines with contacts, hard or soft, with and without friction."""
    sketch = Sketch(draw(units()), {"O": (0.0, 0.0)})
    for _ in range(draw(st.integers(1, 3))):
        _grow(draw, sketch)
    _base(draw, sketch)
    _dress(draw, sketch)
    motion_of(draw, sketch)
    sketch.gravity = (0.0, -1.0)
    u = sketch.units
    kind = draw(st.sampled_from(["hard", "soft"]))
    law = (
        Hard(draw(st.sampled_from([0.0, 0.3, 0.5, 0.8, 1.0])))
        if kind == "hard"
        else Soft(draw(number(100.0, 1000.0)) * u.of(1, 0, -2), draw(number(0.0, 5.0)) * u.of(1, 0, -1))
    )
    mu = draw(st.sampled_from([0.0, 0.1, 0.5]))
    speed = draw(number(0.02, 0.1)) * u.of(0, 1, -1) if kind == "soft" and draw(st.booleans()) else 0.0
    _floor(draw, sketch, law, mu, speed if mu else 0.0)
    return sketch.machine()


@st.composite
def carts(draw: Draw) -> Machine:
    """Planar machines on wheels or skates, seen from above."""
    sketch = Sketch(draw(units()), {"O": (0.0, 0.0)})
    u = sketch.units
    sketch.nodes["N1"] = (draw(number(0.5, 1.2)), 0.0)
    sketch.parts["l0"] = Bar("O", "N1", draw(number(0.3, 3.0)) * u.of(1, -1, 0))
    sketch.ends = {"O": ["l0.p"], "N1": ["l0.q"]}
    turn = draw(number(0.0, 2 * pi))
    direction = (round(cos(turn), 6), round(sin(turn), 6))
    if draw(st.booleans()):
        sketch.parts["w"] = Roller("l0.p", "l0.p", 0.0, direction)
    else:
        sketch.parts["hub"] = Particle("w.q", 0.1 * u.mass, draw(number(0.01, 0.1)) * u.of(1, 2, 0))
        sketch.parts["w"] = Roller("l0.p", "O", draw(number(0.1, 0.3)) * u.length, direction)
    for _ in range(draw(st.integers(0, 2))):
        _grow(draw, sketch)
    _dress(draw, sketch)
    if draw(st.booleans()):
        _close(draw, sketch)
    motion_of(draw, sketch)
    sketch.gravity = (0.0, 0.0)
    return sketch.machine()
