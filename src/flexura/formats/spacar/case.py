"""Statements of a SPACAR file: its lines, checked against the forms of their keywords."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from flexura.errors import did_you_mean
from flexura.formats.registry import Note, Severity
from flexura.formats.spacar.keywords import DRAWING, ELEMENTS, SETTINGS, WITHOUT_SOURCE, ElementForm, form_of, keywords
from flexura.formats.spacar.lines import Dialect, Line, Listing, split

DELFT_WORDS = {"MASS": "XM", "FORCE": "XF", "EMASS": "EM", "EDAMPP": "EDAMP", "XY": "X", "XYZ": "X"}
"""Keywords of the Delft dialect that have another name in that of Twente."""


@dataclass(frozen=True)
class Statement:
    """Line of a keyword: target, whole numbers (coordinates or strains) and real numbers."""

    line: Line
    target: int
    whole: tuple[int, ...]
    reals: tuple[float, ...]


@dataclass(frozen=True)
class ElementLine:
    """Line of an element: its nodes, and the direction if there is one."""

    line: Line
    number: int
    form: ElementForm
    nodes: tuple[int, ...]
    direction: tuple[float, ...]

    @property
    def name(self) -> str:
        """Name of the element in the model."""
        return f"e{self.number}"

    @property
    def keyword(self) -> str:
        """Kind of the element."""
        return self.line.keyword

    def of_kind(self, kind: str) -> tuple[int, ...]:
        """Nodes of a kind: x position, r orientation, w warping."""
        return tuple(node for node, own in zip(self.nodes, self.form.nodes, strict=True) if own == kind)

    @property
    def ends(self) -> tuple[tuple[str, int, int], ...]:
        """Slots that have a position and an orientation: slot, position node, orientation node."""
        places, turns = self.of_kind("x"), self.of_kind("r")
        return tuple((slot, x, r) for slot, x, r in zip("pq", places, turns, strict=False))


@dataclass
class Case:
    """Content of a file, by keyword."""

    dialect: Dialect
    elements: dict[int, ElementLine] = field(default_factory=dict)
    statements: dict[str, list[Statement]] = field(default_factory=dict)
    values: dict[str, list[Statement]] = field(default_factory=dict)
    """lines of INPUTX and INPUTE that give values"""
    routines: list[Line] = field(default_factory=list)
    kinds: dict[int, str] = field(default_factory=dict)
    """node number → x, r or w"""
    notes: list[Note] = field(default_factory=list)

    def of(self, keyword: str) -> list[Statement]:
        """Statements of a keyword."""
        return self.statements.get(keyword, [])

    def once(self, keyword: str) -> dict[int, Statement]:
        """Statements of a keyword by target; a second one for the same target is refused."""
        found: dict[int, Statement] = {}
        for each in self.of(keyword):
            if each.target in found:
                first = found[each.target].line.number
                what = f"{keyword} {each.target} was given in line {first}"
                raise each.line.error(what, "leave one of the two lines out")
            found[each.target] = each
        return found

    def note(self, severity: Severity, where: str, what: str) -> None:
        """Record what became of a line."""
        self.notes.append(Note(severity, where, what))

    @cached_property
    def planar(self) -> bool:
        """True in the plane; asked for when all elements are known."""
        return any(each.form.space == "planar" for each in self.elements.values())

    @property
    def dimension(self) -> int:
        """Number of coordinates of a position."""
        return 2 if self.planar else 3


def read_case(text: str) -> Case:
    """Statements in the text of a file."""
    listing: Listing = split(text)
    case = Case(listing.dialect, notes=list(listing.notes))
    for line in listing.lines:
        _sort(case, line)
    if not case.elements:
        first = listing.lines[0] if listing.lines else Line(1, 0, "", ())
        raise first.error("the file has no element", "the kinematics module begins with lines such as BEAM 1 1 2 3 4")
    _refuse_mixed_spaces(case)
    case.kinds = dict(_kinds(case))
    for group in (*case.statements.values(), *case.values.values()):
        for each in group:
            _check_numbers(case, each)
    return case


def _sort(case: Case, line: Line) -> None:
    """Put a line where it belongs."""
    if line.keyword in ELEMENTS:
        element = _element(line)
        if element.number in case.elements:
            first = case.elements[element.number].line.number
            raise line.error(f"element {element.number} was given in line {first}", "give it another number")
        case.elements[element.number] = element
    elif line.keyword in SETTINGS:
        case.note("ignored", line.where, f"{line.keyword} sets the output or a tolerance of SPACAR")
    elif line.keyword in DRAWING:
        case.note("ignored", line.where, f"{line.keyword} draws, no more")
    elif line.keyword in {"USERINP", "USERSIG"}:
        case.routines.append(line)
        name = " ".join(line.words) or "without a name"
        case.note("left out", line.where, f"{line.keyword}: the user routine {name} is code, which is not imported")
    else:
        statement, valued = _statement(line)
        word = DELFT_WORDS.get(line.keyword, line.keyword)
        (case.values if valued else case.statements).setdefault(word, []).append(statement)


def _element(line: Line) -> ElementLine:
    form = ELEMENTS[line.keyword]
    nodes = form.nodes
    if line.keyword == "RBEAM" and len(line.words) == 4:
        # one orientation for the whole link
        words = (*line.words[:4], line.words[2])
        line = Line(line.number, line.module, line.keyword, words)
    counts = [1 + len(nodes) + more for more in form.direction]
    if len(line.words) not in counts:
        needs = f"an element number, {len(nodes)} nodes" + (", 3 numbers of a direction" if 3 in form.direction else "")
        what = f"{line.keyword} has {len(line.words)} numbers, and needs {' or '.join(map(str, counts))}"
        raise line.error(what, f"give {needs}")
    if line.module > 1:
        raise line.error(f"{line.keyword} stands in module {line.module}", "elements stand in the first module")
    number = line.integer(0, "the number of an element")
    numbers = tuple(line.integer(1 + i, "the number of a node") for i in range(len(nodes)))
    direction = tuple(line.real(i) for i in range(1 + len(nodes), len(line.words)))
    if direction and not any(direction):
        raise line.error(f"{line.keyword}: the direction is zero", "give a vector such as 0 0 1")
    return ElementLine(line, number, form, numbers, direction)


def _statement(line: Line) -> tuple[Statement, bool]:
    """Statement of a line, and true if it gives the value of an input."""
    form = form_of(line.keyword, line.module)
    if form is None:
        if line.keyword in WITHOUT_SOURCE:
            what = f"the form of lines of {line.keyword} is not known to this importer"
            raise line.error(what, "add this element to the imported model by hand, and take the line out")
        raise line.error(f"there is no keyword '{line.keyword}'", did_you_mean(line.keyword, keywords()))
    if line.module not in {0, form.module} and not (form.module == 2 and line.module == 3):
        what = f"{line.keyword} stands in module {line.module}, and belongs to module {form.module}"
        raise line.error(what, "END and HALT separate the modules")
    head = 0 if form.target == "nothing" else 1
    # whole numbers take all that is there, unless real ones follow
    whole = form.whole[0] if form.reals[1] else max(min(len(line.words) - head, form.whole[1]), form.whole[0])
    least, most = head + form.whole[0] + form.reals[0], head + form.whole[1] + form.reals[1]
    if not least <= len(line.words) <= most:
        raise line.error(f"{line.keyword} has {len(line.words)} arguments", f"give {form.meaning}")
    if form.target == "name":
        return Statement(line, 0, (), ()), False
    target = line.integer(0, f"the number of a {form.target}") if head else 0
    numbers = tuple(line.integer(head + i, "a coordinate, strain or number") for i in range(whole))
    if form.target != "number" and len(set(numbers)) < len(numbers) and line.keyword != "ENHC":
        raise line.error(f"{line.keyword} names a coordinate or strain twice", "name each once")
    reals = tuple(line.real(i) for i in range(head + whole, len(line.words)))
    return Statement(line, target, numbers, reals), line.keyword in {"INPUTX", "INPUTE"} and bool(form.reals[1])


def _refuse_mixed_spaces(case: Case) -> None:
    for each in case.elements.values():
        if each.form.space != ("planar" if case.planar else "spatial"):
            what = f"{each.keyword} is an element of space, and the file has planar elements"
            raise each.line.error(what, "use elements whose names begin with PL, or none of them")


def _kinds(case: Case) -> Iterator[tuple[int, str]]:
    """Kinds of the nodes: those that elements name, then those that have a position."""
    found: dict[int, tuple[str, Line]] = {}
    words = {"x": "a position", "r": "an orientation", "w": "a warping"}
    for each in case.elements.values():
        for node, kind in zip(each.nodes, each.form.nodes, strict=True):
            before, line = found.setdefault(node, (kind, each.line))
            if before != kind:
                what = f"node {node} is {words[kind]} here and {words[before]} in line {line.number}"
                raise each.line.error(what, "positions and orientations have numbers of their own")
    for drawn in case.of("X"):
        before, line = found.setdefault(drawn.target, ("x", drawn.line))
        if before != "x":
            what = f"node {drawn.target} is {words[before]} in line {line.number}"
            raise drawn.line.error(f"X: {what}", "X gives the position of a position node")
    yield from ((node, kind) for node, (kind, _) in found.items())


_OF_NODES = {
    "FIX", "INPUTX", "DYNX", "KINX", "X", "XM", "XF", "DELXF", "DELINPX", "STARTDX", "MASS", "FORCE", "XY", "XYZ", "XD",
}  # fmt: skip
_OF_ELEMENTS = {
    "INPUTE", "DYNE", "RLSE", "KINE", "LINE", "ENHC", "EM", "ESTIFF", "EDAMP", "ESIG", "DELINPE", "STARTDE", "ED",
    "EMASS", "EDAMPP", "E",
}  # fmt: skip
_NODES_OF_SYSTEM = {"INPUTF", "OUTX", "OUTXP", "OUTF", "NOMF", "REFX", "REFXP", "REFXDP"}
_ELEMENTS_OF_SYSTEM = {"INPUTS", "OUTE", "OUTEP", "OUTS", "NOMS", "REFE", "REFEP", "REFEDP"}


def _check_numbers(case: Case, each: Statement) -> None:
    """Refuse nodes and elements that do not exist, and coordinates and strains that they do not have."""
    word = each.line.keyword
    if word in _OF_NODES:
        check_coordinates(case, each.line, each.target, each.whole)
    elif word == "ENHC":
        check_strains(case, each.line, each.target, each.whole[:1])
        check_strains(case, each.line, each.whole[1], each.whole[2:])
    elif word in _OF_ELEMENTS:
        check_strains(case, each.line, each.target, each.whole)
    elif word in _NODES_OF_SYSTEM:
        check_coordinates(case, each.line, each.whole[0], each.whole[1:])
    elif word in _ELEMENTS_OF_SYSTEM:
        check_strains(case, each.line, each.whole[0], each.whole[1:])


def check_coordinates(case: Case, line: Line, node: int, coordinates: tuple[int, ...]) -> None:
    """Refuse a node that no element has, and coordinates beyond those of its kind."""
    kind = case.kinds.get(node)
    if kind is None:
        raise line.error(f"{line.keyword}: no element has the node {node}", "check its number")
    most = {"x": case.dimension, "r": 1 if case.planar else 4, "w": 1}[kind]
    for coordinate in coordinates:
        if coordinate > most:
            what = f"{line.keyword}: node {node} has no coordinate {coordinate}"
            raise line.error(what, f"it has {most}" + (": the Euler parameters" if most == 4 else ""))


def check_strains(case: Case, line: Line, element: int, strains: tuple[int, ...]) -> None:
    """Refuse an element that does not exist, and strains that it does not have."""
    if element not in case.elements:
        names = ", ".join(map(str, sorted(case.elements)[:12]))
        raise line.error(f"{line.keyword}: there is no element {element}", f"elements are {names}")
    most = len(case.elements[element].form.strains)
    for strain in strains:
        if strain > most:
            raise line.error(f"{line.keyword}: element {element} has no strain {strain}", f"it has {most}")
