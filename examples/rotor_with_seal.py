"""Rotor with two bearings, a seal and two discs.

A shaft rotates at 4000 revolutions per minute. The seal in the middle exerts lateral forces that depend on
displacements and velocities; it is not part of the model, but is attached to the linear equations. Eight eigenvalues
are given in [Schwab2002, Table 4.1]; the reference value is the lowest frequency of forward whirl, which the seal
makes lower than that of backward whirl. The figure shows the frequencies and the decay rates over the speed.
"""

from __future__ import annotations

from math import pi

import numpy as np

import flexura as fx
from flexura.results.linear_system import LinearSystem
from flexura.spatial import Beam, Bearing, Body

SOURCE = 223.62

steel = fx.Material(E=2.0684271e11, rho=7833.4118)
shaft = fx.Circle(0.1016)

model = fx.Model(
    title="Rotor with seal",
    nodes={
        "A": (0, 0, 0),
        "B": (0.254, 0, 0),
        "S": (0.508, 0, 0),
        "M": (0.762, 0, 0),
        "C": (1.016, 0, 0),
        "D": (1.27, 0, 0),
        "left": (0, 0, 0),
        "right": (0.254, 0, 0),
    },
    elements={
        "first": Beam("A", "B", shaft, steel, rotary="lumped"),
        "second": Beam("first.q", "S", shaft, steel, rotary="lumped"),
        "third": Beam("second.q", "M", shaft, steel, rotary="lumped"),
        "fourth": Beam("third.q", "C", shaft, steel, rotary="lumped"),
        "fifth": Beam("fourth.q", "D", shaft, steel, rotary="lumped"),
        "drive": Bearing("left", "first.p", ky=1.7512683e7, kz=1.7512683e7),
        "bearing": Bearing("right", "first.q", kx=0.0, ky=1.7512683e7, kz=1.7512683e7),
        "disc": Body("fourth.q", 4.9035514, Jxx=0.025308602, Jyy=0.01288027, Jzz=0.01288027),
        "end": Body("fifth.q", 4.9035514, Jxx=0.025308602, Jyy=0.01288027, Jzz=0.01288027),
    },
    fixed=["drive.p", "bearing.p"],
    inputs={"drive.rotation": fx.Ramp(rate=4000 * 2 * pi / 60)},
)


def attach_seal(changed: fx.Model) -> LinearSystem:
    """The rotor in coordinates of space, with the forces of the seal and the mass that moves with it."""
    return fx.linearise(changed, in_space=True).attach(
        ["S.y", "S.z"],
        K=[[1.5681206e7, 4.7333279e6], [-4.7333279e6, 1.5681206e7]],
        C=[[3.0020241e4, 2.101522e3], [-2.101522e3, 3.0020241e4]],
        M=6.68,
    )


def compute() -> tuple[LinearSystem, float]:
    """The linear equations, and the lowest frequency of forward whirl."""
    system = attach_seal(model)
    return system, system.frequencies[0]


if __name__ == "__main__":
    system, frequency = compute()
    print(f"first forward whirl: {frequency:.2f} rad/s (source {SOURCE:.2f})")
    print(system)
    speeds = np.linspace(0.0, 6000.0, 31)
    diagram = fx.campbell(
        model, "inputs.drive.rotation.rate", speeds, plane=("S.y", "S.z"), count=9, system=attach_seal
    )
    print(diagram)
    diagram.plot(path="rotor_with_seal.png")
    system.plot_mode(0, path="rotor_with_seal_mode.png")
