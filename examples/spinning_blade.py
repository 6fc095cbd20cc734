"""Spin-up of a flexible blade.

A slender blade on a hub accelerates from rest to 6 rad/s in 15 s, as in [SimoVuQuoc1988]. Its tip lags behind by more
than half a metre, catches up, and the blade is stiffened by its own tension. In steady rotation the tension extends
it by ρAΩ²L³/3EA. A bearing without stiffness measures the position of the tip relative to the hub.
"""

import flexura as fx
from flexura.planar import Beam, Bearing

SOURCE = 1.2 * 6.0**2 * 10.0**3 / (3 * 2.8e7)

# φ̇ = Ω(t/T - sin(2πt/T)/2π) until T, then Ω
spin_up = "6*(t - min(t, 15) + min(t, 15)^2/30 + 15/(4*pi^2)*(cos(2*pi*min(t, 15)/15) - 1))"

model = fx.Model(
    title="Spinning blade",
    nodes={"O": (0, 0), "A": (10, 0)},
    elements={
        "blade": Beam("O", "A", fx.Section(EA=2.8e7, EI=1.4e4, rhoA=1.2), parts=8),
        "tip": Bearing("blade.p", "blade.q", kx=0.0, ky=0.0),
    },
    fixed=["O"],
    inputs={"blade.p.phi": fx.Expression(spin_up)},
)


def compute() -> tuple[fx.State, float]:
    """The steady rotation, and the extension of the blade in it."""
    state = fx.equilibrium(model.replace(inputs={"blade.p.phi": fx.Ramp(rate=6.0)}))
    return state, state["tip.along"]


if __name__ == "__main__":
    _, extension = compute()
    print(f"extension in steady rotation: {extension:.3e} m (source {SOURCE:.3e})")
    motion = fx.simulate(model, until=20.0)
    motion.plot("tip.across", "tip.along", "blade.p.phi'", path="spinning_blade.png")
