"""Attitude manoeuvre of a satellite with a reaction wheel.

The satellite is free, and its angular momentum remains zero. While the wheel makes a hundred revolutions the hub
rotates in the opposite sense; it stops when the wheel stops. The axis of rotation of the hub is J⁻¹n, which differs
from the axis n of the wheel. The flexible panels lag behind, vibrate and come to rest. By the conservation of angular
momentum the hub has then rotated by the length of J⁻¹n times the inertia of the wheel times its angle, as if all
parts were rigid.
"""

from math import hypot, pi, sqrt

import flexura as fx
from flexura.spatial import Beam, Body, Hinge

TURN = 200 * pi

# hub, wheel, and two panels from 0.5 m to 2.5 m along x; the wheel is along (0, 3, 4)/5
panels = 2 * 1.0 * (2.5**3 - 0.5**3) / 3
SOURCE = 0.1 * TURN * hypot(0.6 / (30.1 + panels), 0.8 / (25.1 + panels))

panel = fx.Section(EI=20.0, rhoA=1.0, damping=0.1)

model = fx.Model(
    title="Satellite",
    nodes={"C": (0, 0, 0), "P": (0.5, 0, 0), "Q": (2.5, 0, 0), "R": (-0.5, 0, 0), "S": (-2.5, 0, 0)},
    elements={
        "hub": Body("C", 100.0, Jxx=20.0, Jyy=30.0, Jzz=25.0),
        "axle": Hinge("hub.p", "wheel.p", axis=(0, 3, 4)),
        "wheel": Body("C", 5.0, Jxx=0.1, Jyy=0.1, Jzz=0.1),
        "right_root": Beam("hub.p", "P", fx.Section(), rigid=True),
        "right": Beam("right_root.q", "Q", panel),
        "left_root": Beam("hub.p", "R", fx.Section(), rigid=True),
        "left": Beam("left_root.q", "S", panel),
    },
    inputs={"axle.rotation": fx.Smoothstep(rise=TURN, duration=10.0)},
)


def compute() -> tuple[fx.Motion, float]:
    """Twenty-five seconds, and the rotation of the hub."""
    motion = fx.simulate(model, until=25.0, samples=501)
    return motion, sqrt(sum(motion.orientation("hub.p", "vector")[-1] ** 2))


if __name__ == "__main__":
    motion, angle = compute()
    drift = abs(motion.momentum).max()
    print(f"angle of the hub: {angle:.6f} rad (source {SOURCE:.6f}); momentum up to {drift:.0e}")
    motion.plot_poses(12, trace=["Q"], path="satellite_poses.png")
    motion.plot("hub.p.about_own_z'", "right.bending_z_p", "axle.rotation.force", path="satellite.png")
