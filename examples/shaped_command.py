"""Flexible arm that moves without residual vibration.

A carriage lifts a clamped arm with a load at its tip. The lift is divided into two steps, the second by a slide on the
carriage. The rises of both steps and the start of the second are found such that the arm is at rest at the end, at the
given height: a zero-vibration shaper. Singer and Seering (1990) give it in closed form. With the damped frequency ω and
the damping ratio ζ of the first vibration the second step starts π/ω after the first, and its part of the rise is
K/(1 + K) with K = exp(-πζ/√(1 - ζ²)). The reference value is that start for the linear equations of the arm.
"""

import numpy as np

import flexura as fx
from flexura.planar import Beam, Mass, Truss
from flexura.results.design import Design

SOURCE = 0.226491
LIFT, STEP = 0.01, 0.1

model = fx.Model(
    title="Lift of a flexible arm",
    nodes={"O": (0, 0), "P": (0, 0.3), "A": (1, 0.3)},
    elements={
        "slide": Truss("O", "P", fx.Section(rhoA=0.5)),
        "arm": Beam("P", "A", fx.Section(EI=20.0, rhoA=0.05, damping=2e-3)),
        "load": Mass("A", 0.3),
    },
    fixed=["O.x", "P.x", "arm.p.phi"],
    inputs={
        "O.y": fx.Smoothstep(rise=0.5 * LIFT, duration=STEP),
        "slide.elongation": fx.Smoothstep(rise=0.5 * LIFT, duration=STEP, start=0.2),
    },
)

END = 1.2
AIMS = ["final(A.y) - 0.31", "0.1*final(A.y')", "final(P.y) - 0.31"]
VARY = {
    "inputs.O.y.rise": (0.0, LIFT),
    "inputs.slide.elongation.rise": (0.0, LIFT),
    "inputs.slide.elongation.start": (0.15, 0.35),
}


def shaper() -> tuple[float, float]:
    """Start of the second step after the first, and its part of the rise, by the closed form."""
    root = min((r for r in fx.linearise(model).eigenvalues if r.imag > 0), key=abs)
    damping = -root.real / abs(root)
    K = np.exp(-np.pi * damping / np.sqrt(1.0 - damping**2))
    return float(np.pi / root.imag), float(K / (1.0 + K))


def compute() -> tuple[Design, float]:
    """The two steps, and the start of the second."""
    design = fx.optimise(model, AIMS, VARY, until=END, samples=2)
    return design, float(design.values[2])


if __name__ == "__main__":
    design, start = compute()
    print(design)
    delay, part = shaper()
    print(f"start of the second step: {start:.6f} s (source {SOURCE:.6f} s), {design.evaluations} evaluations")
    print(f"its part of the lift: {design.values[1] / LIFT:.6f} (source {part:.6f})")
    motion = fx.simulate(design.model, until=END, samples=401)
    motion.plot("O.y", "P.y", "A.y", path="shaped_command.png")
