"""A model made ready: layout, system, and the state in which it was drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.mechanics.assembly import Assembler
from flexura.mechanics.evaluate import accelerate
from flexura.mechanics.layout import Layout
from flexura.mechanics.system import System
from flexura.model.model import Model

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Machine:
    """A model in the form in which it is computed."""

    layout: Layout
    system: System


def build(model: Model) -> Machine:
    layout = Layout(model)
    system = Assembler(layout).system()
    x = layout.drawn.copy()
    accelerate(system, 0.0, x, np.zeros_like(x), np.zeros_like(x), np.zeros(len(layout.strains)))
    system.pivot[:] = system.factors.values[: system.pivot.size]
    return Machine(layout, system)
