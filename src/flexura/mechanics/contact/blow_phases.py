"""Blow on one contact, followed along its normal impulse p: phases in which all rates are linear in p.

A blow is the impact on one contact. It is compression while the surfaces approach. With the work C > 0 and the impulse
p_C of compression, restitution goes on until it has returned e²C (the energetic law of [Stronge1991]), until p = (1 +
e) p_C (Poisson), or until the surfaces separate with e times their approach velocity (Newton).
"""

from __future__ import annotations

import math

from flexura.derive.compiled import clear, compiled
from flexura.derive.records import Floats

ENERGETIC, POISSON, NEWTON = range(3)
"""laws of restitution, in the order of ``Restitution.law``"""

# places in a blow: impulses, the rate of the gap, the work that compression took and restitution returned, their
# impulses, the impulse at the end of the first compression and where the slip halts, the kind, the first rate
NORMAL, TANGENT, SECOND_TANGENT, RATE, TAKEN, RETURNED, PRESSED, RELEASED, COMPRESSION, HALT, KIND, APPROACH = range(12)
BLOW_SIZE = 12

FRICTIONLESS, SLIPS, STICKS, COMPRESSION_STICK, RESTITUTION_STICK, COMPRESSION_REVERSE, RESTITUTION_REVERSE = range(7)
"""kinds of blows [Elkaranshawy1995, table 3.1]: slip throughout, stick throughout, and slip that halts during
compression or restitution and then sticks or goes on in another direction"""

_LOCKED = 1e-12
"""Mobility, relative to that without friction, that counts as zero."""
_STOPPED = 1e-9
"""Rate, relative to that of the approach, that counts as zero for a contact without mobility."""


@compiled
def start_blow(z: Floats, u: float) -> None:
    """Begin with the rate ``u`` ≤ 0 of the gap."""
    clear(z)
    z[RATE] = z[APPROACH] = u
    z[HALT] = math.inf


@compiled
def advance(z: Floats, dp: float, rate: float, first: float, second: float) -> None:
    """Add the normal impulse ``dp``, with the gains ``rate``, ``first`` and ``second`` per unit of impulse."""
    after = z[RATE] + rate * dp
    work = 0.5 * (z[RATE] + after) * dp
    if z[RATE] + after < 0.0:
        z[TAKEN] -= work
        z[PRESSED] += dp
    else:
        z[RETURNED] += work
        z[RELEASED] += dp
    z[NORMAL] += dp
    z[TANGENT] += first * dp
    z[SECOND_TANGENT] += second * dp
    z[RATE] = after


@compiled
def end_compression(z: Floats) -> None:
    """End the compression: the rate of the gap is zero."""
    z[RATE] = 0.0
    if z[COMPRESSION] == 0.0:
        z[COMPRESSION] = z[NORMAL]


@compiled
def left_to_return(z: Floats, e: float, law: int) -> float:
    """Remaining work, impulse or rate of restitution, depending on the law."""
    if law == ENERGETIC:
        return float(e * e * z[TAKEN] - z[RETURNED])
    return float(e * z[PRESSED] - z[RELEASED] if law == POISSON else -e * z[APPROACH] - z[RATE])


@compiled
def _impulse_of_restitution(z: Floats, rate: float, e: float, law: int) -> float:
    """Normal impulse until restitution ends; infinite if the gap would begin to close first."""
    owed = left_to_return(z, e, law)
    if owed <= 0.0:
        return 0.0
    if law == POISSON:
        return owed
    if law == NEWTON:
        return owed / rate if rate > 0.0 else math.inf
    under = z[RATE] * z[RATE] + 2.0 * rate * owed
    return 2.0 * owed / (z[RATE] + math.sqrt(under)) if under >= 0.0 and (rate > 0.0 or z[RATE] > 0.0) else math.inf


@compiled
def follow_line(z: Floats, most: float, rate: float, first: float, second: float, e: float, law: int) -> bool:
    """Follow a phase over at most the impulse ``most``; true if the blow ends in it."""
    if z[RATE] < 0.0 or (z[RATE] == 0.0 and rate < 0.0):
        turn = -z[RATE] / rate if rate > 0.0 else math.inf
        advance(z, min(turn, most), rate, first, second)
        if turn > most:
            return False
        end_compression(z)
        most -= turn
    left = _impulse_of_restitution(z, rate, e, law)
    advance(z, min(left, most), rate, first, second)
    return left <= most


@compiled
def follow_last_line(z: Floats, free: float, rate: float, first: float, second: float, e: float, law: int) -> bool:
    """Follow the last phase to its end; false if the contact jams. ``free`` is the mobility without friction."""
    if rate > _LOCKED * free:
        return follow_line(z, math.inf, rate, first, second, e, law)
    # without mobility, slip and approach stop together, and the energy of compression is not returned
    if z[RATE] < _STOPPED * z[APPROACH]:
        return False
    end_compression(z)
    return True


@compiled
def lost_in_restitution(z: Floats) -> float:
    """Energy that compression took and restitution did not return, in the normal direction."""
    return float(z[TAKEN] - z[RETURNED])
