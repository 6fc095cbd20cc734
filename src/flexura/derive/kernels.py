"""From the expressions of a kind to compiled kernels with one signature.

A kernel runs over all elements of its kind::

    kernel(n, index, number, x, v, extra, out)

``index`` holds the places of the element's coordinates in x and v, ``number`` its numbers, ``extra`` what the level
needs besides (body force or stresses), all row by row; ``out`` takes the entries that are not identically zero, in
the order of :attr:`Level.entries`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from flexura.derive.differentiate import jacobian
from flexura.derive.emit import DECLARATIONS, Writer
from flexura.derive.expression import ZERO, Expr
from flexura.derive.kinds import Kind, Trace
from flexura.derive.machine_code import load

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
        *(entry for entry in _vector("force", force) if entry[1] is not ZERO),
    ]


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


LEVELS = {
    "strain": _strain,
    "motion": _motion,
    "geometric": _geometric,
    "momentum": _momentum,
    "track": _track,
    "linear": _linear,
}


@dataclass(frozen=True)
class Level:
    """A kernel's source and the meaning of its outputs."""

    source: str
    entries: tuple[Entry, ...]
    extra: int
    """How many extra inputs an element has."""


_KERNEL = """; {title}; derived, do not edit.

{declarations}

define void @kernel(i64 %n, ptr %index, ptr %number, ptr %x, ptr %v, ptr %extra, ptr noalias %out) {{
entry:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %element, label %done

element:
  %e = phi i64 [ 0, %entry ], [ %following, %element ]
{rows}
{lines}
  %following = add nuw nsw i64 %e, 1
  %more = icmp slt i64 %following, %n
  br i1 %more, label %element, label %done

done:
  ret void
}}
"""


@lru_cache(maxsize=256)
def derive(kind: Kind, level: str) -> Level:
    """Trace a kind and write the kernel of one level."""
    trace = Trace(kind)
    outputs = LEVELS[level](trace)
    extras = {"geometric": trace.stress, "motion": trace.b, "linear": trace.a + trace.b + trace.stress}.get(level, [])
    inputs = [("x", trace.x), ("v", trace.v), ("number", list(trace.numbers.values())), ("extra", extras)]
    writer = Writer({s: f"%{s.data}" for _, symbols in inputs for s in symbols})
    results = writer.write(value for _, value in outputs)
    used = set(re.findall(r"%[\w.]+", "\n".join(writer.lines + results)))
    places = {str(i) for symbols in (trace.x, trace.v) for i, s in enumerate(symbols) if f"%{s.data}" in used}
    lines = [line for i in sorted(places, key=int) for line in _load("i64", f"%i{i}", "%index_row", int(i))]
    for array, symbols in inputs:
        for i, s in enumerate(symbols):
            if f"%{s.data}" in used:
                lines += _fetch(array, f"%{s.data}", i)
    lines += writer.lines
    for k, result in enumerate(results):
        lines += [f"%o{k} = getelementptr double, ptr %out_row, i64 {k}", f"store double {result}, ptr %o{k}"]
    widths = {"index": kind.width, "number": len(kind.numbers), "extra": len(extras), "out": len(outputs)}
    source = _KERNEL.format(
        title=f"{kind.element.__name__}: {level}",
        declarations=DECLARATIONS,
        rows="\n".join(line for array, width in widths.items() for line in _row(array, width)),
        lines="\n".join(f"  {line}" for line in lines),
    )
    return Level(source, tuple(entry for entry, _ in outputs), len(extras))


def _row(array: str, width: int) -> list[str]:
    """Where the element's part of an array begins."""
    kind = "i64" if array == "index" else "double"
    return [
        f"  %{array}_at = mul nsw i64 %e, {width}",
        f"  %{array}_row = getelementptr {kind}, ptr %{array}, i64 %{array}_at",
    ]


def _load(kind: str, name: str, row: str, i: int) -> list[str]:
    return [f"{name}_p = getelementptr {kind}, ptr {row}, i64 {i}", f"{name} = load {kind}, ptr {name}_p"]


def _fetch(array: str, name: str, i: int) -> list[str]:
    """Load an input: a coordinate or its rate through the index, a number or an extra input from the element's row."""
    if array in {"x", "v"}:
        return [f"{name}_p = getelementptr double, ptr %{array}, i64 %i{i}", f"{name} = load double, ptr {name}_p"]
    return _load("double", name, f"%{array}_row", i)


def compile_kernel(source: str) -> int:
    """The address of the compiled kernel."""
    return load(source, "kernel")
