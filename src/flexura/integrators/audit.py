"""Auditor of a run: laws of mechanics that its states must obey with every method and model.

Contacts are checked after each step, from values already computed. Energies, momenta and constraints need an
evaluation of their own; they are checked after every few tens of evaluations and at the end. Errors accumulate
along a run, so that a late check finds them too.
"""

from __future__ import annotations

import math

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats
from flexura.integrators.audit_record import (
    ALLOWED,
    BLOW,
    COMPLEMENTARITY,
    CONE,
    DRIFT,
    DRIFT_RATE,
    ENERGY,
    ENERGY_BASE,
    ENERGY_MOST,
    ENERGY_STEP,
    EVALUATED,
    FALL,
    FASTEST,
    FORCE_BOUND,
    FRICTION_POWER,
    GAPS,
    GRIPS,
    KINETIC,
    LAW_POWER,
    LAW_PULL,
    LAWS,
    LOSS,
    MASS,
    MOMENTA,
    ON,
    PENETRATION,
    POSITION_BOUND,
    RATE_BOUND,
    RATIO,
    SIZE,
    START,
    STATES,
    STICK,
    STRAIN,
    TENSION,
    TIME,
    UNRESOLVED,
    VALUE,
    WEIGHT,
    WHICH,
    WORK,
    Audit,
    turnover,
)
from flexura.integrators.run_memory import EVALUATIONS, NOW, STEPS, Memory
from flexura.integrators.stick_slip_events import SLIP
from flexura.mechanics.contact.contact_scales import located_rate, negligible_force, negligible_gap
from flexura.mechanics.contact.gap_states import DISTANCE, RATE
from flexura.mechanics.contact.held_contacts import resume_holds, suspend_holds
from flexura.mechanics.contact.stick_slip_forces import friction_force, static_limit
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.law_calls import DISPLAYED, STRESS, call_laws
from flexura.mechanics.core.row_switches import row_inactive, row_slips
from flexura.mechanics.core.strain_rates import rate_of
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.energies import elastic_energy, kinetic_energy, momenta
from flexura.mechanics.motion.equations_of_motion import drive, stresses
from flexura.mechanics.motion.joint_pressure import friction_part
from flexura.mechanics.motion.sliding_friction import SLIDING, pressing_force

_SPACING = 64
"""Evaluations between audits of a state, which costs less than one."""
_ROUNDING = 1e-12
"""Rounding of an energy or of a strain, relative to its terms."""
_FORCE = 4
"""Column of the contact force in ``Memory.gap``."""


@compiled
def _judge(audit: Audit, row: int, t: float, value: float, allowed: float, which: int) -> None:
    """Compare a value with its bound; record the worst ratio, and the time of the first violation."""
    # a value that is not a number ends the run by itself
    ratio = value / allowed if allowed > 0.0 and value > 0.0 else 0.0
    worst = audit.worst
    if ratio > worst[row, RATIO]:
        worst[row, VALUE], worst[row, ALLOWED], worst[row, RATIO], worst[row, WHICH] = value, allowed, ratio, which
    if ratio > 1.0 and t < worst[row, TIME]:
        worst[row, TIME] = t


@compiled
def _judge_growing(audit: Audit, row: int, t: float, value: float, allowed: float, which: int) -> None:
    """Compare the largest value so far with a bound that grows along the run, so that a violation may be withdrawn."""
    worst = audit.worst
    if not (allowed > 0.0 and value >= 0.0):
        return
    worst[row, VALUE] = max(worst[row, VALUE], value)
    worst[row, ALLOWED], worst[row, WHICH] = allowed, which
    worst[row, RATIO] = worst[row, VALUE] / allowed
    if not worst[row, RATIO] > 1.0:
        worst[row, TIME] = math.inf
    elif t < worst[row, TIME]:
        worst[row, TIME] = t


@compiled
def audit_contacts(s: System, m: Memory) -> None:
    """Audit the contacts and the friction after an accepted step."""
    if m.audit.count[ON] == 0:
        return
    if s.gaps.strain.size:
        _audit_gaps(s, m)
    if s.grips.sticks.size:
        _audit_friction(s, m)


@compiled
def audit_step(s: System, m: Memory, h: float) -> None:
    """Audit an accepted step if enough evaluations have passed since the last audit or the step is zero."""
    if m.audit.count[ON] == 0:
        return
    if h == 0.0 or m.count[EVALUATIONS] - m.audit.count[EVALUATED] >= _SPACING:
        audit_state(s, m)


