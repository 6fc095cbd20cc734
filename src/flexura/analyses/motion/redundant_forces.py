"""Forces of redundant constraints in a result, and notes on them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from flexura.mechanics.motion.observation import View, observe_given
from flexura.mechanics.preparation.least_norm import LeastNorm
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.results.findings import Finding

_CONTRADICTION = 1e-6
"""Deformation of a constraint that is left out, in radians or relative to the model's size, that raises a doubt."""


def distribute_forces(machine: PreparedModel, view: View) -> tuple[Finding, ...]:
    """Give redundant constraints the forces of least norm in an observed view, and note those that are not unique."""
    system = machine.touching if view.switches.size else machine.system
    forces = LeastNorm(machine.layout, system)
    for k in range(view.t.size):
        forces.distribute(view.x[k], view.stress[k])
    observe_given(system, view)
    return (*_uniqueness(machine, forces), *_contradictions(machine, view))


def _uniqueness(machine: PreparedModel, forces: LeastNorm) -> Iterator[Finding]:
    """Name the forces that are not unique, and those of the group that are."""
    layout = machine.layout
    count, loose = len(layout.redundancy.left_out), forces.not_unique
    what = f"{count} redundant constraint{'' if count == 1 else 's'}"
    unique = ", ".join(map(str, forces.unique))
    yield Finding(
        f"{what}: these forces are not unique, and those of least norm are given",
        where=", ".join([*map(str, loose), *forces.reactions_not_unique]),
        advice=f"these forces are unique: {unique}" if unique else "give a stiffness to those whose forces matter",
    )
    pressed = {layout.strains[grip.by] for grip in layout.grips if grip.by is not None}
    pressed |= {layout.strains[strain] for grip in layout.grips for _, _, strain, _ in grip.pressure}
    if rubbing := [a for a in loose if a in pressed]:
        yield Finding(
            "the normal force of friction is not unique, nor is the motion",
            "doubt",
            where=", ".join(map(str, rubbing)),
            advice="give a stiffness to one of the constraints",
        )


def _contradictions(machine: PreparedModel, view: View) -> Iterator[Finding]:
    """Doubt about a result in which a constraint is violated that the others should imply."""
    layout = machine.layout
    for address in layout.redundancy.left_out:
        size = np.abs(view.strain[:, layout.strain_index[address]]) / layout.extent(address)
        k = int(np.argmax(size))
        if size[k] > _CONTRADICTION:
            yield Finding(
                "constraints contradict each other: relative deformation",
                "doubt",
                float(view.t[k]),
                str(address),
                float(size[k]),
                _CONTRADICTION,
                _advice(machine),
            )


def _advice(machine: PreparedModel) -> str:
    """Remedy for contradictory constraints, if drives may be the cause."""
    model = machine.layout.names.model
    group = {str(address) for address in machine.layout.redundancy.group}
    if not model.inputs:
        return "release one of the redundant constraints, or give it a stiffness"
    driven = [name for name in model.inputs if name not in group]
    what = f"the drive of {', '.join(driven or model.inputs)} moves a signal that other constraints hold"
    return f"{what}: leave one out of fixed or inputs, or give one of the links a stiffness"
