"""Dry friction of sliding contacts: F = μN against the slip.

A frictional contact (``grip``) has one slip, or two at right angles. Its normal force is known beforehand if it follows
from a law. If it is a multiplier, it depends on the friction itself: with N₀ the normal forces without friction, and G
those due to unit friction forces, F = μ(N₀ + GF).
"""

from __future__ import annotations

import math

from flexura.derive.compiled import clear, compiled
from flexura.derive.records import Floats
from flexura.mechanics.core.factors import solve
from flexura.mechanics.core.strain_rates import rate_of
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.joint_pressure import (
    aim_pressures,
    friction_part,
    joint_pressure,
    joint_response,
    known_pressure,
    presses_joint,
)

_TURNS, _TURNED = 30, 1e-13
"""Maximum number of iterations for the direction of the force in joints, and its negligible change."""
_NO_PIVOT = 1e-12
"""Pivot, relative to those on the diagonal, that counts as zero."""
_GROUP, _BALANCED = 2, 3
"""marks in ``Grips.rubs`` beside 1: in the group being solved, and solved"""
SLIDING, STICKING = range(2)
"""columns of ``Grips.mu``"""


@compiled
def sticks(s: System, i: int) -> bool:
    """True if a frictional contact sticks."""
    return s.grips.sticks[i] == 1


@compiled
def slip_rate(s: System, n: int, v: Floats) -> tuple[float, float]:
    """Rate of the slip of a switch, and the sum of its absolute terms."""
    return rate_of(s, s.switches.strain[n], v)


@compiled
def pressing_force(s: System, i: int, stress: Floats) -> float:
    """Normal force of a frictional contact, from the stresses; zero if the surfaces are apart."""
    if presses_joint(s, i):
        return joint_pressure(s, i, stress)
    by = s.grips.by[i]
    return max(-stress[by], 0.0) if by >= 0 else s.grips.load[i]


@compiled
def _update_direction(s: System, i: int, v: Floats) -> None:
    """Update the direction of friction.

    A single slip keeps its sliding direction, even past zero, so that its zero can be located. Two slips have their
    common direction, or the last one if they are negligible.
    """
    g = s.grips
    first = g.start[i]
    g.part[i] = 1.0
    if g.creep[i, 0] > 0.0:
        slip = slip_rate(s, first, v)[0]
        g.pull[i, 0] = 1.0 if slip >= 0.0 else -1.0
        g.part[i] = friction_part(abs(slip) / g.creep[i, 0], g.creep[i, 1] > 0.0)
        return
    if g.start[i + 1] - first == 1:
        g.pull[i, 0] = g.direction[i, 0]
        return
    x, y = slip_rate(s, first, v)[0], slip_rate(s, first + 1, v)[0]
    x, y = x + g.still[i] * g.direction[i, 0], y + g.still[i] * g.direction[i, 1]
    speed = math.sqrt(x * x + y * y)
    g.pull[i, 0] = x / speed if speed > 0.0 else g.direction[i, 0]
    g.pull[i, 1] = y / speed if speed > 0.0 else g.direction[i, 1]


@compiled
def _add_friction(s: System, i: int, force: float, z: Floats) -> None:
    """Add a friction force of this size to the right-hand side."""
    g, out, slopes = s.grips, s.motion.out, s.slopes
    for n in range(g.start[i], g.start[i + 1]):
        k, part = s.switches.strain[n], force * g.pull[i, n - g.start[i]]
        for e in range(slopes.start[k], slopes.start[k + 1]):
            if slopes.target[e] >= 0:
                z[slopes.target[e]] -= out[slopes.source[e]] * part


@compiled
def _write_friction(s: System, i: int, stress: Floats) -> None:
    """Write the friction force into the stresses."""
    g = s.grips
    for n in range(g.start[i], g.start[i + 1]):
        stress[s.switches.strain[n]] = g.force[i] * g.pull[i, n - g.start[i]]


@compiled
def apply_known_friction(s: System, v: Floats, stress: Floats) -> None:
    """Add sliding friction with a known normal force to the right-hand side ``s.z`` of the equations of motion."""
    g = s.grips
    for i in range(g.force.size):
        g.force[i] = 0.0
        if sticks(s, i):
            continue
        _update_direction(s, i, v)
        if g.place[i] < 0:
            g.force[i] = g.mu[i, SLIDING] * g.part[i] * pressing_force(s, i, stress)
            _add_friction(s, i, g.force[i], s.z)
        _write_friction(s, i, stress)


@compiled
def clear_sliding(s: System, stress: Floats) -> None:
    """Clear the friction of sliding contacts in the stresses, before it is computed again."""
    for i in range(s.grips.force.size):
        if not sticks(s, i):
            for n in range(s.grips.start[i], s.grips.start[i + 1]):
                stress[s.switches.strain[n]] = 0.0


@compiled
def _pressed(s: System, i: int, z: Floats) -> float:
    """Normal force of a frictional contact in a solution; for a joint, along the current direction of its force."""
    return joint_response(s, i, z) if presses_joint(s, i) else -float(z[s.grips.place[i]])


@compiled
def _known(s: System, i: int, stress: Floats) -> float:
    """Normal force of a frictional contact by the stresses before a solution."""
    return known_pressure(s, i, stress) if presses_joint(s, i) else -float(stress[s.grips.by[i]])


