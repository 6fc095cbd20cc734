"""Writing of SPACAR files."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from flexura.atomic_files import whole
from flexura.errors import ModelError
from flexura.formats.registry import FormatWarning, Note, writes_model
from flexura.formats.spacar.keywords import ELEMENTS
from flexura.formats.spacar.lines import Dialect
from flexura.formats.spacar.numbering import Numbering, ground_ends, number, unwritable
from flexura.formats.spacar.written_elements import Written, introduce, text, write_element
from flexura.laws.signals import Constant, Expression, Polynomial, Ramp
from flexura.laws.springs import LinearLaw
from flexura.model.model import Model
from flexura.model.names import Address

_TERM = re.compile(r"(-?[0-9.e+-]+)\*([\w.]+)'")


@writes_model(".dat")
def _write(model: Model, path: Path) -> None:
    save_spacar(model, path)


def save_spacar(
    model: Model, path: str | os.PathLike[str], *, dialect: Dialect | None = None, until: float = 0.0
) -> None:
    """Write a model as a SPACAR file; what the format cannot say is refused by name.

    The ``dialect`` is "twente" or "delft", by default the one whose flexible beams are those of the model: beams of
    Twente have terms of second order, beams of Delft have none.
    ``until`` is the last time of a forward simulation [s], with 100 output steps; without it the file has no TIMESTEP.
    """
    content, notes = _formatted(model, dialect, until)
    if notes:
        lines = "".join(f"\n  {note}" for note in notes)
        warnings.warn(f"{Path(path).name}: the file differs from the model:{lines}", FormatWarning, stacklevel=2)
    with whole(Path(path)) as draft:
        draft.write_text(content, encoding="utf-8", newline="\n")


def format_spacar(model: Model, *, dialect: Dialect | None = None, until: float = 0.0) -> str:
    """Text of a SPACAR file with a model."""
    return _formatted(model, dialect, until)[0]


def _formatted(model: Model, dialect: Dialect | None, until: float) -> tuple[str, list[Note]]:
    """Text of a file, and notes on what it does not say."""
    if dialect is None:
        with suppress(ModelError):
            twente = _written(model, "twente", until)
            if not twente[1]:
                return twente
            delft = _written(model, "delft", until)
            return delft if len(delft[1]) < len(twente[1]) else twente
    return _written(model, dialect or "twente", until)


def _written(model: Model, dialect: Dialect, until: float) -> tuple[str, list[Note]]:
    """Text of a file in a dialect, and notes on what it does not say."""
    for name in ("states", "controllers"):
        if getattr(model, name):
            raise unwritable(name, f"a SPACAR file has no {name}")
    numbering = number(model)
    names = numbering.names
    laws = {names.resolve(name): _spring(name, law) for name, law in model.laws.items()}
    held, driven, free = (
        {a for name in given for a in names.expand(name)} for given in (model.fixed, model.inputs, model.released)
    )
    written = Written(dialect, numbering, held, driven, free, laws)
    written.positions.update((i, names.positions[name]) for name, i in numbering.positions.items())
    steps = _loads(written, model)
    for name, element in names.elements.items():
        if ":" not in name:
            write_element(written, name, element)
    introduce(written)
    _fixed(written, model)
    _inputs(written, model)
    _start(written, model)
    written.dynamics += [f"XM {node} {text(mass)}" for node, mass in sorted(written.masses.items()) if mass]
    written.dynamics += [f"XM {node} {text(*numbers)}" for node, numbers in sorted(written.inertias.items())]
    if any(model.gravity):
        written.dynamics.append(f"GRAVITY {text(*model.gravity)}")
    if steps:
        written.dynamics.append("ITERSTEP 10 10 0.0000005 1 3 0")
    if until:
        written.dynamics.append(f"TIMESTEP {text(until)} 100" if dialect == "twente" else f"TIMESTEP 100 {text(until)}")
    places = [f"X {node} {text(*at)}" for node, at in sorted(written.positions.items())]
    kinematics = [*written.kinematics, *places, *written.free]
    title = [model.title.replace("\n", " ")] if model.title else []
    lines = _twente(title, kinematics, written.dynamics) if dialect == "twente" else _delft(title, kinematics, written)
    return lines, written.notes


def _twente(title: list[str], kinematics: list[str], dynamics: list[str]) -> str:
    heads = [f"% {line}" for line in title]
    return "\n".join([*heads, *kinematics, "END", "HALT", *dynamics, "END", "END", ""])


def _delft(title: list[str], kinematics: list[str], written: Written) -> str:
    words = {"XM": "mass", "XF": "force"}
    lines = []
    for line in (*kinematics, *written.dynamics):
        keyword, _, rest = line.partition("  %")[0].partition(" ")
        lines.append(f"{words.get(keyword, keyword.lower())} {rest}")
    return "\n".join([*(f"* {line}" for line in title), *lines, "end", "eof", ""])


def _spring(name: str, law: Any) -> LinearLaw:
    if not isinstance(law, LinearLaw) or law.preload:
        raise unwritable(f"laws.{name}", "a SPACAR file has springs and dampers, no other laws")
    return law


def _number(numbering: Numbering, address: Address, where: str) -> tuple[str, int, int]:
    """Letter of a keyword, target and number of a signal."""
    if address.kind == "strain" and address.owner in numbering.elements:
        kind = type(numbering.names.elements[address.owner]).__name__.upper()
        form = ELEMENTS.get(kind if numbering.names.model.dimension == 3 else f"PL{kind}", ELEMENTS["PINBODY"])
        strains = form.strains if kind != "HINGE" or form is not ELEMENTS["PINBODY"] else ELEMENTS["PLTOR"].strains
        if address.component in strains:
            return "E", numbering.elements[address.owner], strains.index(address.component) + 1
    elif address.kind == "coordinate" and not address.integral:
        return "X", *numbering.node(address.owner, address.component)
    raise unwritable(where, f"a SPACAR file has no number for the signal {address}")


def _fixed(written: Written, model: Model) -> None:
    numbering, found = written.numbering, dict[int, set[int]]()
    ground = ground_ends(numbering.names)
    skipped = {a for end in ground for a in numbering.names.expand(end)}
    for address in sorted(written.held - skipped):
        if address.kind == "coordinate":
            node, coordinate = numbering.node(address.owner, address.component)
            found.setdefault(node, set()).add(coordinate)
        else:
            _number(numbering, address, f"fixed {address}")
    turns = set(numbering.orientations.values())
    for node, numbers in sorted(found.items()):
        every = len(numbers) == ((1 if model.dimension == 2 else 4) if node in turns else model.dimension)
        three = node in turns and numbers == {2, 3, 4}
        said = "" if every or three else " " + " ".join(map(str, sorted(numbers)))
        written.free.append(f"FIX {node}{said}")


def _inputs(written: Written, model: Model) -> None:
    for name, signal in model.inputs.items():
        address = written.numbering.names.resolve(name)
        letter, target, i = _number(written.numbering, address, f"inputs.{name}")
        value, rate, acceleration = _quadratic(f"inputs.{name}", signal)
        written.free.append(f"INPUT{letter} {target} {i}")
        if written.dialect == "twente":
            written.dynamics.append(f"INPUT{letter} {target} {i} {text(value, rate, acceleration)}")
        elif acceleration or value != _drawn(written.numbering, address):
            raise unwritable(f"inputs.{name}", "a Delft file has inputs that begin as drawn, with a constant rate")
        else:
            written.dynamics.append(f"{letter}D {target} {i} {text(rate)}")


def _quadratic(where: str, signal: Any) -> tuple[float, float, float]:
    """Value, rate and acceleration of a function of time that is a polynomial of second degree."""
    if isinstance(signal, Constant):
        return signal.value, 0.0, 0.0
    if isinstance(signal, Ramp) and signal.start == 0.0:
        return signal.value, signal.rate, 0.0
    if isinstance(signal, Polynomial) and len(signal.coefficients) <= 3:
        value, rate, half = (*signal.coefficients, 0.0, 0.0)[:3]
        return value, rate, 2.0 * half
    what = f"a SPACAR file has motions of constant acceleration, and {type(signal).__name__} is none"
    raise unwritable(where, what)


def _loads(written: Written, model: Model) -> bool:
    """Lines of loads; true if some of them grow with the load step."""
    numbering = written.numbering
    forces: dict[tuple[str, int], dict[int, tuple[float, float]]] = {}
    growing = False
    for name, signal in model.loads.items():
        address = numbering.names.resolve(name) if not isinstance(signal, tuple) else None
        if address is None:
            raise unwritable(f"loads.{name}", "a SPACAR file has no distributed loads")
        if address.kind == "strain" and not address.internal:
            _stress(written, name, address, signal, forces)
            continue
        value, rate, acceleration = _quadratic(f"loads.{name}", signal)
        if acceleration:
            raise unwritable(f"loads.{name}", "the load steps of SPACAR are linear")
        owner, _, carrier = address.owner.partition(":")
        if carrier == "about":
            key, i, size = ("XF", numbering.orientations[owner]), "xyz".index(address.component), 3
        elif carrier:
            raise unwritable(f"loads.{name}", "a SPACAR file has moments about the axes of space")
        else:
            node, i = numbering.node(address.owner, address.component)
            key, i = ("XF", node), i - 1
            size = model.dimension if address.component in "xyz" else 1 if model.dimension == 2 else 4
        before = forces.setdefault(key, {})
        if before.get(-1, (size, 0.0))[0] != size:
            raise unwritable(f"loads.{name}", "a node has moments about axes or forces on Euler parameters, not both")
        before[-1], before[i] = (size, 0.0), (value, rate)
        growing = growing or rate != 0.0
    for (keyword, target), parts in forces.items():
        size = int(parts.pop(-1)[0])
        for word, own in ((keyword, 0), (f"DEL{keyword}", 1)):
            numbers = [parts.get(i, (0.0, 0.0))[own] for i in range(size)]
            if any(numbers):
                written.dynamics.append(f"{word} {target} {text(*numbers)}")
    return growing


def _stress(written: Written, name: str, address: Address, signal: Any, forces: Any) -> None:
    """Load on a strain: an initial stress, or the damping force that a reader writes as a formula."""
    constant = signal.value if isinstance(signal, Constant) else 0.0
    if isinstance(signal, Expression):
        factors: dict[Address, float] = {}
        for term in signal.text.split(" + "):
            matched = _TERM.fullmatch(term)
            if matched:
                factors[written.numbering.names.resolve(matched[2])] = float(matched[1])
            elif re.fullmatch(r"-?[0-9.e+-]+", term):
                constant += float(term)
            else:
                raise unwritable(f"loads.{name}", f"a SPACAR file has no formula '{signal.text}'")
        written.loaded[address] = factors
    elif not isinstance(signal, Constant):
        raise unwritable(f"loads.{name}", "an initial stress of SPACAR is constant")
    if constant:
        _, target, i = _number(written.numbering, address, f"loads.{name}")
        strains = len(written.numbering.names.elements[address.owner].strains)
        forces.setdefault(("ESIG", target), {-1: (strains, 0.0)})[i - 1] = (-constant, 0.0)


def _start(written: Written, model: Model) -> None:
    numbering, found = written.numbering, dict[Address, list[float]]()
    for name, given in model.start.items():
        where, value = f"start.{name}", given
        if not isinstance(value, float | int) or name.endswith("''"):
            raise unwritable(where, "a SPACAR file has values and rates of coordinates and strains")
        address = numbering.names.resolve(name.rstrip("'"))
        owner, _, carrier = address.owner.partition(":")
        if carrier in {"about", "about_own"} and name.endswith("'"):
            # as drawn, the rate of an Euler parameter is half that of the rotation about its axis
            address, value = Address("coordinate", owner, f"e{'xyz'.index(address.component) + 1}"), value / 2.0
        found.setdefault(address, [_drawn(numbering, address), 0.0])[name.endswith("'")] = float(value)
    for address, numbers in found.items():
        letter, target, i = _number(numbering, address, f"start.{address}")
        written.dynamics.append(f"STARTD{letter} {target} {i} {text(*numbers)}")


def _drawn(numbering: Numbering, address: Address) -> float:
    """Value of a signal as drawn."""
    if address.kind != "coordinate" or address.turns:
        return 1.0 if address.component == "e0" else 0.0
    place: Mapping[str, Any] = numbering.names.positions
    return float(place[address.owner]["xyz".index(address.component)])
