"""Blows by steps of the normal impulse, exact in the plane and of fourth order in space.

Each step is divided where the slip halts and where the rate of the gap passes zero, so that the works of compression
and restitution have the error of rounding, or of the fourth power of the step.
"""

import math

import numpy as np
from numba import njit

NO_HALT, IN_COMPRESSION, IN_RESTITUTION = range(3)


@njit
def _add_work(u, rate, dp, work):
    """Add the works of a step along which the rate of the gap is linear; returns the rate after it."""
    after = u + rate * dp
    if (u < 0.0) == (after < 0.0):
        work[0 if u + after < 0.0 else 1] += 0.5 * (u + after) * dp
    else:
        # the parts on both sides of the zero
        before = -u / rate
        work[0 if u < 0.0 else 1] += 0.5 * u * before
        work[1 if u < 0.0 else 0] += 0.5 * after * (dp - before)
    return after


@njit
def in_the_plane(a, b, c, mu, u, slip, end, count):
    """Works of compression and restitution, tangential impulse, rates and halt after the normal impulse ``end``."""
    work, q, halt, step = np.zeros(2), 0.0, NO_HALT, end / count
    for _ in range(count):
        left = step
        while left > 0.0:
            sticks = slip == 0.0 and abs(b) <= mu * c
            way = 0.0 if sticks else math.copysign(1.0, slip if slip != 0.0 else b)
            drag = -b / c if sticks else -mu * way
            gain, part = 0.0 if sticks else b + c * drag, left
            halts = slip * gain < 0.0 and -slip / gain <= left
            if halts:
                part = -slip / gain
            u = _add_work(u, a + b * drag, part, work)
            q += drag * part
            slip = 0.0 if halts or sticks else slip + gain * part
            if halts and halt == NO_HALT:
                halt = IN_COMPRESSION if u < 0.0 else IN_RESTITUTION
            left -= part
    return work, q, u, slip, halt


@njit
def _slopes(W, mu, p, y, u, out):
    """Derivatives of the slips, the tangential impulses and the work over the normal impulse."""
    size = math.hypot(y[0], y[1])
    q0, q1 = -mu * y[0] / size, -mu * y[1] / size
    out[0] = W[0, 1] + W[1, 1] * q0 + W[1, 2] * q1
    out[1] = W[0, 2] + W[1, 2] * q0 + W[2, 2] * q1
    out[2], out[3] = q0, q1
    out[4] = u + W[0, 0] * p + W[0, 1] * y[2] + W[0, 2] * y[3]


@njit
def _fourth_order(W, mu, p, y, u, h, k, new):
    """Kutta's classical step."""
    _slopes(W, mu, p, y, u, k[0])
    for stage in range(1, 4):
        part = h if stage == 3 else 0.5 * h
        for i in range(5):
            new[i] = y[i] + part * k[stage - 1, i]
        _slopes(W, mu, p + part, new, u, k[stage])
    for i in range(5):
        new[i] = y[i] + h / 6.0 * (k[0, i] + 2.0 * k[1, i] + 2.0 * k[2, i] + k[3, i])


@njit
def _rate(W, u, p, y):
    return u + W[0, 0] * p + W[0, 1] * y[2] + W[0, 2] * y[3]


@njit
def _escape(W, mu):
    """Drag along the direction in which a slip grows from rest: w + C·drag is parallel to -drag. By angles."""
    best, found = 0.0, 0.0
    for n in range(3600):
        angle = 2.0 * math.pi * n / 3600
        first = W[0, 1] - mu * (W[1, 1] * math.cos(angle) + W[1, 2] * math.sin(angle))
        second = W[0, 2] - mu * (W[1, 2] * math.cos(angle) + W[2, 2] * math.sin(angle))
        size = math.hypot(first, second)
        along = (math.cos(angle) * first + math.sin(angle) * second) / size
        if along > best:
            best, found = along, angle
    low, high = found - 2.0 * math.pi / 3600, found + 2.0 * math.pi / 3600
    for _ in range(60):
        angle = 0.5 * (low + high)
        first = W[0, 1] - mu * (W[1, 1] * math.cos(angle) + W[1, 2] * math.sin(angle))
        second = W[0, 2] - mu * (W[1, 2] * math.cos(angle) + W[2, 2] * math.sin(angle))
        if math.cos(angle) * second - math.sin(angle) * first > 0.0:
            low = angle
        else:
            high = angle
    return -mu * math.cos(low), -mu * math.sin(low)


@njit
def _last_drag(W, mu):
    """Drag after the slip has halted: that of sticking, or of the direction of escape."""
    determinant = W[1, 1] * W[2, 2] - W[1, 2] * W[1, 2]
    first = -(W[2, 2] * W[0, 1] - W[1, 2] * W[0, 2]) / determinant
    second = -(W[1, 1] * W[0, 2] - W[1, 2] * W[0, 1]) / determinant
    if math.hypot(first, second) <= mu:
        return first, second
    return _escape(W, mu)


@njit
def in_space(W, mu, u, slips, end, count):
    """Works of compression and restitution, tangential impulses, rate of the gap and halt after the impulse ``end``."""
    work, halt, p, step = np.zeros(2), NO_HALT, 0.0, end / count
    y, new, k = np.zeros(5), np.zeros(5), np.zeros((4, 5))
    y[0], y[1] = slips[0], slips[1]
    first, pull = math.hypot(y[0], y[1]), mu * (W[1, 1] + W[2, 2])
    size = first
    while p < end and size > 1e-11 * first:
        # the slip turns fast where it is short
        _slopes(W, mu, p, y, u, k[0])
        h = min(step, 0.05 * size / math.hypot(k[0, 0], k[0, 1]), 0.2 * size / pull, end - p)
        _fourth_order(W, mu, p, y, u, h, k, new)
        before, after = _rate(W, u, p, y), _rate(W, u, p + h, new)
        if before * after < 0.0 and abs(before) > 1e-12 * abs(u):
            # once more up to the zero of the rate
            h *= before / (before - after)
            _fourth_order(W, mu, p, y, u, h, k, new)
            after = 0.0
        work[0 if before + after < 0.0 else 1] += new[4] - y[4]
        y[:] = new
        p += h
        size = math.hypot(y[0], y[1])
    rate, q = _rate(W, u, p, y), y[2:4].copy()
    if p < end:
        if first > 0.0:
            halt = IN_COMPRESSION if rate < 0.0 else IN_RESTITUTION
        drag = _last_drag(W, mu)
        along = W[0, 0] + W[0, 1] * drag[0] + W[0, 2] * drag[1]
        # all is linear from here
        rate = _add_work(rate, along, end - p, work)
        q[0] += drag[0] * (end - p)
        q[1] += drag[1] * (end - p)
    return work, q, rate, halt
