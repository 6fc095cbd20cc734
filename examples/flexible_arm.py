"""Flexible arm with a feedback controller.

A slender arm with a load at its tip rotates about a hub. The controller measures the angle of the hub only and
applies a torque there. It has six states, which estimate the rotation and the first two vibrations, and damps the
vibrations. It was designed with python-control for the linear equations of the arm, as shown in ``design``. The
reference value is the largest hub angle after a small step of the set point, relative to the step, from the linear
closed loop in python-control. After a step of one radian the deflections are too large for the linear equations.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

import flexura as fx
from flexura.planar import Beam, Mass

SOURCE = 1.41367
STEP = 0.01

servo = fx.Controller(
    A=[
        [-52.798, 116.55, -51.805, 1.0, 0.0, 0.0],
        [2.9443, -6.4995, 2.889, 0.0, 1.0, 0.0],
        [-2.9448, 6.5005, -2.8894, 0.0, 0.0, 1.0],
        [-563.09, 1226.4, -595.65, -9.8813, 4.9751, -3.1641],
        [583.61, -1985.6, 667.87, 21.813, -11.276, 6.9848],
        [-282.8, 607.97, -6874.8, -9.6955, 4.8816, -5.7267],
    ],
    B=[[31.236], [-1.7419], [1.7421], [316.23], [-307.96], [150.72]],
    C=[[16.903, -27.484, 42.104, 5.8458, -2.9433, 1.8719]],
    D=[[0.0]],
    measured=["arm.p.phi"],
    acting=["arm.p.phi"],
    reference=[STEP],
)

model = fx.Model(
    title="Flexible arm",
    nodes={"O": (0, 0), "A": (1, 0)},
    elements={
        "hub": Mass("arm.p", 0.0, inertia=0.05),
        "arm": Beam("O", "A", fx.Section(EI=10.0, rhoA=0.6, damping=4e-4), parts=4),
        "load": Mass("A", 0.1),
    },
    fixed=["O"],
    controllers={"servo": servo},
)


def design() -> fx.Controller:
    """An estimator and a state feedback for the rotation and two vibrations, with weights on tip and rates."""
    import control

    system = fx.linearise(model.replace(controllers={}))
    shapes = eigh(system.K, system.M)[1][:, :3]
    zero, one = np.zeros((3, 3)), np.eye(3)
    A = np.block([[zero, one], [-shapes.T @ system.K @ shapes, -shapes.T @ system.C @ shapes]])
    B = np.concatenate([np.zeros(3), shapes.T @ system.input("arm.p.phi")])[:, None]
    hub, tip = (np.concatenate([system.output(name)[0] @ shapes, np.zeros(3)]) for name in ("arm.p.phi", "A.y"))
    rates = np.diag([0.0, 0.0, 0.0, 1.0, 1.0, 1.0])
    gain, _, _ = control.lqr(A, B, 100.0 * np.outer(tip, tip) + 10.0 * rates, [[1.0]])
    estimate = control.lqr(A.T, hub[:, None], 10.0 * rates, [[1e-4]])[0].T
    loop = control.ss(A - B @ gain - estimate * hub, estimate, gain, 0.0)
    return fx.Controller.of(loop, ["arm.p.phi"], ["arm.p.phi"])


def compute() -> tuple[fx.Motion, float]:
    """The motion after a small step, and the largest hub angle relative to the step."""
    motion = fx.simulate(model, until=2.0, samples=401)
    return motion, float(motion["arm.p.phi"].max()) / STEP


if __name__ == "__main__":
    motion, highest = compute()
    print(f"highest angle of the hub: {highest:.5f} steps (source {SOURCE:.5f})")
    motion.plot("arm.p.phi", "A.y", "arm.p.phi.force", path="flexible_arm.png")
    large = fx.simulate(model.with_parameter("controllers.servo.reference.0.value", 1.0), until=2.0, samples=401)
    print(f"after a step of one radian: {large['arm.p.phi'].max():.5f}")
    large.plot_poses(24, path="flexible_arm_large.png")
