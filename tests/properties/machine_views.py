"""One machine seen in another way: with other names in another order, or turned and shifted as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

import numpy as np
from scipy.spatial.transform import Rotation

import flexura as fx
from references.plain.assembly import assemble
from references.plain.description import Bar, Machine, Part, Solid
from references.plain.frames import Array

DIRECTIONS = ("normal", "direction", "axis", "axle", "y_axis", "centre")


@dataclass
class View:
    """A changed machine, and the way to read the signals of the original from its motion."""

    machine: Machine
    names: Mapping[str, str]
    turn: Array
    shift: Array

    def read(self, motion: fx.Motion, name: str) -> Array:
        """Signal of the original machine."""
        force = name.endswith(".force")
        plain = name.removesuffix(".force")
        marks = plain[len(plain.rstrip("'")) :]
        owner, _, what = plain.rstrip("'").rpartition(".")
        own = self.rename(owner)
        ending = marks + (".force" if force else "")
        stem = what[:-1] if what.startswith("about_") else ""
        if what in {"x", "y", "z"} or stem:
            axes = "xyz"[: len(self.shift)]
            table = np.stack([motion[f"{own}.{stem}{axis}{ending}"] for axis in axes], axis=1)
            if not ending and not stem:
                table = table - self.shift
            return (table @ self.turn)[:, axes.index(what[-1])]
        return motion[f"{own}.{what}{ending}"]

    def rename(self, place: str) -> str:
        """New name of a node, an end or an element."""
        return renamed(place, self.names)


def renamed(place: str, names: Mapping[str, str]) -> str:
    """Place with the name of its node or element exchanged."""
    first, dot, rest = place.partition(".")
    return names.get(first, first) + dot + rest


def with_other_names(machine: Machine, random: np.random.Generator) -> View:
    """Other names, in another order."""
    old = [*machine.nodes, *machine.parts]
    names = {
        name: f"{'zyxwab'[random.integers(6)]}{number}"
        for name, number in zip(old, random.permutation(len(old)), strict=True)
    }

    def change(part: Part) -> Part:
        changes = {
            f.name: renamed(getattr(part, f.name), names) for f in fields(part) if f.name in {"p", "q", "contact"}
        }
        if isinstance(part, Solid):
            changes["points"] = tuple(names[node] for node in part.points)
        return replace(part, **changes)

    def shuffled(table: Mapping) -> dict:
        items = list(table.items())
        return dict(items[k] for k in random.permutation(len(items)))

    # a part stands after those whose ends it uses: the order changes among the nodes, and by the names
    changed = replace(
        machine,
        nodes=shuffled({names[name]: place for name, place in machine.nodes.items()}),
        parts={names[name]: change(part) for name, part in machine.parts.items()},
        fixed=tuple(renamed(name, names) for name in machine.fixed),
        loads={renamed(name, names): load for name, load in machine.loads.items()},
        drives={renamed(name, names): drive for name, drive in machine.drives.items()},
    )
    space = machine.space
    return View(changed, names, np.eye(space), np.zeros(space))


def turned(machine: Machine, random: np.random.Generator) -> View | None:
    """The machine turned and shifted; in the plane by any angle, in space about the vertical where it rolls."""
    held = [name for name in (*machine.fixed, *machine.drives) if name.endswith((".x", ".y", ".z"))]
    if held:
        return None
    space = machine.space
    if space == 2:
        angle = random.uniform(-3.0, 3.0)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    else:
        vector = random.normal(size=3)
        if any(hasattr(part, "axle") for part in machine.parts.values()):
            vector[:2] = 0.0
        turn = Rotation.from_rotvec(vector).as_matrix()
    shift = random.uniform(-2.0, 2.0, space) * machine.size
    if any(hasattr(part, "axle") for part in machine.parts.values()):
        shift[2] = 0.0

    def change(part: Part) -> Part:
        changes = {}
        for name in (f.name for f in fields(part)):
            value = getattr(part, name)
            if name in DIRECTIONS and value:
                changes[name] = tuple(float(x) for x in turn @ value)
        if isinstance(part, Solid):
            tensor = turn @ np.array(part.tensor) @ turn.T
            changes["tensor"] = tuple(tuple(float(x) for x in row) for row in 0.5 * (tensor + tensor.T))
        if isinstance(part, Bar) and space == 3 and not part.y_axis:
            raise ValueError("a bar in space that is turned needs its y axis")
        return replace(part, **changes)

    loads: dict[str, float] = {}
    for name, load in machine.loads.items():
        owner, what = name.rsplit(".", 1)
        if what in "xyz":
            for axis, factor in zip("xyz"[:space], turn[:, "xyz".index(what)], strict=True):
                loads[f"{owner}.{axis}"] = loads.get(f"{owner}.{axis}", 0.0) + float(factor) * load
        else:
            loads[name] = load
    frames = assemble(machine).frames
    rates = np.resize(machine.stir, (frames.count, frames.rates))
    blocks = [rates[:, :space] @ turn.T, rates[:, 2:] if space == 2 else rates[:, 3:] @ turn.T]
    changed = replace(
        machine,
        stir=tuple(float(x) for x in np.concatenate(blocks, axis=1).ravel()),
        nodes={name: tuple(float(x) for x in turn @ place + shift) for name, place in machine.nodes.items()},
        parts={name: change(part) for name, part in machine.parts.items()},
        gravity=tuple(float(x) for x in turn @ machine.gravity),
        loads=loads,
    )
    return View(changed, {}, turn, shift)
