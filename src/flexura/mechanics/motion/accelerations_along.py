"""Accelerations and tracked numbers (element numbers that follow the motion) at successive states of a motion."""

from __future__ import annotations

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats, FloatTable
from flexura.mechanics.core.row_switches import restore_switches
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate, track


@compiled
def accelerations_along(
    s: System,
    t: Floats,
    x: FloatTable,
    v: FloatTable,
    tracked: FloatTable,
    switches: FloatTable,
    a: FloatTable,
    stress: Floats,
) -> None:
    """Compute ``a`` at all states; driven coordinates of the states are set to their inputs."""
    for k in range(t.size):
        for i in range(s.track_target.size):
            s.number[s.track_target[i]] = tracked[k, i]
        if switches.shape[1]:
            restore_switches(s, switches[k])
        accelerate(s, t[k], x[k], v[k], a[k], stress)


@compiled
def follow_along(s: System, x: FloatTable, v: FloatTable, tracked: FloatTable) -> None:
    """Update the tracked numbers along the states, from those of the first on."""
    for i in range(s.track_target.size):
        s.number[s.track_target[i]] = tracked[0, i]
    for k in range(1, x.shape[0]):
        track(s, x[k], v[k])
        for i in range(s.track_target.size):
            tracked[k, i] = s.number[s.track_target[i]]
