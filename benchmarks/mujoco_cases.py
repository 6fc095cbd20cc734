"""MuJoCo: double pendulums and chains with its classical Runge–Kutta method, stepped in C."""

from __future__ import annotations

import importlib
from time import process_time
from typing import Any

import numpy as np

from benchmarks import flexura_cases
from benchmarks.cases import Array, Case, DoublePendulum, Run, Setting
from benchmarks.closed import closed
from benchmarks.spatial import HingedChain, SpatialPendulum

mujoco: Any = importlib.import_module("mujoco")

NAME = f"MuJoCo {mujoco.__version__}"

MODEL = """
<mujoco>
  <option timestep="{step!r}" integrator="RK4" gravity="0 {g!r} 0">
    <flag constraint="disable" contact="disable"/>
  </option>
  <worldbody>{bodies}</worldbody>
</mujoco>
"""

BODY = """
<body pos="{at!r} 0 0">
  {joints}
  <inertial pos="{half!r} 0 0" mass="{m!r}" diaginertia="{along!r} {across!r} {across!r}"/>{rest}
</body>
"""

SLENDER = 1e-9
"""the least moment of inertia, of those that do nothing: MuJoCo asks for some"""


Pendulum = DoublePendulum | SpatialPendulum | HingedChain


def methods(case: Case) -> tuple[Setting, ...]:
    """What is tried, from coarse settings."""
    return (Setting("RK4", steps=5 * case.outputs),) if isinstance(case, Pendulum) else ()


def run(case: Case, setting: Setting) -> Run:
    """A pendulum with a fixed number of steps."""
    assert isinstance(case, Pendulum)
    model = mujoco.MjModel.from_xml_string(_text(case, case.until / setting.steps))
    data = mujoco.MjData(model)
    if isinstance(case, SpatialPendulum):
        data.qvel = case.rates

    # whole intervals between outputs are stepped in C; the few entries from Python are timed along
    angles = np.zeros((case.outputs + 1, model.nq))
    steps = setting.steps // case.outputs
    started = process_time()
    for k in range(case.outputs):
        mujoco.mj_step(model, data, steps)
        angles[k + 1] = data.qpos
    seconds = process_time() - started
    if not isinstance(case, DoublePendulum):
        return Run(seconds, case.tip(angles))
    a, b = angles[:, 0], angles.sum(axis=1)
    return Run(seconds, case.length * np.stack([np.cos(a) + np.cos(b), np.sin(a) + np.sin(b)], axis=-1))


def reference(case: Case) -> Array:
    """What the signals converge to."""
    return closed(case) if isinstance(case, DoublePendulum) else flexura_cases.reference(case)


def _text(case: Pendulum, step: float) -> str:
    """The bars in a row, each within the last."""
    axis: tuple[tuple[float, float, float], ...] = ((0.0, 0.0, 1.0),)
    axes, (along, across) = (axis, axis), (SLENDER, case.mass * case.length**2 / 12)
    if isinstance(case, SpatialPendulum):
        axes, (along, across) = case.axes, case.inertia
    elif isinstance(case, HingedChain):
        axes, (along, across) = tuple((axis,) for axis in case.axes), case.inertia
    bodies, inertia = "", {"along": max(along, SLENDER), "across": across, "m": case.mass, "half": 0.5 * case.length}
    for k, own in reversed(list(enumerate(axes))):
        joints = "".join(_joint(axis) for axis in own)
        bodies = BODY.format(at=case.length if k else 0.0, joints=joints, rest=bodies, **inertia)
    return MODEL.format(step=step, g=-case.gravity, bodies=bodies)


def _joint(axis: tuple[float, float, float]) -> str:
    return '<joint type="hinge" axis="{!r} {!r} {!r}"/>'.format(*axis)
