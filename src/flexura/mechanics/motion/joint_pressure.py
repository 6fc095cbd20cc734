"""Normal forces of joints with friction: magnitudes of the forces that the joint itself transmits.

The magnitude is homogeneous of degree one in the forces, so that it equals its gradient times the forces. With the
gradient of the last solution the equations of friction are linear; the direction of the force is found by iteration.
"""

from __future__ import annotations

import math

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats
from flexura.mechanics.core.system import System


@compiled
def presses_joint(s: System, i: int) -> bool:
    """True if the normal force of a frictional contact is that of a joint."""
    return bool(s.grips.pressure_start[i + 1] > s.grips.pressure_start[i])


@compiled
def joint_pressure(s: System, i: int, stress: Floats) -> float:
    """Sum of the magnitudes of the groups of forces."""
    g, total, x, y = s.grips, 0.0, 0.0, 0.0
    first, last = g.pressure_start[i], g.pressure_start[i + 1]
    for e in range(first, last):
        force = g.pressure_weight[e] * stress[g.pressure[e, 2]]
        if g.pressure[e, 1] == 0:
            x += force
        else:
            y += force
        if e + 1 == last or g.pressure[e + 1, 0] != g.pressure[e, 0]:
            total += math.sqrt(x * x + y * y)
            x = y = 0.0
    return total


@compiled
def joint_response(s: System, i: int, z: Floats) -> float:
    """Normal force of a solution along the current slopes."""
    g, total = s.grips, 0.0
    for e in range(g.pressure_start[i], g.pressure_start[i + 1]):
        if g.pressure[e, 3] >= 0:
            total += g.pressure_slope[e] * z[g.pressure[e, 3]]
    return total


@compiled
def known_pressure(s: System, i: int, stress: Floats) -> float:
    """Normal force of the stresses before a solution, along the current slopes."""
    g, total = s.grips, 0.0
    for e in range(g.pressure_start[i], g.pressure_start[i + 1]):
        total += g.pressure_slope[e] * stress[g.pressure[e, 2]]
    return total


@compiled
def _force(s: System, e: int, stress: Floats) -> float:
    """Force in a joint, in the solution ``s.z`` with the current friction."""
    g = s.grips
    place = g.pressure[e, 3]
    total = stress[g.pressure[e, 2]]
    if place >= 0:
        total += s.z[place]
        for j in range(g.force.size):
            if g.rubs[j]:
                total += g.force[j] * g.response[j, place]
    return g.pressure_weight[e] * float(total)


@compiled
def aim_pressures(s: System, stress: Floats) -> float:
    """Update the slopes of the normal forces of sliding joints; returns their largest change."""
    g, turned = s.grips, 0.0
    for i in range(g.force.size):
        if not g.rubs[i]:
            continue
        first, last, x, y = g.pressure_start[i], g.pressure_start[i + 1], 0.0, 0.0
        begin = first
        for e in range(first, last):
            force = _force(s, e, stress)
            if g.pressure[e, 1] == 0:
                x += force
            else:
                y += force
            if e + 1 < last and g.pressure[e + 1, 0] == g.pressure[e, 0]:
                continue
            size = math.sqrt(x * x + y * y)
            for k in range(begin, e + 1):
                part = (x if g.pressure[k, 1] == 0 else y) / size if size > 0.0 else 0.0
                slope = g.pressure_weight[k] * part
                turned = max(turned, abs(slope - g.pressure_slope[k]) / abs(g.pressure_weight[k]))
                g.pressure_slope[k] = slope
            x = y = 0.0
            begin = e + 1
    return turned


@compiled
def friction_part(ratio: float, straight: bool) -> float:
    """Fraction of the full friction, by the ratio of the speed to that of the regularisation [Threlfall1978]."""
    if ratio >= 1.0:
        return 1.0
    return ratio if straight else (1.0 - math.exp(-3.0 * ratio)) / (1.0 - math.exp(-3.0))
