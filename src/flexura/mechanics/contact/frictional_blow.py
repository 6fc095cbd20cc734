"""Blow on one contact in the plane with dry friction, by the energetic law of restitution, in closed form.

Along the normal impulse p the rates of gap and slip change by du/dp = a - μσb and ds/dp = b - μσc while the contact
slides in the direction σ, with a, b, c the mobilities of normal, coupling and slip. A slip that halts sticks where
|b| ≤ μc, with du/dp = a - b²/c, and slides on along the sign of b otherwise [Stronge1991]. Restitution returns
e² of the work that compression took.
"""

from __future__ import annotations

import math

from flexura.derive.compiled import compiled


@compiled
def frictional_blow(
    a: float, b: float, c: float, mu: float, e: float, u: float, slip: float, still: float
) -> tuple[float, float]:
    """Normal and tangential impulse of a blow with the approach ``u`` ≤ 0 and the slip before it.

    A slip of at most ``still`` is none. Where nothing gives way, the impulse is infinite.
    """
    way = 0.0 if abs(slip) <= still else math.copysign(1.0, slip)
    first, slows = a - mu * way * b, b - mu * way * c
    halt = 0.0 if way == 0.0 else -slip / slows if way * slows < 0.0 else math.inf
    sticks = abs(b) <= mu * c and c > 0.0
    after = a - b * b / c if sticks else a - mu * abs(b)
    drag = -b / c if sticks else -math.copysign(mu, b) if b != 0.0 else 0.0
    if not after > 0.0 and halt < math.inf:
        return math.inf, 0.0
    if first <= 0.0 or halt < -u / first:
        # the slip halts during compression
        at_halt = u + first * halt
        taken = 0.5 * (u + at_halt) * halt - at_halt * at_halt / (2.0 * after)
        normal = halt - at_halt / after + e * math.sqrt(max(-2.0 * taken / after, 0.0))
        return normal, -mu * way * halt + drag * (normal - halt)
    turn = -u / first
    at_halt = first * (halt - turn)
    if at_halt >= e * abs(u):
        normal = (1.0 + e) * turn
        return normal, -mu * way * normal
    final = math.sqrt(at_halt * at_halt + after / first * (e * e * u * u - at_halt * at_halt))
    normal = halt + (final - at_halt) / after
    return normal, -mu * way * halt + drag * (normal - halt)
