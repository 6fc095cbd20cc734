"""MuJoCo: the double pendulum with its classical Runge–Kutta method, stepped in C."""

from __future__ import annotations

import importlib
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.cases import Array, Case, DoublePendulum, Run, Setting
from benchmarks.closed import closed

mujoco: Any = importlib.import_module("mujoco")

NAME = f"MuJoCo {mujoco.__version__}"

MODEL = """
<mujoco>
  <option timestep="{step!r}" integrator="RK4" gravity="0 {g!r} 0">
    <flag constraint="disable" contact="disable"/>
  </option>
  <worldbody>
    <body>
      <joint type="hinge" axis="0 0 1"/>
      <inertial pos="{half!r} 0 0" mass="{m!r}" diaginertia="{J!r} {J!r} {J!r}"/>
      <body pos="{l!r} 0 0">
        <joint type="hinge" axis="0 0 1"/>
        <inertial pos="{half!r} 0 0" mass="{m!r}" diaginertia="{J!r} {J!r} {J!r}"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


def methods(case: Case) -> tuple[Setting, ...]:
    """What is tried, from coarse settings."""
    return (Setting("RK4", steps=10 * case.outputs),) if isinstance(case, DoublePendulum) else ()


def run(case: Case, setting: Setting) -> Run:
    """The double pendulum with a fixed number of steps."""
    assert isinstance(case, DoublePendulum)
    l, m = case.length, case.mass
    text = MODEL.format(step=case.until / setting.steps, g=-case.gravity, half=0.5 * l, m=m, l=l, J=m * l**2 / 12)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)

    # whole intervals between outputs are stepped in C; the few entries from Python are timed along
    angles = np.zeros((case.outputs + 1, 2))
    steps = setting.steps // case.outputs
    started = perf_counter()
    for k in range(case.outputs):
        mujoco.mj_step(model, data, steps)
        angles[k + 1] = data.qpos
    seconds = perf_counter() - started
    a, b = angles[:, 0], angles.sum(axis=1)
    return Run(seconds, l * np.stack([np.cos(a) + np.cos(b), np.sin(a) + np.sin(b)], axis=-1))


def reference(case: Case) -> Array:
    """What the signals converge to."""
    assert isinstance(case, DoublePendulum)
    return closed(case)
