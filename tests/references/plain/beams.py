"""Strains of slender beam elements as functions of the vectors at their ends, with derivatives by complex steps."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
TINY = 1e-40
"""Complex step; derivatives have no error of difference."""

CUBIC = np.array([[156, 22, 54, -13], [22, 4, 13, -3], [54, 13, 156, -22], [-13, -3, -22, 4]]) / 420.0
"""Mass matrix of a cubic by its ends and slopes."""
CUBIC_MEAN = np.array([6.0, 1.0, 6.0, -1.0]) / 12.0


def dot(a: Array, b: Array) -> Array:
    """Products of vectors along the last axis; not conjugated."""
    return np.sum(a * b, axis=-1)


def angle(y: Array, x: Array) -> Array:
    """Angle of the direction (x, y), analytic near real arguments."""
    y0, x0 = np.real(y), np.real(x)
    return np.arctan2(y0, x0) + np.arctan((y * x0 - x * y0) / (x * x0 + y * y0))


def over_sine(cosine: Array) -> Array:
    """ϑ / sin ϑ by the cosine of ϑ."""
    x = 1.0 - cosine
    series, term = np.ones_like(x), np.ones_like(x)
    for n in range(1, 12):
        term = term * x * (n / (2 * n + 1))
        series = series + term
    far = np.real(x) > 0.05
    safe = np.where(far, cosine, 0.5)
    return np.where(far, np.arccos(safe) / np.sqrt(1.0 - safe * safe), series)


def planar_strains(v: Array, length: Array) -> Array:
    """Elongation and bending at both ends from r_p, t_p, r_q, t_q: the bending shortens the chord."""
    r_p, t_p, r_q, t_q = (v[..., k, :] for k in range(4))
    d = r_q - r_p
    chord = np.sqrt(dot(d, d))
    at_p = angle(t_p[..., 1] * d[..., 0] - t_p[..., 0] * d[..., 1], dot(t_p, d))
    at_q = angle(t_q[..., 1] * d[..., 0] - t_q[..., 0] * d[..., 1], dot(t_q, d))
    two, three = length * at_p, -length * at_q
    one = chord - length + (2 * two**2 + two * three + 2 * three**2) / (30 * length)
    return np.stack([one, two, three], axis=-1)


def planar_slopes(v: Array, length: Array) -> Array:
    """Derivatives of the planar strains with respect to r_p, t_p, r_q, t_q; analytic in complex vectors."""
    r_p, t_p, r_q, t_q = (v[..., k, :] for k in range(4))
    d = r_q - r_p
    chord = np.sqrt(dot(d, d))
    slopes = np.zeros((*v.shape[:-2], 3, 4, 2), dtype=v.dtype)
    bends = planar_strains(v, length)
    for row, place, t, sign in ((1, 1, t_p, 1.0), (2, 3, t_q, -1.0)):
        y, x = t[..., 1] * d[..., 0] - t[..., 0] * d[..., 1], dot(t, d)
        factor = (sign * length / (x * x + y * y))[..., None]
        by_t = factor * (x[..., None] * np.stack([-d[..., 1], d[..., 0]], axis=-1) - y[..., None] * d)
        by_d = factor * (x[..., None] * np.stack([t[..., 1], -t[..., 0]], axis=-1) - y[..., None] * t)
        slopes[..., row, place, :], slopes[..., row, 0, :], slopes[..., row, 2, :] = by_t, -by_d, by_d
    two, three = (bends[..., k, None, None] for k in (1, 2))
    slopes[..., 0, :, :] = (4 * two + three) * slopes[..., 1, :, :] + (two + 4 * three) * slopes[..., 2, :, :]
    slopes[..., 0, :, :] /= 30 * length[..., None, None]
    slopes[..., 0, 0, :] -= d / chord[..., None]
    slopes[..., 0, 2, :] += d / chord[..., None]
    return slopes


def spatial_strains(v: Array, length: Array, over_y: Array, over_z: Array) -> Array:
    """Elongation, torsion and bendings from r, t, n, b of both ends, with terms up to the third order."""
    r_p, t_p, n_p, b_p, r_q, t_q, n_q, b_q = (v[..., k, :] for k in range(8))
    d = r_q - r_p
    chord = np.sqrt(dot(d, d))
    e = d / chord[..., None]
    at_p, at_q = (length * over_sine(dot(e, t)) for t in (t_p, t_q))
    twist = length * angle(dot(b_p, n_q) - dot(n_p, b_q), dot(n_p, n_q) + dot(b_p, b_q))
    first = [-at_p * dot(e, b_p), at_q * dot(e, b_q), -at_p * dot(e, n_p), at_q * dot(e, n_q)]
    shortening = sum((2 * a * a + a * b + 2 * b * b) / (30 * length) for a, b in (first[:2], first[2:]))
    y, z = (first[0] + first[1]) / length, (first[2] + first[3]) / length
    three, four = first[0] - twist * z / 6, first[1] + twist * z / 6
    five, six = first[2] + twist * y / 6, first[3] - twist * y / 6
    torsion = twist / (1 + (y * y + z * z) / 12) + (three * six - four * five) / length
    helix = 1 + twist**2 / (12 * length**2)
    inner = 1 + over_y * z * z + over_z * y * y
    more_y = length * y / 2 * (helix * np.sqrt((1 + over_z * (y * y + z * z)) / inner) - 1)
    more_z = length * z / 2 * (helix * np.sqrt((1 + over_y * (y * y + z * z)) / inner) - 1)
    return np.stack(
        [chord - length + shortening, torsion, three + more_y, four + more_y, five + more_z, six + more_z], axis=-1
    )


@dataclass
class Beams:
    """Beam elements of one machine, evaluated together."""

    space: int
    vectors: Array
    """Numbers of the vectors of each element: r, t of both ends, in space r, t, n, b."""
    length: Array
    stiffness: Array
    """Stress by strain; zero where the strain is rigid."""
    damping: Array
    rigid: Array
    """True for strains that are held at zero."""
    over: Array
    """Bending stiffnesses over twelve times that of torsion, two columns; zero in the plane."""

    def strains(self, v: Array) -> Array:
        """Strains of vectors that may have leading axes and may be complex."""
        if self.space == 2:
            return planar_strains(v, self.length)
        return spatial_strains(v, self.length, self.over[:, 0], self.over[:, 1])

    def evaluate(self, v: Array) -> tuple[Array, Array]:
        """Strains, and their derivatives with respect to the components of the vectors."""
        if self.space == 2:
            return self.strains(v), planar_slopes(v, self.length)
        count, vectors, space = v.shape
        steps = np.eye(vectors * space).reshape(-1, 1, vectors, space) * (1j * TINY)
        found = self.strains(v[None] + steps)
        slopes = np.imag(found) / TINY
        return np.real(found[0]), np.moveaxis(slopes, 0, -1).reshape(count, -1, vectors, space)

    def convective(self, v: Array, rates: Array) -> Array:
        """Second derivatives of the planar strains along the rates of the vectors."""
        along = np.imag(planar_slopes(v + 1j * TINY * rates, self.length)) / TINY
        return np.einsum("bsvi,bvi->bs", along, rates)


def stiffness_matrices(EA: float, EI: tuple[float, ...], GIt: float, length: float) -> tuple[Array, Array]:
    """Stress by strain of one element, zero for rigid strains, and the mask of rigid strains."""
    size = 3 if len(EI) == 1 else 6
    matrix, rigid = np.zeros((size, size)), np.zeros(size, dtype=bool)
    values = [EA] if size == 3 else [EA, GIt]
    for place, value in enumerate(values):
        rigid[place] = value == inf
        matrix[place, place] = 0.0 if rigid[place] else value / (length if place == 0 else length**3)
    for plane, value in enumerate(EI):
        rows = slice(len(values) + 2 * plane, len(values) + 2 * plane + 2)
        if value == inf:
            rigid[rows] = True
        else:
            matrix[rows, rows] = value / length**3 * np.array([[4.0, -2.0], [-2.0, 4.0]])
    return matrix, rigid
