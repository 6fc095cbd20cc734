"""Location of events within a step: the first root of a polynomial.

The source uses a cubic through positions and rates at both ends [Schwab2002 (5.23)]; with the accelerations, which
are known too, it becomes a quintic.
"""

from __future__ import annotations

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats

NEVER = 2.0
_PARTS = 16
_ROUNDS = 80

# state at the start of a step: apart, in contact and parting, or in contact without a rate
APART, PARTING, RESTING = range(3)


@compiled
def quintic(h: float, g0: float, u0: float, a0: float, g1: float, u1: float, a1: float, c: Floats) -> None:
    """Polynomial in the fraction of a step through values and two derivatives at both ends."""
    c[0], c[1], c[2] = g0, h * u0, 0.5 * h * h * a0
    value = g1 - (c[0] + c[1] + c[2])
    slope = h * u1 - (c[1] + 2.0 * c[2])
    bend = h * h * a1 - 2.0 * c[2]
    c[3] = 10.0 * value - 4.0 * slope + 0.5 * bend
    c[4] = -15.0 * value + 7.0 * slope - bend
    c[5] = 6.0 * value - 3.0 * slope + 0.5 * bend


@compiled
def polynomial(c: Floats, first: int, u: float) -> float:
    """c[first] + c[first + 1] u + …"""
    total = 0.0
    for i in range(c.size - 1, first - 1, -1):
        total = total * u + c[i]
    return total


@compiled
def _slope(c: Floats, first: int, u: float) -> float:
    total = 0.0
    for i in range(c.size - 1, first, -1):
        total = total * u + (i - first) * c[i]
    return total


@compiled
def _root(c: Floats, first: int, low: float, high: float) -> float:
    """Root between a point with a positive value and one without, by Newton's method safeguarded by bisection."""
    u = 0.5 * (low + high)
    for _ in range(_ROUNDS):
        f, slope = polynomial(c, first, u), _slope(c, first, u)
        if f > 0.0:
            low = u
        else:
            high = u
        step = u - f / slope if slope != 0.0 else low
        following = step if low < step < high else 0.5 * (low + high)
        if following == u or high - low <= 1e-16 * high:
            return following
        u = following
    return u


@compiled
def _dip(c: Floats, first: int, low: float, high: float) -> float:
    """Minimum between a point with a negative slope and one with a positive slope."""
    for _ in range(40):
        middle = 0.5 * (low + high)
        if _slope(c, first, middle) < 0.0:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


@compiled
def crossing(c: Floats, start: int, least: float) -> float:
    """First fraction of the step at which the gap is closed, NEVER if it stays open.

    A parting gap has a root at the start, which is divided out. A resting gap must first fall below ``-least``.
    """
    first = 1 if start == PARTING else 0
    kept = c[0]
    if start == RESTING:
        c[0] = least
    low, found = 0.0, NEVER
    for k in range(1, _PARTS + 1):
        high = k / _PARTS
        if polynomial(c, first, high) < 0.0:
            found = _root(c, first, low, high)
            break
        if _slope(c, first, low) < 0.0 < _slope(c, first, high):
            lowest = _dip(c, first, low, high)
            if polynomial(c, first, lowest) < 0.0:
                found = _root(c, first, low, lowest)
                break
        low = high
    c[0] = kept
    return found


@compiled
def _through(before: float, inside: Floats, now: float, u: float, p: Floats) -> float:
    """Value at a fraction of the step, by the polynomial through all known values [Neville]."""
    last = inside.size + 1
    p[0], p[last] = before, now
    for k in range(1, last):
        p[k] = inside[k - 1]
    for level in range(1, last + 1):
        for k in range(last + 1 - level):
            p[k] += (u * last - k) / level * (p[k + 1] - p[k])
    value: float = p[0]
    return value


@compiled
def rising(before: float, inside: Floats, now: float, scratch: Floats) -> float:
    """Fraction of the step at which a value known at equidistant points becomes positive, NEVER if it does not."""
    last = inside.size + 1
    for k in range(1, last + 1):
        if (now if k == last else inside[k - 1]) > 0.0:
            low, high = (k - 1.0) / last, k / last
            for _ in range(50):
                middle = 0.5 * (low + high)
                if _through(before, inside, now, middle, scratch) < 0.0:
                    low = middle
                else:
                    high = middle
            return 0.5 * (low + high)
    return NEVER
