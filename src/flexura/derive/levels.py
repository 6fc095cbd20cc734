"""Levels: the sets of expressions that kernels compute, each with the meaning of its outputs."""

from __future__ import annotations

from flexura.derive.directional_derivatives import jacobian
from flexura.derive.expression import ZERO, Expr, symbol
from flexura.derive.kinds import Trace
from flexura.derive.varied_quantities import VARIED, changes_along, gradient_of_sum

Entry = tuple[str, int, int]
"""(quantity, row, column) of an output."""


def _vector(name: str, values: list[Expr]) -> list[tuple[Entry, Expr]]:
    return [((name, i, 0), value) for i, value in enumerate(values)]


def _matrix(name: str, rows: list[list[Expr]]) -> list[tuple[Entry, Expr]]:
    return [((name, i, j), value) for i, row in enumerate(rows) for j, value in enumerate(row) if value is not ZERO]


def _lower(name: str, rows: list[list[Expr]]) -> list[tuple[Entry, Expr]]:
    return [entry for entry in _matrix(name, rows) if entry[0][2] <= entry[0][1]]


def _motion(trace: Trace) -> list[tuple[Entry, Expr]]:
    force = [h - q for h, q in zip(trace.velocity_force, trace.body_force, strict=True)]
    return [
        *_vector("strain", trace.strain),
        *_matrix("slope", trace.slope),
        *_vector("convection", trace.convection),
        *_lower("mass", trace.mass),
        *(entry for entry in _vector("force", force) if entry[0][1] in _pushed(trace)),
    ]


def _pushed(trace: Trace) -> set[int]:
    """Coordinates on which inertia or body forces act."""
    rows = zip(trace.velocity_force, trace.body_force, trace.mass, strict=True)
    return {i for i, (h, q, m) in enumerate(rows) if any(value is not ZERO for value in (h, q, *m))}


def _balance(trace: Trace) -> list[tuple[Entry, Expr]]:
    """Motion level without the masses, and the forces including accelerations."""
    force = [m - q for m, q in zip(trace.inertia, trace.body_force, strict=True)]
    kept = [entry for entry in _motion(trace) if entry[0][0] not in {"mass", "force"}]
    return kept + [entry for entry in _vector("force", force) if entry[0][1] in _pushed(trace)]


def _strain(trace: Trace) -> list[tuple[Entry, Expr]]:
    return _vector("strain", trace.strain) + _matrix("slope", trace.slope)


def _geometric(trace: Trace) -> list[tuple[Entry, Expr]]:
    return _lower("geometric", trace.geometric)


def _momentum(trace: Trace) -> list[tuple[Entry, Expr]]:
    if not trace.points and not trace.turning.rates:
        return []
    return [*_vector("place", trace.place), *_vector("drift", trace.drift), *_vector("spin", trace.spin)]


def _track(trace: Trace) -> list[tuple[Entry, Expr]]:
    return _vector("track", trace.track)


def _linear(trace: Trace) -> list[tuple[Entry, Expr]]:
    first, second = trace.transport
    return [
        *_matrix("transport", first),
        *_matrix("transport_rate", second),
        *_matrix("rate_x", jacobian(trace.rate, trace.x)),
        *_matrix("second_x", jacobian(trace.second, trace.x)),
        *_matrix("force_x", jacobian(trace.force, trace.x)),
        *_matrix("force_v", jacobian(trace.force, trace.v)),
    ]


def _symbols(name: str, count: int) -> list[Expr]:
    return [symbol(f"{name}{i}") for i in range(count)]


def _changes(trace: Trace) -> list[Expr]:
    """Symbols of infinitesimal changes of positions and rates."""
    return _symbols("dx", len(trace.x)) + _symbols("dv", len(trace.v))


def _number_changes(trace: Trace) -> list[Expr]:
    """Symbols of infinitesimal changes of numbers and of the body force."""
    return _symbols("dn", len(trace.numbers)) + _symbols("db", len(trace.b))


def _weights(trace: Trace) -> list[Expr]:
    """Symbols of the weights of strains, their rates and second derivatives, and of forces."""
    rows, width = len(trace.kind.rows), len(trace.x)
    return [
        s for name, count in zip("cegf", (rows, rows, rows, width), strict=True) for s in _symbols(f"w{name}", count)
    ]


def _change(trace: Trace, symbols: list[Expr], changes: list[Expr]) -> list[tuple[Entry, Expr]]:
    """Changes of all varied quantities along a direction."""
    parts = zip(VARIED, changes_along(trace, symbols, changes), strict=True)
    return [entry for name, values in parts for entry in _vector(name, values) if entry[1] is not ZERO]


def _pull(trace: Trace, parts: dict[str, list[Expr]]) -> list[tuple[Entry, Expr]]:
    """Gradient of the weighted sum of all varied quantities."""
    slopes = iter(gradient_of_sum(trace, _weights(trace), [s for symbols in parts.values() for s in symbols]))
    found = [((name, i, 0), next(slopes)) for name, symbols in parts.items() for i in range(len(symbols))]
    return [entry for entry in found if entry[1] is not ZERO]


def _tangent(trace: Trace) -> list[tuple[Entry, Expr]]:
    return _change(trace, trace.x + trace.v, _changes(trace))


def _tangent_by_number(trace: Trace) -> list[tuple[Entry, Expr]]:
    return _change(trace, [*trace.numbers.values(), *trace.b], _number_changes(trace))


def _adjoint(trace: Trace) -> list[tuple[Entry, Expr]]:
    numbers = list(trace.numbers.values())
    return _pull(trace, {"by_x": trace.x, "by_v": trace.v, "by_number": numbers, "by_body": trace.b})


_LEVELS = {
    "strain": _strain,
    "motion": _motion,
    "balance": _balance,
    "geometric": _geometric,
    "momentum": _momentum,
    "track": _track,
    "linear": _linear,
    "tangent": _tangent,
    "tangent_by_number": _tangent_by_number,
    "adjoint": _adjoint,
}

LEVELS = tuple(_LEVELS)
"""Names of the levels."""


def outputs(trace: Trace, level: str) -> list[tuple[Entry, Expr]]:
    """Outputs of a level with their expressions, without those that are identically zero; derived once."""
    if level not in trace.outputs:
        trace.outputs[level] = _LEVELS[level](trace)
    return trace.outputs[level]


def places(trace: Trace, level: str) -> list[Entry]:
    """Order of the outputs in memory: those of the balance level are at the places of the motion level."""
    return [entry for entry, _ in outputs(trace, "motion" if level == "balance" else level)]


def inputs(trace: Trace, level: str) -> dict[str, list[Expr]]:
    """Symbols read by a kernel, grouped by array."""
    state = trace.a + trace.b + trace.stress
    extra = {
        "geometric": trace.stress,
        "motion": trace.b,
        "balance": trace.b + trace.a,
        "linear": state,
        "tangent": state + _changes(trace),
        "tangent_by_number": state + _number_changes(trace),
        "adjoint": state + _weights(trace),
    }.get(level, [])
    return {"x": trace.x, "v": trace.v, "number": list(trace.numbers.values()), "extra": extra}
