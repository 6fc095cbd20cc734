"""Dense matrices of a rotor: Timoshenko beams with gyroscopic moments, discs, bearings with cross coupling.

Shape functions of the element are those of Nelson, A finite rotating shaft element using Timoshenko beam theory,
ASME J. Mech. Des. 102 (1980) 793-803; the matrices are integrated by Gauss's rule. Coordinates of a node are the
deflections along y and z and the rotations about them. The shaft turns about x, from y to z.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

POINTS, WEIGHTS = (np.polynomial.legendre.leggauss(6)[0] + 1) / 2, np.polynomial.legendre.leggauss(6)[1] / 2
TURNED = np.diag([1.0, -1.0, 1.0, -1.0])
"""A slope along z is a negative rotation about y."""


@dataclass
class DenseRotor:
    """M ẍ + (C + Ω G) ẋ + K x of a round shaft of equal diameter."""

    lengths: list[float]
    diameter: float
    parts: int
    discs: dict
    bearings: dict
    E: float
    G: float
    rho: float

    def __post_init__(self):
        size = 4 * (len(self.lengths) * self.parts + 1)
        self.M, self.C, self.gyro, self.K = (np.zeros((size, size)) for _ in range(4))
        for i in range(len(self.lengths) * self.parts):
            self._beam(i, self.lengths[i // self.parts] / self.parts)
        for station, disc in self.discs.items():
            self._disc(4 * station * self.parts, disc)
        for station, b in self.bearings.items():
            y = 4 * station * self.parts
            kz, cz = b.k if b.kz is None else b.kz, b.c if b.cz is None else b.cz
            self.K[y : y + 2, y : y + 2] += [[b.k, b.kyz], [b.kzy, kz]]
            self.C[y : y + 2, y : y + 2] += [[b.c, b.cyz], [b.czy, cz]]

    def _beam(self, number, l):
        A, inertia = np.pi * self.diameter**2 / 4, np.pi * self.diameter**4 / 64
        nu = self.E / (2 * self.G) - 1
        phi = 12 * self.E * inertia * (7 + 6 * nu) / (6 * (1 + nu) * self.G * A * l * l)
        k = np.array(
            [
                [12, 6 * l, -12, 6 * l],
                [6 * l, (4 + phi) * l * l, -6 * l, (2 - phi) * l * l],
                [-12, -6 * l, 12, -6 * l],
                [6 * l, (2 - phi) * l * l, -6 * l, (4 + phi) * l * l],
            ]
        )
        k = k * self.E * inertia / ((1 + phi) * l**3)
        m, j = np.zeros((4, 4)), np.zeros((4, 4))
        for x, w in zip(POINTS, WEIGHTS, strict=True):
            deflection = [
                1 - 3 * x**2 + 2 * x**3 + phi * (1 - x),
                l * (x - 2 * x**2 + x**3 + phi * (x - x**2) / 2),
                3 * x**2 - 2 * x**3 + phi * x,
                l * (-(x**2) + x**3 + phi * (x**2 - x) / 2),
            ]
            rotation = [
                6 * (x**2 - x) / l,
                1 - 4 * x + 3 * x**2 + phi * (1 - x),
                6 * (x - x**2) / l,
                3 * x**2 - 2 * x + phi * x,
            ]
            m += w * l * self.rho * A * np.outer(deflection, deflection) / (1 + phi) ** 2
            j += w * l * self.rho * inertia * np.outer(rotation, rotation) / (1 + phi) ** 2
        n = 4 * number
        y, z = np.ix_(*2 * [[n, n + 3, n + 4, n + 7]]), np.ix_(*2 * [[n + 1, n + 2, n + 5, n + 6]])
        self.K[y] += k
        self.K[z] += TURNED @ k @ TURNED
        self.M[y] += m + j
        self.M[z] += TURNED @ (m + j) @ TURNED
        self.gyro[z[0], y[1]] -= 2 * TURNED @ j
        self.gyro[y[0], z[1]] += (2 * TURNED @ j).T

    def _disc(self, y, disc):
        D2, d2 = disc.diameter**2, disc.bore**2
        mass = disc.material.rho * disc.width * np.pi / 4 * (D2 - d2)
        polar, diametral = mass / 8 * (D2 + d2), mass / 16 * (D2 + d2) + mass * disc.width**2 / 12
        self.M[range(y, y + 4), range(y, y + 4)] += [mass, mass, diametral, diametral]
        self.gyro[y + 2, y + 3] += polar
        self.gyro[y + 3, y + 2] -= polar

    def eigenvalues(self, speed):
        """Eigenvalues with positive imaginary part, the smallest first."""
        inverse, one = np.linalg.inv(self.M), np.eye(len(self.M))
        damping = self.C + speed * self.gyro
        found = np.linalg.eigvals(np.block([[0 * one, one], [-inverse @ self.K, -inverse @ damping]]))
        found = found[found.imag > 1.0]
        return found[np.argsort(np.abs(found))]

    def whirl(self, unbalance, speed, station):
        """Complex amplitudes along y and z of a station."""
        force = np.zeros(len(self.M), dtype=complex)
        for at, amount in unbalance.items():
            y = 4 * at * self.parts
            force[y : y + 2] += amount * speed**2 * np.array([1.0, -1j])
        dynamic = self.K - speed**2 * self.M + 1j * speed * (self.C + speed * self.gyro)
        y = 4 * station * self.parts
        return np.linalg.solve(dynamic, force)[y : y + 2]
