"""Lines of the SPACAR file that SPACAR Light writes of its arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import pi, sin, sqrt, tanh
from typing import Any

import numpy as np

from flexura.errors import ModelError
from flexura.formats.registry import Note
from flexura.formats.spacar.light_arguments import AXES, Arguments, vector
from flexura.formats.spacar.written_elements import text
from flexura.laws.shapes import Circle, Rectangle


@dataclass(frozen=True)
class Numbers:
    """Stiffnesses and inertias of a beam, in the order of ESTIFF and EM."""

    stiffness: tuple[float, ...]
    inertia: tuple[float, ...]
    width: float
    thickness: float


@dataclass(frozen=True)
class LightFile:
    """Text of a file, the numbers of the beams of each element, and notes."""

    text: str
    beams: tuple[tuple[int, ...], ...]
    notes: tuple[Note, ...]


def section(where: str, given: Mapping[str, Any], length: float) -> Numbers | None:
    """Section constants of SPACAR Light; None without a shape or a density."""
    if "cshape" not in given or "dens" not in given or "dim" not in given:
        return None
    shape = str(given["cshape"])
    if shape not in {"rect", "circ"}:
        raise ModelError(f"{where}.cshape", f"there is no shape '{shape}'", "give 'rect' or 'circ'")
    dim = vector(f"{where}.dim", given["dim"], 2 if shape == "rect" else 1)
    if min(dim) < 1e-4:
        raise ModelError(f"{where}.dim", f"{min(dim):g} m is below 1e-4 m", "lengths are in metres")
    E, G, rho = (vector(f"{where}.{name}", given.get(name, 0.0), 1)[0] for name in ("emod", "smod", "dens"))
    nu = E / (2.0 * G) - 1.0 if G else 0.3
    if shape == "rect":
        # width along y', thickness along z'
        outline: Rectangle | Circle = Rectangle(dim[1], dim[0])
        k, width, thickness = 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu), dim[0], dim[1]
    else:
        outline = Circle(dim[0])
        k, width, thickness = 6.0 * (1.0 + nu) / (7.0 + 6.0 * nu), dim[0], dim[0]
    A, Iy, Iz = outline.area, outline.Iy, outline.Iz
    It = outline.It if shape == "rect" else pi * dim[0] ** 4 / 32.0
    GIt = G * It * (constrained_warping(length, width, nu) if given.get("cw") else 1.0)
    shear = [E * I / (k * G * A) if G else 0.0 for I in (Iy, Iz)]
    inertia = (rho * A, rho * (Iy + Iz), rho * Iy, rho * Iz, 0.0)
    return Numbers((E * A, GIt, E * Iy, E * Iz, *shear), inertia, width, thickness)


def constrained_warping(length: float, width: float, nu: float) -> float:
    """Factor of the torsional stiffness of a leaf spring whose ends cannot warp."""
    a = length / width * sqrt(24.0 / (1.0 + nu))
    return a / (a - 2.0 * tanh(a / 2.0))


def position(node: int) -> int:
    """Number of the position node of a node of the user."""
    return 3 * node - 2


def light_file(given: Arguments) -> LightFile:
    """The file of the arguments."""
    kinematics, dynamics, notes = list[str](), list[str](), list[Note]()
    beams = _beams(given, kinematics, dynamics, notes)
    system = list(_system(given))
    moving = False
    for node, table in enumerate(given.nprops, start=1):
        kinematics.append(f"X {position(node)} {text(*given.nodes[node - 1])}")
        fixed, values, grows = _node(node, given, table)
        kinematics += fixed
        dynamics += values
        moving = moving or grows
        if table.get("fix_warp"):
            notes.append(Note("left out", f"nprops({node}).fix_warp", "the model has no warping"))
    if "gravity" in given.opt:
        dynamics.append(f"GRAVITY {text(*vector('opt.gravity', given.opt['gravity'], 3))}")
    steps = int(given.opt.get("loadsteps", 10))
    if not 1 <= steps <= 10_000:
        raise ModelError("opt.loadsteps", f"{steps} load steps", "give 1 to 10000")
    dynamics.append(f"ITERSTEP 10 {max(steps - 1, 1)} 0.0000005 1 {3 if moving else 1} 0")
    for name, lines in (("customkin", kinematics), ("customdyn", dynamics)):
        own = given.opt.get(name, ())
        lines.extend([own] if isinstance(own, str) else [str(line) for line in own])
    third = ["END", "HALT", *system] if system else []
    return LightFile("\n".join([*kinematics, "END", "HALT", *dynamics, *third, "END", "END", ""]), beams, tuple(notes))


def _beams(
    given: Arguments, kinematics: list[str], dynamics: list[str], notes: list[Note]
) -> tuple[tuple[int, ...], ...]:
    """Lines of the beams; nodes between the beams of an element come after those of the user."""
    free, number, found = 3 * len(given.nodes) + 1, 1, list[tuple[int, ...]]()
    releases = given.opt.get("rls", ())
    for j, (a, b) in enumerate(given.elements, start=1):
        props = given.properties(j)
        count, start, stop = int(props.get("nbeams", 1)), given.nodes[a - 1], given.nodes[b - 1]
        where = f"elements({j})"
        if props.get("warping"):
            notes.append(Note("left out", where, "warping: the stiffness of the ends against it"))
        numbers = section(f"eprops of element {j}", props, float(np.linalg.norm(stop - start)))
        direction = vector(f"{where}: orien", props.get("orien", (0.0, 1.0, 0.0)), 3)
        if props.get("cshape") == "rect" and "orien" not in props:
            raise ModelError(where, "a rectangular section needs orien, its width direction", "give orien")
        nodes = [position(a), *range(free, free + 3 * (count - 1), 3), position(b)]
        for i, node in enumerate(nodes[1:-1], start=1):
            kinematics.append(f"X {node} {text(*(start + i / count * (stop - start)))}")
        flex, released = props.get("flex", []), _released(releases, j)
        for i in range(count):
            kinematics.append(
                f"BEAM {number + i} {nodes[i]} {nodes[i] + 1} {nodes[i + 1]} {nodes[i + 1] + 1} {text(*direction)}"
            )
            strains = sorted({*flex, *(released if i == count - 1 else ())})
            kinematics += [f"DYNE {number + i} {' '.join(map(str, strains))}"] if strains else []
            if numbers is not None:
                dynamics.append(f"EM {number + i} {text(*numbers.inertia)}")
                dynamics += [f"ESTIFF {number + i} {text(*numbers.stiffness)}"] if strains else []
        found.append(tuple(range(number, number + count)))
        free, number = free + 3 * (count - 1), number + count
    return tuple(found)


def _released(releases: Any, element: int) -> list[int]:
    """Strains that opt.rls releases in the last beam of an element."""
    table = [releases] if isinstance(releases, Mapping) else list(releases)
    if element > len(table) or not table[element - 1]:
        return []
    found = [int(each) for each in np.ravel(table[element - 1].get("def", ()))]
    if not set(found) <= set(range(1, 7)):
        raise ModelError(f"opt.rls({element}).def", f"{found} has numbers beyond 1 to 6", "strains are 1 to 6")
    return found


def _node(node: int, given: Arguments, table: Mapping[str, Any]) -> tuple[list[str], list[str], bool]:
    """Lines of a node in both modules, and true if a load or a motion grows with the load step."""
    x, r = position(node), position(node) + 1
    where = f"nprops({node})"
    first, second = list(_fixed(x, r, table)), list(_masses(x, r, table))
    moving = False
    for word, target in (("force", x), ("moment", r)):
        for suffix, keyword in (("", "DELXF"), ("_initial", "XF")):
            if any(table.get(word + suffix, ())):
                second.append(f"{keyword} {target} {text(*table[word + suffix])}")
                moving = moving or not suffix
    for i, axis in enumerate(AXES):
        for word, target, number in (("displ", x, i + 1), ("rot", r, i + 2)):
            end, begin = table.get(f"{word}_{axis}"), table.get(f"{word}_initial_{axis}")
            if end is None and begin is None:
                continue
            if f"FIX {target}" in first or f"FIX {target} {number}" in first:
                raise ModelError(f"{where}.{word}_{axis}", "this direction is fixed, too", "fix it or move it")
            drawn = given.nodes[node - 1][i] if word == "displ" else 0.0
            size = (lambda value: value) if word == "displ" else (lambda angle: sin(angle / 2.0))
            first.append(f"INPUTX {target} {number}")
            second.append(f"INPUTX {target} {number} {text(drawn + size(begin or 0.0))}")
            if end is not None:
                second.append(f"DELINPX {target} {number} {text(size(end))}")
                moving = True
    for name in ("rot", "rot_initial"):
        if name in table:
            angle, *about = table[name]
            axis_of = np.array(about) / (np.linalg.norm(about) or 1.0)
            for k, part in enumerate(axis_of, start=2):
                first += [f"INPUTX {r} {k}"] if f"INPUTX {r} {k}" not in first else []
                word = "DELINPX" if name == "rot" else "INPUTX"
                second.append(f"{word} {r} {k} {text(sin(angle / 2.0) * part)}")
            moving = moving or name == "rot"
    return first, second, moving


def _fixed(x: int, r: int, table: Mapping[str, Any]) -> Iterator[str]:
    if table.get("fix") or table.get("fix_pos"):
        yield f"FIX {x}"
    else:
        yield from (f"FIX {x} {i}" for i, axis in enumerate(AXES, start=1) if table.get(f"fix_{axis}"))
    if table.get("fix") or table.get("fix_orien"):
        yield f"FIX {r}"


def _masses(x: int, r: int, table: Mapping[str, Any]) -> Iterator[str]:
    if table.get("mass"):
        yield f"XM {x} {text(table['mass'])}"
    if any(table.get("mominertia", ())):
        yield f"XM {r} {text(*table['mominertia'])}"


def _system(given: Arguments) -> Iterator[str]:
    """Inputs and outputs of the state space, in the order of the nodes."""
    inputs = outputs = 0
    for node, table in enumerate(given.nprops, start=1):
        for word in table.get("transfer_in", ()):
            kind, _, axis = word.rpartition("_")
            if kind != "force" or axis not in AXES:
                raise ModelError(f"nprops({node}).transfer_in", f"there is no input '{word}'", "give force_x, _y or _z")
            inputs += 1
            yield f"INPUTF {inputs} {position(node)} {AXES.index(axis) + 1}"
        for word in table.get("transfer_out", ()):
            kind, _, axis = word.rpartition("_")
            if kind not in {"displ", "veloc"} or axis not in AXES:
                remedy = "give displ_x or veloc_x, or another axis"
                raise ModelError(f"nprops({node}).transfer_out", f"there is no output '{word}'", remedy)
            outputs += 1
            yield f"{'OUTX' if kind == 'displ' else 'OUTXP'} {outputs} {position(node)} {AXES.index(axis) + 1}"
