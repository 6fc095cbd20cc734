"""Random states of motion of a model, in which the links fit together, and results that hold nothing else."""

from __future__ import annotations

import numpy as np

from flexura.errors import AnalysisError
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.preparation.assembly import Assembler
from flexura.mechanics.preparation.minimal_coordinates import Transfer
from flexura.mechanics.preparation.mobility import mobility
from flexura.model.model import Model
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome
from references.dual_equations import Moment
from references.dual_parts import Array


def random_moment(model: Model, t: float, seed: int, size: float = 0.1) -> Moment:
    """A state at a time: the independent coordinates displaced, with rates and accelerations that no force explains.

    The size is that of strains and angles, lengths by that of the model, shared by the coordinates if these are many,
    and less where the links cannot follow.
    """
    layout = Layout(model)
    system, x = Assembler(layout).system(), layout.drawn.copy()
    free = mobility(layout, system, x).independent
    transfer = Transfer(layout, system, free)
    unit = np.array([layout.size if layout.unit(address) == "m" else 1.0 for address in free])
    displaced, rates, accelerations = np.random.default_rng(seed).uniform(-1.0, 1.0, (3, len(free))) * unit
    x = _displaced(transfer, t, x, size / max(1.0, len(free) / 6) * displaced)
    v = transfer.velocity(3.0 * rates, t, x)
    return Moment(t, x, v, transfer.acceleration(9.0 * accelerations, t, x, v))


def _displaced(transfer: Transfer, t: float, x: Array, change: Array) -> Array:
    """As far from the drawn position as the links can follow."""
    drawn = transfer.values(x, transfer.independent)
    # what turns many times is followed on its way
    for share in np.linspace(0.0, 1.0, 65)[1:]:
        x = transfer.position(drawn, share * t, x)
    for part in (1.0, 0.3, 0.1):
        try:
            return transfer.position(drawn + part * change, t, x)
        except AnalysisError:
            continue
    return transfer.position(drawn + 0.03 * change, t, x)


def motion_of(model: Model, moment: Moment) -> Motion:
    """A motion of one moment, with coordinates only."""
    nothing = np.zeros((1, 0))
    layout = Layout(model)
    count = len(layout.coordinates) - len(layout.integrals)
    return Motion(
        model=model,
        t=np.array([moment.t]),
        nodal_coordinates=tuple(layout.coordinates[:count]),
        strains=(),
        position=(moment.x[None, :count], moment.v[None, :count], moment.a[None, :count]),
        strain=(nothing, nothing, nothing),
        coordinate_force=nothing,
        stress=nothing,
        energy={},
        momentum=nothing,
        outcome=Outcome.DONE,
        states={str(a): (moment.v[None, c], moment.a[None, c]) for c, a in enumerate(layout.integrals, count)},
    )
