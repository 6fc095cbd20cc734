"""Positions of the outputs of kernels, and their strains and coordinates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derive.kernels import Level, compile_kernel, derive
from flexura.derive.records import Floats, Ints
from flexura.mechanics.core.element_groups import Group
from flexura.mechanics.core.index_arrays import ints
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.layout_facts import fact, number_fact
from flexura.mechanics.core.system import Calls


class Outputs:
    """Positions of the outputs of one level, element by element."""

    def __init__(self, layout: Layout, level: str) -> None:
        self.layout = layout
        self.levels: list[Level] = [derive(group.kind, level, len(group.names)) for group in layout.groups]
        self.starts: list[int] = []
        self.extras: list[int] = []
        out = extra = 0
        for group, found in zip(layout.groups, self.levels, strict=True):
            self.starts.append(out)
            self.extras.append(extra)
            out += len(group.names) * len(found.entries)
            extra += len(group.names) * found.extra
        self.size, self.extra_size = out, extra
        self._by_strain: dict[str, Ints] = {}

    def calls(self, used: bool = True, into: Floats | None = None) -> Calls:
        """Compile the kernels if they are ``used``; their outputs may be written ``into`` those of another level."""
        groups = self.layout.groups
        kept = [g for g, level in enumerate(self.levels) if level.entries and used]
        index = np.cumsum([0] + [len(g.names) * g.kind.width for g in groups])
        number = np.cumsum([0] + [len(g.names) * len(g.kind.numbers) for g in groups])
        return Calls(
            address=ints(compile_kernel(self.levels[g].source) for g in kept),
            count=ints(len(groups[g].names) for g in kept),
            index_start=ints(index[g] for g in kept),
            number_start=ints(number[g] for g in kept),
            extra_start=ints(self.extras[g] for g in kept),
            out_start=ints(self.starts[g] for g in kept),
            step=np.array([self._steps(g) for g in kept], dtype=np.int64).reshape(-1, 4),
            extra=np.zeros(max(self.extra_size, 1)),
            out=np.zeros(max(self.size, 1)) if into is None else into,
        )

    def _steps(self, g: int) -> tuple[int, int, int, int]:
        """Indices, numbers, extra inputs and outputs of one element of a group."""
        kind, level = self.layout.groups[g].kind, self.levels[g]
        return kind.width, len(kind.numbers), level.extra, len(level.entries)

    def entries(self, wanted: str) -> Iterator[tuple[Group, Ints, Ints, Ints]]:
        """(group, sources, rows, columns) of a quantity, group by group; the sources have one row for each element."""
        for group, level, start in zip(self.layout.groups, self.levels, self.starts, strict=True):
            if wanted in level.by_quantity:
                k, i, j = level.by_quantity[wanted]
                first = start + len(level.entries) * np.arange(len(group.names))
                yield group, first[:, None] + k, i, j

    def by_strain(self, wanted: str) -> Ints:
        """Source of a quantity for each strain, 0 for strains without it."""
        if wanted not in self._by_strain:
            found = np.zeros(len(self.layout.strains), dtype=np.int64)
            for group, source, i, _ in self.entries(wanted):
                found[group.firsts[:, None] + i] = source
            self._by_strain[wanted] = found
        return self._by_strain[wanted]

    def of_coordinates(self, wanted: str) -> Ints:
        """Rows (source, coordinate) of a quantity with a value for each coordinate."""
        return _joined([(source, group.table[:, i]) for group, source, i, _ in self.entries(wanted)], 2)

    def of_slopes(self, wanted: str, slips: bool = False) -> Ints:
        """Rows (source, strain, coordinate) of a quantity; strains of ``slips`` come after the others."""
        found = []
        for group, source, i, j in self.entries(wanted):
            first = group.firsts[:, None] + (len(group.kind.strains) if slips else 0)
            found.append((source, first + i, group.table[:, j]))
        return _joined(found, 3)

    def of_pairs(self, wanted: str) -> Ints:
        """Rows (source, coordinate, coordinate) of a quantity."""
        found = self.entries(wanted)
        return _joined([(source, group.table[:, i], group.table[:, j]) for group, source, i, j in found], 3)

    def extra_table(self, g: int) -> Ints:
        """Extra inputs of the elements of a group, one row for each."""
        count, width = len(self.layout.groups[g].names), self.levels[g].extra
        return self.extras[g] + np.arange(count * width, dtype=np.int64).reshape(count, width)

    def extra_places(self) -> Iterable[tuple[str, int]]:
        """(element, start of its extra inputs) of the kinds with extra inputs."""
        for group, level, start in zip(self.layout.groups, self.levels, self.extras, strict=True):
            if level.extra:
                yield from ((name, start + e * level.extra) for e, name in enumerate(group.names))

    def places(self, wanted: str) -> dict[tuple[str, int], int]:
        """Positions of a quantity, by element and row."""
        return {
            (name, row): at
            for group, source, i, _ in self.entries(wanted)
            for name, sources in zip(group.names, source.tolist(), strict=True)
            for row, at in zip(i.tolist(), sources, strict=True)
        }


@number_fact
def moving_masses(layout: Layout) -> Floats:
    """Masses of the elements with moving material, in the order of the momentum level."""
    return np.array([layout.element_numbers[name].get("mass", 0.0) for name in _moving(layout)], dtype=float)


@fact
def _moving(layout: Layout) -> list[str]:
    """Elements with moving material, in the order of the momentum level."""
    levels = Outputs(layout, "momentum").levels
    return [name for g, level in zip(layout.groups, levels, strict=True) if level.entries for name in g.names]


def _joined(parts: Sequence[tuple[NDArray[Any], ...]], width: int) -> Ints:
    """Concatenation of the arrays of all groups into a table with ``width`` rows, element by element."""
    none = np.zeros(0, dtype=np.int64)
    return np.array([np.concatenate([none, *(part[k].ravel() for part in parts)]) for k in range(width)])
