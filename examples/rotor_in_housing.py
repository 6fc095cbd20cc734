"""Rotor in a housing that is imported as matrices.

The housing, two columns with braces and a tie, comes from a finite-element program as a mass and a stiffness matrix,
with six degrees of freedom at each node. It is reduced to the motion of its feet, which stand on the ground, and of its
two bearing seats, and to four normal modes. A shaft with a disc in the middle runs in the bearings and is driven at the
first. The housing is stiffer upwards than sideways, so that there are two critical speeds. The disc does not tilt in
these modes, which are therefore those of the machine at rest, here from the whole matrices of housing and shaft.
"""

from math import pi, sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import block_diag, eigh, null_space

import flexura as fx
from flexura.results.campbell import Campbell
from flexura.spatial import Beam, Bearing, Disc, Superelement

SPAN, HEIGHT, PARTS = 0.5, 0.25, 4
E, G, RHO, SHAFT, TUBE = 2.1e11, 8.1e10, 7850.0, (0.02, 0.0), (0.03, 0.026)
FEET = [(0.0, 0.0, 0.0), (SPAN, 0.0, 0.0), (-0.25, 0.0, 0.0), (SPAN + 0.25, 0.0, 0.0)]
SEATS = [(0.0, 0.0, HEIGHT), (SPAN, 0.0, HEIGHT)]
TUBES = [(0, 4), (1, 5), (2, 4), (3, 5), (0, 1)]  # columns, braces, and a tie between the feet
steel = fx.Material(E=E, rho=RHO)
disc = Disc("left.q", 0.2, 0.02, steel, y_axis=(0, 0, 1), unbalance=1e-4)
FILE = Path(__file__).with_suffix(".npz")
Matrix = NDArray[np.float64]


def area_and_second_moment(outer: float, inner: float) -> tuple[float, float]:
    """A and I of a tube."""
    return pi / 4 * (outer**2 - inner**2), pi / 64 * (outer**4 - inner**4)


def tube(start: Matrix, end: Matrix, diameters: tuple[float, float]) -> tuple[Matrix, Matrix]:
    """Mass and stiffness matrix of a straight tube."""
    area, second = area_and_second_moment(*diameters)
    length = float(np.linalg.norm(end - start))
    k, m = np.zeros((12, 12)), np.zeros((12, 12))
    for first, stiff in ((0, E * area / length), (3, 2.0 * G * second / length)):
        at, inertia = [first, first + 6], RHO * length * (area if first == 0 else 2.0 * second)
        k[np.ix_(at, at)] = stiff * np.array([[1, -1], [-1, 1]])
        m[np.ix_(at, at)] = inertia / 6 * np.array([[2, 1], [1, 2]])
    for at, s in (([1, 5, 7, 11], length), ([2, 4, 8, 10], -length)):
        bent = np.array([[12, 6, -12, 6], [6, 4, -6, 2], [-12, -6, 12, -6], [6, 2, -6, 4]])
        moved = np.array([[156, 22, 54, -13], [22, 4, 13, -3], [54, 13, 156, -22], [-13, -3, -22, 4]])
        by = np.outer([1, s, 1, s], [1, s, 1, s])
        k[np.ix_(at, at)] = E * second / length**3 * bent * by
        m[np.ix_(at, at)] = RHO * area * length / 420 * moved * by
    x = (end - start) / length
    y = np.cross([0.0, 1.0, 0.0], x)
    axes = np.array([x, y / np.linalg.norm(y), np.cross(x, y / np.linalg.norm(y))])
    turn = np.kron(np.eye(4), axes)
    return turn.T @ m @ turn, turn.T @ k @ turn


def assembled(
    places: list[Matrix], lines: list[tuple[int, int]], diameters: tuple[float, float]
) -> tuple[Matrix, Matrix]:
    """Mass and stiffness matrix of tubes between places."""
    mass, stiffness = (np.zeros((6 * len(places),) * 2) for _ in range(2))
    for a, b in lines:
        at = np.ix_(*[[*range(6 * a, 6 * a + 6), *range(6 * b, 6 * b + 6)]] * 2)
        m, k = tube(places[a], places[b], diameters)
        mass[at] += m
        stiffness[at] += k
    return mass, stiffness


