"""From states at times to a :class:`~flexura.results.motion.Motion`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from flexura.analyses.motion.redundant_forces import distribute_forces
from flexura.derive.records import Floats
from flexura.mechanics.core.kernel_outputs import moving_masses
from flexura.mechanics.motion.observation import View, look_at, observe
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.results.findings import Finding, noted
from flexura.results.motion import Motion


def blank_view(
    machine: PreparedModel, t: Floats, x: Floats, v: Floats, tracked: Floats, switches: Floats | None = None
) -> View:
    """A view at these times and states, not yet observed; ``switches`` as they were."""
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
        error=np.zeros(count),
    )


def result_size(machine: PreparedModel, count: int) -> float:
    """Bytes of a motion at so many times, and of the states that the integration keeps for it."""
    n, k = len(machine.layout.coordinates), len(machine.layout.strains)
    return 8.0 * count * (7 * n + 5 * k + machine.system.track_target.size + 16)


def motion_of(
    machine: PreparedModel,
    view: View,
    work: Floats | None,
    prescribed: bool = False,
    findings: tuple[Finding, ...] = (),
    sets: Sequence[tuple[float, PreparedModel]] = (),
    **said: Any,
) -> Motion:
    """Observe all that there is at the states of a view; ``prescribed`` accelerations and stresses are kept.

    ``sets`` are the machine with other independent sets of constraints, each with the time from which it serves.
    """
    layout = machine.layout
    starts = [int(np.searchsorted(view.t, time, side="right")) for time, _ in sets]
    spans = zip((machine, *(other for _, other in sets)), (0, *starts), (*starts, view.t.size), strict=True)
    for observer, first, last in spans:
        part = view.between(first, last)
        (look_at if prescribed else observe)(observer.touching if view.switches.size else observer.system, part)
    if layout.redundancy.left_out:
        findings = (*findings, *distribute_forces(machine, view))
    # the unit lengths of orientations are the program's own
    kept = [k for k, address in enumerate(layout.strains) if not address.owner.endswith(":unit")]
    # the integrals of states, which come last, are too
    count = len(layout.coordinates) - len(layout.integrals)
    motion = Motion(
        model=layout.model,
        t=view.t,
        nodal_coordinates=tuple(layout.coordinates[:count]),
        strains=tuple(layout.strains[k] for k in kept),
        position=(view.x[:, :count], view.v[:, :count], view.a[:, :count]),
        strain=(view.strain[:, kept], view.rate[:, kept], view.second[:, kept]),
        coordinate_force=view.force[:, :count],
        stress=view.stress[:, kept],
        energy=_energies(view, work),
        momentum=view.momentum,
        states={
            str(address): (view.v[:, count + i], view.a[:, count + i]) for i, address in enumerate(layout.integrals)
        },
        coordinates=tuple(str(a) for a in machine.mobility.independent if not a.integral),
        **said,
    )
    return motion.with_findings(*noted(machine.note), *findings, *_not_finite(view), *_fast_frames(machine, view))


def _fast_frames(machine: PreparedModel, view: View) -> Iterator[Finding]:
    """Doubts about parts that turn fast and know nothing of the stresses of their rotation."""
    layout = machine.layout
    for name, element in layout.names.elements.items():
        limit = element.spin_limit()
        first = next(iter(layout.names.attachments[name].values()), None)
        if limit == np.inf or first is None or first.orientation is None or not view.t.size:
            continue
        turns = [layout.coordinate_index[a] for a in first.addresses(layout.names.turn_components)]
        # of Euler parameters, whose rates are half the angular velocity
        speed = 2.0 * np.linalg.norm(view.v[:, turns], axis=1)
        fastest = int(np.argmax(speed))
        if speed[fastest] > limit:
            what = "rotation in rad/s without stress stiffening"
            advice = "reduce the part from a model, or give its geometric stiffness; else it is too soft"
            time, value = float(view.t[fastest]), float(speed[fastest])
            yield Finding(what, "doubt", time, where=name, value=value, allowed=limit, advice=advice)


def _not_finite(view: View) -> tuple[Finding, ...]:
    """Doubt about samples that have no numbers."""
    lost = ~(np.isfinite(view.x).all(axis=1) & np.isfinite(view.v).all(axis=1))
    if not lost.any():
        return ()
    what, advice = "samples without finite positions or rates", "use other sample times, and report the model"
    first = float(view.t[np.argmax(lost)])
    return (Finding(what, "doubt", first, value=float(lost.sum()), allowed=0.0, advice=advice),)


def _energies(view: View, work: Floats | None) -> Mapping[str, Floats]:
    kinetic, strain, gravity = view.energy.T
    total = kinetic + strain + gravity
    energies = {"kinetic": kinetic, "strain": strain, "gravity": gravity, "total": total}
    if work is not None:
        put_in, dissipated = work.T[:2]
        energies |= {"work": put_in, "dissipated": dissipated}
        energies["balance"] = (total - total[0]) + dissipated - put_in
    return energies
