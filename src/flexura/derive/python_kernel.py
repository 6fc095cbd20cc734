"""Kernels as Python: to be read, and to be stepped through in a debugger."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterable
from typing import Any

from flexura.derive.expression import Expr, below
from flexura.derive.expression_text import Printer
from flexura.derive.kinds import Trace
from flexura.derive.levels import inputs, outputs, places
from flexura.functions import TABLE

_HEAD = """def kernel(n, index, number, x, v, extra, out):
    \"\"\"{title}.\"\"\"
    for e in range(n):
"""


def python_kernel(trace: Trace, level: str) -> str:
    """Source of the kernel of one level as a Python function, with the meaning of every output."""
    given, computed, order = inputs(trace, level), outputs(trace, level), places(trace, level)
    width, numbers = trace.kind.width, len(trace.kind.numbers)
    roots = [value for _, value in computed]
    names: dict[Expr, str] = {}
    used, lines = _reached(roots), list[str]()
    for array, symbols in given.items():
        for i, s in enumerate(symbols):
            if s in used:
                names[s] = str(s.data).replace(".", "_")
                lines.append(f"{names[s]} = {_place(array, i, width, numbers, len(symbols))}")
    printer = Printer(names, "**")
    for expr in _shared(roots):
        text = printer.definition(expr)
        names[expr] = f"t{len(names)}"
        lines.append(f"{names[expr]} = {text}")
    for (quantity, i, j), value in computed:
        place = order.index((quantity, i, j))
        lines.append(f"out[{len(order)}*e + {place}] = {printer.text(value)}  # {quantity}[{i}, {j}]")
    title = f"{trace.kind.element.__name__}: {level}"
    return _HEAD.format(title=title) + "\n".join(f"        {line}" for line in lines or ["pass"]) + "\n"


def _place(array: str, i: int, width: int, numbers: int, extras: int) -> str:
    """Index of an input of element e."""
    if array in {"x", "v"}:
        return f"{array}[index[{width}*e + {i}]]"
    return f"{array}[{numbers if array == 'number' else extras}*e + {i}]"


def _reached(roots: Iterable[Expr]) -> set[Expr]:
    found, waiting = set[Expr](), list(roots)
    while waiting:
        expr = waiting.pop()
        if expr not in found:
            found.add(expr)
            waiting += below(expr)
    return found


def _shared(roots: Iterable[Expr]) -> list[Expr]:
    """Expressions that are written once and used by name: atoms and all that is needed twice, operands first."""
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
    """The function of a kernel's source; a debugger shows its lines."""
    title = source.split('"""')[1].rstrip(".")
    file = f"<kernel {title}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    # values that do not exist are NaN, as in compiled code, which the functions of NumPy respect
    names: dict[str, Any] = {name: entry.array for name, entry in TABLE.items()}
    exec(compile(source, file, "exec"), names)
    function: Callable[..., None] = names["kernel"]
    return function
