"""Strains of a SPACAR file: rigid, driven, or free with a stiffness."""

from __future__ import annotations

from dataclasses import dataclass, field

from flexura.formats.spacar.case import Case, ElementLine, Statement

FREE_WORDS = ("DYNE", "RLSE", "LINE", "KINE")
"""Keywords that let a strain change. RLSE names a dependent strain, whose stress is that of ESTIFF all the same."""


@dataclass
class Strains:
    """Classes of the strains of one element, by their numbers."""

    free: set[int] = field(default_factory=set)
    driven: set[int] = field(default_factory=set)
    slips: set[int] = field(default_factory=set)
    """slips of a wheel that ENHC holds"""
    released: set[int] = field(default_factory=set)
    """strains that RLSE names"""

    @property
    def rigid(self) -> bool:
        """True if nothing deforms."""
        return not self.free and not self.driven


def find_strains(case: Case) -> dict[int, Strains]:
    """Classes of the strains of all elements."""
    found = {number: Strains() for number in case.elements}
    said: dict[tuple[int, int], Statement] = {}
    for word in (*FREE_WORDS, "INPUTE"):
        for each in case.of(word):
            own = found[each.target]
            for strain in each.whole:
                _refuse_second(said, each, strain)
                (own.driven if word == "INPUTE" else own.free).add(strain)
                if word == "RLSE":
                    own.released.add(strain)
            if word == "KINE":
                case.note("ignored", each.line.where, "KINE: kinematic coordinates are chosen by the program")
    for each in case.of("ENHC"):
        if case.elements[each.target].keyword != "WHEEL" or each.whole[0] not in {4, 5}:
            raise each.line.error(
                f"ENHC: strain {each.whole[0]} of element {each.target} is not a slip", "slips of a WHEEL are 4 and 5"
            )
        found[each.target].slips.add(each.whole[0])
    return found


def _refuse_second(said: dict[tuple[int, int], Statement], each: Statement, strain: int) -> None:
    key = (each.target, strain)
    if key in said:
        before = said[key].line
        what = f"strain {strain} of element {each.target} is in {before.keyword} in line {before.number}"
        raise each.line.error(what, "a strain is free or driven, once")
    said[key] = each


@dataclass(frozen=True)
class Numbers:
    """Numbers of the lines ESTIFF, EDAMP and EM of an element; zero if there are none."""

    stiffness: tuple[float, ...]
    damping: tuple[float, ...]
    mass: tuple[float, ...]


_COUNTS = {"xrxr": (6, 3), "xrwxrw": (7, 3), "xx": (1, 1), "rr": (3, 1), "xrx": (3, 2)}
"""most numbers of ESTIFF and EDAMP, in space and in the plane"""
_MASSES = {"xrxr": (5, 2), "xrwxrw": (6, 0), "xx": (1, 1)}


def element_numbers(case: Case) -> dict[int, Numbers]:
    """Stiffness, damping and mass of all elements."""
    stiff, damp, mass = (case.once(word) for word in ("ESTIFF", "EDAMP", "EM"))
    return {
        number: Numbers(
            _numbers(case, each, stiff.get(number), _COUNTS, "stiffness"),
            _numbers(case, each, damp.get(number), _COUNTS, "damping"),
            _numbers(case, each, mass.get(number), _MASSES, "mass per length"),
        )
        for number, each in case.elements.items()
    }


def _numbers(
    case: Case, each: ElementLine, said: Statement | None, counts: dict[str, tuple[int, int]], what: str
) -> tuple[float, ...]:
    most = counts.get(each.form.nodes, (0, 0))[case.planar]
    if said is None:
        return (0.0,) * most
    if len(said.reals) > most or each.keyword == "WHEEL":
        remedy = f"give at most {most}" if most else "take the line out"
        raise said.line.error(
            f"{said.line.keyword}: a {each.keyword} has no {len(said.reals)} numbers of {what}", remedy
        )
    if any(value < 0.0 for value in said.reals):
        raise said.line.error(f"{said.line.keyword}: a negative {what}", "give zero or a positive number")
    return (*said.reals, *(0.0,) * (most - len(said.reals)))
