"""Impacts: the jump of the rates, and the contacts that remain closed.

With g′ the gradient of a gap and M⁻¹ subject to the constraints, a unit impulse makes the rates r = M⁻¹g′ᵀ and changes
the rate of the gap by 1/m_e = g′r. Without friction ġ⁺ = -e ġ⁻ gives s = -(1 + e) m_e ġ⁻ [Schwab2002 (5.17)-(5.20)].
Dry friction adds impulses on slips. Surfaces that do not rebound remain closed while a force presses them.
"""

from __future__ import annotations

import math

from flexura.derive.compiled import clear, compiled, copy
from flexura.derive.records import Floats, FloatTable
from flexura.mechanics.contact.blow_courses import friction_of
from flexura.mechanics.contact.blow_phases import ENERGETIC
from flexura.mechanics.contact.complementarity import close_together, press
from flexura.mechanics.contact.contact_scales import (
    ContactScales,
    negligible_gap,
    negligible_mobility,
    negligible_rate,
    negligible_second,
    slip_at_rest,
)
from flexura.mechanics.contact.contact_sizes import note_mobilities, note_sizes
from flexura.mechanics.contact.gap_states import CLOSED, DEPENDENT, DISTANCE, OPEN, PRESSED, RATE, SECOND, SIZE
from flexura.mechanics.contact.group_blow import prepare_slips
from flexura.mechanics.contact.row_mobility import rate_along_row, solve_row_response
from flexura.mechanics.contact.successive_blows import come_to_rest, strike_in_turn
from flexura.mechanics.core.contact_tables import EXPONENT, LAW, RESTITUTION, STIFFNESS
from flexura.mechanics.core.strain_rates import rate_of, second_of
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate


@compiled
def measure_gaps(s: System, v: Floats, a: Floats, state: FloatTable) -> None:
    """Evaluate the gaps and their derivatives, with the kernels of the last evaluation."""
    for n in range(s.gaps.strain.size):
        k = s.gaps.strain[n]
        state[n, DISTANCE], state[n, SECOND] = s.motion.out[s.slopes.strain[k]], second_of(s, k, a)
        state[n, RATE], state[n, SIZE] = rate_of(s, k, v)


@compiled
def _open_all(s: System) -> None:
    for n in range(s.gaps.strain.size):
        s.switches.on[n] = 0


@compiled
def solve_responses(s: System, c: ContactScales) -> bool:
    """Responses to unit impulses on the touching gaps, with the factors of a state where all contacts are open.

    A contact without mobility is left out. False if such a contact approaches all
    the same: it jams.
    """
    g = s.gaps
    for r in range(g.row.size):
        if g.touching[g.owner[r]]:
            solve_row_response(s, g.row[r], g.response[r])
    for i in range(g.row.size):
        for j in range(g.row.size):
            if g.touching[g.owner[i]] and g.touching[g.owner[j]]:
                g.admittance[i, j] = rate_along_row(s, g.row[i], g.response[j])
    for i in range(g.strain.size):
        g.least[i] = negligible_mobility(c, i)
    for i in range(g.strain.size):
        if g.touching[i] and not g.admittance[i, i] > g.least[i]:
            if g.approach[i] < -g.size[i]:
                return False
            g.touching[i] = 0
    return True


@compiled
def _close_gaps(s: System, x: Floats) -> None:
    """Close all touching gaps together, by the displacement of least kinetic energy."""
    g = s.gaps
    for n in range(g.strain.size):
        g.demand[n] = g.state[n, DISTANCE]
    close_together(g, g.admittance, g.demand, g.least)
    for n in range(g.strain.size):
        if g.chosen[n] == 1:
            for i in range(s.free.size):
                x[s.free[i]] += g.trial[n] * g.response[n, s.place[i]]


@compiled
def _push(s: System, v: Floats) -> None:
    """Add the impulses to the rates."""
    g = s.gaps
    copy(v, g.before)
    for r in range(g.row.size):
        if g.touching[g.owner[r]] and g.impulse[r] != 0.0:
            for i in range(s.free.size):
                v[s.free[i]] += g.impulse[r] * g.response[r, s.place[i]]


