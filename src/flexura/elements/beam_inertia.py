"""Elastic lines and rotary inertia of beams, with the shear flexibility of Timoshenko's beam.

With Φ = 12EI/(κGAℓ²) and β = 1/(1 + Φ), the static deflection of a beam under forces at its ends turns its sections by
β times the slope of the cubic and 1 - β times the straight interpolation of the rotations of its ends
[Przemieniecki1968].
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

import numpy as np

from flexura.algebra import Vector, atom, cross, hermite, norm, sqrt
from flexura.nodes import Frame

TWIST = ((1 / 3, 1 / 6), (1 / 6, 1 / 3))
"""∫ of the products of 1 - s and s."""

LUMPED = ((1 / 2, 0.0), (0.0, 1 / 2))
"""Halves at both ends."""


def shear_parameter(bending: float, shear: float, GA: float, length: float) -> float:
    """Φ: the flexibility in shear over that in bending; zero without a shear factor."""
    return 12.0 * bending / (shear * GA * length**2) if shear and bending < inf else 0.0


def bending_stiffness(bending: float, phi: float, length: float) -> Any:
    """The stiffness matrix of the two bending strains of a beam in one plane."""
    block = np.array([[4.0 + phi, -2.0 + phi], [-2.0 + phi, 4.0 + phi]])
    return bending / ((1.0 + phi) * length**3) * block


def rotation_inertia(rotary: str, inertia: Any, mass: Any, length: Any, beta: Any = None) -> list[list[Any]]:
    """Inertias of the rates of rotation of the chord and of both ends in one plane, consistent or lumped.

    The sections turn by βg, 1 - s - βg/2 and s - βg/2 with g = 6s - 6s². Where the beam shears, the deflection between
    the ends that its own inertia causes is of second order in the length; its first term is added to the mass, as half
    a lumped mass is to that of a bar, and frequencies converge with order four.
    """
    matrix: list[list[Any]] = [[0.0] * 3 for _ in range(3)]
    if rotary == "lumped":
        matrix[1][1] = matrix[2][2] = inertia / 2
    if rotary == "consistent":
        b = 1.0 if beta is None else beta
        chord, mixed = 1.2 * b * b, 0.5 * b - 0.6 * b * b
        same, other = (third - 0.5 * b + 0.3 * b * b for third in (1 / 3, 1 / 6))
        table = [[chord, mixed, mixed], [mixed, same, other], [mixed, other, same]]
        matrix = [[inertia * number for number in row] for row in table]
    if beta is None:
        return matrix
    for amount, (c, p, q) in (((1 - beta) ** 2, (1.0, -0.5, -0.5)), ((1 / beta - 1) / 12, (0.0, -1.0, 1.0))):
        pushed = mass * length * length / 12 * amount
        for i, one in enumerate((c, p, q)):
            matrix[i] = [entry + pushed * (one * two) for entry, two in zip(matrix[i], (c, p, q), strict=True)]
    return matrix


def tangent_length(axial: str, p: Any, q: Any, length: Any) -> Any:
    """Length of the end tangents of the elastic line: that of the chord makes displacements along it linear."""
    return length if axial == "cubic" else atom(norm(q.r - p.r))


def elastic_line(s: float, p: Any, q: Any, length: Any, betas: Sequence[tuple[Any, Vector]] = ()) -> Vector:
    """Position on the cubic through both ends, with tangents of a ``length``.

    ``betas`` are β and a direction across for each sheared plane.
    """
    line = hermite(s, p.r, length * p.t, q.r, length * q.t)
    if not betas:
        return line
    # the sections are out of the normal of the line by what their rotations differ from the chord
    lean = atom(length * (p.t + q.t) / 2 - (q.r - p.r))
    for beta, across in betas:
        line = line - (s - 3 * s**2 + 2 * s**3) * atom((1 - beta) * atom(across @ lean) * across)
    return line


def chord_spin(p: Frame, q: Frame, dp: Frame, dq: Frame) -> tuple[Any, Any]:
    """The angular velocities of the chord about the mean axes b and n of the ends: about y and about z."""
    chord, rate = q.r - p.r, dq.r - dp.r
    long = atom(norm(chord))
    e = atom(chord / long)
    mean = atom(p.n + q.n)
    across = atom(mean - (e @ mean) * e)
    n = atom(across / sqrt(across @ across))
    turning = atom(rate / long)
    return -(atom(cross(e, n)) @ turning), n @ turning


def blocks(parts: Sequence[tuple[Any, Any]]) -> list[list[Any]]:
    """A matrix with blocks, each an amount times a table of numbers, on its diagonal."""
    size = sum(len(table) for _, table in parts)
    matrix = [[0.0] * size for _ in range(size)]
    start = 0
    for amount, table in parts:
        for i, row in enumerate(table):
            matrix[start + i][start : start + len(table)] = [amount * number for number in row]
        start += len(table)
    return matrix
