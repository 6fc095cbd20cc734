"""Limit loads of a planar arch and a planar frame, by shooting on the elastica with extension and shear.

Pieces of a rod in the plane: the force n = (X, Y) of what lies ahead is constant along a piece; φ is the slope of the
section, M the moment, κ₀ the curvature when unloaded:

    (x', y') = (1 + N/EA) t + (Q/GA) d,   t = (cos φ, sin φ), d = (−sin φ, cos φ),   N = n·t,   Q = n·d
    φ' = κ₀ + M/EI,   M' = y' X − x' Y

A point load P acts downwards where two pieces meet; Y jumps by P there. Unknown are X, Y and M (clamp) or φ (hinge) at
the first end and P; the conditions are x, y and M at the last end, a hinge, and the deflection v of the loaded point.
The largest P over v is the limit load: of a deep clamped and hinged circular arch (D. A. DaDeppo and R. Schmidt,
Journal of Applied Mechanics 42 (1975) 894–896: 8.97 EI/R² without extension), and of a frame hinged at both feet
(S.-L. Lee, F. S. Manuel and E. C. Rossow, Journal of the Engineering Mechanics Division 94 (1968) 521–548); data of
J. C. Simo and L. Vu-Quoc, Computer Methods in Applied Mechanics and Engineering 58 (1986) 79–116.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import solve_ivp

Array = NDArray[np.float64]

FINE = 2.5e-14  # the relative tolerance of the last integration; the least that is allowed


@dataclass(frozen=True)
class Piece:
    """A length with a constant curvature when unloaded; `turn` is the kink of the slope before it."""

    length: float
    curvature: float = 0.0
    turn: float = 0.0


@dataclass(frozen=True)
class Frame:
    """A chain of pieces from (0, 0) with a slope, clamped there or hinged, hinged at the last end; P after `loaded`."""

    pieces: tuple[Piece, ...]
    loaded: int
    slope: float
    clamped: bool
    EI: float
    EA: float = np.inf
    GA: float = np.inf


@dataclass(frozen=True)
class Branch:
    """Loads over the deflections of the loaded point, with its shift to the right."""

    deflection: Array
    load: Array
    shift: Array


@dataclass(frozen=True)
class Limit:
    """The largest load, with the deflection and the shift to the right of the loaded point."""

    load: float
    deflection: float
    shift: float


def deep_arch(EA: float = 1e8, GA: float = np.inf) -> Frame:
    """Radius 100, 215° of a circle, the left end clamped and the right one hinged, EI = 10⁶, the load at the crown."""
    half = np.radians(107.5)
    piece = Piece(100.0 * half, curvature=-0.01)
    return Frame((piece, piece), loaded=0, slope=half, clamped=True, EI=1e6, EA=EA, GA=GA)


def lee_frame(EA: float = 4.32e7, GA: float = np.inf) -> Frame:
    """A column and a beam of 120, both feet hinged; E = 7.2·10⁶, A = 6, I = 2; the load at 24 from the corner."""
    pieces = (Piece(120.0), Piece(24.0, turn=-0.5 * np.pi), Piece(96.0))
    return Frame(pieces, loaded=1, slope=0.5 * np.pi, clamped=False, EI=1.44e7, EA=EA, GA=GA)


def branch(frame: Frame, deflections: ArrayLike) -> Branch:
    """The loads that hold the loaded point at growing deflections."""
    v = np.asarray(deflections, dtype=np.float64)
    rows = [_load_and_shift(frame, _solve(frame, deflection, y)) for deflection, y in _walk(frame, v)]
    load, shift = np.array(rows).T
    return Branch(v, load, shift)


def limit(frame: Frame, deflections: ArrayLike) -> Limit:
    """The first maximum of the load, on the way along deflections that enclose it."""
    # go on until the load drops
    v, before, centre = np.asarray(deflections, dtype=np.float64), -np.inf, 0.0
    for deflection, y in _walk(frame, v):
        if y[3] < before:
            break
        before, centre = y[3], float(deflection)

    # parabolas, narrower and narrower; the load is flat there, so it has twice the digits of the deflection
    h = float(deflection - centre)
    for _ in range(5):
        a, b, c = (_solve(frame, centre + part * h, y)[3] for part in (-1.0, 0.0, 1.0))
        centre, h = float(centre - 0.5 * h * (c - a) / (a - 2.0 * b + c)), 0.2 * h
    load, shift = _load_and_shift(frame, _solve(frame, centre, y))
    return Limit(load, centre, shift)


def stiffness_under_load(frame: Frame, deflection: float, path: ArrayLike) -> float:
    """The determinant of the shooting equations at a constant load: it changes sign where the load is at its limit."""
    for v, y in _walk(frame, np.append(path, deflection)):
        slopes = _residual(frame, v, y, FINE)[1]
    return float(np.linalg.det(slopes[:3, :3]))


# ── shooting ─────────────────────────────────────────────────────────────────────────────────────────────────────────
# many frames at a time, on the last axis: the one that is sought, and neighbours whose differences are the derivatives


def _walk(frame: Frame, deflections: Array) -> Iterator[tuple[float, Array]]:
    """Deflections with their unknowns, roughly, each from the line through the two before."""
    v, y, slope = 0.0, np.zeros(4), np.zeros(4)
    for deflection in deflections:
        found = _solve(frame, deflection, y + (deflection - v) * slope, enough=1e-6)
        v, y, slope = deflection, found, (found - y) / (deflection - v)
        yield v, y


def _solve(frame: Frame, deflection: float, guess: Array, enough: float = 1e-11) -> Array:
    """X, Y, M or φ and P, over their scales, at a deflection."""
    y = guess
    for _ in range(15):
        out, slopes = _residual(frame, deflection, y, rtol=max(FINE, 1e-3 * enough))
        step = -np.linalg.solve(slopes, out)
        y = y + step
        if np.abs(step).max() < enough:
            return y
    raise RuntimeError("shooting did not converge: take smaller deflections")


def _residual(frame: Frame, deflection: float, y: Array, rtol: float) -> tuple[Array, Array]:
    """What x, y and M at the last end and the deflection miss, and the derivatives by central differences."""
    h = 1e-5 * np.eye(4)
    size, length = _scale(frame), sum(piece.length for piece in frame.pieces)
    end, loaded = _march(frame, (y[:, None] + np.column_stack([np.zeros(4), h, -h])) * size[:, None], rtol)
    foot, point = _drawn(frame)
    sink = loaded[1] - point[1] + deflection
    miss = np.stack([*(end[:2] - foot[:2]) / length, end[3] * length / frame.EI, sink / length])
    return miss[:, 0], (miss[:, 1:5] - miss[:, 5:]) / 2e-5


def _march(frame: Frame, unknowns: Array, rtol: float) -> tuple[Array, Array]:
    """x, y, φ, M at the last end and at the loaded point, for columns of X, Y, M or φ, P."""
    X, Y, free, P = unknowns
    zero = np.zeros_like(X)
    y = np.stack([zero, zero, frame.slope + zero, free] if frame.clamped else [zero, zero, frame.slope + free, zero])
    for number, piece in enumerate(frame.pieces):
        y[2] += piece.turn
        y = _piece(frame, piece, X, Y, y, rtol)
        if number == frame.loaded:
            loaded, Y = y.copy(), Y + P
    return y, loaded


def _piece(frame: Frame, piece: Piece, X: Array, Y: Array, first: Array, rtol: float) -> Array:
    def rates(_: float, flat: Array) -> Array:
        phi, M = flat.reshape(first.shape)[2:]
        c, s = np.cos(phi), np.sin(phi)
        along, across = 1.0 + (X * c + Y * s) / frame.EA, (Y * c - X * s) / frame.GA
        x_s, y_s = along * c - across * s, along * s + across * c
        return np.concatenate([x_s, y_s, piece.curvature + M / frame.EI, y_s * X - x_s * Y])

    scale = np.array([piece.length, piece.length, 1.0, frame.EI / piece.length])
    atol = np.repeat(0.4 * rtol * scale, first.shape[1])
    run = solve_ivp(rates, (0.0, piece.length), first.ravel(), method="DOP853", rtol=rtol, atol=atol)
    return np.asarray(run.y[:, -1]).reshape(first.shape)


def _load_and_shift(frame: Frame, y: Array) -> tuple[float, float]:
    size = _scale(frame)
    loaded = _march(frame, (y * size)[:, None], FINE)[1]
    return float(y[3] * size[3]), float(loaded[0, 0] - _drawn(frame)[1][0, 0])


@cache
def _drawn(frame: Frame) -> tuple[Array, Array]:
    """The last end and the loaded point without load."""
    return _march(frame, np.zeros((4, 1)), FINE)


def _scale(frame: Frame) -> Array:
    """Sizes of X, Y, M or φ, and P."""
    length = sum(piece.length for piece in frame.pieces)
    force = frame.EI / length**2
    return np.array([force, force, force * length if frame.clamped else 1.0, force])
