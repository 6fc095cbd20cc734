"""The factors of small systems as straight-line machine code.

With a known order, an elimination is a list of multiplications; written out, without the lists of indices,
it takes a third of the time. The code is compiled in a fraction of a second and cached between runs.
"""

from __future__ import annotations

from flexura.derive.interpretation import INTERPRET
from flexura.derive.machine_code import FULL, QUICK, REGISTERS, load
from flexura.derive.straight_line import NOTHING, StraightLine
from flexura.mechanics.core.factors import Factors

_MOST, _MOST_SOLVED = 12_000, 1200
"""Maximum sizes for which factors and solutions are written out: beyond, compilation takes longer than a second."""
_OPTIMISED = 3700
"""Size up to which the code of factors is optimised. Larger code, if half of it is products, is compiled without in a
tenth of a second and takes a fifth less time than the lists; :func:`optimise` is for models that are run for long."""
_PARAMETERS = "ptr noalias %values, ptr noalias %scaled, ptr noalias %z"


_written: dict[tuple[bytes, bytes], tuple[int, int]] = {}
_optimised: dict[tuple[bytes, bytes], int] = {}

Numbers = dict[int, str]
"""Operands by their places; zero for others."""


def write_out(f: Factors) -> None:
    """Give factors generated code if they are small enough, and solutions up to a larger size."""
    factorised = f.target.size > 0 and (_size(f) <= _OPTIMISED or _size(f) <= min(_MOST, 2 * f.target.size))
    solved = 0 < f.row.size <= _MOST_SOLVED - f.start.size + 1
    if INTERPRET or not (factorised or solved):
        return
    # all else follows from the unknowns and their order
    key = (f.start.tobytes(), f.row.tobytes())
    if key not in _written:
        both = _load(f, FULL if _size(f) <= _OPTIMISED else QUICK) if factorised else 0
        _written[key] = both, load(_solve(f), "solve") if solved else 0
    f.entry[:] = _written[key]


def optimise(f: Factors) -> None:
    """Replace unoptimised code of factors by optimised code with bit-identical results."""
    if f.entry[0] == 0 or _size(f) <= _OPTIMISED:
        return
    key = (f.start.tobytes(), f.row.tobytes())
    if key not in _optimised:
        _optimised[key] = _load(f, REGISTERS)
    f.entry[0] = _optimised[key]


def _load(f: Factors, optimisation: int) -> int:
    """Address of the code that factorises and solves."""
    return load(_factorise_and_solve(f), "factorise_and_solve", optimisation)


def _size(f: Factors) -> int:
    """Size of the code: every unknown is loaded, inverted and stored, so that weakly coupled unknowns count too."""
    return int(f.target.size + 2 * f.row.size + 4 * (f.start.size - 1))


def eliminate(code: StraightLine, f: Factors, values: Numbers, z: Numbers) -> Numbers:
    """Factorise and solve in place: ``values`` becomes the inverse pivots, ``z`` the solution; L is returned."""
    count, scaled = f.start.size - 1, Numbers()
    for k in range(count):
        values[k] = code.inverse(values.get(k, NOTHING))
        column = range(f.start[k], f.start[k + 1])
        scaled |= {a: code.multiply(values.get(a, NOTHING), values[k]) for a in column}
        for c in range(f.product_start[k], f.product_start[k + 1]):
            _subtract(code, values, int(f.target[c]), scaled[int(f.left[c])], values.get(int(f.right[c]), NOTHING))
        for a in column:
            _subtract(code, z, int(f.row[a - count]), scaled[a], z.get(k, NOTHING))
    _back(code, f, values, scaled, z)
    return scaled


def _subtract(code: StraightLine, numbers: Numbers, place: int, a: str, b: str) -> None:
    """Subtract a b from the number at a place."""
    numbers[place] = code.subtract(numbers.get(place, NOTHING), code.multiply(a, b))


def substitute(code: StraightLine, f: Factors, values: Numbers, scaled: Numbers, z: Numbers) -> None:
    """Solve in place with existing factors: inverse pivots ``values``, and L in ``scaled``."""
    count = f.start.size - 1
    for a in range(f.row.size):
        _subtract(code, z, int(f.row[a]), scaled[count + a], z[int(f.column[a])])
    _back(code, f, values, scaled, z)


def _back(code: StraightLine, f: Factors, values: Numbers, scaled: Numbers, z: Numbers) -> None:
    count = f.start.size - 1
    for k in range(count):
        z[k] = code.multiply(z.get(k, NOTHING), values[k])
    for a in reversed(range(f.row.size)):
        _subtract(code, z, int(f.column[a]), scaled[count + a], z[int(f.row[a])])


def _loaded(code: StraightLine, array: str, places: range) -> Numbers:
    return {i: code.load(array, i) for i in places}


def _stored(code: StraightLine, array: str, numbers: Numbers) -> None:
    for i, value in numbers.items():
        code.store(array, i, value)


def _factorise_and_solve(f: Factors) -> str:
    """Code that factorises and solves."""
    code, count = StraightLine(), f.start.size - 1
    values, z = _loaded(code, "%values", range(f.values.size)), _loaded(code, "%z", range(count))
    scaled = eliminate(code, f, values, z)
    _stored(code, "%values", {k: values[k] for k in range(count)})
    _stored(code, "%scaled", scaled)
    _stored(code, "%z", z)
    return code.function("factorise_and_solve", _PARAMETERS)


def _solve(f: Factors) -> str:
    """Code that solves with existing factors."""
    code, count = StraightLine(), f.start.size - 1
    values, z = _loaded(code, "%values", range(count)), _loaded(code, "%z", range(count))
    scaled = _loaded(code, "%scaled", range(count, f.values.size))
    substitute(code, f, values, scaled, z)
    _stored(code, "%z", z)
    return code.function("solve", _PARAMETERS)
