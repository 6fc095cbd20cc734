"""Systems as tables of C: all numbers of an instance in one array, indices in another, and the kernels."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derive.machine_code import assembly_of
from flexura.derive.records import Floats, Ints
from flexura.formats.fmi.archive import numbers
from flexura.mechanics.core.law_calls import DISPLAYED, STRESS
from flexura.mechanics.core.system import System

LEVELS = ("motion", "shape", "track")

NUMBERS = (
    "number", "motion.extra", "motion.out", "shape.extra", "shape.out", "track.extra", "track.out",
    "rows.position", "rows.velocity", "rows.acceleration", "rows.scale", "augmented.weight",
    "laws.stiffness", "laws.damping", "laws.preload", "driven.body_base", "driven.body_length",
    "feedback.laws.number", "program.registers", "program.table_break", "program.table_coefficient",
    "factors.values", "factors.scaled", "z", "strain", "rate",
)  # fmt: skip
"""tables of numbers, by their places in a system"""

_CALLS = ("count", "index_start", "number_start", "extra_start", "out_start")
_INDICES: dict[str, tuple[str, ...]] = {
    "": ("index", "track_target", "free", "place", "coordinate_place"),
    **dict.fromkeys(LEVELS, _CALLS),
    "slopes": ("strain", "convection", "start", "source", "column", "target"),
    "shape_slopes": ("strain", "start", "source", "column"),
    **dict.fromkeys(("mass", "force", "rows.entries", "reactions.force"), ("source", "target")),
    **dict.fromkeys(("coupling", "reactions.mass", "reactions.slope"), ("source", "target", "other")),
    "rows": ("strain", "place", "convection"),
    "augmented": ("row", "start", "source", "place", "target_start", "target"),
    "laws": ("strain", "needed", "rated", "start", "other", "program"),
    "driven": (
        *("stop", "coordinate", "coordinate_register", "row", "row_register"),
        *("load_coordinate", "load_register", "load_law", "body"),
    ),
    "feedback": ("span", "followed", "shown", "signal"),
    "feedback.laws": ("count", "index_start", "index", "out_start", "number_start"),
    "touch": ("strain",),
    "program": ("code", "table_start"),
    "factors": ("start", "row", "column", "product_start", "target", "left", "right"),
}
INDICES = tuple(f"{record}.{name}".lstrip(".") for record, names in _INDICES.items() for name in names)
"""tables of indices, likewise"""

_FROM_MODEL = ("number", "laws", "driven", "feedback", "program", "motion.extra")
GIVEN = tuple(name for name in NUMBERS if name.startswith(_FROM_MODEL))
"""tables whose numbers follow from those of the model"""


def array_of(system: System, path: str) -> NDArray[Any]:
    """An array of a system by its place."""
    found: Any = system
    for name in path.split("."):
        found = getattr(found, name)
    return np.asarray(found)


def given_numbers(system: System, registers: Floats) -> Floats:
    """Numbers of a system that follow from those of its model, in the order of all its tables; zero elsewhere.

    ``registers`` are those of its program before any run.
    """
    parts = []
    for path in NUMBERS:
        array = registers if path == "program.registers" else np.ravel(array_of(system, path))
        parts.append(array if path in GIVEN else np.zeros(array.size))
    return np.concatenate(parts)


def structure_of(system: System) -> bytes:
    """Indices of a system, as one text."""
    return b"".join(array_of(system, path).tobytes() for path in INDICES)


def enumerations() -> str:
    """Names of the tables in C."""
    lines = []
    for prefix, count, names in (("N", "NUMBER_TABLES", NUMBERS), ("I", "INDEX_TABLES", INDICES)):
        listed = ", ".join(f"{prefix}_{name.replace('.', '_')}" for name in names)
        lines.append(f"enum {{ {listed}, {count} }};\n")
    return "".join(lines)


@dataclass
class Pool:
    """Arrays of systems, one after another."""

    floats: list[Floats] = field(default_factory=list)
    ints: list[Ints] = field(default_factory=list)
    kernels: dict[str, str] = field(default_factory=dict)
    """names of kernels by their assembly"""
    size: int = 0
    index_size: int = 0
    _known: dict[bytes, int] = field(default_factory=dict)

    def add(self, name: str, system: System, registers: Floats) -> str:
        """Take up a system, with the registers before any run; the declarations of its tables."""
        rows, index_rows = [], []
        for path in NUMBERS:
            array = registers if path == "program.registers" else array_of(system, path)
            rows.append((self.size, *_shape(array)))
            self.floats.append(np.ravel(array).astype(float))
            self.size += array.size
        for path in INDICES:
            array = array_of(system, path)
            index_rows.append((self._place(np.ravel(array).astype(np.int64)), *_shape(array)))
        lines = [_table(f"{name}_NUMBERS", rows), _table(f"{name}_INDICES", index_rows)]
        called = {level: system.__dict__[level].address.tolist() for level in LEVELS}
        laws = system.feedback.laws.address
        called |= {"stress": laws[STRESS].tolist(), "displayed": laws[DISPLAYED].tolist()}
        for level, addresses in called.items():
            middle = "" if level == "motion" else f"{level.upper()}_"
            listed = ", ".join(self._kernel(address) for address in addresses) or "0"
            lines.append(f"static const Kernel {name}_{middle}KERNELS[] = {{{listed}}};\n")
        return "".join(lines)

    def _place(self, array: Ints) -> int:
        """Place of an array of indices; equal ones are stored once."""
        key = array.tobytes()
        if key not in self._known:
            self._known[key] = self.index_size
            self.ints.append(array)
            self.index_size += array.size
        return self._known[key]

    def _kernel(self, address: int) -> str:
        if address == 0:
            return "0"
        return self.kernels.setdefault(assembly_of(address), f"flexura_kernel_{len(self.kernels)}")

    @property
    def numbers(self) -> Floats:
        """The array of all numbers."""
        return np.concatenate([np.zeros(0), *self.floats])

    def arrays(self) -> str:
        """Declarations of the two arrays."""
        indices = ", ".join(str(i) for i in np.concatenate([np.zeros(0, dtype=np.int64), *self.ints]).tolist())
        return f"static const Index INDICES[] = {{{indices or '0'}}};\n" + numbers("SYSTEM_START", self.numbers)

    def prototypes(self) -> str:
        """Declarations of the kernels."""
        arguments = "Index, const Index *, const double *, const double *, const double *, const double *, double *"
        return "".join(f"void {name}({arguments});\n" for name in self.kernels.values())

    def kernel_files(self) -> dict[str, str]:
        """Assembly of each kernel, under its own name."""
        return {
            f"{name}.ll": source.replace("define void @kernel(", f"define hidden void @{name}(")
            for source, name in self.kernels.items()
        }


def _shape(array: NDArray[Any]) -> tuple[int, int]:
    return (array.shape[0], array.shape[1] if array.ndim > 1 else 1)


def _table(name: str, rows: list[tuple[int, int, int]]) -> str:
    listed = ", ".join(f"{{{a}, {b}, {c}}}" for a, b, c in rows)
    return f"static const Index {name}[][3] = {{{listed}}};\n"