@compiled
def _audit_gaps(s: System, m: Memory) -> None:
    """Require no tension, no penetration, no force across an open gap, and no blow that gains energy."""
    audit, t = m.audit, m.clock[NOW]
    # a contact that never carried a force has the rounding of the others
    rounding = _ROUNDING * _largest(m.stress)
    for n in range(s.gaps.strain.size):
        row = audit.first[GAPS] + 3 * n
        gap, force = m.gap[n, DISTANCE], -m.gap[n, _FORCE]
        least = 1e4 * negligible_gap(m.scales, n, m.gap[n, RATE], t)
        strong = audit.bound[FORCE_BOUND] * m.scales.force[n] + 1e4 * negligible_force(m.scales, n) + rounding
        _judge(audit, row + PENETRATION, t, -gap, least, n)
        if s.switches.on[n]:
            _judge(audit, row + TENSION, t, -force, strong, n)
            _judge(audit, row + COMPLEMENTARITY, t, force * gap, (m.scales.force[n] + abs(force)) * least, n)
    energy = audit.tally[KINETIC] + audit.tally[STRAIN] + audit.tally[WORK]
    if -m.struck[1] > _ROUNDING * energy:
        audit_state(s, m)
        energy = audit.tally[KINETIC] + audit.tally[STRAIN] + audit.tally[WORK]
        _judge(audit, BLOW, t, -m.struck[1], 1e-9 * energy, 0)


@compiled
def _audit_friction(s: System, m: Memory) -> None:
    """Require friction against the slip, equal to μN for sliding and at most μₛN for sticking contacts."""
    g, audit, t = s.grips, m.audit, m.clock[NOW]
    for i in range(g.sticks.size):
        row = audit.first[GRIPS] + 3 * i
        least = audit.bound[FORCE_BOUND] * m.scales.force[g.start[i]]
        force, limit = friction_force(s, i, m.stress), static_limit(s, i, m.stress)
        if g.sticks[i]:
            _judge(audit, row + STICK, t, force - limit, least, i)
            continue
        # the part of regularised friction in the system is that of the last stage
        part = friction_part(abs(m.grip[i, SLIP]) / g.creep[i, 0], g.creep[i, 1] > 0.0) if g.creep[i, 0] > 0.0 else 1.0
        sliding = g.mu[i, SLIDING] * part * pressing_force(s, i, m.stress)
        _judge(audit, row + CONE, t, abs(force - sliding), least, i)
        power = speed = 0.0
        for n in range(g.start[i], g.start[i + 1]):
            slip = m.grip[i, SLIP + n - g.start[i]]
            power += m.stress[s.switches.strain[n]] * slip
            speed += abs(slip)
        # a slip whose sign is uncertain does negligible work
        pace = 1e-9 * m.scales.rate[g.start[i]] + 1e-6 * audit.bound[RATE_BOUND] + located_rate(m.scales, g.start[i])
        _judge(audit, row + FRICTION_POWER, t, -power, least * speed + force * pace, i)


@compiled
def audit_state(s: System, m: Memory) -> None:
    """Audit the state at the end of the last step: energies, momenta, held strains and force laws of contacts."""
    audit, t = m.audit, m.clock[NOW]
    audit.count[EVALUATED] = m.count[EVALUATIONS]
    suspend_holds(s)
    drive(s, t, m.x, m.v, m.a)
    call_level(s, s.motion, m.x, m.v)
    stresses(s, m.x, m.v, m.spare)
    _audit_rows(s, m)
    _audit_energy(s, m)
    audit.count[STATES] += 1
    if audit.law_load.shape[0]:
        _audit_laws(s, m)
    resume_holds(s)


@compiled
def _audit_rows(s: System, m: Memory) -> None:
    """Require held strains and their rates to have their prescribed values."""
    audit, t, rows, slopes, out = m.audit, m.clock[NOW], s.rows, s.slopes, s.motion.out
    worst = worst_rate = 0.0
    which = which_rate = -1
    # a rate below the one that the tolerance permits counts as zero
    fastest, slowest = audit.tally[FASTEST], 1e-6 * audit.bound[RATE_BOUND]
    for i in range(m.v.size):
        fastest = max(fastest, abs(m.v[i]) / m.scale[i])
    audit.tally[FASTEST] = fastest
    for r in range(rows.place.size):
        if row_inactive(s, r):
            continue
        k = rows.strain[r]
        rate, size = rate_of(s, k, m.v)
        error = abs(rate - rows.velocity[r]) / (size + rows.scale[r] * (fastest + slowest) + 1e-300)
        if error > worst_rate:
            worst_rate, which_rate = error, r
        if row_slips(s, r):
            continue
        error = abs(out[slopes.strain[k]] - rows.position[r]) / rows.scale[r]
        if error > worst:
            worst, which = error, r
    if rows.place.size:
        _judge(audit, DRIFT, t, worst, audit.bound[POSITION_BOUND], which)
        _judge(audit, DRIFT_RATE, t, worst_rate, audit.bound[RATE_BOUND], which_rate)


