"""Python source of a model of the package for a plainly described machine; scripts of failures are made of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Any

import flexura as fx
import flexura.planar
import flexura.spatial
from references.plain.description import (
    Bar,
    Disc,
    Drive,
    Guide,
    Hard,
    Machine,
    Particle,
    Pivot,
    Rod,
    Roller,
    Solid,
    Spring,
    Touch,
)  # fmt: skip
from references.plain.motion import Simulator

HEAD = "import flexura as fx\nfrom flexura.{space} import {names}\n\n"


@dataclass
class Entry:
    """Source of an element, its laws, and what goes with it into the lists of the model."""

    source: str
    laws: dict[str, str] = field(default_factory=dict)
    fixed: list[str] = field(default_factory=list)
    released: list[str] = field(default_factory=list)


def _section(bar: Bar, space: int) -> str:
    terms = [f"rhoA={bar.rhoA!r}"]
    stiffness = {"EA": bar.EA} | ({"EI": bar.EI[0]} if space == 2 else {"GIt": bar.GIt})
    if space == 3:
        stiffness |= dict(zip(("EIy", "EIz"), bar.EI if len(bar.EI) == 2 else (inf, inf), strict=True))
        terms += [f"rhoIy={bar.rhoI[0]!r}", f"rhoIz={bar.rhoI[1]!r}"]
    if not bar.rigid:
        terms += [f"{name}={value!r}" for name, value in stiffness.items() if value < inf]
        terms += [f"damping={bar.damping!r}"] if bar.damping else []
    return f"fx.Section({', '.join(terms)})"


def _bar(name: str, bar: Bar, space: int) -> Entry:
    more = ["rigid=True"] if bar.rigid else [f"parts={bar.parts}"]
    if space == 3:
        more += [f"y_axis={bar.y_axis!r}"] if bar.y_axis else []
        more += [] if bar.rigid else ['rotary="lumped"']
    return Entry(f"Beam({bar.p!r}, {bar.q!r}, {_section(bar, space)}, {', '.join(more)})")


def _touch(name: str, part: Touch, space: int) -> Entry:
    law = (
        f"fx.Restitution({part.law.e!r})"
        if isinstance(part.law, Hard)
        else f"fx.KelvinVoigt({part.law.k!r}, {part.law.c!r})"
    )
    friction = ""
    if part.mu:
        form = ', form="ramp"' if part.speed else ""
        friction = f", friction=fx.Friction({part.mu!r}, regularisation_speed={part.speed!r}{form})"
    kind = "PointContact" if space == 2 else "Ball"
    return Entry(f"{kind}({part.p!r}, {part.q!r}, {law}, normal={part.normal!r}, radius={part.radius!r}{friction})")


def _rod(name: str, part: Rod, space: int) -> Entry:
    return Entry(f"Truss({part.p!r}, {part.q!r}, fx.Section(rhoA={part.rhoA!r}), rigid=True)")


def _particle(name: str, part: Particle, space: int) -> Entry:
    inertia = f", inertia={part.inertia!r}" if part.inertia else ""
    return Entry(f"Mass({part.p!r}, {part.mass!r}{inertia})")


def _solid(name: str, part: Solid, space: int) -> Entry:
    t = part.tensor
    tensor = ", ".join(repr(x) for x in (t[0][0], t[1][1], t[2][2], t[0][1], t[0][2], t[1][2]))
    return Entry(f"Body({part.p!r}, {part.mass!r}, {tensor}, centre={part.centre!r}, points={part.points!r})")


def _spring(name: str, part: Spring, space: int) -> Entry:
    law = f"fx.LinearLaw(k={part.k!r}, c={part.c!r}, preload={part.preload!r})"
    return Entry(f"Truss({part.p!r}, {part.q!r}, fx.Section(EA=0.0))", {f"{name}.elongation": law})


def _pivot(name: str, part: Pivot, space: int) -> Entry:
    axis = f"axis={part.axis!r}, " if space == 3 else ""
    ground = [] if "." in part.p else [f"{name}.p"]
    return Entry(f"Hinge({part.p!r}, {part.q!r}, {axis}k={part.k!r}, c={part.c!r})", fixed=ground)


def _guide(name: str, part: Guide, space: int) -> Entry:
    more = f"direction={part.direction!r}, pivot={part.pivot}, k={part.k!r}, c={part.c!r}"
    return Entry(f"Slider({part.p!r}, {part.q!r}, {more})")


def _roller(name: str, part: Roller, space: int) -> Entry:
    source = f"Wheel({part.p!r}, {part.q!r}, {part.radius!r}, {part.direction!r})"
    return Entry(source, released=[] if part.radius else [f"{name}.along"])


def _disc(name: str, part: Disc, space: int) -> Entry:
    return Entry(f"Wheel({part.p!r}, {part.contact!r}, 'ground', axle={part.axle!r})", fixed=[f"{name}.g"])


ENTRIES: dict[type, Callable[..., Entry]] = {
    Bar: _bar, Rod: _rod, Particle: _particle, Solid: _solid, Spring: _spring,
    Pivot: _pivot, Guide: _guide, Roller: _roller, Disc: _disc, Touch: _touch,
}  # fmt: skip


def _drive(drive: Drive, start: float) -> str:
    return f"fx.Expression('{start!r} + {drive.a!r}*sin({drive.w!r}*t) + {drive.b!r}*t')"


def model_source(machine: Machine) -> str:
    """Expression that makes the model, over several lines."""
    entries = {name: ENTRIES[type(part)](name, part, machine.space) for name, part in machine.parts.items()}
    laws = {name: law for entry in entries.values() for name, law in entry.laws.items()}
    fixed = [*machine.fixed, *(name for entry in entries.values() for name in entry.fixed)]
    released = [name for entry in entries.values() for name in entry.released]
    inputs = {}
    for name, drive in machine.drives.items():
        owner, what = name.rsplit(".", 1)
        start = machine.nodes[owner]["xyz".index(what)] if what in "xyz" else 0.0
        inputs[name] = _drive(drive, start)
    nodes = {name: tuple(place) for name, place in machine.nodes.items()}
    if any(isinstance(part, Disc) for part in machine.parts.values()):
        nodes["ground"] = (0.0, 0.0, 0.0)
    start = Simulator(machine, duration=machine.duration).initial_rates()
    held = set(machine.fixed)
    lines = [
        f"    nodes={nodes!r},",
        "    elements={",
        *(f"        {name!r}: {entry.source}," for name, entry in entries.items()),
        "    },",
        f"    fixed={fixed!r},",
        *_table("laws", laws),
        *_table("inputs", inputs),
        *_table("loads", {name: repr(load) for name, load in machine.loads.items()}),
        *([f"    released={released!r},"] if released else []),
        *_table("start", {name: repr(rate) for name, rate in start.items() if name.split(".")[0] not in held}),
        f"    gravity={machine.gravity!r},",
    ]
    return "fx.Model(\n" + "\n".join(lines) + "\n)"


def _table(name: str, entries: dict[str, str]) -> list[str]:
    return (
        [f"    {name}={{" + ", ".join(f"{key!r}: {value}" for key, value in entries.items()) + "},"] if entries else []
    )


def _names(space: int) -> dict[str, Any]:
    module = flexura.planar if space == 2 else flexura.spatial
    return {name: getattr(module, name) for name in dir(module)}


def build(machine: Machine) -> fx.Model:
    """Model of the package."""
    return eval(model_source(machine), {"fx": fx, **_names(machine.space)})  # the source is made above


def script(machine: Machine, more: str) -> str:
    """Whole script that makes the model and does something with it."""
    space = "planar" if machine.space == 2 else "spatial"
    source = model_source(machine)
    names = sorted(name for name in _names(machine.space) if f" {name}(" in source)
    return HEAD.format(space=space, names=", ".join(names)) + f"model = {source}\n{more}\n"
