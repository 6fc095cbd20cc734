"""Step-dwell mechanism: a belt that stops once per revolution.

A pinion rolls in a fixed annulus of twice its size. The pulley attached to it rotates backwards while its centre
moves along a line, so that the belt travels by r(φ + cos φ - 1): after a quarter of a revolution its velocity and its
acceleration vanish. One of the five spans of the closed belt over fixed pulleys is redundant and is released
[Schwab2002, section 3.3.1].
"""

from math import pi

import flexura as fx
from flexura.planar import Beam, Belt, Gear, Mass

SOURCE = pi / 2 - 1

link, small, disk = fx.Section(), {"radius_p": 0.5, "radius_q": 0.5}, {"mass": 0.25, "inertia": 1 / 32}

model = fx.Model(
    title="Step-dwell mechanism",
    nodes={"O": (0, 0), "C": (0.5, 0), "D": (1, 0), "P2": (-3, 0.5), "P3": (-3, -2), "P4": (4, -2), "P5": (4, 0.5)},
    elements={
        "crank": Beam("O", "C", link, rigid=True),
        "arm": Beam("C", "D", link, rigid=True),
        "gear": Gear("arm.p", "O", ratio=-2.0),
        "span_21": Belt("P2", "arm.q", radius_p=0.5, radius_q=1.0),
        "span_15": Belt("arm.q", "P5", radius_p=1.0, radius_q=0.5),
        "span_54": Belt("span_15.q", "P4", **small),
        "span_43": Belt("span_54.q", "P3", **small),
        "span_32": Belt("span_43.q", "span_21.p", **small),
        "pinion": Mass("arm.p", **disk),
        "pulley_1": Mass("arm.q", mass=1.0, inertia=0.5),
        "pulley_2": Mass("span_21.p", **disk),
        "pulley_3": Mass("span_43.q", **disk),
        "pulley_4": Mass("span_54.q", **disk),
        "pulley_5": Mass("span_15.q", **disk),
    },
    fixed=["O", "gear.q.phi", "P2", "P3", "P4", "P5"],
    inputs={"crank.p.phi": fx.Ramp(rate=1.0)},
    released=["span_43.elongation"],
)


def compute() -> tuple[fx.Motion, float]:
    """Two revolutions, and the travel of the belt after a quarter of a revolution."""
    motion = fx.kinematics(model, [4 * pi * i / 480 for i in range(481)])
    return motion, -0.5 * motion["pulley_2.phi"][60]


if __name__ == "__main__":
    motion, travel = compute()
    print(f"travel of the belt when it dwells: {travel:.6f} r (source {SOURCE:.6f})")
    motion.plot_poses(path="step_dwell_poses.png")
    motion.plot("pulley_2.phi", "pulley_2.phi'", "crank.p.phi.force", "gear.mesh.force", path="step_dwell.png")
