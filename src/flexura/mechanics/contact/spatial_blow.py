"""Blow on one contact in space with dry friction: the direction of slip turns along the normal impulse.

With the mobilities a of the normal, w of the coupling and C of the slips, and the slip s = ρ ŝ(φ),

    dρ/dp = ŝ·(w - μCŝ),    ρ dφ/dp = n̂·(w - μCŝ),    du/dp = a - μ w·ŝ,

where n̂ is at right angles to ŝ [Keller1986, BhattKoechling1995]. With dp = ρ dθ the equations have no singularity at
ρ = 0, where the slip halts: it sticks if |C⁻¹w| ≤ μ, and escapes otherwise in the one direction along which it grows.
"""

from __future__ import annotations

import math

import numpy as np

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats, FloatTable
from flexura.mechanics.contact.blow_phases import (
    HALT,
    KIND,
    NORMAL,
    PRESSED,
    RATE,
    RELEASED,
    RETURNED,
    SECOND_TANGENT,
    SLIPS,
    STICKS,
    TAKEN,
    TANGENT,
    end_compression,
    follow_last_line,
    follow_line,
    left_to_return,
    start_blow,
)
from flexura.mechanics.contact.planar_blow import note_halt

# the state over θ: direction, logarithm of the slip, normal and tangential impulses, work of the normal impulse
_ANGLE, _LOG, _P, _Q1, _Q2, _WORK = range(6)
_STATES = 6
_TOLERANCE = 1e-13
_STRAIGHT = 1e-13
"""Rate of turning of the slip, relative to its mobility, that counts as zero."""
_HALTED = -32.0
"""Logarithm of the slip, relative to the first slip, at which it counts as zero."""
_MOST = 100_000
_STAGES = np.array(
    [
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [1 / 5, 0.0, 0.0, 0.0, 0.0, 0.0],
        [3 / 40, 9 / 40, 0.0, 0.0, 0.0, 0.0],
        [44 / 45, -56 / 15, 32 / 9, 0.0, 0.0, 0.0],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0.0, 0.0],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0.0],
        [35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
    ]
)
_ERROR = np.array([71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40])
"""Dormand and Prince's method of order 5 [DormandPrince1980]."""


@compiled
def _derive(W: FloatTable, mu: float, u: float, slip: float, y: Floats, dy: Floats) -> None:
    """Derivatives with respect to θ; ``u`` and ``slip`` are the initial rate of the gap and the initial slip."""
    along, across = math.cos(y[_ANGLE]), math.sin(y[_ANGLE])
    first = W[0, 1] - mu * (W[1, 1] * along + W[1, 2] * across)
    second = W[0, 2] - mu * (W[1, 2] * along + W[2, 2] * across)
    rho = slip * math.exp(y[_LOG])
    dy[_ANGLE] = along * second - across * first
    dy[_LOG] = along * first + across * second
    dy[_P], dy[_Q1], dy[_Q2] = rho, -mu * along * rho, -mu * across * rho
    dy[_WORK] = _gap_rate(W, u, y) * rho


@compiled
def _gap_rate(W: FloatTable, u: float, y: Floats) -> float:
    """Rate of the gap after the impulses."""
    return float(u + W[0, 0] * y[_P] + W[0, 1] * y[_Q1] + W[0, 2] * y[_Q2])


@compiled
def _step(W: FloatTable, mu: float, u: float, slip: float, y: Floats, h: float, k: FloatTable, new: Floats) -> None:
    """One step of the Runge–Kutta method, its stages in ``k``."""
    for stage in range(7):
        for i in range(_STATES):
            new[i] = y[i]
            for j in range(stage):
                new[i] += h * _STAGES[stage, j] * k[j, i]
        _derive(W, mu, u, slip, new, k[stage])


@compiled
def _step_error(h: float, k: FloatTable, sizes: Floats) -> float:
    """Local error of a step against the tolerance."""
    worst = 0.0
    for i in range(_STATES):
        error = 0.0
        for j in range(7):
            error += h * _ERROR[j] * k[j, i]
        worst = max(worst, abs(error) / (_TOLERANCE * sizes[i]))
    return worst


