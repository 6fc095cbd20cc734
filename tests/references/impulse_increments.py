"""Blows by small increments of the normal impulse: friction is that of the slip at the end of each increment.

An increment dp changes the slip to s₁ = s + w dp - μ C ŝ₁ dp. It sticks where |C⁻¹(s + w dp)| ≤ μ dp.
"""

import math

import numpy as np
from numba import njit


@njit
def _slip_after(w, C, mu, s, dp):
    """The slip after an increment, and the tangential impulse."""
    x, y = s[0] + w[0] * dp, s[1] + w[1] * dp
    determinant = C[0, 0] * C[1, 1] - C[0, 1] * C[0, 1]
    q0, q1 = (C[1, 1] * x - C[0, 1] * y) / determinant, (C[0, 0] * y - C[0, 1] * x) / determinant
    if math.hypot(q0, q1) <= mu * dp:
        return 0.0, 0.0, -q0, -q1
    low, high = 0.0, math.hypot(x, y)
    far = high > 1e3 * dp * mu * (C[0, 0] + C[1, 1])
    a, b = x, y
    for _ in range(60):
        rho = high if far else 0.5 * (low + high)
        k = mu * dp / rho
        c00, c01, c11 = 1.0 + k * C[0, 0], k * C[0, 1], 1.0 + k * C[1, 1]
        determinant = c00 * c11 - c01 * c01
        a, b = (c11 * x - c01 * y) / determinant, (c00 * y - c01 * x) / determinant
        if far:
            # the direction hardly changes in one increment
            new = math.hypot(a, b)
            if abs(new - rho) <= 1e-15 * rho:
                break
            high = new
        elif math.hypot(a, b) > rho:
            low = rho
        else:
            high = rho
    size = math.hypot(a, b)
    return a, b, -mu * a / size * dp, -mu * b / size * dp


@njit
def by_increments(W, mu, e, u, s, dp, most):
    """Impulses by the energetic law, and the slip and the rate of the gap at the end."""
    w, C = W[0, 1:].copy(), W[1:, 1:].copy()
    slip = s.copy()
    p = taken = returned = 0.0
    q = np.zeros(2)
    for _ in range(most):
        a, b, q0, q1 = _slip_after(w, C, mu, slip, dp)
        slip[0], slip[1] = a, b
        after = u + W[0, 0] * dp + w[0] * q0 + w[1] * q1
        work = 0.5 * (u + after) * dp
        p += dp
        q[0] += q0
        q[1] += q1
        if u + after < 0.0:
            taken -= work
        else:
            returned += work
        u = after
        if u > 0.0 and returned >= e * e * taken:
            return p, q, slip, u
    return math.nan, q, slip, u


@njit
def in_the_plane(a, b, c, mu, e, u, slip, dp, most):
    """Impulses by the energetic law, and the normal impulses at the halt of the slip and at the end of compression."""
    p = q = taken = returned = 0.0
    halt = end = math.inf
    moved = slip != 0.0
    for _ in range(most):
        # friction at the end of the increment: the one of three that is consistent
        pushed = slip + b * dp
        sticks = abs(pushed) <= mu * c * dp
        dq = -pushed / c if sticks else -math.copysign(mu * dp, pushed)
        new = 0.0 if sticks else pushed + c * dq
        if moved and halt == math.inf and new * slip <= 0.0:
            halt = p
        slip = new
        after = u + a * dp + b * dq
        work = 0.5 * (u + after) * dp
        p += dp
        q += dq
        if u + after < 0.0:
            taken -= work
        else:
            end = min(end, p)
            returned += work
        u = after
        if u > 0.0 and returned >= e * e * taken:
            return p, q, halt, end
    return math.nan, q, halt, end
