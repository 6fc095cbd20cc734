"""Kernels as Python, for reading and for debugging."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from flexura.derive.assembly_kernel import Input, form
from flexura.derive.expression import Expr, below
from flexura.derive.expression_text import Printer
from flexura.derive.kinds import Trace
from flexura.derive.levels import places
from flexura.functions import TABLE

_HEAD = """def kernel(n, index, number, x, v, extra, out):
    \"\"\"{title}.\"\"\"
    for e in range(n):
"""


def python_kernel(trace: Trace, level: str) -> str:
    """Source of the kernel of one level as a Python function, with the meaning of every output."""
    read, stored, widths = form(trace, level)
    meanings = {place: f"{name}[{i}, {j}]" for place, (name, i, j) in enumerate(places(trace, level))}
    return python_source(f"{trace.kind.element.__name__}: {level}", read, stored, widths, meanings)


def python_source(
    title: str,
    read: list[Input],
    stored: list[tuple[int, Expr]],
    widths: Mapping[str, int],
    meanings: Mapping[int, str],
) -> str:
    """Source of a kernel that stores expressions at places, each with its meaning."""
    roots = [value for _, value in stored]
    names: dict[Expr, str] = {}
    used, lines = _reached(roots), list[str]()
    for one in read:
        if one.symbol in used:
            names[one.symbol] = one.name.removeprefix("%").replace(".", "_")
            indirect = one.array in {"x", "v"}
            row = f"{widths['index' if indirect else one.array]}*e + {one.place}"
            lines.append(f"{names[one.symbol]} = {one.array}[{f'index[{row}]' if indirect else row}]")
    printer = Printer(names, "**")
    for expr in _shared(roots):
        text = printer.definition(expr)
        names[expr] = f"t{len(names)}"
        lines.append(f"{names[expr]} = {text}")
    for place, value in stored:
        lines.append(f"out[{widths['out']}*e + {place}] = {printer.text(value)}  # {meanings[place]}")
    return _HEAD.format(title=title) + "\n".join(f"        {line}" for line in lines or ["pass"]) + "\n"


def _reached(roots: Iterable[Expr]) -> set[Expr]:
    found, waiting = set[Expr](), list(roots)
    while waiting:
        expr = waiting.pop()
        if expr not in found:
            found.add(expr)
            waiting += below(expr)
    return found


def _shared(roots: Iterable[Expr]) -> list[Expr]:
    """Expressions that are written once and used by name: atoms and common subexpressions, operands first."""
    uses: dict[Expr, int] = {}
    order: list[Expr] = []

    def visit(expr: Expr) -> None:
        uses[expr] = uses.get(expr, 0) + 1
        if uses[expr] == 1:
            for part in below(expr):
                visit(part)
            order.append(expr)

    for root in roots:
        visit(root)
    return [e for e in order if e.kind not in {"const", "symbol"} and (uses[e] > 1 or e.kind == "atom")]


def load_python(source: str) -> Callable[..., None]:
    """Function of a kernel's source, whose lines a debugger shows."""
    title = source.split('"""')[1].rstrip(".")
    file = f"<kernel {title}>"
    while file in linecache.cache:
        file = f"{file[:-1]}'>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    # undefined values are NaN, as in compiled code, which NumPy functions respect
    names: dict[str, Any] = {name: entry.array for name, entry in TABLE.items()}
    exec(compile(source, file, "exec"), names)
    function: Callable[..., None] = names["kernel"]
    return function