@compiled
def _excess(W: FloatTable, u: float, y: Floats, new: Floats, z: Floats, e: float, law: int, wanted: int) -> float:
    """Event function, positive after the event: the rate of the gap, its negative, or the remaining restitution."""
    rate = _gap_rate(W, u, new)
    if wanted == 0:
        return rate
    if wanted == 1:
        return -rate
    taken, released, before = z[RETURNED], z[RELEASED], z[RATE]
    z[RETURNED] += new[_WORK] - y[_WORK]
    z[RELEASED] += new[_P] - y[_P]
    z[RATE] = rate
    owed = left_to_return(z, e, law)
    z[RETURNED], z[RELEASED], z[RATE] = taken, released, before
    return -owed


@compiled
def _locate(
    W: FloatTable, mu: float, u: float, slip: float, y: Floats, h: float, k: FloatTable, new: Floats, z: Floats,
    e: float, law: int, wanted: int,
) -> float:  # fmt: skip
    """Shorten a step to a root of an event function inside it; ``new`` becomes the state there."""
    low, high = 0.0, h
    below, above = _excess(W, u, y, y, z, e, law, wanted), _excess(W, u, y, new, z, e, law, wanted)
    for n in range(110):
        # regula falsi, every other time bisection
        part = below / (below - above) if n % 2 == 0 and below < 0.0 < above else 0.5
        h = low + part * (high - low)
        _step(W, mu, u, slip, y, h, k, new)
        value = _excess(W, u, y, new, z, e, law, wanted)
        if value < 0.0:
            low, below = h, value
        else:
            high, above = h, value
        if value == 0.0 or high - low <= 4e-16 * high:
            break
    return h


@compiled
def _take_up(W: FloatTable, u: float, y: Floats, new: Floats, z: Floats, compression: bool) -> None:
    """Accept a step and add it to the blow."""
    impulse, work = new[_P] - y[_P], new[_WORK] - y[_WORK]
    if compression:
        z[PRESSED] += impulse
        z[TAKEN] -= work
    else:
        z[RELEASED] += impulse
        z[RETURNED] += work
    z[NORMAL], z[TANGENT], z[SECOND_TANGENT] = new[_P], new[_Q1], new[_Q2]
    z[RATE] = _gap_rate(W, u, new)
    for i in range(_STATES):
        y[i] = new[i]


@compiled
def _goes_straight(W: FloatTable, mu: float, slip: float, y: Floats, z: Floats, e: float, law: int) -> int:
    """Follow a slip of constant direction: 1 if the blow ends, 0 if it halts, -1 if it turns, -2 if it has no end."""
    along, across = math.cos(y[_ANGLE]), math.sin(y[_ANGLE])
    first = W[0, 1] - mu * (W[1, 1] * along + W[1, 2] * across)
    second = W[0, 2] - mu * (W[1, 2] * along + W[2, 2] * across)
    if abs(along * second - across * first) > _STRAIGHT * (W[1, 1] + W[2, 2]) * (1.0 + mu):
        return -1
    grows = along * first + across * second
    halt = slip * math.exp(y[_LOG]) / -grows if grows < 0.0 else math.inf
    rate = W[0, 0] - mu * (W[0, 1] * along + W[0, 2] * across)
    if halt == math.inf and not rate > 0.0:
        return -2
    return 1 if follow_line(z, halt, rate, -mu * along, -mu * across, e, law) else 0