@compiled
def _audit_energy(s: System, m: Memory) -> None:
    """Compare energy with work and losses, relative to the energy turnover, and momenta with their initial values."""
    audit, tally, bound, t = m.audit, m.audit.tally, m.audit.bound, m.clock[NOW]
    first = audit.count[STATES] == 0
    # stresses by formulas need not have a potential: their stored energy is integrated along the run
    kinetic, strain = kinetic_energy(s, m.v), elastic_energy(s) + m.work[2]
    call_level(s, s.momentum, m.x, m.v)
    weight = momenta(s, audit.body, audit.gravity, audit.momentum)
    energy = kinetic + strain + weight + m.work[1] - m.work[0]
    if first:
        tally[START] = energy
    tally[KINETIC] = max(tally[KINETIC], kinetic)
    tally[STRAIN] = max(tally[STRAIN], abs(strain))
    tally[WORK] = max(tally[WORK], abs(m.work[0]))
    tally[LOSS] = max(tally[LOSS], abs(m.work[1]))
    tally[WEIGHT] = max(tally[WEIGHT], abs(weight))
    relative = relative_bound(m)
    # positions have errors relative to the size of the model; the potential of the weight may change accordingly
    fall = max(bound[ENERGY_STEP], _ROUNDING) * tally[FALL] + _ROUNDING * tally[WEIGHT]
    # rates have errors relative to the size of the model per second
    unresolved = bound[UNRESOLVED] * tally[SIZE] * math.sqrt(2.0 * tally[KINETIC] * tally[MASS])
    _judge_growing(audit, ENERGY, t, abs(energy - tally[START]), relative * turnover(audit) + fall + unresolved, 0)
    swing = math.sqrt(2.0 * tally[KINETIC] * tally[MASS])
    for n in range(audit.conserved.shape[0]):
        total = turning = 0.0
        for i in range(audit.momentum.size):
            total += audit.conserved[n, i] * audit.momentum[i]
            if i >= audit.gravity.size:
                turning += audit.conserved[n, i] ** 2
        if first:
            audit.momentum_start[n] = total
        allowed = relative * swing * (tally[SIZE] if turning > 0.0 else 1.0)
        allowed += _ROUNDING * abs(audit.momentum_start[n])
        _judge_growing(audit, audit.first[MOMENTA] + n, t, abs(total - audit.momentum_start[n]), allowed, n)


@compiled
def relative_bound(m: Memory) -> float:
    """Error of the energy that the tolerance permits so far."""
    bound = m.audit.bound
    return float(min(bound[ENERGY_BASE] + bound[ENERGY_STEP] * m.count[STEPS], bound[ENERGY_MOST]))


@compiled
def _law_powers(s: System, audit: Audit, v: Floats, sign: float) -> None:
    """Add the power dissipated by the force laws, at the rates of the last stresses."""
    for i in range(audit.law_load.shape[0]):
        e, k, load = audit.law_load[i, 0], audit.law_load[i, 1], s.program.registers[audit.law_load[i, 2]]
        if load == 0.0:
            continue
        power = -load * rate_of(s, k, v)[0]
        audit.law_power[e, 0] += sign * power
        audit.law_power[e, 1] += abs(power)


@compiled
def _audit_laws(s: System, m: Memory) -> None:
    """Require force laws to dissipate energy by damping and friction, σ(ε, ε̇)·ε̇ ≥ σ(ε, 0)·ε̇, and not to pull."""
    audit, t, registers = m.audit, m.clock[NOW], s.program.registers
    for e in range(audit.law_power.shape[0]):
        audit.law_power[e, 0] = audit.law_power[e, 1] = 0.0
    if s.feedback.shown.shape[0]:
        call_laws(s.program, s.feedback.laws, DISPLAYED)
    pull = audit.bound[FORCE_BOUND] * _largest(m.spare)
    for i in range(audit.law_gap.shape[0]):
        e, k, register = audit.law_gap[i, 0], audit.law_gap[i, 1], audit.law_gap[i, 2]
        push = registers[register] if register >= 0 else -m.spare[k]
        _judge(audit, audit.first[LAWS] + 2 * e + LAW_PULL, t, -push, pull, e)
    _law_powers(s, audit, m.v, 1.0)
    for i in range(audit.law_rate.size):
        registers[audit.law_rate[i]] = 0.0
    call_laws(s.program, s.feedback.laws, STRESS)
    _law_powers(s, audit, m.v, -1.0)
    for e in range(audit.law_power.shape[0]):
        allowed = audit.bound[FORCE_BOUND] * audit.law_power[e, 1]
        _judge(audit, audit.first[LAWS] + 2 * e + LAW_POWER, t, -audit.law_power[e, 0], allowed, e)


@compiled
def _largest(values: Floats) -> float:
    largest = 0.0
    for i in range(values.size):
        largest = max(largest, abs(values[i]))
    return largest
