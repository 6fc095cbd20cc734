"""Accelerations of a few closed contacts with friction: all combinations of open, sliding and sticking are tried.

With [g̈; ṡ] = W λ + b, an open contact has no force and g̈ ≥ 0; a pressed one g̈ = 0 and λₙ ≥ 0. If it slides,
λₜ = -μ λₙ against the slip; if it sticks, ṡ = 0 and |λₜ| ≤ μ λₙ. Strong friction may admit no combination, or
several [GenotBrogliato1999]. All combinations are tried, so that both cases are detected. A contact whose normal
force grows with its own friction without bound opens if it can.
"""

from __future__ import annotations

import math

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats
from flexura.mechanics.contact.contact_scales import (
    ContactScales,
    negligible_energy,
    negligible_mobility,
    negligible_second,
    rounded_slip,
    slip_at_rest,
)
from flexura.mechanics.contact.gap_states import CLOSED, DEPENDENT, OPEN, PRESSED
from flexura.mechanics.contact.mode_equations import (
    APART,
    BACKWARD,
    FORWARD,
    STUCK,
    depends,
    eliminate,
    friction_ratio,
    set_equations,
)
from flexura.mechanics.contact.row_mobility import rate_along_row, solve_row_response
from flexura.mechanics.contact.stick_slip import release, set_direction
from flexura.mechanics.core.strain_rates import second_of
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate
from flexura.mechanics.motion.projection import close_velocity
from flexura.mechanics.motion.sliding_friction import STICKING, slip_rate

TOUCHES = -1
"""mark in ``Modes.held`` of an open contact whose gap is zero and does not accelerate"""
_ROUNDING = 1e-9
"""Force or acceleration, relative to the largest, that may have the wrong sign."""


@compiled
def gather(s: System) -> bool:
    """List the closed contacts of ``Modes.closed``; false if they are too many or none has planar friction.

    Also false if some friction is spatial or has the force of a law as its normal force.
    """
    q, grips = s.modes, s.grips
    q.count[0] = 0
    for i in range(grips.by.size):
        if grips.by[i] < 0 or grips.place[i] < 0 or grips.start[i + 1] - grips.start[i] != 1:
            return False
    rubbing = 0
    for n in range(s.gaps.strain.size):
        if not q.closed[n]:
            continue
        k = q.count[0]
        if k == q.gap.size:
            return False
        q.gap[k], q.grip[k] = n, -1
        for i in range(grips.by.size):
            if grips.by[i] == s.gaps.strain[n]:
                q.grip[k] = i
                rubbing += 1
        q.count[0] = k + 1
    return rubbing > 0


@compiled
def _row(s: System, j: int) -> int:
    """Strain or slip of row j: normals of the contacts, then their slips; -1 for the slip of a frictionless contact."""
    q = s.modes
    k = q.count[0]
    if j < k:
        return int(s.gaps.strain[q.gap[j]])
    i = q.grip[j - k]
    return int(s.switches.strain[s.grips.start[i]]) if i >= 0 else -1


@compiled
def measure_modes(s: System, c: ContactScales, t: float, x: Floats, v: Floats, a: Floats, stress: Floats) -> None:
    """Compute the mobilities W and the accelerations b with all contacts open."""
    q = s.modes
    for n in range(s.switches.on.size):
        s.switches.on[n] = 0
    accelerate(s, t, x, v, a, stress)
    rows = 2 * q.count[0]
    for j in range(rows):
        k = _row(s, j)
        q.free[j] = second_of(s, k, a) if k >= 0 else 0.0
        if k >= 0:
            solve_row_response(s, k, q.response[j])
        for i in range(rows):
            q.coupling[i, j] = rate_along_row(s, _row(s, i), q.response[j]) if k >= 0 and _row(s, i) >= 0 else 0.0


@compiled
def slip_of(s: System, j: int, v: Floats) -> float:
    """Slip of a listed contact; zero if it is frictionless."""
    i = s.modes.grip[j]
    return float(slip_rate(s, s.grips.start[i], v)[0]) if i >= 0 else 0.0


@compiled
def expect_modes(s: System, c: ContactScales, v: Floats, fastest: Floats) -> None:
    """Note in ``way`` the direction of each sliding contact; one at rest may stick or start in either direction."""
    q = s.modes
    k = q.count[0]
    for j in range(k):
        i, slip = q.grip[j], slip_of(s, j, v)
        q.way[j] = 0
        if i < 0:
            continue
        n = s.grips.start[i]
        moves = q.coupling[k + j, k + j] > negligible_mobility(c, n) and abs(slip) > rounded_slip(c)
        costly = moves and 0.5 * slip * slip > q.coupling[k + j, k + j] * negligible_energy(c)
        if abs(slip) > slip_at_rest(c, n, fastest[i], 0.0) or costly:
            q.way[j] = FORWARD if slip > 0.0 else BACKWARD


@compiled
def _allowed(s: System, j: int, mode: int) -> bool:
    """True if a contact may be in a mode: a sliding contact keeps its direction."""
    q = s.modes
    if mode == APART:
        return True
    return mode == STUCK if q.grip[j] < 0 else bool(q.way[j] == 0 or mode == q.way[j])


