"""The linear level of the kernels: where its outputs go, and where its further inputs come from."""

from __future__ import annotations

from flexura.mechanics.core.kernel_outputs import Outputs
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import Calls

Entry = tuple[int, int, int]
"""Source, row and column."""

QUANTITIES = ("transport", "transport_rate", "rate_x", "second_x", "force_x", "force_v")


class LinearLevel:
    """Places of the outputs by what they are, over strains or coordinates, and coordinates."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.outputs = Outputs(layout, "linear")
        self.places = self._find_places()

    def calls(self) -> Calls:
        """The compiled kernels."""
        return self.outputs.calls()

    def _find_places(self) -> dict[str, list[Entry]]:
        """Source, row and column of the outputs of the linear level, by what they are."""
        found: dict[str, list[Entry]] = {name: [] for name in QUANTITIES}
        for group, e, quantity, i, j, source in self.outputs.each():
            column = group.coordinates[e][j]
            if quantity in {"force_x", "force_v"}:
                row = group.coordinates[e][i]
            else:  # slips come after the strains
                slips = len(group.kind.element.strains) if quantity in {"transport", "transport_rate"} else 0
                row = group.strain_start[e] + slips + i
            found[quantity].append((source, row, column))
        return found

    def extra(self) -> tuple[list[tuple[int, int]], ...]:
        """Sources of the extra inputs of the linear level: accelerations, body forces, stresses."""
        accelerations, weights, stresses = [], [], []
        axes, motion = self.layout.model.dimension, dict(Outputs(self.layout, "motion").extra_places())
        for group, level, start in zip(self.layout.groups, self.outputs.levels, self.outputs.extras, strict=True):
            width, rows = group.kind.width, len(group.kind.element.rows())
            for e, name in enumerate(group.names):
                at = start + e * level.extra
                accelerations += [(c, at + i) for i, c in enumerate(group.coordinates[e])]
                weights += [(motion[name] + i, at + width + i) for i in range(axes)]
                stresses += [(group.strain_start[e] + i, at + width + axes + i) for i in range(rows)]
        return accelerations, weights, stresses
