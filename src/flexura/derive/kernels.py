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
from flexura.derive.emit import Writer
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
        *(entry for entry in _vector("force", force) if entry[0][1] in _pushed(trace)),
    ]


def _pushed(trace: Trace) -> set[int]:
    """The coordinates on which there are inertia or body forces."""
    rows = zip(trace.velocity_force, trace.body_force, trace.mass, strict=True)
    return {i for i, (h, q, m) in enumerate(rows) if any(value is not ZERO for value in (h, q, *m))}


def _balance(trace: Trace) -> list[tuple[Entry, Expr]]:
    """The motion level without the masses, and the forces with accelerations."""
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


LEVELS = {
    "strain": _strain,
    "motion": _motion,
    "balance": _balance,
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
{lines}
  %following = add nuw nsw i64 %e, {lanes}
  %more = icmp slt i64 %following, %n
  br i1 %more, label %element, label %done

done:
  ret void
}}
"""

LANES = 4
"""The elements that are computed at once where there are many of a kind."""

MANY = 3


def derive(kind: Kind, level: str, count: int = 1) -> Level:
    """Trace a kind and write the kernel of one level, for about so many elements."""
    return _derived(kind, level, LANES if count >= MANY else 1)


@lru_cache(maxsize=256)
def _derived(kind: Kind, level: str, lanes: int) -> Level:
    trace = Trace(kind)
    outputs = LEVELS[level](trace)
    extras = {
        "geometric": trace.stress,
        "motion": trace.b,
        "balance": trace.b + trace.a,
        "linear": trace.a + trace.b + trace.stress,
    }.get(level, [])
    inputs = [("x", trace.x), ("v", trace.v), ("number", list(trace.numbers.values())), ("extra", extras)]
    writer = Writer({s: f"%{s.data}" for _, symbols in inputs for s in symbols}, lanes)
    results = writer.write(value for _, value in outputs)
    used = set(re.findall(r"%[\w.]+", "\n".join(writer.lines + results)))
    # the balance goes where the motion level puts it
    places = [entry for entry, _ in (_motion(trace) if level == "balance" else outputs)]
    widths = {"index": kind.width, "number": len(kind.numbers), "extra": len(extras), "out": len(places)}
    frame = _Frame(lanes, widths)
    for array, symbols in inputs:
        for i, s in enumerate(symbols):
            if f"%{s.data}" in used:
                frame.fetch(array, f"%{s.data}", i)
    frame.lines += writer.lines
    for (entry, _), result in zip(outputs, results, strict=True):
        frame.store(places.index(entry), result)
    source = _KERNEL.format(
        title=f"{kind.element.__name__}: {level}",
        declarations=writer.declarations,
        lines="\n".join(f"  {line}" for line in frame.lines),
        lanes=lanes,
    )
    return Level(source, tuple(places), len(extras))


class _Frame:
    """The loads and stores around the arithmetic: lane by lane, each with its own element."""

    def __init__(self, lanes: int, widths: dict[str, int]) -> None:
        self.lanes = lanes
        self.lines: list[str] = []
        self.places: set[tuple[int, int]] = set()
        for lane in range(lanes):
            self.lines += self._element(lane)
            for array, width in widths.items():
                kind = "i64" if array == "index" else "double"
                self.lines += [
                    f"%{array}_at{lane} = mul nsw i64 %e{lane}, {width}",
                    f"%{array}_row{lane} = getelementptr {kind}, ptr %{array}, i64 %{array}_at{lane}",
                ]

    @staticmethod
    def _element(lane: int) -> list[str]:
        """The element of a lane; what would be beyond the last does the last again."""
        if lane == 0:
            return ["%e0 = add i64 %e, 0"]
        return [
            f"%later{lane} = add i64 %e, {lane}",
            f"%there{lane} = icmp slt i64 %later{lane}, %n",
            f"%e{lane} = select i1 %there{lane}, i64 %later{lane}, i64 %e{lane - 1}",
        ]

    def fetch(self, array: str, name: str, i: int) -> None:
        """Load an input: a coordinate or its rate through the index, a number or an extra input from its row."""
        loaded = []
        for lane in range(self.lanes):
            one = name if self.lanes == 1 else f"{name}_{lane}"
            if array in {"x", "v"}:
                self._find(i, lane)
                place = f"getelementptr double, ptr %{array}, i64 %i{i}_{lane}"
            else:
                place = f"getelementptr double, ptr %{array}_row{lane}, i64 {i}"
            self.lines += [f"{one}_p = {place}", f"{one} = load double, ptr {one}_p"]
            loaded.append(one)
        if self.lanes > 1:
            self._join(name, loaded)

    def _find(self, i: int, lane: int) -> None:
        """Load the place of a coordinate, once."""
        if (i, lane) not in self.places:
            self.places.add((i, lane))
            self.lines += [
                f"%i{i}_{lane}_p = getelementptr i64, ptr %index_row{lane}, i64 {i}",
                f"%i{i}_{lane} = load i64, ptr %i{i}_{lane}_p",
            ]

    def _join(self, name: str, loaded: list[str]) -> None:
        """Put numbers into the lanes of one value."""
        joined = "poison"
        for lane, one in enumerate(loaded):
            target = name if lane == self.lanes - 1 else f"{name}_to{lane}"
            self.lines.append(f"{target} = insertelement <{self.lanes} x double> {joined}, double {one}, i64 {lane}")
            joined = target

    def store(self, k: int, result: str) -> None:
        """Put output k where it belongs."""
        for lane in range(self.lanes):
            value = result
            if self.lanes > 1:
                value = f"%r{k}_{lane}"
                self.lines.append(f"{value} = extractelement <{self.lanes} x double> {result}, i64 {lane}")
            self.lines += [
                f"%o{k}_{lane} = getelementptr double, ptr %out_row{lane}, i64 {k}",
                f"store double {value}, ptr %o{k}_{lane}",
            ]


def compile_kernel(source: str) -> int:
    """The address of the compiled kernel."""
    return load(source, "kernel")
