"""From the expressions of a kind to compiled kernels with one signature.

A kernel runs over all elements of its kind::

    kernel(n, index, number, x, v, extra, out)

``index`` holds the places of the element's coordinates in x and v, ``number`` its numbers, ``extra`` what the level
needs besides (body force or stresses), all row by row; ``out`` takes the entries that are not identically zero, in
the order of :attr:`Level.entries`.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from numba import cfunc, types

from flexura.derive.compiled import cache_folder
from flexura.derive.differentiate import jacobian
from flexura.derive.emit import Writer
from flexura.derive.expression import ZERO, Expr
from flexura.derive.kinds import Kind, Trace

SIGNATURE = types.void(
    types.int64,
    types.CPointer(types.int64),
    *(types.CPointer(types.float64) for _ in range(5)),
)

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
    if not trace.points:
        return []
    return [*_vector("place", trace.place), *_vector("drift", trace.drift), (("spin", 0, 0), trace.spin)]


def _track(trace: Trace) -> list[tuple[Entry, Expr]]:
    return _vector("track", trace.track)


def _linear(trace: Trace) -> list[tuple[Entry, Expr]]:
    return [
        *_matrix("transport", trace.transport),
        *_matrix("convection_slope", trace.convection_slope),
        *_matrix("inertia_x", jacobian(trace.inertia, trace.x)),
        *_matrix("inertia_v", jacobian(trace.inertia, trace.v)),
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


@lru_cache(maxsize=256)
def derive(kind: Kind, level: str) -> Level:
    """Trace a kind and write the kernel of one level."""
    trace = Trace(kind)
    outputs = LEVELS[level](trace)
    extras = {"geometric": trace.stress, "motion": trace.b, "linear": trace.a}.get(level, [])
    width = kind.width
    inputs: dict[Expr, str] = {}
    inputs |= {s: f"x[index[e * {width} + {i}]]" for i, s in enumerate(trace.x)}
    inputs |= {s: f"v[index[e * {width} + {i}]]" for i, s in enumerate(trace.v)}
    inputs |= {s: f"number[e * {len(kind.numbers)} + {i}]" for i, s in enumerate(trace.numbers.values())}
    inputs |= {s: f"extra[e * {len(extras)} + {i}]" for i, s in enumerate(extras)}

    # load each input that is used into a name first, then compute, then store
    names = {s: f"{s.data}" for s in inputs}
    writer = Writer(names)
    results = writer.write(value for _, value in outputs)
    body = "\n".join(writer.lines + results)
    loads = [f"{names[s]} = {place}" for s, place in inputs.items() if _mentions(body, names[s])]
    stores = [f"out[e * {len(outputs)} + {k}] = {result}" for k, result in enumerate(results)]
    lines = "\n".join(f"        {line}" for line in loads + writer.lines + stores) or "        pass"
    title = f"{kind.element.__name__}: {level}"
    source = (
        f'"""{title}; derived, do not edit."""\n\nimport math\n\n\n'
        f"def kernel(n, index, number, x, v, extra, out):\n    for e in range(n):\n{lines}\n"
    )
    return Level(source, tuple(entry for entry, _ in outputs), len(extras))


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", text) is not None


def _written(source: str) -> Path:
    """The source in a file of its own name, so that the compiler's cache finds it again."""
    digest = hashlib.sha256(source.encode()).hexdigest()[:20]
    folder = cache_folder() / "kernels"
    path = folder / f"kernel_{digest}.py"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        draft = folder / f".{path.name}.{os.getpid()}"
        draft.write_text(source)
        draft.replace(path)
    return path


_compiled: dict[str, Any] = {}


def compile_kernel(source: str) -> int:
    """The address of the compiled kernel; compiled once a machine, loaded once a process."""
    if source not in _compiled:
        path = _written(source)
        name = f"flexura_{path.stem}"
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        _compiled[source] = cfunc(SIGNATURE, cache=True, fastmath={"contract"}, error_model="numpy")(module.kernel)
    return int(_compiled[source].address)
