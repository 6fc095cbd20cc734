"""Parts of the force on a signal: of a drive or support, of a law, of a load."""

from __future__ import annotations

import numpy as np

from flexura.derive.records import Floats
from flexura.mechanics.core.constitution import DRIVEN, RIGID
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import drive, stresses
from flexura.mechanics.preparation.assembled_form import AssembledForm
from flexura.model.model import Model
from flexura.model.names import Address, Names
from flexura.results.motion import Motion
from flexura.results.providers import provides


@provides("force parts")
def force_parts(motion: Motion, signal: str) -> dict[str, Floats]:
    """Parts of the force on a signal over time, by name; those of a strain sum to its force.

    A coordinate of an element's own, such as the amplitude of a mode, is also a strain: its law is elastic, and its
    force is that of its drive, support or load.
    """
    names, total = motion.names, motion.force(signal)
    address = names.strained(names.resolve(signal))
    owned = names.own(address) != address
    driven = any(address in map(names.strained, names.expand(name)) for name in motion.model.inputs)
    layout = Layout(motion.model)
    is_strain = address in layout.strain_index
    held = is_strain and layout.strain_class[layout.strain_index[address]] in {RIGID, DRIVEN}
    known = (is_strain and held) or names.own(address) in {layout.coordinates[c] for c in layout.known}
    law, load = _evaluated(motion, _without(motion.model, names, address) if known else motion.model, address)
    parts = {"law": law, "load": load}
    if known:
        parts["drive" if driven else "reaction"] = total - law - load if is_strain and not owned else total
    elif is_strain and not owned:
        parts["law"] = total - load
    return {name: values for name, values in parts.items() if values.any() or name in {"drive", "reaction"}}


def _without(model: Model, names: Names, address: Address) -> Model:
    """Model in which a signal is neither fixed nor driven, nor rigid."""
    inputs = {name: given for name, given in model.inputs.items() if names.resolve(name) != names.own(address)}
    fixed = [
        str(other)
        for name in model.fixed
        for other in (names.expand(name) if address in map(names.strained, names.expand(name)) else (name,))
        if other != names.own(address)
    ]
    free = model.replace(inputs=inputs, fixed=fixed)
    layout = Layout(free)
    index = layout.strain_index.get(address)
    if index is not None and layout.strain_class[index] == RIGID:
        return free.replace(released=(*free.released, str(names.own(address))))
    return free


def _evaluated(motion: Motion, model: Model, address: Address) -> tuple[Floats, Floats]:
    """Forces of the law and of the load on a free signal, at the states of a motion."""
    layout = Layout(model)
    system: System = AssembledForm(layout).plain.restored()
    x, v = _coordinates(motion, layout)
    stress, a = np.zeros(len(layout.strains)), np.zeros(x.shape[1])
    law, load = np.zeros(len(motion.t)), np.zeros(len(motion.t))
    for k, t in enumerate(motion.t):
        if system.track_target.size:
            call_level(system, system.track, x[k], v[k])
            system.number[system.track_target] = system.track.out[: system.track_target.size]
        drive(system, float(t), x[k], v[k], a)
        call_level(system, system.motion, x[k], v[k])
        stresses(system, x[k], v[k], stress)
        across = _load_across(layout, system, address)
        load[k] = across + _load_along(layout, system, layout.names.own(address))
        if address in layout.strain_index and layout.strain_index[address] in system.laws.strain:
            law[k] = -stress[layout.strain_index[address]] - across
    return law, load


def _coordinates(motion: Motion, layout: Layout) -> tuple[Floats, Floats]:
    """Positions and rates of all coordinates of a layout, from a motion."""
    index = [motion.column(address) for address in layout.coordinates if not address.integral]
    x, v = (
        np.hstack([values[:, index], np.zeros((len(motion.t), len(layout.integrals)))])
        for values in motion.position[:2]
    )
    for i, address in enumerate(layout.integrals):
        v[:, len(index) + i] = motion.states[str(address)][0]
    return x, v


def _load_across(layout: Layout, system: System, strain: Address) -> float:
    """Load on a strain at the state of the last evaluation, without contributions of the laws of elements."""
    k, driven = layout.strain_index.get(strain), system.driven
    rows = driven.load_law[: system.feedback.working[2]]
    return float(sum(system.program.registers[r] for n, r in rows if system.laws.strain[n] == k))


def _load_along(layout: Layout, system: System, coordinate: Address) -> float:
    """Load on a coordinate at the state of the last evaluation."""
    c, driven = layout.coordinate_index.get(coordinate), system.driven
    loads = zip(driven.load_coordinate, driven.load_register, strict=True)
    return float(sum(system.program.registers[r] for at, r in loads if at == c))
