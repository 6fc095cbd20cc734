"""Accelerations and followed numbers at the states of a motion, one after another."""

from __future__ import annotations

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats, FloatTable
from flexura.mechanics.core.row_switches import recall_switches
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
    """Fill ``a`` with the accelerations at all states; driven coordinates of the states are set to their inputs."""
    for k in range(t.size):
        for i in range(s.track_target.size):
            s.number[s.track_target[i]] = tracked[k, i]
        if switches.shape[1]:
            recall_switches(s, switches[k])
        accelerate(s, t[k], x[k], v[k], a[k], stress)


@compiled
def follow_along(s: System, x: FloatTable, v: FloatTable, tracked: FloatTable) -> None:
    """Renew the numbers that follow the motion from those of the first state on."""
    for i in range(s.track_target.size):
        s.number[s.track_target[i]] = tracked[0, i]
    for k in range(1, x.shape[0]):
        track(s, x[k], v[k])
        for i in range(s.track_target.size):
            tracked[k, i] = s.number[s.track_target[i]]
