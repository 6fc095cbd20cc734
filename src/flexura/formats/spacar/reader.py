"""Reading of SPACAR files."""

from __future__ import annotations

import os
import re
from math import dist
from pathlib import Path

from flexura.errors import ModelError, placed
from flexura.formats.registry import Imported, Severity, reads
from flexura.formats.spacar.case import Case, read_case
from flexura.formats.spacar.conditions import Conditions, Signals, driven, fixed_names, loads, masses, starts
from flexura.formats.spacar.elements import BUILDERS, Draft, Options, Parts, Rotary
from flexura.formats.spacar.ends import Ends, find_ends
from flexura.formats.spacar.runs import mode_of, runs, system
from flexura.formats.spacar.strains import Strains, element_numbers, find_strains
from flexura.formats.text_files import read_text
from flexura.model.model import Model


def load_spacar(
    path: str | os.PathLike[str],
    *,
    mode: int | None = None,
    second_order: bool | None = None,
    rotary: Rotary = "consistent",
) -> Model:
    """Model in a SPACAR file, of the dialect of Twente or of Delft.

    Nodes are named ``n3``, elements ``e2``, lumped masses ``m3`` and bodies ``b3`` after their numbers. ``mode`` is the
    mode of SPACAR for which the file was written, by default the one that its lines ask for. ``second_order`` is that
    of the beams, by default true for files of Twente, and ``rotary`` their rotary inertia. A warning lists all lines
    that the model lacks.
    """
    return read_spacar(path, mode=mode, second_order=second_order, rotary=rotary).warn(path)


def read_spacar(
    path: str | os.PathLike[str],
    *,
    mode: int | None = None,
    second_order: bool | None = None,
    rotary: Rotary = "consistent",
) -> Imported:
    """Model in a SPACAR file, with the runs of its mode and notes on what became of its lines."""
    with placed(Path(path).name):
        return parse_spacar(read_text(path), mode=mode, second_order=second_order, rotary=rotary)


@reads(".dat")
def _read(path: Path) -> Imported:
    return read_spacar(path)


def parse_spacar(
    text: str, *, mode: int | None = None, second_order: bool | None = None, rotary: Rotary = "consistent"
) -> Imported:
    """Model in the text of a SPACAR file."""
    case = read_case(text)
    kind = mode_of(case, mode)
    curved = case.dialect == "twente" if second_order is None else second_order
    strains = find_strains(case)
    ends = find_ends(case, {number for number, own in strains.items() if own.rigid})
    positions = _positions(case)
    signals = Signals(case, ends, positions)
    parts = _elements(case, strains, ends, positions, Options(curved, rotary))
    steps = kind in {0, 3, 7, 8, 9, 10} and bool(case.of("ITERSTEP"))
    conditions = Conditions()
    driven(signals, conditions, steps)
    loads(signals, conditions, parts, steps)
    starts(signals, conditions)
    for word in ("DYNX", "KINX"):
        for each in case.of(word):
            case.note("ignored", each.line.where, f"{word}: independent coordinates are chosen by the program")
    held = [*fixed_names(signals), *parts.fixed]
    gravity = _gravity(case)
    inputs, outputs = system(signals)
    tables = runs(case, kind)
    try:
        model = Model(
            nodes={f"n{node}": at for node, at in sorted(positions.items())} | parts.nodes,
            elements=parts.elements | ends.welds | masses(signals),
            fixed=held,
            inputs=conditions.inputs,
            loads=conditions.loads,
            start=conditions.start,
            released=parts.released,
            laws=parts.laws,
            gravity=gravity,
            space="planar" if case.planar else "spatial",
        )
    except ModelError as error:
        raise _at_line(case, error) from None
    return Imported(model, tables, tuple(case.notes), inputs, outputs)


def _positions(case: Case) -> dict[int, tuple[float, ...]]:
    """Drawn positions; a position node without X is at the origin."""
    given, found = case.once("X"), dict[int, tuple[float, ...]]()
    for node, kind in case.kinds.items():
        if kind != "x":
            continue
        if node not in given:
            # elements of SPACAR95 make their nodes at the origin, as its manual says
            severity: Severity = "assumed" if case.dialect == "delft" else "left out"
            case.note(severity, "", f"node {node} has no line X, and is drawn at the origin")
            found[node] = (0.0,) * case.dimension
            continue
        each = given[node]
        if len(each.reals) != case.dimension:
            what = f"X: node {node} has {len(each.reals)} coordinates in a model of {case.dimension} dimensions"
            raise each.line.error(what, f"give {case.dimension} numbers")
        found[node] = each.reals
    return found


def _elements(
    case: Case, strains: dict[int, Strains], ends: Ends, positions: dict[int, tuple[float, ...]], options: Options
) -> Parts:
    parts, numbers = Parts(), element_numbers(case)
    for number, line in case.elements.items():
        places = [positions[x] for x in line.of_kind("x")]
        length = dist(*places) if len(places) == 2 else 0.0
        if "x" in line.form.nodes and line.keyword != "PINBODY" and length < 1e-5:
            what = f"{line.keyword} {number} is {length:g} m long"
            raise line.line.error(what, "an element needs a length of at least 1e-5 m; check the lines X of its nodes")
        each = Draft(case, line, strains[number], numbers[number], ends, length, options, parts)
        with placed(line.line.where):
            parts.elements[line.name] = BUILDERS[line.keyword](each)
    return parts


def _gravity(case: Case) -> tuple[float, ...]:
    found = case.of("GRAVITY")
    if len(found) > 1:
        raise found[1].line.error(f"GRAVITY was given in line {found[0].line.number}", "leave one of the lines out")
    if not found:
        return ()
    numbers = found[0].reals
    if case.planar and len(numbers) == 3 and not numbers[2]:
        numbers = numbers[:2]
    if len(numbers) != case.dimension:
        what = f"GRAVITY has {len(numbers)} numbers in a model of {case.dimension} dimensions"
        raise found[0].line.error(what, f"give {case.dimension}")
    return numbers if any(numbers) else ()


def _at_line(case: Case, error: ModelError) -> ModelError:
    """An error of the model at the line of the element that it names first."""
    named = re.search(r"\be(\d+)\b", f"{error.where} {error.what}")
    line = case.elements.get(int(named.group(1))) if named else None
    return error if line is None else error.within(line.line.where)