def housing() -> tuple[Matrix, Matrix, Matrix, list[tuple[int, int]]]:
    """Mass, stiffness, positions of the nodes (feet, seats, points of the tubes), and lines between them."""
    places = [np.array(at) for at in (*FEET, *SEATS)]
    lines = list[tuple[int, int]]()
    for a, b in TUBES:
        inner = list(range(len(places), len(places) + PARTS - 1))
        places += [places[a] + (places[b] - places[a]) * i / PARTS for i in range(1, PARTS)]
        lines += list(zip([a, *inner], [*inner, b], strict=True))
    mass, stiffness = assembled(places, lines, TUBE)
    return mass, stiffness, np.array(places), lines


def critical_speeds() -> list[float]:
    """The two lowest frequencies of the machine at rest, rad/s, with its feet on the ground."""
    seats = [np.array(at) for at in SEATS]
    own = housing()[:2], assembled([seats[0], 0.5 * (seats[0] + seats[1]), seats[1]], [(0, 1), (1, 2)], SHAFT)
    mass, stiffness = (block_diag(*both) for both in zip(*own, strict=True))
    held, shaft = 6 * len(FEET), len(own[0][0])
    own_mass = RHO * pi / 4 * disc.diameter**2 * disc.width
    for i, inertia in enumerate([own_mass] * 3 + [own_mass * disc.diameter**2 / 8]):
        mass[shaft + 6 + i, shaft + 6 + i] += inertia
    # the bearings hold the ends of the shaft, the drive its rotation, and the shaft does not twist
    pairs = [(held + i, shaft + i) for i in range(4)] + [(held + 6 + i, shaft + 12 + i) for i in (1, 2)]
    pairs += [(shaft + 3, shaft + 9), (shaft + 3, shaft + 15)]
    ties = np.zeros((len(pairs), len(mass)))
    for row, pair in zip(ties, pairs, strict=True):
        row[list(pair)] = 1.0, -1.0
    free = null_space(ties[:, held:])
    squares = eigh(free.T @ stiffness[held:, held:] @ free, free.T @ mass[held:, held:] @ free, eigvals_only=True)
    return [sqrt(square) for square in squares[:2]]


def part() -> fx.Substructure:
    """The reduced housing, in a file beside this one."""
    if not FILE.exists():
        mass, stiffness, places, lines = housing()
        whole = fx.FiniteElements.of_nodes(mass, stiffness, places, components=6, lines=tuple(lines))
        fx.reduce(whole, [fx.Interface(tuple(range(len(FEET)))), 4, 5], modes=4).save(FILE)
    return fx.Substructure(str(FILE))


SOURCE = critical_speeds()[0]
area, second = area_and_second_moment(*SHAFT)
shaft = fx.Section(EI=E * second, rhoA=RHO * area)

model = fx.Model(
    title="Rotor in a housing",
    nodes={
        "O": (SPAN / 2, 0, 0),
        "A": SEATS[0],
        "M": (SPAN / 2, 0, HEIGHT),
        "B": SEATS[1],
        "L": SEATS[0],
        "R": SEATS[1],
    },
    elements={
        "housing": Superelement("O", ("A", "B"), part(), damping_ratio=0.01),
        "drive": Bearing("housing.interface_1", "left.p"),
        "left": Beam("L", "M", shaft),
        "right": Beam("left.q", "R", shaft),
        "disc": disc,
        "far": Bearing("housing.interface_2", "right.q", kx=0.0),
    },
    fixed=["housing.frame"],
    inputs={"drive.rotation": fx.Ramp(rate=250.0)},
)


def compute() -> tuple[Campbell, float]:
    """Frequencies over the speed, and the first critical speed in rad/s."""
    speeds = np.linspace(50.0, 450.0, 9)
    found = fx.campbell(model, "inputs.drive.rotation.rate", speeds, plane=("M.y", "M.z"), count=2)
    return found, float(found.critical()[0])


if __name__ == "__main__":
    found, speed = compute()
    print(f"first critical speed: {speed:.3f} rad/s (source {SOURCE:.3f})")
    print(f"second critical speed: {found.critical()[1]:.3f} rad/s (source {critical_speeds()[1]:.3f})")
    found.plot(path="rotor_in_housing.png")
    model.plot(path="rotor_in_housing_drawn.png")
