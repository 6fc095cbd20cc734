"""MuJoCo: the double pendulums with its classical Runge–Kutta method, stepped in C."""

from __future__ import annotations

import importlib
from time import process_time
from typing import Any

import numpy as np

from benchmarks import flexura_cases
from benchmarks.cases import Array, Case, DoublePendulum, Run, Setting
from benchmarks.closed import closed
from benchmarks.spatial import SpatialPendulum

mujoco: Any = importlib.import_module("mujoco")

NAME = f"MuJoCo {mujoco.__version__}"

MODEL = """
<mujoco>
  <option timestep="{step!r}" integrator="RK4" gravity="0 {g!r} 0">
    <flag constraint="disable" contact="disable"/>
  </option>
  <worldbody>
    <body>
      {upper}
      <inertial pos="{half!r} 0 0" mass="{m!r}" diaginertia="{along!r} {across!r} {across!r}"/>
      <body pos="{l!r} 0 0">
        {lower}
        <inertial pos="{half!r} 0 0" mass="{m!r}" diaginertia="{along!r} {across!r} {across!r}"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""

SLENDER = 1e-9
"""the least moment of inertia, of those that do nothing: MuJoCo asks for some"""


def methods(case: Case) -> tuple[Setting, ...]:
    """What is tried, from coarse settings."""
    return (Setting("RK4", steps=5 * case.outputs),) if isinstance(case, DoublePendulum | SpatialPendulum) else ()


def run(case: Case, setting: Setting) -> Run:
    """A double pendulum with a fixed number of steps."""
    assert isinstance(case, DoublePendulum | SpatialPendulum)
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
    if isinstance(case, SpatialPendulum):
        return Run(seconds, case.tip(angles))
    a, b = angles[:, 0], angles.sum(axis=1)
    return Run(seconds, case.length * np.stack([np.cos(a) + np.cos(b), np.sin(a) + np.sin(b)], axis=-1))


def reference(case: Case) -> Array:
    """What the signals converge to."""
    return closed(case) if isinstance(case, DoublePendulum) else flexura_cases.reference(case)


def _text(case: DoublePendulum | SpatialPendulum, step: float) -> str:
    spatial = isinstance(case, SpatialPendulum)
    upper, lower = case.axes if spatial else (((0.0, 0.0, 1.0),),) * 2
    along, across = case.inertia if spatial else (SLENDER, case.mass * case.length**2 / 12)
    return MODEL.format(
        step=step,
        g=-case.gravity,
        half=0.5 * case.length,
        l=case.length,
        m=case.mass,
        along=max(along, SLENDER),
        across=across,
        upper="".join(_joint(axis) for axis in upper),
        lower="".join(_joint(axis) for axis in lower),
    )


def _joint(axis: tuple[float, float, float]) -> str:
    return '<joint type="hinge" axis="{!r} {!r} {!r}"/>'.format(*axis)
