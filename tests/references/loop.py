"""A closed loop by itself: z′ = A z + b from its start, and accelerations by differences of the full equations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import expm

import flexura as fx

Array = NDArray[np.float64]


def constant_response(A: Array, b: Array, start: Array, times: Array) -> Array:
    """The solution of z′ = A z + b by the matrix exponential, a row a time."""
    rest = -np.linalg.solve(A, b)
    return np.array([rest + expm(A * t) @ (start - rest) for t in times])


def accelerations(model: fx.Model, coordinates: Sequence[str], states: Sequence[str], values: Array) -> Array:
    """Second derivatives of coordinates and rates of states at t = 0, from values, rates and states."""
    n = len(coordinates)
    start = dict(zip(coordinates, values[:n], strict=True))
    start |= {f"{name}'": rate for name, rate in zip(coordinates, values[n : 2 * n], strict=True)}
    start |= dict(zip(states, values[2 * n :], strict=True))
    motion = fx.simulate(model.replace(start=start), until=1e-9, samples=2)
    found = [motion[f"{name}''"][0] for name in coordinates] + [motion[f"{name}'"][0] for name in states]
    return np.array(found)


def differences(model: fx.Model, coordinates: Sequence[str], states: Sequence[str], values: Array) -> Array:
    """∂(accelerations)/∂(values, rates, states), by central differences of fourth order."""
    columns = []
    for k in range(len(values)):
        step = np.zeros_like(values)
        step[k] = 1e-3
        far, near = (
            accelerations(model, coordinates, states, values + r * step)
            - accelerations(model, coordinates, states, values - r * step)
            for r in (2.0, 1.0)
        )
        columns.append((8.0 * near - far) / 12e-3)
    return np.array(columns).T