@compiled
def _is_consistent(s: System, c: ContactScales, pull: float) -> bool:
    """True if the normal forces are not negative, friction stays in its cone, and no gap closes.

    Tension up to the fraction ``pull`` of the largest force counts as zero, and so do forces that cause accelerations
    of rounding.
    """
    q = s.modes
    k = q.count[0]
    size = parts = rounding = 0.0
    for j in range(k):
        rounding = max(rounding, negligible_second(c, q.gap[j]))
        q.force[k + j] += friction_ratio(s, j) * q.force[j]
        size = max(size, abs(q.force[j]), abs(q.force[k + j]))
    for j in range(2 * k):
        q.second[j] = q.free[j]
        sum_of_parts = abs(q.free[j])
        for i in range(2 * k):
            q.second[j] += q.coupling[j, i] * q.force[i]
            sum_of_parts += abs(q.coupling[j, i] * q.force[i])
        parts = max(parts, sum_of_parts)
    none = max(_ROUNDING * parts, rounding)
    for j in range(k):
        normal, tangent = q.force[j], q.force[k + j]
        if (normal < -pull * size and normal * q.coupling[j, j] < -rounding) or q.second[j] < -none:
            return False
        if q.mode[j] != APART and q.second[j] > none:
            return False
        if q.mode[j] == APART and q.second[j] <= none:
            q.held[j] = TOUCHES
        if q.grip[j] < 0 or q.mode[j] == APART:
            continue
        if q.mode[j] == STUCK:
            beyond = abs(tangent) - s.grips.mu[q.grip[j], STICKING] * normal
            over = beyond > 1e-12 * size and beyond * q.coupling[k + j, k + j] > rounding
            if over or abs(q.second[k + j]) > none:
                return False
        elif q.way[j] == 0 and (q.second[k + j] if q.mode[j] == FORWARD else -q.second[k + j]) < -none:
            return False
    return True


@compiled
def _is_regular(s: System, c: ContactScales) -> bool:
    """True if every sliding contact has a positive mobility along its normal force together with its friction."""
    q = s.modes
    k = q.count[0]
    for j in range(k):
        pressed = q.coupling[j, j] + friction_ratio(s, j) * q.coupling[j, k + j]
        if q.mode[j] != APART and q.mode[j] != STUCK and pressed <= negligible_mobility(c, q.gap[j]):
            return False
    return True


@compiled
def _try(s: System, c: ContactScales, regular: bool, pull: float) -> bool:
    """True if the combination in ``Modes.mode`` solves the equations; its forces are in ``force``."""
    q, least = s.modes, math.inf
    for j in range(q.count[0]):
        if not _allowed(s, j, q.mode[j]):
            return False
        least = min(least, negligible_mobility(c, q.gap[j]))
    if regular and not _is_regular(s, c):
        return False
    return eliminate(q, set_equations(s, c), least) and _is_consistent(s, c, pull)


@compiled
def choose_modes(s: System, c: ContactScales) -> bool:
    """Set ``Modes.mode`` to a combination that solves the equations, the expected one first; false if none does.

    Of contacts with dependent rows, those under pressure are preferred to those whose force is rounding.
    """
    q = s.modes
    k = q.count[0]
    for attempt in range(4):
        regular, pull = attempt < 2, _ROUNDING * (attempt % 2)
        for j in range(k):
            q.mode[j] = q.expected[j]
        if _try(s, c, regular, pull):
            return True
        for combination in range(4**k):
            left = combination
            for j in range(k):
                q.mode[j] = left % 4
                left //= 4
            if _try(s, c, regular, pull):
                return True
    return False


@compiled
def choose_impulses(s: System, c: ContactScales, v: Floats) -> bool:
    """Set ``Modes.force`` to impulses that stop or turn slips without an approach; false where there are none.

    They obey the conditions of forces, with the rates after the blow in the place of the accelerations.
    """
    q = s.modes
    k = q.count[0]
    for j in range(k):
        q.way[j], q.free[j], q.free[k + j] = 0, 0.0, slip_of(s, j, v)
    for combination in range(4**k):
        left, pressed = combination, 0.0
        for j in range(k):
            q.mode[j] = left % 4
            left //= 4
        if _try(s, c, False, _ROUNDING):
            for j in range(k):
                pressed = max(pressed, q.force[j])
            if pressed > 0.0:
                return True
    return False


@compiled
def apply_modes(s: System, c: ContactScales, t: float, x: Floats, v: Floats, a: Floats, stress: Floats) -> None:
    """Activate the rows of the chosen combination and evaluate the state."""
    q, g = s.modes, s.grips
    k = q.count[0]
    for j in range(k):
        n, i = q.gap[j], q.grip[j]
        pressed = q.mode[j] != APART and q.force[j] > 0.0
        s.switches.on[n] = 1 if pressed else 0
        apart = q.mode[j] == APART and q.held[j] != TOUCHES
        s.gaps.phase[n] = PRESSED if pressed else OPEN if apart else DEPENDENT if depends(s, c, j) else CLOSED
        if i < 0:
            continue
        release(s, i)
        if q.mode[j] == STUCK and pressed:
            g.sticks[i] = 1
            # a slip that is zero by other active rows needs no row of its own
            s.switches.on[g.start[i]] = 1 if q.held[k + j] == 1 else 0
        elif q.mode[j] == APART or q.mode[j] == STUCK:
            set_direction(s, i, v)
        else:
            g.direction[i, 0] = 1.0 if q.mode[j] == FORWARD else -1.0
    accelerate(s, t, x, v, a, stress)
    for _ in range(2):
        close_velocity(s, s.motion.out, s.slopes, v)
    accelerate(s, t, x, v, a, stress)
