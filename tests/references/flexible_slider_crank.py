"""Slider-crank with a rigid crank and a flexible, inextensible rod: Lagrange's equations in explicit coordinates.

The rod is a row of plain planar beams of the source (no second-order elongation): chords of constant length, a cubic
elastic line, bending strains of each beam from the angles of its ends with its chord. The configuration is given by the
angles β of the rod's nodes and the angles γ of its chords,

    r_i = A + l Σ_{j≤i} e(γ_j),    y_B = 0  ⇒  sin γ_n = −(a sin φ)/l − Σ_{j<n} sin γ_j

so that z = (φ, β_0 … β_n, γ_1 … γ_{n−1}) are independent coordinates, the crank angle φ given in time or free. The
kinetic energy is ½ ẇᵀ M ẇ with M constant and w(z) the node positions r_i and the slopes l e(β_i). With J = ∂w/∂z,

    Jᵀ M (J z̈ + J̇ ż) + ∂V/∂z + damping = 0

Everything is written out by hand here; cases: [SchwabMeijaard2000 section 5.7], [Schwab2002 section 4.4.2].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import solve_ivp

Array = NDArray[np.float64]

# mass of a cubic beam on (r_p, l e_p, r_q, l e_q), over ρA l / 420
MASS = np.array([[156.0, 22, 54, -13], [22, 4, 13, -3], [54, 13, 156, -22], [-13, -3, -22, 4]])

# bending strains l sin(β_p − γ) and −l sin(β_q − γ); their stiffness, over EI / l³
SIGNS = np.array([1.0, -1.0])
STIFFNESS = np.array([[4.0, -2.0], [-2.0, 4.0]])


@dataclass(frozen=True)
class FlexibleSliderCrank:
    """Data; `relaxation` is the Kelvin–Voigt time τ of σ = S (ε + τ ε̇), `free` lets the crank turn by itself."""

    crank: float = 0.15
    rod: float = 0.3
    parts: int = 2
    rhoA: float = 0.2225
    EI: float = 12.72345
    slider: float = 0.033375
    speed: float = 150.0
    relaxation: float = 0.0
    free: bool = False


@dataclass(frozen=True)
class FlexibleMotion:
    """Histories, with the time on the first axis; strains and rates of a beam are on the last two (beam, end)."""

    t: Array
    phi: Array
    phi_v: Array
    nodes: Array
    angles: Array
    strains: Array
    strain_rates: Array

    def deflection(self) -> Array:
        """Distance of the rod's middle node to the line from A to B, left positive; the number of parts is even."""
        A, middle, B = self.nodes[:, 0], self.nodes[:, self.nodes.shape[1] // 2], self.nodes[:, -1]
        u, v = B - A, middle - A
        return np.asarray((u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]) / np.hypot(u[:, 0], u[:, 1]))


def simulate(case: FlexibleSliderCrank, times: ArrayLike, tolerance: float = 1e-12) -> FlexibleMotion:
    """The motion from the stretched position, with the crank at its speed and the rod straight, turning as if rigid."""
    # start: the rod is straight and has no strain rates
    t, n = np.asarray(times, dtype=np.float64), case.parts
    spin = -case.speed * case.crank / case.rod
    start = np.concatenate([np.zeros(2 * n + 1), [case.speed], np.full(2 * n, spin)])

    # an explicit method of order 8
    M = _mass(case)
    options = {"method": "DOP853", "rtol": tolerance, "atol": tolerance * 1e-2}
    solution = solve_ivp(lambda _, y: _rates(case, M, y), (0.0, t[-1]), start, t_eval=t, **options)
    z, v = np.split(solution.y.T, 2, axis=1)
    return _histories(case, t, z, v)


