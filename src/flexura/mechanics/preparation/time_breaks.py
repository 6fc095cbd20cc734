"""Times at which inputs and loads, or their derivatives, are discontinuous.

They are found in the programs of signals: at zeros of the argument of a step, a sign, an absolute value, a maximum or a
minimum that depends on time only, and at the ends of tables.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.derive.numbered_functions import NUMBERS
from flexura.derive.program import FUNCTION, NEGATE, RECIPROCAL, SQRT, SQUARE, TABLE, Span, tabulate
from flexura.derive.records import Floats
from flexura.functions import TABLE as FUNCTIONS
from flexura.mechanics.core.system import System

SAMPLES = 4001
"""Samples of the arguments over a run; linear arguments need two."""
_PARTS = np.linspace(0.0, 1.0, 65)
"""Number of parts in which an interval with a discontinuity is searched at once."""
_UNARY = {NEGATE, RECIPROCAL, SQRT, SQUARE, TABLE}
_UNARY |= {FUNCTION + number for name, number in NUMBERS.items() if FUNCTIONS[name].arity == 1}
_OF_ONE = {FUNCTION + NUMBERS[name] for name in ("step", "sign", "absolute") if name in NUMBERS}
_OF_TWO = {FUNCTION + NUMBERS[name] for name in ("maximum", "minimum") if name in NUMBERS}


class Break(NamedTuple):
    """Discontinuity: the last time before it, and the first time after it."""

    before: float
    after: float


def time_breaks(s: System, end: float) -> tuple[Break, ...]:
    """Discontinuities of inputs and loads between the start of a run and its end, in order of time."""
    arguments = switching_arguments(s)
    if not arguments:
        return ()
    grid = np.linspace(0.0, end, SAMPLES)
    # a function may have a separate value at a zero argument
    sides = (np.greater, np.greater_equal)
    found = sorted({time for argument in arguments for side in sides for time in _changes(s, argument, side, grid)})
    clusters: list[list[float]] = []
    for time in found:
        if clusters and time - clusters[-1][-1] <= 1e-13 * end:
            clusters[-1].append(time)
        elif 0.0 < time < end:
            clusters.append([time])
    return tuple(Break(float(np.nextafter(times[0], 0.0)), times[-1]) for times in clusters)


def switching_arguments(s: System) -> list[tuple[int, int, float]]:
    """(register a, register b or -1, shift): the function of time a - b - shift changes its sign at a break."""
    code, feedback = s.program.code, s.feedback
    other = {1, 2, *feedback.signal[:, 3].tolist(), *feedback.followed[:, 1].tolist()}
    timely, found = {0}, list[tuple[int, int, float]]()
    for operation, d, a, b in code.tolist():
        used = {a} if operation in _UNARY else {a, b}
        if used & other:
            other.add(d)
        elif used & timely:
            timely.add(d)
            if operation in _OF_ONE:
                found.append((a, -1, 0.0))
            elif operation in _OF_TWO:
                found.append((a, b, 0.0))
            elif operation == TABLE:
                first, last = s.program.table_start[b // 4], s.program.table_start[b // 4 + 1] - 1
                found += [(a, -1, float(s.program.table_break[row])) for row in (first, last)]
    return list(dict.fromkeys(found))


def _changes(s: System, argument: tuple[int, int, float], compare: np.ufunc, grid: Floats) -> list[float]:
    """First times of the new sign, to the last digit."""
    a, b, shift = argument
    program, outputs = s.program, (a,) if b < 0 else (a, b)

    def above(times: Floats) -> NDArray[np.bool_]:
        values = tabulate(program, Span(0, program.code.shape[0], outputs), times.reshape(-1, 1))
        difference = values[:, 0] - (0.0 if b < 0 else values[:, 1])
        return np.asarray(compare(difference, shift))

    sides = above(grid)
    changed = np.flatnonzero(sides[1:] != sides[:-1])
    low, high, side = grid[changed], grid[changed + 1], sides[changed]
    while np.any(high > np.nextafter(low, high)):
        times = low + (high - low) * _PARTS[:, None]
        times[0], times[-1] = low, high
        same = above(times.ravel()).reshape(times.shape) == side
        first, every = np.argmin(same, axis=0), np.arange(low.size)
        low, high = times[first - 1, every], times[first, every]
    return [float(time) for time in high]