@compiled
def solve_friction(s: System, stress: Floats) -> None:
    """Add sliding friction whose normal force is a multiplier to the solution ``s.z``, which was computed without it.

    The solution may be a correction of an iteration; ``stress`` then contains the previous normal forces.
    """
    g, z = s.grips, s.z
    count = g.force.size
    for j in range(count):
        g.rubs[j] = 1 if g.place[j] >= 0 and not sticks(s, j) else 0
        if g.rubs[j]:
            clear(g.response[j])
            _add_friction(s, j, 1.0, g.response[j])
            solve(s.factors, g.response[j])
    for i in range(count):
        if g.rubs[i]:
            g.force[i] = 0.0
    turns = aim_pressures(s, stress) if count else 0.0
    for _ in range(count + _TURNS):
        _couple(s, stress)
        _balance(s, stress)
        lifted = _lifted(s)
        turns = aim_pressures(s, stress)
        if not lifted and turns <= _TURNED:
            break
    for i in range(count):
        if g.rubs[i]:
            for k in range(z.size):
                z[k] += g.force[i] * g.response[i, k]
            _write_friction(s, i, stress)


@compiled
def _couple(s: System, stress: Floats) -> None:
    """Set up the equations (I - μG) F = μN₀."""
    g = s.grips
    count = g.force.size
    for i in range(count):
        if g.rubs[i]:
            mu = g.mu[i, SLIDING] * g.part[i]
            for j in range(count):
                if g.rubs[j]:
                    g.work[i, j] = (1.0 if i == j else 0.0) - mu * _pressed(s, i, g.response[j])
            g.work[i, count] = mu * (_pressed(s, i, s.z) + _known(s, i, stress))


@compiled
def _lifted(s: System) -> bool:
    """True if contacts are in tension; they lose their friction."""
    g, found = s.grips, False
    for i in range(g.force.size):
        if g.rubs[i] and g.force[i] < 0.0 and not presses_joint(s, i):
            g.rubs[i], g.force[i], found = 0, 0.0, True
    return found


@compiled
def _balance(s: System, stress: Floats) -> None:
    """Solve for the friction forces by elimination."""
    g = s.grips
    count = g.force.size
    for p in range(count):
        if not g.rubs[p]:
            continue
        if not g.work[p, p] > 0.0:
            _couple(s, stress)
            _balance_groups(s)
            return
        for i in range(p + 1, count):
            if g.rubs[i]:
                factor = g.work[i, p] / g.work[p, p]
                for j in range(p + 1, count + 1):
                    g.work[i, j] -= factor * g.work[p, j]
    _substitute_back(s, 1)


@compiled
def _substitute_back(s: System, mark: int) -> None:
    """Friction forces of the contacts with this mark in ``rubs``, from their eliminated equations."""
    g = s.grips
    count = g.force.size
    for p in range(count - 1, -1, -1):
        if g.rubs[p] == mark:
            total = g.work[p, count]
            for j in range(p + 1, count):
                if g.rubs[j] == mark:
                    total -= g.work[p, j] * g.force[j]
            g.force[p] = total / g.work[p, p]


@compiled
def _balance_groups(s: System) -> None:
    """Friction forces if a pivot is not positive: largest pivots first, in each group of coupled contacts.

    Feet of a body that stand close together increase each other's normal forces, and have a solution all the same. If
    the determinant of a group is not positive, there is no solution, or more than one.
    """
    g = s.grips
    count = g.force.size
    for p in range(count):
        if g.rubs[p] != 1:
            continue
        _mark_group(s, p)
        regular = _eliminate_group(s)
        if regular:
            _substitute_back(s, _GROUP)
        else:
            g.jammed[0] = 1
        for i in range(count):
            if g.rubs[i] == _GROUP:
                g.rubs[i] = _BALANCED
                if not regular:
                    g.force[i] = math.nan
    for i in range(count):
        g.rubs[i] = 1 if g.rubs[i] else 0


@compiled
def _mark_group(s: System, p: int) -> None:
    """Mark the contacts that are coupled with one, directly or through others."""
    g, grows = s.grips, True
    g.rubs[p] = _GROUP
    while grows:
        grows = False
        for i in range(g.force.size):
            for j in range(g.force.size):
                coupled = g.rubs[i] == _GROUP and g.rubs[j] == 1
                if coupled and (g.work[i, j] != 0.0 or g.work[j, i] != 0.0):
                    g.rubs[j], grows = _GROUP, True


@compiled
def _eliminate_group(s: System) -> bool:
    """Eliminate the equations of the marked group; false if their determinant is not positive."""
    g, positive = s.grips, True
    count = g.force.size
    for p in range(count):
        if g.rubs[p] != _GROUP:
            continue
        largest = p
        for i in range(p + 1, count):
            if g.rubs[i] == _GROUP and abs(g.work[i, p]) > abs(g.work[largest, p]):
                largest = i
        pivot = g.work[largest, p]
        if not abs(pivot) > _NO_PIVOT:
            return False
        positive = positive == ((pivot > 0.0) == (largest == p))
        for j in range(count + 1):
            g.work[p, j], g.work[largest, j] = g.work[largest, j], g.work[p, j]
        for i in range(p + 1, count):
            if g.rubs[i] == _GROUP:
                factor = g.work[i, p] / pivot
                for j in range(p, count + 1):
                    g.work[i, j] -= factor * g.work[p, j]
    return positive


@compiled
def friction_power(s: System, v: Floats) -> float:
    """Power dissipated by sliding friction."""
    g, total = s.grips, 0.0
    for i in range(g.force.size):
        if not sticks(s, i):
            for n in range(g.start[i], g.start[i + 1]):
                total += g.force[i] * g.pull[i, n - g.start[i]] * slip_rate(s, n, v)[0]
    return total
