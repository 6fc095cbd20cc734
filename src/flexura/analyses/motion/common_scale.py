"""Runs of large models in which stresses share a scale: the largest of the same name in the whole model.

Otherwise each element has scales of its own, so that the least loaded of hundreds controls the step size: the fast
vibrations of small forces in short members are resolved as accurately as the dominant forces.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from flexura.analyses.motion.accuracy import FORCES_WITHIN, POSITIONS_WITHIN
from flexura.analyses.motion.error_scales import kinds_of_model
from flexura.integrators.problem import Problem
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.results.findings import Finding
from flexura.results.motion import Motion


def on_common_scale(machine: PreparedModel, problem: Problem) -> Problem:
    """Problem in which stresses of the same name share one scale."""
    layout, _ = machine.condensed
    return replace(problem, kinds=kinds_of_model(layout, problem.system))


def large_forces_known(motion: Motion) -> bool:
    """True if positions, and forces relative to the largest in their units, are accurate enough."""
    accuracy = motion.accuracy
    return (
        accuracy is not None and accuracy.worst_position[1] <= POSITIONS_WITHIN and _worst(motion)[1] <= FORCES_WITHIN
    )


def small_forces(motion: Motion) -> Finding:
    """Doubt about small forces, with the largest error of a force relative to the largest range in its unit."""
    where, error = _worst(motion)
    what = (
        "error of a force, of the largest in its unit; steps follow the largest forces, and smaller ones are uncertain"
    )
    advice = "to follow all forces, which takes long, give KennedyCarpenter() or DormandPrince(), or add damping"
    return Finding(what, "doubt", where=where, value=error, allowed=FORCES_WITHIN, advice=advice)


def _worst(motion: Motion) -> tuple[str, float]:
    """Name and error of the force with the largest error relative to the largest range in its unit."""
    assert motion.errors is not None
    units, where, worst = np.array([motion.names.unit(address) for address in motion.strains]), "", 0.0
    ranges, errors = np.ptp(motion.stress, axis=0), motion.errors.stress
    for unit in sorted(set(units.tolist())):
        same = np.flatnonzero(units == unit)
        most, largest = int(same[np.argmax(errors[same])]), float(ranges[same].max())
        if largest > 0.0 and errors[most] > worst * largest:
            where, worst = f"{motion.strains[most]}.force", float(errors[most]) / largest
    return where, worst
