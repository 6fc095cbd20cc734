"""Where the outputs of the kernels lie."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from flexura.derive.kernels import Level, compile_kernel, derive
from flexura.derive.records import Floats
from flexura.mechanics.core.index_arrays import ints
from flexura.mechanics.core.layout import Group, Layout
from flexura.mechanics.core.system import Calls


class Outputs:
    """Where each output of one level lies, element by element."""

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

    def calls(self, used: bool = True, into: Floats | None = None) -> Calls:
        """The compiled kernels; what is not used is not compiled. They may write ``into`` the outputs of others."""
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
            extra=np.zeros(max(self.extra_size, 1)),
            out=np.zeros(max(self.size, 1)) if into is None else into,
        )

    def each(self) -> Iterable[tuple[Group, int, str, int, int, int]]:
        """(group, element, quantity, row, column, source) of every output."""
        for group, level, start in zip(self.layout.groups, self.levels, self.starts, strict=True):
            for e in range(len(group.names)):
                for k, (quantity, i, j) in enumerate(level.entries):
                    yield group, e, quantity, i, j, start + e * len(level.entries) + k

    def extra_places(self) -> Iterable[tuple[str, int]]:
        """(element, where its extra inputs start) of the kinds that have any."""
        for group, level, start in zip(self.layout.groups, self.levels, self.extras, strict=True):
            if level.extra:
                yield from ((name, start + e * level.extra) for e, name in enumerate(group.names))

    def places(self, wanted: str) -> dict[tuple[str, int], int]:
        """Where a quantity is, by element and row."""
        return {(group.names[e], i): source for group, e, quantity, i, _, source in self.each() if quantity == wanted}
