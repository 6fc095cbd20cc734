"""Caster wheel with a flexible yoke.

The wheel has no trail and neither slips nor spins about the normal. Yaw moves the wheel sideways, the sideways motion
causes roll, and roll causes the wheel to yaw back. This shimmy needs no inertia: with a rigid yoke its wavelength is
the circumference of the wheel at any speed. A flexible yoke makes it a quarter longer [SchwabMeijaard2003, section
3.3]. All quantities are of unit size except for the bending stiffness, 10; the reference value is the frequency at
unit speed.
"""

from math import inf

import matplotlib.pyplot as plt
import numpy as np

import flexura as fx
from flexura.spatial import Beam, Body, Hinge, Wheel

SOURCE = 0.800786

model = fx.Model(
    title="Caster",
    nodes={"A": (0, 0, 2), "W": (0, 0, 1), "C": (0, 0, 0), "G": (0, 0, 0)},
    elements={
        "yaw": Hinge("A", "yoke.p", axis=(0, 0, 1)),
        # damped by one per cent in its fast mode, of 15 rad/s
        "yoke": Beam("A", "W", fx.Section(EIz=10.0, EIy=inf, GIt=inf, EA=inf, damping=1.33e-3), y_axis=(0, 1, 0)),
        "axle": Hinge("yoke.q", "disc.p", axis=(0, 1, 0)),
        "disc": Body("W", 1.0, Jxx=0.25, Jyy=0.5, Jzz=0.25),
        "wheel": Wheel("disc.p", "C", "G"),
    },
    fixed=["A.y", "A.z", "yaw.p.e0", "yaw.p.e1", "yaw.p.e2", "yaw.p.e3", "wheel.g", "wheel.spin"],
    released=["wheel.radial"],
    inputs={"A.x": fx.Ramp(rate=1.0)},
    start={"yaw.rotation": 0.1},
)


def compute() -> tuple[np.ndarray, float]:
    """The eigenvalues of the straight motion, and the frequency of the shimmy."""
    found = fx.linearise(model.replace(start={})).eigenvalues
    slow = found[(found.imag > 0.0) & (found.imag < 5.0)]
    return found, float(slow[0].imag)


def crossings(motion: fx.Motion) -> np.ndarray:
    """Positions at which the contact crosses the straight line from the right."""
    return np.interp([event.time for event in motion.events], motion.t, motion["C.x"])


if __name__ == "__main__":
    _, frequency = compute()
    print(f"frequency of the shimmy: {frequency:.6f} rad/s (source {SOURCE})")
    motion = fx.simulate(model, until=32.0, samples=3201, events=[fx.Event("C.y", direction=1)])
    print(f"length of a wave of the motion: {np.diff(crossings(motion)).mean():.3f} (source 7.83, read from a figure)")
    roll = np.arcsin(motion.orientation("disc.p", "cosines")[:, 2, 1])
    figure, axes = plt.subplots(2, 1, figsize=(7.0, 5.0), sharex=True, layout="constrained")
    axes[0].plot(motion["C.x"], motion["C.y"], color="#0072b2")
    axes[0].set(ylabel="lateral displacement\nof the contact [m]", title="Caster with a flexible yoke")
    axes[1].plot(motion["C.x"], motion["yaw.rotation"], label="yaw [rad]", color="#0072b2")
    axes[1].plot(motion["C.x"], roll, label="roll [rad]", color="#d55e00")
    axes[1].plot(motion["C.x"], motion["W.y"], label="deflection of the yoke [m]", color="#009e73")
    axes[1].set(xlabel="distance travelled by the contact [m]", ylim=(-0.11, 0.17))
    axes[1].legend(loc="upper center", ncols=3, frameon=False)
    figure.savefig("caster.png", dpi=150)
    motion.plot("wheel.along.force", "wheel.across.force", "wheel.spin.force", path="caster_forces.png")
