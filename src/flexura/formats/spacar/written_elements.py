"""Elements of a model as lines of a SPACAR file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import inf, nextafter
from typing import Any

import numpy as np

from flexura.formats.registry import Note
from flexura.formats.spacar.conditions import TENSOR
from flexura.formats.spacar.keywords import ELEMENTS
from flexura.formats.spacar.lines import Dialect
from flexura.formats.spacar.numbering import Numbering, unwritable
from flexura.laws.sections import Section, properties
from flexura.laws.springs import LinearLaw
from flexura.model.names import Address


@dataclass
class Written:
    """Lines by module, and what the strains of the model are."""

    dialect: Dialect
    numbering: Numbering
    held: set[Address]
    driven: set[Address]
    released: set[Address]
    laws: dict[Address, LinearLaw]
    loaded: dict[Address, dict[Address, float]] = field(default_factory=dict)
    """strain → factors of rates of strains in the formula of its load"""
    kinematics: list[str] = field(default_factory=list)
    free: list[str] = field(default_factory=list)
    dynamics: list[str] = field(default_factory=list)
    masses: dict[int, float] = field(default_factory=dict)
    inertias: dict[int, tuple[float, ...]] = field(default_factory=dict)
    positions: dict[int, tuple[float, ...]] = field(default_factory=dict)
    used: set[int] = field(default_factory=set)
    """orientation nodes that an element names"""
    notes: list[Note] = field(default_factory=list)
    """properties that the file cannot have"""


def quotient(target: float, divisor: float) -> float:
    """Number that a reader divides by the divisor to get the target, to the last bit where there is one."""
    return exactly(lambda value: value / divisor, target, target * divisor)


def exactly(back: Callable[[float], float], target: float, guess: float) -> float:
    """Number near a guess that a reader turns back into the target, to the last bit where there is one."""
    below = above = guess
    for _ in range(6):
        for value in (below, above):
            if back(value) == target:
                return value
        below, above = nextafter(below, -inf), nextafter(above, inf)
    return guess


def text(*values: float) -> str:
    """Numbers as text, every bit of them."""
    return " ".join(
        repr(float(value)) if value != int(value) or abs(value) > 1e9 else f"{int(value)}" for value in values
    )


def write_element(written: Written, name: str, element: Any) -> None:
    """Write the lines of a part of an element."""
    kind, space = type(element).__name__, element.space
    writer = _WRITERS.get((space, kind))
    if writer is None:
        known = ", ".join(sorted({word for where, word in _WRITERS if where == space}))
        what = f"no line of a SPACAR file for a {space} {kind} is known; {space} elements are {known}"
        raise unwritable(f"elements.{name}", what)
    writer(written, name, element)


def _nodes(written: Written, name: str, kinds: str) -> list[int]:
    """Numbers of the nodes of an element, by the kinds of its line."""
    slots, found = list(written.numbering.names.attachments[name].values()), list[int]()
    turn = iter(end for end in slots if end.orientation is not None)
    place = iter(slots)
    for kind in kinds:
        if kind == "x":
            found.append(written.numbering.positions[next(place).position])
        else:
            found.append(written.numbering.orientations[str(next(turn).orientation)])
            written.used.add(found[-1])
    return found


def _line(written: Written, name: str, keyword: str, kinds: str, direction: tuple[float, ...] = ()) -> int:
    number = written.numbering.elements[name]
    numbers = " ".join(map(str, _nodes(written, name, kinds)))
    written.kinematics.append(f"{keyword} {number} {numbers} {text(*direction)}".rstrip() + f"  % {name}")
    return number


def _free(written: Written, name: str, keyword: str, stiffness: Any) -> list[int]:
    """Numbers of the strains that are free, which become a line DYNE."""
    number, found = written.numbering.elements[name], list[int]()
    for i, strain in enumerate(ELEMENTS[keyword].strains, start=1):
        address = Address("strain", name, strain)
        soft = stiffness[i - 1] < inf or address in written.released
        if soft and address not in written.held and address not in written.driven:
            found.append(i)
    if found:
        written.free.append(f"DYNE {number} {' '.join(map(str, found))}")
    return found


def _dynamics(written: Written, keyword: str, number: int, values: list[float]) -> None:
    if any(values):
        written.dynamics.append(f"{keyword} {number} {text(*values)}")


def _finite(*values: float) -> list[float]:
    return [0.0 if value == inf else value for value in values]


def _spatial_beam(written: Written, name: str, element: Any) -> None:
    y_axis = tuple(element.y_axis) if any(element.y_axis) else ()
    section, length = properties(element.section, element.material), written.numbering.names.drawing.length(name)
    free = _free(written, name, "BEAM", np.diag(element.stiffness(length)))
    number = _line(written, name, _keyword(written, name, element, free), "xrxr", y_axis)
    _lumped(written, name, element, section)
    inertia = [section.rhoIy + section.rhoIz, section.rhoIy, section.rhoIz, 0.0] if element.rotary != "none" else []
    _dynamics(written, "EM", number, [section.rhoA, *inertia])
    if free:
        main = _finite(section.EA, section.GIt, section.about_y, section.about_z)
        _lawful(written, name, element, length, main)
        GA = element.shear * section.GA if element.shear and inf > section.GA else 0.0
        shear = [_shear(k, GA) if GA and k else 0.0 for k in main[2:]]
        _dynamics(written, "ESTIFF", number, [*main, *shear])
        _damping(written, name, element, length, main, ((0,), (1,), (2, 3), (4, 5)))


def _keyword(written: Written, name: str, element: Any, free: list[int]) -> str:
    """Keyword of a beam, by its terms of second order: beams of Twente have them, those of Delft as BEAMNL."""
    word = "BEAM" if element.space == "spatial" else "PLBEAM"
    if free and element.second_order and written.dialect == "delft":
        return f"{word}NL"
    if free and not element.second_order and written.dialect == "twente":
        what = "SPACAR of Twente adds terms of second order to the strains of this beam; a file of Delft has none"
        written.notes.append(Note("approximated", f"elements.{name}", what))
    return word


def _shear(k: float, GA: float) -> float:
    """EI/(kGA), from which a reader gets the same kGA."""
    return exactly(lambda c: k / c, GA, k / GA)


def _lawful(written: Written, name: str, element: Any, length: float, main: list[float]) -> None:
    """Put the stiffnesses of laws in place of those of the section, and refuse laws of bending."""
    for strain in element.strains:
        law = written.laws.get(Address("strain", name, strain))
        if law is not None and "bending" in strain:
            raise unwritable(f"laws.{name}.{strain}", "a SPACAR file has no law for one strain of bending")
        if law is not None:
            i, power = (0, 1) if strain == "elongation" else (1, 3)
            main[i] = quotient(law.k, length**power)


def _damping(
    written: Written, name: str, element: Any, length: float, stiff: list[float], kinds: tuple[tuple[int, ...], ...]
) -> None:
    """The line EDAMP: time constants by stiffnesses, or factors of a formula of loads."""
    matrix, stiffness = np.atleast_2d(element.damping(length)), np.atleast_2d(element.stiffness(length))
    strains = [Address("strain", name, strain) for strain in element.strains]
    values = []
    for k, own in zip(stiff, kinds, strict=True):
        i = own[0]
        law = written.laws.get(strains[i])
        if law is not None:
            values.append(law.c * length ** (1 if i == 0 else 3))
            continue
        time = matrix[i, i] / stiffness[i, i] if 0.0 < stiffness[i, i] < inf else 0.0
        if k and isinstance(element.section, Section) and element.section.damping:
            time = element.section.damping
        value = quotient(time, k) if k else 0.0
        formula = written.loaded.get(strains[i], {}).get(strains[i])
        if formula is not None:
            power = 1 if i == 0 else 3
            scale = 4.0 if len(own) == 2 else 1.0
            value += _factor(-formula, scale, length**power)
        values.append(value)
    _dynamics(written, "EDAMP", written.numbering.elements[name], values)


def _factor(target: float, scale: float, power: float) -> float:
    """Coefficient of damping that a reader turns into a factor of a formula."""
    return exactly(lambda value: scale * value / power, target, target / scale * power)


def _planar_beam(written: Written, name: str, element: Any) -> None:
    section, length = properties(element.section, element.material), written.numbering.names.drawing.length(name)
    free = _free(written, name, "PLBEAM", np.diag(element.stiffness(length)))
    number = _line(written, name, _keyword(written, name, element, free), "xrxr")
    _lumped(written, name, element, section)
    _dynamics(written, "EM", number, [section.rhoA, section.rhoIz if element.rotary != "none" else 0.0])
    if free:
        main = _finite(section.EA, section.EI)
        _lawful(written, name, element, length, main)
        GA = _shear_stiffness(element, section)
        _dynamics(written, "ESTIFF", number, [*main, _shear(main[1], GA) if GA and main[1] else 0.0])
        _damping(written, name, element, length, main, ((0,), (1, 2)))


def _lumped(written: Written, name: str, element: Any, section: Section) -> None:
    if element.rotary == "lumped" and (section.rhoIy or section.rhoIz):
        written.notes.append(Note("left out", f"elements.{name}", "the rotary inertia is lumped, which no line says"))


def _shear_stiffness(element: Any, section: Section) -> float:
    return float(element.shear * section.GA) if element.shear and inf > section.GA else 0.0


def _truss(written: Written, name: str, element: Any) -> None:
    keyword = "TRUSS" if element.space == "spatial" else "PLTRUSS"
    number = _line(written, name, keyword, "xx")
    section, length = properties(element.section, element.material), written.numbering.names.drawing.length(name)
    _dynamics(written, "EM", number, [section.rhoA])
    law = written.laws.get(Address("strain", name, "elongation"))
    if _free(written, name, keyword, np.diag(element.stiffness(length))):
        EA = section.EA if law is None else law.k * length
        _dynamics(written, "ESTIFF", number, [EA])
        if law is None:
            _damping(written, name, element, length, [EA], ((0,),))
        else:
            _dynamics(written, "EDAMP", number, [quotient(law.c, length)])


def _hinge(written: Written, name: str, element: Any) -> None:
    spatial = element.space == "spatial"
    keyword = "HINGE" if spatial else "PLTOR"
    number = _line(written, name, keyword, "rr", tuple(element.axis) if spatial else ())
    stiffness, damping = np.diag(element.stiffness(0.0)), np.diag(element.damping(0.0))
    if _free(written, name, keyword, stiffness):
        _springs(written, name, keyword, number, _finite(*stiffness), list(damping))


def _springs(written: Written, name: str, keyword: str, number: int, k: list[float], c: list[float]) -> None:
    """Stiffness and damping of strains one by one, with the laws of those that are released."""
    for i, strain in enumerate(ELEMENTS[keyword].strains):
        law = written.laws.get(Address("strain", name, strain))
        if law is not None:
            k[i], c[i] = law.k, law.c
    _dynamics(written, "ESTIFF", number, k)
    _dynamics(written, "EDAMP", number, c)


def _link(written: Written, name: str, element: Any) -> None:
    keyword = "PINBODY" if element.space == "spatial" else "PLPINBODY"
    number = _line(written, name, keyword, "xrx")
    if _free(written, name, keyword, [inf] * 3):
        zeros = [0.0] * len(element.strains)
        _springs(written, name, keyword, number, list(zeros), list(zeros))


def _wheel(written: Written, name: str, element: Any) -> None:
    plain = not (element.surface or element.crown or element.friction) and tuple(element.normal) == (0.0, 0.0, 1.0)
    if not plain or min(element.k_radial, element.k_lateral) < inf:
        raise unwritable(f"elements.{name}", "a SPACAR wheel is rigid, with a sharp rim on a horizontal plane")
    number = _line(written, name, "WHEEL", "xrx", tuple(element.axle))
    for slip, word in ((4, "along"), (5, "across")):
        free = Address("strain", name, word) in written.released
        written.free.append(f"RLSE {number} {slip}" if free else f"ENHC {number} {slip} {number} {slip}")


def _mass(written: Written, name: str, element: Any) -> None:
    (end,) = written.numbering.names.attachments[name].values()
    _add(written.masses, written.numbering.positions[end.position], element.mass)
    if element.space == "planar" and element.inertia:
        node = written.numbering.orientations[str(end.orientation)]
        written.inertias[node] = (written.inertias.get(node, (0.0,))[0] + element.inertia,)


def _add(masses: dict[int, float], node: int, mass: float) -> None:
    masses[node] = masses.get(node, 0.0) + mass


def _body(written: Written, name: str, element: Any) -> None:
    end = written.numbering.names.attachments[name]["p"]
    place, node = written.numbering.positions[end.position], written.numbering.orientations[str(end.orientation)]
    if any(element.centre):
        at = tuple(a + b for a, b in zip(written.positions[place], element.centre, strict=True))
        place = _point(written, place, node, at, f"centre of {name}")
    if element.mass:
        _add(written.masses, place, element.mass)
    spatial = element.space == "spatial"
    tensor = tuple(getattr(element, word) for word in (TENSOR if spatial else ("inertia",)))
    before = written.inertias.get(node, (0.0,) * len(tensor))
    if any(tensor):
        written.inertias[node] = tuple(a + b for a, b in zip(before, tensor, strict=True))


def _point(written: Written, place: int, node: int, at: tuple[float, ...], why: str) -> int:
    """A further position node that is fixed to an orientation."""
    numbers = written.numbering
    new = max([*written.positions, *numbers.orientations.values()]) + 1
    element = max([*numbers.elements.values(), *_added(written)], default=0) + 1
    written.positions[new] = at
    keyword = "PINBODY" if len(at) == 3 else "PLPINBODY"
    written.kinematics.append(f"{keyword} {element} {place} {node} {new}  % {why}")
    written.used.add(node)
    return new


def _added(written: Written) -> Iterator[int]:
    return (int(line.split()[1]) for line in written.kinematics)


def introduce(written: Written) -> None:
    """Name the orientations that no element names yet, so that their inertia has a node."""
    for name, node in written.numbering.orientations.items():
        if node not in written.used:
            ends = [end for slots in written.numbering.names.attachments.values() for end in slots.values()]
            at = next(end.position for end in ends if end.orientation == name)
            place = written.numbering.positions[at]
            _point(written, place, node, written.positions[place], f"orientation of {name}")


_WRITERS: dict[tuple[str, str], Callable[[Written, str, Any], None]] = {
    ("spatial", "Beam"): _spatial_beam, ("planar", "Beam"): _planar_beam, ("spatial", "Truss"): _truss,
    ("planar", "Truss"): _truss, ("spatial", "Hinge"): _hinge, ("planar", "Hinge"): _hinge,
    ("spatial", "Link"): _link, ("spatial", "Wheel"): _wheel, ("spatial", "Mass"): _mass, ("planar", "Mass"): _mass,
    ("spatial", "Body"): _body, ("planar", "Body"): _body, ("planar", "Link"): _link,
}  # fmt: skip
