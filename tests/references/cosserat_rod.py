"""Rods in space under end loads: the Cosserat (Kirchhoff) equations solved by shooting.

The section frame R(s) = [t, d₂, d₃] has the tangent first. With the force n, constant along the rod, and the moment m,

    r' = R (e₁ + ε),   R' = R κ̂,   m' = −r' × n,   ε = C_N Rᵀn,   κ = κ₀ + C_M Rᵀm

where C_N = diag(1/EA, 1/GA₂, 1/GA₃) and C_M = diag(1/GJ, 1/EI₂, 1/EI₃); zeros in C_N make a rod that neither stretches
nor shears (S. S. Antman, Nonlinear Problems of Elasticity, chapter 8; J. C. Simo, Computer Methods in Applied Mechanics
and Engineering 49 (1985) 55–70). s is the length of the unloaded rod. Loads are dead: fixed in space. The unknown
values at s = 0 are found by Newton, from a sequence of loads or end positions; the integration is of order 8.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Rod:
    """Length, stiffnesses of torsion and bending about d₂ and d₃, curvature when unloaded; clamped at r(0), R(0)."""

    length: float
    GJ: float
    EI: tuple[float, float]
    EA: float = np.inf
    GA: tuple[float, float] = (np.inf, np.inf)
    curvature: tuple[float, float, float] = (0.0, 0.0, 0.0)
    start: tuple[float, float, float] = (0.0, 0.0, 0.0)
    frame: tuple[tuple[float, float, float], ...] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))  # rows of R(0)


@dataclass(frozen=True)
class Line:
    """The loaded rod at some s: positions, frames, moments in space; the force is the same everywhere."""

    s: Array
    r: Array
    R: Array
    m: Array
    n: Array


def cantilever(
    rod: Rod, force: ArrayLike = (0.0, 0.0, 0.0), moment: ArrayLike = (0.0, 0.0, 0.0), steps: int = 8
) -> Line:
    """A rod clamped at s = 0 with a dead force and a moment fixed in space at its end; the end is the last of 65."""
    F, M = np.asarray(force, dtype=np.float64), np.asarray(moment, dtype=np.float64)

    def residual(part: float, end: Array) -> Array:
        return np.asarray(end[12:] - part * M[:, None])

    def loads(part: float, m0: Array) -> tuple[Array, Array]:
        return np.broadcast_to(part * F[:, None], m0.shape), m0

    m0 = _follow(rod, loads, residual, np.zeros(3), np.full(3, _moment_scale(rod)), steps)
    return _line(rod, F, m0)


def held_ends(
    rod: Rod,
    path: Callable[[float], tuple[Array, Array]],
    steps: int = 16,
    guess: ArrayLike = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
) -> Line:
    """A rod clamped at both ends: `path` leads its far end, r and R, from the unloaded state at 0 to the last one at 1.

    A straight rod that does not stretch needs a guess of n(0), m(0) at the first step: its line fixes no axial force.
    """

    def residual(part: float, end: Array) -> Array:
        r, R = path(part)
        turns = Rotation.from_matrix(np.einsum("ji,jkb->bik", R, _matrix(end))).as_rotvec().T
        return np.concatenate([(end[:3] - r[:, None]) / rod.length, turns])

    def loads(_: float, y: Array) -> tuple[Array, Array]:
        return y[:3], y[3:]

    scale = np.repeat([_moment_scale(rod) / rod.length, _moment_scale(rod)], 3)
    y = _follow(rod, loads, residual, np.asarray(guess, dtype=np.float64), scale, steps)
    return _line(rod, y[:3], y[3:])


def rolled(rod: Rod, moment: ArrayLike, s: ArrayLike) -> tuple[Array, Array]:
    """Positions and frames of a straight rod, EI₂ = EI₃, that an end moment fixed in space rolls to a helix or circle.

    In closed form: the moment is the same everywhere, so R' = (m/EI)^ R + c R ê₁ with the constant
    c = (t·m) (1/GJ − 1/EI), hence R = exp(s m/EI) R(0) exp(s c e₁), and t turns about m at the rate |m|/EI.
    """
    # frames
    m, at = np.asarray(moment, dtype=np.float64), np.atleast_1d(np.asarray(s, dtype=np.float64))
    R0, EI = np.array(rod.frame), rod.EI[0]
    twist = (m @ R0[:, 0]) * (1.0 / rod.GJ - 1.0 / EI)
    along, about = Rotation.from_rotvec(at[:, None] * m / EI), Rotation.from_rotvec(at[:, None] * [twist, 0.0, 0.0])
    R = along.as_matrix() @ R0 @ about.as_matrix()

    # the integral of t, in parts along and across m
    size = float(np.linalg.norm(m))
    e, t, w = m / size, R0[:, 0], size / EI
    across = (np.sin(w * at) / w)[:, None] * (t - e * (e @ t)) + ((1.0 - np.cos(w * at)) / w)[:, None] * np.cross(e, t)
    return np.array(rod.start) + (at * (e @ t))[:, None] * e + across, R


# ── shooting ─────────────────────────────────────────────────────────────────────────────────────────────────────────
# many rods at a time, on the last axis: the one that is sought, and neighbours whose differences are the derivatives


def _follow(
    rod: Rod,
    loads: Callable[[float, Array], tuple[Array, Array]],
    residual: Callable[[float, Array], Array],
    start: Array,
    scale: Array,
    steps: int,
) -> Array:
    """The unknowns at s = 0 at the end of a sequence of loads: residual(part, end) = 0, loads(part, y) = n, m(0)."""
    y, at = start, np.array([rod.length])
    h = np.column_stack([np.zeros(scale.size), np.diag(1e-5 * scale), np.diag(-1e-5 * scale)])
    for part in np.arange(1, steps + 1) / steps:
        # Newton, to rounding at the last load
        enough = 1e-11 if part == 1.0 else 1e-5
        for _ in range(30):
            out = residual(part, _integrate(rod, *loads(part, y[:, None] + h), at)[:, :, -1])
            slopes = (out[:, 1 : scale.size + 1] - out[:, scale.size + 1 :]) / (2e-5 * scale)
            step = -np.linalg.solve(slopes, out[:, 0])
            y = y + step
            if np.abs(step / scale).max() < enough:
                break
        else:
            raise RuntimeError("shooting did not converge: take more steps")
    return y


def _integrate(rod: Rod, n: Array, m0: Array, at: Array) -> Array:
    """r, R, m (15, rods, places) from s = 0."""
    # compliances
    soft = np.array([[1.0 / rod.EA], [1.0 / rod.GA[0]], [1.0 / rod.GA[1]]])
    bending = np.array([[1.0 / rod.GJ], [1.0 / rod.EI[0]], [1.0 / rod.EI[1]]])
    drawn, e1 = np.array(rod.curvature)[:, None], np.array([[1.0], [0.0], [0.0]])
    shape = (15, n.shape[1])

    def rates(_: float, flat: Array) -> Array:
        y = flat.reshape(shape)
        R, m = _matrix(y), y[12:]
        r_s = _times(R, e1 + soft * _times(R.swapaxes(0, 1), n))
        kappa = drawn + bending * _times(R.swapaxes(0, 1), m)
        # R κ̂, column by column: d₁' = κ₃d₂ − κ₂d₃ and so on
        a, b, c = R[:, 0], R[:, 1], R[:, 2]
        x, y_, z = kappa
        R_s = np.stack([z * b - y_ * c, x * c - z * a, y_ * a - x * b], axis=1)
        return np.concatenate([r_s, R_s.reshape(9, -1), _cross(n, r_s)]).ravel()

    # from the clamp
    clamp = np.concatenate([rod.start, np.array(rod.frame).ravel()])
    first = np.concatenate([np.broadcast_to(clamp[:, None], (12, shape[1])), m0])
    scale = np.concatenate([np.full(3, rod.length), np.ones(9), np.full(3, _moment_scale(rod))])
    tolerance = np.broadcast_to(1e-14 * scale[:, None], shape).ravel()
    run = solve_ivp(rates, (0.0, rod.length), first.ravel(), method="DOP853", t_eval=at, rtol=2.5e-14, atol=tolerance)
    return np.asarray(run.y).reshape(*shape, at.size)


def _line(rod: Rod, n: Array, m0: Array) -> Line:
    s = np.linspace(0.0, rod.length, 65)
    y = _integrate(rod, n[:, None], m0[:, None], s)[:, 0].T
    return Line(s, y[:, :3], y[:, 3:12].reshape(-1, 3, 3), y[:, 12:], n)


def _matrix(y: Array) -> Array:
    return y[3:12].reshape(3, 3, -1)


def _times(R: Array, v: Array) -> Array:
    return np.asarray((R * v).sum(axis=1))


def _cross(a: Array, b: Array) -> Array:
    return np.stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def _moment_scale(rod: Rod) -> float:
    return float(min(rod.GJ, *rod.EI) / rod.length)
