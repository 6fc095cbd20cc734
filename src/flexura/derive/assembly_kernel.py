"""Kernels as LLVM assembly: loads and stores around the arithmetic."""

from __future__ import annotations

import re
from typing import NamedTuple

from flexura.derive.expression import Expr
from flexura.derive.expression_assembly import Writer
from flexura.derive.kinds import Trace
from flexura.derive.levels import inputs, outputs, places

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


class Input(NamedTuple):
    """Input of a kernel: its array, its place there, its symbol and its name in the assembly."""

    array: str
    place: int
    symbol: Expr
    name: str


def form(trace: Trace, level: str) -> tuple[list[Input], list[tuple[int, Expr]], dict[str, int]]:
    """Inputs of a kernel, its outputs by place, and the widths of the rows of its arrays."""
    given, computed, order = inputs(trace, level), outputs(trace, level), places(trace, level)
    read = [Input(array, i, s, f"%{s.data}") for array, symbols in given.items() for i, s in enumerate(symbols)]
    stored = [(order.index(entry), value) for entry, value in computed]
    numbers, extra = len(trace.kind.numbers), len(given["extra"])
    return read, stored, {"index": trace.kind.width, "number": numbers, "extra": extra, "out": len(order)}


def assembly_kernel(trace: Trace, level: str, lanes: int) -> str:
    """Assembly of the kernel of one level that computes ``lanes`` elements at once."""
    return kernel_source(f"{trace.kind.element.__name__}: {level}", *form(trace, level), lanes)


def kernel_source(
    title: str,
    read: list[Input],
    stored: list[tuple[int, Expr]],
    widths: dict[str, int],
    lanes: int,
) -> str:
    """Assembly of a kernel that stores expressions at places."""
    writer = Writer({one.symbol: one.name for one in read}, lanes)
    results = writer.write(value for _, value in stored)
    used = set(re.findall(r"%[\w.]+", "\n".join(writer.lines + results)))
    frame = _Frame(lanes, widths)
    for one in read:
        if one.name in used:
            frame.fetch(one.array, one.name, one.place)
    frame.lines += writer.lines
    for (place, _), result in zip(stored, results, strict=True):
        frame.store(place, result)
    lines = "\n".join(f"  {line}" for line in frame.lines)
    return _KERNEL.format(title=title, declarations=writer.declarations, lines=lines, lanes=lanes)


class _Frame:
    """Loads and stores around the arithmetic: each lane has its own element."""

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
        """Element of a lane; lanes beyond the last element repeat the last."""
        if lane == 0:
            return ["%e0 = add i64 %e, 0"]
        return [
            f"%later{lane} = add i64 %e, {lane}",
            f"%there{lane} = icmp slt i64 %later{lane}, %n",
            f"%e{lane} = select i1 %there{lane}, i64 %later{lane}, i64 %e{lane - 1}",
        ]

    def fetch(self, array: str, name: str, i: int) -> None:
        """Load an input: a coordinate or its rate through the index, a number or an additional input from its row."""
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
        """Combine numbers into the lanes of one value."""
        joined = "poison"
        for lane, one in enumerate(loaded):
            target = name if lane == self.lanes - 1 else f"{name}_to{lane}"
            self.lines.append(f"{target} = insertelement <{self.lanes} x double> {joined}, double {one}, i64 {lane}")
            joined = target

    def store(self, k: int, result: str) -> None:
        """Store output k at its place."""
        for lane in range(self.lanes):
            value = result
            if self.lanes > 1:
                value = f"%r{k}_{lane}"
                self.lines.append(f"{value} = extractelement <{self.lanes} x double> {result}, i64 {lane}")
            self.lines += [
                f"%o{k}_{lane} = getelementptr double, ptr %out_row{lane}, i64 {k}",
                f"store double {value}, ptr %o{k}_{lane}",
            ]
