"""Conditions of a SPACAR file: what is fixed, driven, loaded and given at the start, and lumped masses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from flexura.errors import placed
from flexura.formats.spacar.case import Case, Statement
from flexura.formats.spacar.elements import Parts
from flexura.formats.spacar.ends import Ends
from flexura.laws.signals import Polynomial, Ramp
from flexura.planar import Mass as PlanarMass
from flexura.rotations import UNTURNED
from flexura.spatial import Body, Mass

TENSOR = ("Jxx", "Jxy", "Jxz", "Jyy", "Jyz", "Jzz")
"""Order of the numbers of XM of an orientation in space."""


@dataclass
class Conditions:
    """Fields of a model beside its nodes and elements."""

    fixed: list[str] = field(default_factory=list)
    inputs: dict[str, Any] = field(default_factory=dict)
    loads: dict[str, Any] = field(default_factory=dict)
    start: dict[str, float] = field(default_factory=dict)


@dataclass
class Signals:
    """Names of the coordinates and strains of a file."""

    case: Case
    ends: Ends
    positions: dict[int, tuple[float, ...]]

    def coordinate(self, node: int, coordinate: int) -> str:
        """Name of a coordinate of a node."""
        if self.case.kinds[node] == "x":
            return f"n{node}.{'xyz'[coordinate - 1]}"
        return f"{self.ends.end(node)}.{'phi' if self.case.planar else f'e{coordinate - 1}'}"

    def drawn(self, node: int, coordinate: int) -> float:
        """Value of a coordinate as drawn."""
        if self.case.kinds[node] == "x":
            return self.positions[node][coordinate - 1]
        return 0.0 if self.case.planar else UNTURNED[coordinate - 1]

    def strain(self, element: int, strain: int) -> str:
        """Name of a strain of an element."""
        each = self.case.elements[element]
        return f"{each.name}.{each.form.strains[strain - 1]}"

    def count(self, node: int) -> int:
        """Number of the coordinates of a node."""
        return self.case.dimension if self.case.kinds[node] == "x" else 1 if self.case.planar else 4


# ── fixed and driven ─────────────────────────────────────────────────────────────────────────────────────────────────


def fixed_names(signals: Signals) -> list[str]:
    """Names of what is fixed: nodes, ends, or single coordinates, in the order of the numbers of the nodes."""
    case, held = signals.case, dict[int, set[int]]()
    for each in case.of("FIX"):
        if case.kinds[each.target] == "w":
            case.note("left out", each.line.where, f"FIX {each.target}: the model has no warping")
            continue
        numbers = set(each.whole or range(1, signals.count(each.target) + 1))
        twice = held.setdefault(each.target, set()) & numbers
        if twice:
            what = f"FIX: coordinate {min(twice)} of node {each.target} is fixed twice"
            raise each.line.error(what, "leave it out of one of the lines")
        held[each.target] |= numbers
    whole = {node for node, numbers in held.items() if len(numbers) == signals.count(node)}
    names, done = list[str](), set[int]()
    for node in sorted(held, key=lambda node: (case.kinds[node] == "x", node)):
        if case.kinds[node] == "x":
            continue
        x, end = signals.ends.places[node][0]
        if node in whole and x in whole and x not in done:
            names.append(end)
            done.add(x)
        else:
            # the unit length holds the first Euler parameter where the others are fixed
            numbers = held[node] - {1} if node in whole and not case.planar else held[node]
            names += [signals.coordinate(node, number) for number in sorted(numbers)]
    for node in sorted(node for node in held if case.kinds[node] == "x" and node not in done):
        names += [f"n{node}"] if node in whole else [signals.coordinate(node, c) for c in sorted(held[node])]
    return names


def motion(value: float, rate: float, acceleration: float) -> Any:
    """Function of time: a number, a ramp or a polynomial."""
    if acceleration:
        return Polynomial((value, rate, acceleration / 2.0))
    return Ramp(rate=rate, value=value) if rate else value


def driven(signals: Signals, conditions: Conditions, steps: bool) -> None:
    """Inputs: declared in the kinematics module, with values in that of dynamics; increments act over load steps."""
    case = signals.case
    kinds: tuple[tuple[str, str, Callable[[int, int], str]], ...] = (
        ("INPUTX", "DELINPX", signals.coordinate),
        ("INPUTE", "DELINPE", signals.strain),
    )
    for word, increment, name in kinds:
        declared = {(each.target, number): each for each in case.of(word) for number in each.whole}
        values = _once(case.values.get(word, []))
        grown = _once(case.of(increment))
        rates = _once(case.of("ED" if word == "INPUTE" else "XD"))
        for key, each in (values | grown).items():
            if key not in declared:
                what = f"{each.line.keyword}: {name(*key)} is not declared as an input"
                raise each.line.error(what, f"add {word} {key[0]} {key[1]} to the kinematics module")
        for key, each in declared.items():
            at_rest = signals.drawn(*key) if word == "INPUTX" else 0.0
            given = values[key].reals if key in values else (at_rest, rates[key].reals[0] if key in rates else 0.0)
            value, rate, acceleration = (*given, 0.0, 0.0)[:3]
            if key not in values and key not in rates and key not in grown:
                case.note("assumed", each.line.where, f"{word} {key[0]} {key[1]} has no value: it is held as drawn")
            if key in grown:
                if steps and not rate and not acceleration:
                    rate = grown[key].reals[0]
                else:
                    case.note("left out", grown[key].line.where, f"{increment} acts in load steps only")
            _warn_of_sign(case, each, word, key)
            conditions.inputs[name(*key)] = motion(value, rate, acceleration)


def _warn_of_sign(case: Case, each: Statement, word: str, key: tuple[int, int]) -> None:
    """No source says whether the signs of bending strains are those of this package."""
    if word != "INPUTX" and "bending" in case.elements[key[0]].form.strains[key[1] - 1]:
        case.note("assumed", each.line.where, f"{each.line.keyword}: the sign of bending is that of this package")


def _once(statements: list[Statement]) -> dict[tuple[int, int], Statement]:
    """Statements by target and number, each once."""
    found: dict[tuple[int, int], Statement] = {}
    for each in statements:
        key = each.target, each.whole[0]
        if key in found:
            what = f"{each.line.keyword} {key[0]} {key[1]} was given in line {found[key].line.number}"
            raise each.line.error(what, "leave one of the two lines out")
        found[key] = each
    return found


# ── loads and start ──────────────────────────────────────────────────────────────────────────────────────────────────


def loads(signals: Signals, conditions: Conditions, parts: Parts, steps: bool) -> None:
    """Forces, moments, increments of load steps, initial stresses and damping that differs by strain."""
    case = signals.case
    constant, growing = dict[str, float](), dict[str, float]()
    for word, found in (("XF", constant), ("DELXF", growing)):
        for each in case.once(word).values():
            if word == "DELXF" and not steps:
                case.note("left out", each.line.where, "DELXF acts in load steps only, and the file has no ITERSTEP")
                continue
            for name, value in _forces(signals, each):
                found[name] = value
    for name in {**constant, **growing}:
        value = motion(constant.get(name, 0.0), growing.get(name, 0.0), 0.0)
        if value != 0.0:
            conditions.loads[name] = value
    stress = dict[str, float]()
    for each in case.once("ESIG").values():
        most = len(case.elements[each.target].form.strains)
        if len(each.reals) > most:
            raise each.line.error(f"ESIG: element {each.target} has {most} stresses", "give no more")
        for number, value in enumerate(each.reals, start=1):
            if value:
                # a load does positive work on its strain, a stress negative work
                stress[signals.strain(each.target, number)] = -value
                _warn_of_sign(case, each, "ESIG", (each.target, number))
    for name in {**stress, **parts.damped}:
        terms = parts.damped.get(name, [])
        value = stress.get(name, 0.0)
        conditions.loads[name] = " + ".join([*([repr(value)] if value else []), *terms]) if terms else value


def _forces(signals: Signals, each: Statement) -> list[tuple[str, float]]:
    """Loads of a line XF: a force, a moment, or four duals of the Euler parameters."""
    case, node, numbers = signals.case, each.target, each.reals
    kind = case.kinds[node]
    if kind == "w":
        case.note("left out", each.line.where, f"{each.line.keyword} {node}: the model has no warping")
        return []
    counts = (case.dimension,) if kind == "x" else (1,) if case.planar else (3, 4)
    if len(numbers) not in counts:
        what = f"{each.line.keyword}: node {node} takes {' or '.join(map(str, counts))} numbers, not {len(numbers)}"
        raise each.line.error(what, "give one for each direction")
    if kind == "x" or case.planar or len(numbers) == 4:
        names = [signals.coordinate(node, i) for i in range(1, len(numbers) + 1)]
    else:
        names = [f"{signals.ends.end(node)}.about_{axis}" for axis in "xyz"]
    return [(name, value) for name, value in zip(names, numbers, strict=True) if value]


def starts(signals: Signals, conditions: Conditions) -> None:
    """Values and rates at the start."""
    case = signals.case
    kinds: tuple[tuple[str, Callable[[int, int], str]], ...] = (
        ("STARTDX", signals.coordinate), ("STARTDE", signals.strain),
    )  # fmt: skip
    for word, name in kinds:
        for key, each in _once(case.of(word)).items():
            value, rate = (*each.reals, 0.0)[:2]
            at_rest = signals.drawn(*key) if word == "STARTDX" else 0.0
            _warn_of_sign(case, each, "INPUTX" if word == "STARTDX" else word, key)
            if value != at_rest:
                conditions.start[name(*key)] = value
            if rate:
                conditions.start[f"{name(*key)}'"] = rate
    if case.dialect == "delft":
        inputs = {(each.target, number) for each in case.of("INPUTE") for number in each.whole}
        driven_nodes = {(each.target, number) for each in case.of("INPUTX") for number in each.whole}
        given: tuple[tuple[str, str, Callable[[int, int], str], set[tuple[int, int]]], ...] = (
            ("E", "", signals.strain, inputs),
            ("ED", "'", signals.strain, inputs),
            ("XD", "'", signals.coordinate, driven_nodes),
        )
        for word, prime, name, known in given:
            for key, each in _once(case.of(word)).items():
                if word == "E":
                    _warn_of_sign(case, each, word, key)
                if word == "E" and key in known:
                    case.note("left out", each.line.where, "E: a driven strain begins as drawn")
                elif key not in known and each.reals[0]:
                    conditions.start[f"{name(*key)}{prime}"] = each.reals[0]


# ── lumped masses ────────────────────────────────────────────────────────────────────────────────────────────────────


def masses(signals: Signals) -> dict[str, Any]:
    """Lumped masses: a point mass at a position, a body where there is a rotary inertia."""
    case, ends, found = signals.case, signals.ends, dict[str, Any]()
    given = case.once("XM")
    taken: set[int] = set()
    for node in sorted(number for number in given if case.kinds[number] == "r"):
        each = given[node]
        count = 1 if case.planar else 6
        if len(each.reals) != count:
            what = f"XM: the orientation {node} takes {count} numbers, not {len(each.reals)}"
            raise each.line.error(what, "give J, or in space Jxx Jxy Jxz Jyy Jyz Jzz")
        x, end = next((at for at in ends.places[node] if at[0] in given and at[0] not in taken), ends.places[node][0])
        mass = 0.0
        if x in given and x not in taken:
            mass = _mass(given[x])
            taken.add(x)
        name = f"{'m' if case.planar else 'b'}{x}"
        name = f"{name}_{node}" if name in found else name
        if case.planar:
            found[name] = PlanarMass(end, mass, each.reals[0])
        else:
            tensor: dict[str, Any] = dict(zip(TENSOR, each.reals, strict=True))
            with placed(each.line.where):
                found[name] = Body(end, mass, **tensor)
    for node, each in sorted(given.items()):
        if case.kinds[node] == "x" and node not in taken:
            kind = PlanarMass if case.planar else Mass
            found[f"m{node}"] = kind(f"n{node}", _mass(each))
        elif case.kinds[node] == "w":
            case.note("left out", each.line.where, f"XM {node}: the model has no warping")
    return found


def _mass(each: Statement) -> float:
    if len(each.reals) != 1:
        raise each.line.error(
            f"XM: the position {each.target} takes one number, not {len(each.reals)}", "give its mass"
        )
    return each.reals[0]