@compiled
def _slide(W: FloatTable, mu: float, e: float, law: int, u: float, s1: float, s2: float, z: Floats) -> int:
    """Follow a slip until it halts (0) or the blow ends (1); -2 if neither happens."""
    y, new, k, sizes = np.zeros(_STATES), np.zeros(_STATES), np.zeros((7, _STATES)), np.ones(_STATES)
    slip, mobile = math.hypot(s1, s2), W[0, 0] + W[1, 1] + W[2, 2]
    y[_ANGLE] = math.atan2(s2, s1)
    # the impulse of a compression without friction; without approach, the impulse that stops the slip
    sizes[_P] = sizes[_Q1] = sizes[_Q2] = -u / W[0, 0] if u < 0.0 else slip / mobile
    sizes[_WORK] = W[0, 0] * sizes[_P] ** 2
    h = 0.01 / (mobile * (1.0 + mu))
    for _ in range(_MOST):
        straight = _goes_straight(W, mu, slip, y, z, e, law)
        if straight != -1:
            return straight
        if y[_LOG] < _HALTED:
            return 0
        _step(W, mu, u, slip, y, h, k, new)
        error = _step_error(h, k, sizes)
        following = h * min(4.0, max(0.2, 0.9 * (error + 1e-30) ** -0.2))
        if not error <= 1.0:
            h = following
            continue
        rate = _gap_rate(W, u, new)
        compression = z[RATE] < 0.0 or (z[RATE] == 0.0 and rate < 0.0)
        if compression and rate > 0.0:
            _locate(W, mu, u, slip, y, h, k, new, z, e, law, 0)
            _take_up(W, u, y, new, z, True)
            end_compression(z)
        elif not compression and _excess(W, u, y, new, z, e, law, 2) >= 0.0 and rate >= 0.0:
            if left_to_return(z, e, law) > 0.0:
                _locate(W, mu, u, slip, y, h, k, new, z, e, law, 2)
                _take_up(W, u, y, new, z, False)
            return 1
        elif not compression and rate < 0.0:
            _locate(W, mu, u, slip, y, h, k, new, z, e, law, 1)
            _take_up(W, u, y, new, z, False)
            z[RATE] = 0.0
        else:
            _take_up(W, u, y, new, z, compression)
        h = following
    return -2


@compiled
def escape_direction(W: FloatTable, mu: float) -> float:
    """Angle of the direction in which a slip that cannot stick escapes.

    Along it w = (μC + κ)ŝ with κ > 0. The length of (μC + κ)⁻¹w falls with κ, so that there is one such direction.
    """
    low, high = 0.0, 2.0 * math.hypot(W[0, 1], W[0, 2])
    first = second = 0.0
    for _ in range(200):
        kappa = 0.5 * (low + high)
        c11, c12, c22 = mu * W[1, 1] + kappa, mu * W[1, 2], mu * W[2, 2] + kappa
        determinant = c11 * c22 - c12 * c12
        first = (c22 * W[0, 1] - c12 * W[0, 2]) / determinant
        second = (c11 * W[0, 2] - c12 * W[0, 1]) / determinant
        if math.hypot(first, second) > 1.0:
            low = kappa
        else:
            high = kappa
        if not low < 0.5 * (low + high) < high:
            break
    return math.atan2(second, first)


@compiled
def _sticking_ratio(W: FloatTable) -> tuple[float, float]:
    """Ratio of tangential to normal impulse that keeps the slip at zero, -C⁻¹w."""
    determinant = W[1, 1] * W[2, 2] - W[1, 2] * W[1, 2]
    if not determinant > 1e-14 * W[1, 1] * W[2, 2]:
        # slip is possible in one direction only
        size = (W[1, 1] + W[2, 2]) ** 2
        projected = (W[0, 1] * W[1, 1] + W[0, 2] * W[1, 2], W[0, 1] * W[1, 2] + W[0, 2] * W[2, 2])
        return (-projected[0] / size, -projected[1] / size) if size > 0.0 else (0.0, 0.0)
    first = -(W[2, 2] * W[0, 1] - W[1, 2] * W[0, 2]) / determinant
    return first, -(W[1, 1] * W[0, 2] - W[1, 2] * W[0, 1]) / determinant


@compiled
def spatial_blow(
    W: FloatTable, mu: float, e: float, law: int, u: float, s1: float, s2: float, still: float, z: Floats
) -> bool:
    """Follow a blow from the approach ``u`` ≤ 0 and the slips before it; the result is ``z``.

    ``W`` has the mobilities of the normal and of two slips. A slip of at most ``still`` counts as zero. False if the
    contact jams.
    """
    start_blow(z, u)
    first, second = _sticking_ratio(W)
    sticks = math.hypot(first, second) <= mu
    z[KIND] = STICKS if sticks else SLIPS
    if math.hypot(s1, s2) > still:
        z[KIND] = SLIPS
        ended = _slide(W, mu, e, law, u, s1, s2, z)
        if ended != 0:
            return ended == 1
        note_halt(z, sticks)
    elif sticks:
        z[HALT] = 0.0
    if not sticks:
        angle = escape_direction(W, mu)
        first, second = -mu * math.cos(angle), -mu * math.sin(angle)
    rate = W[0, 0] + W[0, 1] * first + W[0, 2] * second
    return follow_last_line(z, W[0, 0], rate, first, second, e, law)
