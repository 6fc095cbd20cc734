"""Linear level of the kernels: targets of its outputs, and sources of its additional inputs."""

from __future__ import annotations

import numpy as np

from flexura.derive.records import Ints
from flexura.mechanics.core.kernel_outputs import Outputs
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import Calls

OF_SLIPS, OF_STRAINS, OF_COORDINATES = ("transport", "transport_rate"), ("rate_x", "second_x"), ("force_x", "force_v")


class LinearLevel:
    """Outputs of the linear level by quantity, over strains or coordinates, and coordinates."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.outputs = Outputs(layout, "linear")
        self.places: dict[str, Ints] = {name: self.outputs.of_slopes(name, slips=True) for name in OF_SLIPS}
        """rows (source, row, column) of each quantity"""
        self.places |= {name: self.outputs.of_slopes(name) for name in OF_STRAINS}
        self.places |= {name: self.outputs.of_pairs(name) for name in OF_COORDINATES}

    def calls(self) -> Calls:
        """Compile the kernels."""
        return self.outputs.calls()

    def extra(self) -> tuple[Ints, Ints, Ints]:
        """(source, target) of the extra inputs of the linear level: accelerations, body forces, stresses."""
        none = np.zeros((2, 0), dtype=np.int64)
        accelerations, weights, stresses = [none], [none], [none]
        axes, motion = self.layout.model.dimension, Outputs(self.layout, "motion")
        for g, group in enumerate(self.layout.groups):
            width, rows, extra = group.kind.width, len(group.kind.rows), self.outputs.extra_table(g)
            after = width + axes
            for found, source, target in (
                (accelerations, group.table, extra[:, :width]),
                (weights, motion.extra_table(g)[:, :axes], extra[:, width:after]),
                (stresses, group.firsts[:, None] + np.arange(rows), extra[:, after : after + rows]),
            ):
                if target.size:
                    found.append(np.array([source.ravel(), target.ravel()]))
        joined = [np.concatenate(part, axis=1) for part in (accelerations, weights, stresses)]
        return joined[0], joined[1], joined[2]
