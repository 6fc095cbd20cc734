"""Rotor with two discs: Campbell diagram, critical speeds and unbalance response.

A shaft of 50 mm diameter and 1.5 m length carries two discs between two bearings that are stiffer in one direction than
in the other. ROSS, with 6 elements, finds critical speeds at 876.5, 919.6, 2590.3 and 2868.1 rpm.
"""

from __future__ import annotations

import numpy as np

# -- the rotor --
import flexura as fx
from flexura.results.campbell import Campbell
from flexura.spatial import Disc

steel = fx.Material(E=fx.GPa(211), rho=7810.0, G=fx.GPa(81.2))
disc = Disc("", diameter=fx.mm(280), width=fx.mm(70), material=steel, bore=fx.mm(50))
bearing = fx.RotorBearing(k=1e6, kz=0.8e6, c=100.0)
rotor = fx.RotorSystem(
    [0.25] * 6, fx.Circle(fx.mm(50)), steel, discs={2: disc, 4: disc}, bearings={0: bearing, 6: bearing}
)
campbell = rotor.campbell(fx.rpm(np.linspace(0.0, 4000.0, 21)), count=4)
critical = campbell.critical()
whirl = rotor.unbalance_response({2: 1e-3}, fx.rpm(np.linspace(500.0, 3500.0, 151)))
# -- end --

model = rotor.model(fx.rpm(900.0))
SOURCE = 876.5


def compute() -> tuple[Campbell, float]:
    """The first critical speed in rpm."""
    return campbell, float(critical[0] * 30 / np.pi)


if __name__ == "__main__":
    print(f"first critical speed: {compute()[1]:.1f} rpm (source {SOURCE})")
    print("critical speeds:", ", ".join(f"{speed * 30 / np.pi:.1f}" for speed in critical), "rpm")
    campbell.plot(path="two_disc_rotor.png")
    whirl.plot(path="two_disc_rotor_unbalance.png")