@compiled
def _add_sliding_friction(s: System, c: ContactScales) -> bool:
    """Fill ``Gaps.pressing``; false where the friction of a contact increases its normal force without bound."""
    g, w = s.gaps, s.gaps.admittance
    for j in range(g.strain.size):
        if not g.touching[j]:
            continue
        first, pace, square = g.slip[j], 0.0, 0.0
        for r in range(first, first + g.slips[j]):
            square += g.rate[r] ** 2
        if g.slips[j] and square > 0.0:
            pace = math.sqrt(square)
            still = slip_at_rest(c, s.grips.start[g.grip[j]], 0.0, s.grips.still[g.grip[j]])
            pace = pace if pace > still else 0.0
        for i in range(g.strain.size):
            g.pressing[i, j] = w[i, j]
            if pace > 0.0:
                for r in range(first, first + g.slips[j]):
                    g.pressing[i, j] -= friction_of(s, j) * g.rate[r] / pace * w[i, r]
        if not g.pressing[j, j] > g.least[j]:
            return False
    return True


@compiled
def _pressed(s: System, c: ContactScales) -> None:
    """Choose the contacts under pressure, by the accelerations, among the gaps that neither open nor close."""
    g = s.gaps
    coupling = g.pressing if _add_sliding_friction(s, c) else g.admittance
    for n in range(g.strain.size):
        if g.touching[n]:
            second = g.state[n, SECOND]
            g.demand[n] = second if abs(second) > negligible_second(c, n) else 0.0
            if g.state[n, RATE] > g.size[n]:
                g.demand[n] = math.inf
    press(g, coupling, g.demand, g.least, g.press)
    for i in range(g.strain.size):
        if g.touching[i]:
            for j in range(g.strain.size):
                if g.press[j] > 0.0:
                    g.state[i, SECOND] += coupling[i, j] * g.press[j]


@compiled
def _hold(s: System, c: ContactScales) -> None:
    """Activate the rows of gaps under pressure, and note the state of all gaps."""
    g = s.gaps
    for n in range(g.strain.size):
        pressed = g.touching[n] == 1 and g.press[n] > 0.0
        s.switches.on[n] = 1 if pressed else 0
        rests = g.touching[n] == 1 and g.state[n, RATE] <= g.size[n] and g.state[n, SECOND] <= negligible_second(c, n)
        g.phase[n] = PRESSED if pressed else OPEN if not rests else DEPENDENT if g.chosen[n] < 0 else CLOSED


@compiled
def dissipated_energy(s: System) -> float:
    """Energy that the contacts dissipate: minus the impulses times the mean rates."""
    g, total = s.gaps, 0.0
    for r in range(g.row.size):
        if g.touching[g.owner[r]]:
            after = g.state[r, RATE] if r < g.strain.size else g.rate[r]
            total -= 0.5 * g.impulse[r] * (g.approach[r] + after)
    return total


@compiled
def _given(s: System, v: Floats) -> float:
    """Work of the drives during the impact: impulses of their reactions times their rates."""
    g, out, reactions, given = s.gaps, s.motion.out, s.reactions, 0.0
    clear(g.reaction)
    for r in range(s.rows.strain.size):
        for n in range(g.row.size):
            if g.touching[g.owner[n]]:
                g.reaction[s.rows.strain[r]] += g.impulse[n] * g.response[n, s.rows.place[r]]
    for n in range(g.row.size):
        if g.touching[g.owner[n]]:
            g.reaction[g.row[n]] = -g.impulse[n]
    for i in range(reactions.driven[0]):
        other = reactions.mass.other[i]
        given += out[reactions.mass.source[i]] * v[reactions.mass.target[i]] * (v[other] - g.before[other])
    for i in range(reactions.driven[2]):
        given += out[reactions.slope.source[i]] * v[reactions.slope.target[i]] * g.reaction[reactions.slope.other[i]]
    for i in range(s.driven.row.size):
        r = s.driven.row[i]
        given -= g.reaction[s.rows.strain[r]] * s.rows.velocity[r]
    return given


