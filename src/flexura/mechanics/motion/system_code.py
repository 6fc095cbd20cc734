"""Straight-line code that works on the arrays of a system."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from flexura.derive.straight_line import NOTHING, StraightLine
from flexura.mechanics.core.straight_line_factors import Numbers
from flexura.mechanics.core.system import System

PARAMETERS = "ptr %s, double %t, ptr %x, ptr %v, ptr %a, ptr %stress"
"""parameters of functions with the signature of an evaluation of the equations of motion"""


def load_from(code: StraightLine, i: int, *path: str) -> str:
    """Load a number from an array of the system."""
    return code.load(code.member("%s", System, *path), int(i))


def store_into(code: StraightLine, numbers: Numbers, *path: str) -> None:
    """Store numbers in an array of the system."""
    array = code.member("%s", System, *path)
    for i, value in numbers.items():
        code.store(array, i, value)


def add_to(code: StraightLine, numbers: Numbers, place: int, value: str) -> None:
    """Add a value to the number at a place."""
    numbers[int(place)] = code.add(numbers.get(int(place), NOTHING), value)


def take_from(code: StraightLine, numbers: Numbers, place: int, value: str) -> None:
    """Subtract a value from the number at a place."""
    numbers[int(place)] = code.subtract(numbers.get(int(place), NOTHING), value)


class Stresses(NamedTuple):
    """Strains that laws depend on, their rates, and the stresses of laws and held strains."""

    strain: Numbers
    rate: Numbers
    stress: Numbers


def linear_stresses(code: StraightLine, s: System, output: Callable[[int], str]) -> Stresses:
    """Stresses by linear laws and by loads on strains, from outputs of the motion level."""
    laws, slopes = s.laws, s.slopes
    found = Stresses({}, {}, {int(k): NOTHING for k in s.rows.strain})
    for k in map(int, laws.needed):
        found.strain[k] = output(slopes.strain[k])
        for e in range(slopes.start[k], slopes.start[k + 1]) if laws.rated[0] else ():
            v = code.load("%v", int(slopes.column[e]))
            add_to(code, found.rate, k, code.multiply(output(slopes.source[e]), v))
    for n, k in enumerate(map(int, laws.strain)):
        found.stress[k] = load_from(code, n, "laws", "preload")
        for e in range(laws.start[n], laws.start[n + 1]):
            other = int(laws.other[e])
            elastic = code.multiply(load_from(code, e, "laws", "stiffness"), found.strain[other])
            # without a rate the damping is zero
            damped = code.multiply(load_from(code, e, "laws", "damping"), found.rate.get(other, NOTHING))
            add_to(code, found.stress, k, code.add(elastic, damped))
    for n, register in s.driven.load_law:
        take_from(code, found.stress, laws.strain[n], load_from(code, register, "program", "registers"))
    return found
