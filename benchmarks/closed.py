"""Reference signals of the rigid cases, from the independent solutions that the tests use."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from benchmarks.cases import Array, DoublePendulum, SliderCrank, times
from benchmarks.rolling import RollingDisc

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from references import pendulum, rolling_disc, slider_crank


def closed(case: DoublePendulum | SliderCrank | RollingDisc) -> Array:
    """The signals of a rigid case."""
    if isinstance(case, DoublePendulum):
        bars = pendulum.DoublePendulum((case.length,) * 2, (case.mass,) * 2, case.gravity)
        a, b, _, _ = pendulum.double_pendulum(bars, case.until)(times(case))
        return case.length * np.stack([np.cos(a) + np.cos(b), np.sin(a) + np.sin(b)], axis=-1)
    if isinstance(case, RollingDisc):
        return _rolling(case)
    rigid = slider_crank.SliderCrank(case.crank, case.rod, 0.0, case.rhoA, case.rhoA, case.slider)
    phi, speed = slider_crank.free_turning(rigid, case.speed, times(case))
    return slider_crank.kinematics(rigid, phi, speed, np.zeros_like(phi)).B[:, :1]


def _rolling(case: RollingDisc) -> Array:
    across, along, _ = case.inertia
    disc = rolling_disc.Disc(case.mass, case.radius, case.gravity, across, along)
    phi, _, _, _, psi, x, y = rolling_disc.roll(disc, case.speed, case.push, times(case))
    aside = case.radius * np.sin(phi)
    return np.stack([x + aside * np.sin(psi), y - aside * np.cos(psi), case.radius * np.cos(phi)], axis=-1)