def _rates(case: FlexibleSliderCrank, M: Array, y: Array) -> Array:
    """(ż, z̈)."""
    # mass matrix and forces in the coordinates z
    z, v = y[: y.size // 2], y[y.size // 2 :]
    chords = _chords(case, z, v)
    J, convective = _motion(case, z, v, chords)
    MJ = M @ J
    reduced = J.T @ MJ
    reduced[0, 0] += case.rhoA * case.crank**3 / 3.0
    force = -(convective @ MJ) - _elastic(case, z, v, chords)

    # the crank is free, or turns at its speed
    if case.free:
        return np.concatenate([v, np.linalg.solve(reduced, force)])
    return np.concatenate([v, [0.0], np.linalg.solve(reduced[1:, 1:], force[1:])])


def _chords(case: FlexibleSliderCrank, z: Array, v: Array) -> tuple[Array, Array, Array, Array]:
    """Chord angles γ, their gradient G in z, their rates, and the part of their accelerations without z̈."""
    # the first ones are coordinates
    n, ratio = case.parts, case.crank * case.parts / case.rod
    gamma, G, convective = np.zeros(n), np.zeros((n, z.size)), np.zeros(n)
    gamma[:-1] = z[n + 2 :]
    G[:-1, n + 2 :] = np.eye(n - 1)

    # the last one follows from y_B = 0
    gamma[-1] = np.arcsin(-ratio * np.sin(z[0]) - np.sin(gamma[:-1]).sum())
    cosine = np.cos(gamma[-1])
    G[-1, 0] = -ratio * np.cos(z[0]) / cosine
    G[-1, n + 2 :] = -np.cos(gamma[:-1]) / cosine
    rates = G @ v
    convective[-1] = (ratio * np.sin(z[0]) * v[0] ** 2 + np.sin(gamma) @ rates**2) / cosine
    return gamma, G, rates, convective


def _motion(
    case: FlexibleSliderCrank, z: Array, v: Array, chords: tuple[Array, Array, Array, Array]
) -> tuple[Array, Array]:
    """J = ∂w/∂z and J̇ż for w = (r_0, l e_0, r_1, l e_1, …), components x and y."""
    n, l = case.parts, case.rod / case.parts
    gamma, G, gamma_v, gamma_c = chords
    J, c = np.zeros((2 * n + 2, 2, z.size)), np.zeros((2 * n + 2, 2))

    # positions: the crank's pin, then chord by chord
    J[0::2, :, 0] = case.crank * _n(z[0])
    c[0::2] = -case.crank * v[0] ** 2 * _e(z[0])
    J[2::2] += l * np.cumsum(_n(gamma)[:, :, None] * G[:, None, :], axis=0)
    c[2::2] += l * np.cumsum(gamma_c[:, None] * _n(gamma) - (gamma_v**2)[:, None] * _e(gamma), axis=0)

    # slopes at the nodes
    i = np.arange(n + 1)
    J[2 * i + 1, :, i + 1] = l * _n(z[1 : n + 2])
    c[1::2] = -l * (v[1 : n + 2] ** 2)[:, None] * _e(z[1 : n + 2])
    return J.reshape(-1, z.size), c.reshape(-1)


def _mass(case: FlexibleSliderCrank) -> Array:
    """The constant mass matrix of w, rod and slider."""
    n, l = case.parts, case.rod / case.parts
    M = np.zeros((2 * n + 2, 2 * n + 2))
    for j in range(n):
        at = slice(2 * j, 2 * j + 4)
        M[at, at] += case.rhoA * l / 420.0 * MASS
    M[2 * n, 2 * n] += case.slider
    return np.asarray(np.kron(M, np.eye(2)), dtype=np.float64)


def _elastic(case: FlexibleSliderCrank, z: Array, v: Array, chords: tuple[Array, Array, Array, Array]) -> Array:
    """∂V/∂z with the damping, through the angles η of the beams' ends with their chords."""
    n, l = case.parts, case.rod / case.parts
    gamma, G, gamma_v, _ = chords
    eta, eta_v = _ends(z[1 : n + 2], gamma), _ends(v[1 : n + 2], gamma_v)
    strain, strain_v = l * SIGNS * np.sin(eta), l * SIGNS * np.cos(eta) * eta_v
    moments = (case.EI / l**3 * (strain + case.relaxation * strain_v)) @ STIFFNESS * l * SIGNS * np.cos(eta)

    # a moment turns the end one way and the chord the other
    total = -(moments.sum(axis=1) @ G)
    total[1 : n + 1] += moments[:, 0]
    total[2 : n + 2] += moments[:, 1]
    return np.asarray(total)


def _histories(case: FlexibleSliderCrank, t: Array, z: Array, v: Array) -> FlexibleMotion:
    """Nodes, angles and strains from the coordinates."""
    n, l = case.parts, case.rod / case.parts
    chords = [_chords(case, *at) for at in zip(z, v, strict=True)]
    gamma, gamma_v = np.array([c[0] for c in chords]), np.array([c[2] for c in chords])
    A = case.crank * _e(z[:, 0])
    nodes = np.concatenate([A[:, None], A[:, None] + l * np.cumsum(_e(gamma), axis=1)], axis=1)
    eta, eta_v = _ends(z[:, 1 : n + 2], gamma), _ends(v[:, 1 : n + 2], gamma_v)
    strains, strain_rates = l * SIGNS * np.sin(eta), l * SIGNS * np.cos(eta) * eta_v
    return FlexibleMotion(t, z[:, 0], v[:, 0], nodes, z[:, 1 : n + 2], strains, strain_rates)


def _ends(beta: Array, gamma: Array) -> Array:
    """β_p − γ and β_q − γ of every beam, on the last axis."""
    return np.stack([beta[..., :-1] - gamma, beta[..., 1:] - gamma], axis=-1)


def _e(angle: ArrayLike) -> Array:
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def _n(angle: ArrayLike) -> Array:
    return np.stack([-np.sin(angle), np.cos(angle)], axis=-1)