@compiled
def _may_gain(s: System) -> bool:
    """True if a striking contact has a law that may gain energy, by choice of the user."""
    g = s.gaps
    for n in range(g.strain.size):  # noqa: SIM110 - compiled
        if g.touching[n] and g.impulse[n] > 0.0 and g.law[n, LAW] != ENERGETIC:
            return True
    return False


@compiled
def _least_restitution(s: System) -> None:
    """Let all contacts that strike together have the smallest of their coefficients of restitution."""
    g, least = s.gaps, 1.0
    for n in range(g.strain.size):
        if g.touching[n] and g.impulse[n] > 0.0:
            least = min(least, g.restitution[n])
    for n in range(g.strain.size):
        g.restitution[n] = least


@compiled
def strike(
    s: System,
    c: ContactScales,
    t: float,
    x: Floats,
    v: Floats,
    a: Floats,
    stress: Floats,
    rest: float,
    near: float,
    work: Floats,
) -> bool:
    """Compute the impact of all touching surfaces; the state becomes that after the impact, evaluated.

    Gaps of at most ``near`` touch, unless ``touching`` is -1; ``work`` is done by drives and dissipated by contacts.
    False if a contact jams.
    """
    g = s.gaps
    count = g.strain.size
    _open_all(s)
    accelerate(s, t, x, v, a, stress)
    measure_gaps(s, v, a, g.state)
    note_sizes(s, c, x, v, a, stress)
    note_mobilities(s, c)
    for n in range(count):
        near_enough = g.touching[n] == 1 or g.state[n, DISTANCE] <= near
        g.touching[n] = 1 if g.touching[n] >= 0 and near_enough else 0
        g.approach[n], g.impulse[n], g.wait[n] = g.state[n, RATE], 0.0, 0.0
        g.size[n] = negligible_rate(c, n, g.state[n, SECOND], t)
        # surfaces that touched without a force are pressed without a rebound, unless other contacts drive them together
        rested = (g.phase[n] == CLOSED or g.phase[n] == DEPENDENT) and g.state[n, RATE] < -g.size[n]
        g.restitution[n] = 0.0 if rested else g.law[n, RESTITUTION]
        distance = g.state[n, DISTANCE]
        g.clearance[n] = distance if distance > 2.0 * negligible_gap(c, n, g.state[n, RATE], t) else 0.0
    if not solve_responses(s, c):
        return False
    prepare_slips(s, c, t, v)
    _close_gaps(s, x)
    copy(g.before, v)
    for attempt in range(2):
        while True:
            if not strike_in_turn(s):
                return False
            _push(s, v)
            accelerate(s, t, x, v, a, stress)
            measure_gaps(s, v, a, g.state)
            _pressed(s, c)
            if not come_to_rest(s, c, t, rest):
                break
        # different laws may pass energy from one contact to another and gain energy in total
        if attempt == 1 or dissipated_energy(s) >= 0.0 or _may_gain(s):
            break
        _least_restitution(s)
    work[0], work[1] = _given(s, v), dissipated_energy(s)
    _hold(s, c)
    accelerate(s, t, x, v, a, stress)
    return True


@compiled
def estimated_force(s: System, n: int) -> float:
    """Maximum force of compression [Schwab2002 (5.33)], with the impulse m_e δ̇⁻; zero without a stiffness."""
    g = s.gaps
    stiffness, exponent = g.law[n, STIFFNESS], g.law[n, EXPONENT]
    if stiffness == 0.0:
        return 0.0
    energy = 0.5 * (exponent + 1.0) * g.approach[n] ** 2 / g.admittance[n, n]
    force: float = (stiffness ** (1.0 / exponent) * energy) ** (exponent / (exponent + 1.0))
    return force
