"""A model prepared for export: its systems, states and outputs in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexura.analyses.motion.effort_prediction import predict
from flexura.analyses.motion.unsupported_contact import refuse_switched
from flexura.derive.records import Floats
from flexura.elements.orientation_elements import CARRIERS
from flexura.errors import ModelError, placed
from flexura.formats.fmi.system_tables import given_numbers, structure_of
from flexura.mechanics.core.element_numbers import number_places
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.model.mentions import parse
from flexura.model.model import Model
from flexura.model.names import AXES, Address, Names

COORDINATE, STRAIN, COORDINATE_FORCE, STRAIN_FORCE, END_FORCE = range(5)
"""kinds of outputs"""

OUTPUT_WIDTH = 11
"""numbers of an output: kind, index and order; of a force on an end in space also its coordinates and its strain"""


@dataclass(frozen=True)
class Exported:
    """A prepared model in the two forms that an FMU needs: for the motion and for its observation."""

    layout: Layout
    system: System
    whole: Layout
    view: System
    widen: list[int]
    """coordinate of the motion for each coordinate of the view"""
    x: Floats
    v: Floats
    registers: tuple[Floats, Floats]
    """of the programs of both, before any run"""
    fastest: float
    """angular frequency of the fastest vibration in the initial state [rad/s]"""

    @property
    def alike(self) -> bool:
        """True if one system serves for both."""
        return self.view is self.system

    def numbers(self) -> tuple[Floats, bytes]:
        """Numbers that follow from those of the model, and the structure of the systems."""
        systems = [(self.system, self.registers[0])] + ([] if self.alike else [(self.view, self.registers[1])])
        parts = [given_numbers(system, registers) for system, registers in systems]
        return np.concatenate([*parts, self.x, self.v]), b"".join(structure_of(system) for system, _ in systems)


def prepare_export(model: Model) -> Exported:
    """Prepare a model, and refuse what native code does not support."""
    if model.sampled:
        what = "sampled controllers are not exported"
        raise ModelError("to_fmu", what, "export the machine, and run the controller beside it")
    prepared = PreparedModel(model).start(model)
    with placed("to_fmu"):
        refuse_switched(prepared.layout)
    layout, system = prepared.condensed
    widen = [layout.coordinate_index[a] for a in prepared.layout.coordinates]
    x, v = prepared.narrow(layout, prepared.x), prepared.narrow(layout, prepared.v)
    form = prepared.form(condensed=True, switched=True) if layout.condensed else prepared.whole
    registers = [each.assembler.formulas.builder.finish().registers for each in (form, prepared.whole)]
    fastest = predict(prepared, 1.0).frequency
    return Exported(
        layout, system, prepared.layout, prepared.system, widen, x, v, (registers[0], registers[1]), fastest
    )


def with_rates(model: Model, outputs: Sequence[str]) -> Model:
    """The model with loads of zero on rates in space that are outputs, so that its system carries them."""
    names, loads = Names(model), dict(model.loads)
    for output in outputs:
        plain, _, force = parse(output)
        address = names.resolve(plain)
        if address.internal and address.owner not in names.elements and not force:
            loads[plain] = 0.0
    return model if len(loads) == len(model.loads) else model.replace(loads=loads)


def output_row(exported: Exported, signal: str) -> tuple[int, ...]:
    """Numbers of an output."""
    row = _output(exported, signal)
    return (*row, *[0] * (OUTPUT_WIDTH - len(row)))


def _output(exported: Exported, signal: str) -> tuple[int, ...]:
    layout, where = exported.whole, f"output '{signal}'"
    plain, order, force = parse(signal)
    address = layout.names.resolve(plain)
    if order > 2 or (force and order):
        raise ModelError(where, "there are values, rates, accelerations and forces", "remove a prime")
    if force and layout.redundancy.left_out:
        what = "constraints are redundant, and forces are not exported then"
        raise ModelError(where, what, "release redundant constraints, or compute forces by simulate")
    if force and address.integral:
        raise ModelError(where, "a state has no force", f"its rate is {plain}'")
    if force and address.internal:
        return _end_force(layout, address)
    if address.integral:
        if order > 1:
            raise ModelError(where, "a state has a value and a rate", "remove a prime")
        return COORDINATE, layout.coordinate_index[address], order + 1
    if address.kind == "coordinate":
        return COORDINATE_FORCE if force else COORDINATE, layout.coordinate_index[address], order
    if layout.names.without_value(address) and order == 0 and not force:
        raise ModelError(where, "this signal has a rate only", f"name {plain}'")
    return STRAIN_FORCE if force else STRAIN, layout.strain_index[address], order


def _end_force(layout: Layout, address: Address) -> tuple[int, ...]:
    """Force or torque on an end in space: axis, carrier, coordinates of position and orientation, strain or -1."""
    orientation, _, carrier = address.owner.partition(":")
    end = layout.names.expand(orientation)
    places = [layout.coordinate_index[a] for turns in (False, True) for a in end if a.turns is turns]
    strain = layout.strain_index.get(address, -1)
    return END_FORCE, AXES.index(address.component), list(CARRIERS).index(carrier), *places, strain


def states_of(exported: Exported) -> list[tuple[int, int]]:
    """(coordinate, order) of the states: values and rates of free coordinates; of states of the model the rates."""
    free = exported.system.free.astype(np.int64).tolist()
    values = [(c, 0) for c in free if not exported.layout.coordinates[c].integral]
    return values + [(c, 1) for c in free]


def touch_memories(exported: Exported) -> list[int]:
    """Numbers that remember the velocities of approach of the gaps across which laws act."""
    layout, places = exported.layout, number_places(exported.layout)
    gaps = [layout.strains[k] for k in exported.system.touch.strain.tolist()]
    return [
        places[(gap.owner, contact.memory)]
        for gap in gaps
        for contact in layout.names.elements[gap.owner].contacts
        if contact.name == gap.component
    ]
