"""Conversion of states at given times to a :class:`~flexura.results.motion.Motion`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from flexura.analyses.motion.deep_overlaps import deep_overlaps
from flexura.analyses.motion.large_deformations import large_deformations
from flexura.analyses.motion.redundant_forces import distribute_forces
from flexura.analyses.motion.undetermined_contacts import undetermined_contacts
from flexura.derive.records import Floats
from flexura.mechanics.contact.observed_shares import share_observed
from flexura.mechanics.core.kernel_outputs import moving_masses
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.layout_facts import fact, number_fact
from flexura.mechanics.motion.observation import View, observe, observe_given
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.mechanics.preparation.singular_start import Opening
from flexura.model.names import Address
from flexura.results.findings import Finding, noted
from flexura.results.motion import Histories, Motion
from flexura.results.outcome import Outcome


def blank_view(
    machine: PreparedModel,
    t: Floats,
    x: Floats,
    v: Floats,
    tracked: Floats,
    switches: Floats | None = None,
    accelerations: Floats | None = None,
) -> View:
    """A view at these times and states, not yet observed; ``switches`` as they were.

    Given ``accelerations`` are those of the run; rows that are not numbers follow from the equations of motion.
    """
    layout, count = machine.layout, len(t)
    n, k = len(layout.coordinates), len(layout.strains)
    return View(
        t=t,
        x=x,
        v=v,
        a=np.zeros((count, n)),
        strain=np.zeros((count, k)),
        rate=np.zeros((count, k)),
        second=np.zeros((count, k)),
        stress=np.zeros((count, k)),
        force=np.zeros((count, n)),
        energy=np.zeros((count, 3)),
        momentum=np.zeros((count, 3 * (layout.model.dimension - 1))),
        tracked=tracked,
        switches=np.zeros((count, 0)) if switches is None else switches,
        body=moving_masses(layout),
        gravity=np.array(layout.gravity, dtype=float),
        interpolated=np.zeros((count, 0)) if accelerations is None else accelerations,
        balanced=np.zeros((count, 0 if accelerations is None else n)),
        error=np.zeros(count),
    )


def result_size(machine: PreparedModel, count: int) -> float:
    """Bytes of a motion at this number of times, and of the states that the integration stores for it."""
    n, k = len(machine.layout.coordinates), len(machine.layout.strains)
    return 8.0 * count * (8 * n + 5 * k + machine.system.track_target.size + 16)


def motion_of(
    machine: PreparedModel,
    view: View,
    work: Floats | None,
    prescribed: bool = False,
    findings: tuple[Finding, ...] = (),
    sets: Sequence[tuple[float, PreparedModel]] = (),
    **said: Any,
) -> Motion:
    """Observe all quantities at the states of a view; ``prescribed`` accelerations and stresses are kept.

    ``sets`` are the machine with other independent sets of constraints, each with its first time.
    """
    layout = machine.layout
    findings = (*findings, *_observe(machine, view, prescribed, sets))
    motion = Motion(
        model=layout.model,
        t=view.t,
        nodal_coordinates=_shown(layout).coordinates,
        strains=_shown(layout).strains,
        energy=_energies(view, work),
        momentum=view.momentum,
        coordinates=machine.mobility.names,
        balanced=view.balanced[:, : len(_shown(layout).coordinates)] if view.balanced.shape[1] else None,
        **_signals(layout, view)._asdict(),
        **said,
    )
    doubts = (*_not_finite(view), *_fast_frames(layout, view), *large_deformations(layout, view.t, view.x))
    motion = motion.with_findings(*noted(machine.note), *findings, *doubts)
    return motion if layout.about else motion.prefilled(names=layout.names)


def motion_at(machine: PreparedModel, view: View, search: str, iterations: int) -> Motion:
    """Motion of a single state with given accelerations and stresses, which a search has found."""
    return motion_of(
        machine,
        view,
        None,
        prescribed=True,
        outcome=Outcome.DONE,
        method=f"{search}, {iterations} iteration{'s' if iterations != 1 else ''}",
        statistics={"iterations": float(iterations)},
    )


def signals_at(machine: PreparedModel, view: View) -> Signals:
    """Observe the signals and forces at the states of a view."""
    _observe(machine, view, prescribed=False, sets=())
    return _signals(machine.layout, view)


def _observe(
    machine: PreparedModel, view: View, prescribed: bool, sets: Sequence[tuple[float, PreparedModel]]
) -> tuple[Finding, ...]:
    """Fill a view, and note the forces that are not unique."""
    starts = [int(np.searchsorted(view.t, time, side="right")) for time, _ in sets]
    spans = zip((machine, *(other for _, other in sets)), (0, *starts), (*starts, view.t.size), strict=True)
    for observer, first, last in spans:
        part = view.between(first, last)
        system = observer.touching if view.switches.size else observer.system
        (observe_given if prescribed else observe)(system, part)
        if view.switches.size and not prescribed:
            share_observed(system, part, observer.layout.size)
    if machine.opening is not None:
        _observe_opening(machine, machine.opening, view)
    layout, switched = machine.layout, view.switches.size > 0 and not sets
    return (
        *(undetermined_contacts(layout, machine.touching, view) if switched else ()),
        *deep_overlaps(layout, machine.system, view),
        *(distribute_forces(machine, view) if layout.redundancy.left_out else ()),
    )


def _observe_opening(machine: PreparedModel, opening: Opening, view: View) -> None:
    """Observe states too near to a singular start to be determined by the constraints: forces are those just after."""
    count = int(np.searchsorted(view.t, view.t[0] + opening.step))
    if count == 0 or view.t[0] > 0.0:
        return
    x, v, _ = opening.state(opening.step)
    after = blank_view(machine, np.array([opening.step]), x[None], v[None], view.tracked[:1], view.switches[:1])
    observe(machine.system, after)
    for k in range(count):
        view.x[k], view.v[k], view.a[k] = opening.state(float(view.t[k]))
        view.stress[k] = after.stress[0]
        view.balanced[k] = view.a[k, : view.balanced.shape[1]]
    observe_given(machine.system, view.between(0, count))


class Signals(NamedTuple):
    """Signals and forces of a motion, in the form of :class:`Motion`."""

    position: Histories
    strain: Histories
    coordinate_force: Floats
    stress: Floats
    states: Mapping[str, tuple[Floats, Floats]]

    def only(self, rows: slice) -> Signals:
        """Signals at some of the times."""
        (x, v, a), (e, rate, second) = self.position, self.strain
        return Signals(
            (x[rows], v[rows], a[rows]),
            (e[rows], rate[rows], second[rows]),
            self.coordinate_force[rows],
            self.stress[rows],
            {name: (value[rows], rate[rows]) for name, (value, rate) in self.states.items()},
        )


def _signals(layout: Layout, view: View) -> Signals:
    """Signals and forces of an observed view, without internal ones."""
    count, kept = len(_shown(layout).coordinates), _shown(layout).places
    return Signals(
        position=(view.x[:, :count], view.v[:, :count], view.a[:, :count]),
        strain=(view.strain[:, kept], view.rate[:, kept], view.second[:, kept]),
        coordinate_force=view.force[:, :count],
        stress=view.stress[:, kept],
        states={
            str(address): (view.v[:, count + i], view.a[:, count + i]) for i, address in enumerate(layout.integrals)
        },
    )


class _Shown(NamedTuple):
    """Coordinates and strains that a user sees, and the indices of the latter."""

    coordinates: tuple[Address, ...]
    strains: tuple[Address, ...]
    places: list[int] | slice


@fact
def _shown(layout: Layout) -> _Shown:
    """All strains except the unit lengths of orientations, and the integrals of states, which come last."""
    count = len(layout.coordinates) - len(layout.integrals)
    kept = [k for k, address in enumerate(layout.strains) if not address.owner.endswith(":unit")]
    places = slice(None) if len(kept) == len(layout.strains) else kept
    return _Shown(tuple(layout.coordinates[:count]), tuple(layout.strains[k] for k in kept), places)


@number_fact
def _limited_frames(layout: Layout) -> list[tuple[str, float, list[int]]]:
    """(name, largest rate of rotation, coordinates of an orientation) of the elements with such a limit."""
    found = []
    for name, element in layout.names.elements.items():
        limit = element.spin_limit()
        first = next(iter(layout.names.attachments[name].values()), None)
        if limit < np.inf and first is not None and first.orientation is not None:
            turns = [layout.coordinate_index[a] for a in first.addresses(layout.names.turn_components)]
            found.append((name, limit, turns))
    return found


def _fast_frames(layout: Layout, view: View) -> Iterator[Finding]:
    """Doubts about parts that turn fast, for elements without the stresses due to rotation."""
    for name, limit, turns in _limited_frames(layout) if view.t.size else ():
        # for Euler parameters, whose rates are half the angular velocity
        speed = 2.0 * np.linalg.norm(view.v[:, turns], axis=1)
        fastest = int(np.argmax(speed))
        if speed[fastest] > limit:
            what = "angular velocity of a part without stress stiffening [rad/s]"
            advice = "reduce the part from a model, or give its geometric stiffness"
            time, value = float(view.t[fastest]), float(speed[fastest])
            yield Finding(what, "doubt", time, where=name, value=value, allowed=limit, advice=advice)


def _not_finite(view: View) -> tuple[Finding, ...]:
    """Doubt about samples that are not finite."""
    lost = ~(np.isfinite(view.x).all(axis=1) & np.isfinite(view.v).all(axis=1))
    if not lost.any():
        return ()
    what, advice = "number of samples without finite positions or rates", "use other sample times, and report the model"
    first = float(view.t[np.argmax(lost)])
    return (Finding(what, "doubt", first, value=float(lost.sum()), allowed=0.0, advice=advice),)


def _energies(view: View, work: Floats | None) -> Mapping[str, Floats]:
    kinetic, strain, gravity = view.energy.T
    with np.errstate(invalid="ignore", over="ignore"):  # motions that grew without bounds
        total = kinetic + strain + gravity
    energies = {"kinetic": kinetic, "strain": strain, "gravity": gravity, "total": total}
    if work is not None:
        put_in, dissipated = work.T[:2]
        # an impact at the start precedes the first output
        done = (dissipated - dissipated[0]) - (put_in - put_in[0])
        energies |= {"work": put_in, "dissipated": dissipated}
        with np.errstate(invalid="ignore", over="ignore"):
            energies["balance"] = (total - total[0]) + done
    return energies
