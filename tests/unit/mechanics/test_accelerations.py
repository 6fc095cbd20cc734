"""One state, several ways to its accelerations: compiled and dense, condensed and whole, multipliers and minimal."""

import numpy as np
import pytest

from flexura.mechanics.motion.dense_equations import dense_equations
from flexura.mechanics.motion.equations_of_motion import accelerate, call_level
from flexura.mechanics.preparation.minimal_coordinates import Transfer
from flexura.mechanics.preparation.prepared_model import prepare
from unit.mechanics.models import MODELS, moving

T = 0.3
TIGHT = 8e-14
"""The largest deviation seen is 8.5e-15, of the reduced equations of the slider-crank."""


@pytest.fixture(params=MODELS)
def machine(request):
    return prepare(MODELS[request.param]())


def accelerations(layout, system, x, v):
    a, stress = np.zeros_like(x), np.zeros(max(len(layout.strains), 1))
    x, v = x.copy(), v.copy()
    accelerate(system, T, x, v, a, stress)
    return a, stress


def deviation(found, expected):
    return np.abs(found - expected).max() / max(np.abs(expected).max(), 1e-300)


@pytest.mark.parametrize("seed", range(3))
def test_compiled_is_dense(machine, seed):
    x, v = moving(machine, seed)
    a, stress = accelerations(machine.layout, machine.system, x, v)
    dense = dense_equations(machine.layout, machine.system, T, x, v)
    count = len(dense.demand)
    whole = np.block([[dense.mass, dense.slope.T], [dense.slope, np.zeros((count, count))]])
    solution = np.linalg.solve(whole, np.concatenate([dense.force, dense.demand]))
    free, rows = machine.layout.free, machine.system.rows.strain
    assert deviation(a[free], solution[: len(free)]) < TIGHT
    assert deviation(stress[rows], solution[len(free) :]) < TIGHT


@pytest.mark.parametrize("seed", range(3))
def test_multipliers_agree_with_minimal_coordinates(machine, seed):
    x, v = moving(machine, seed)
    a, _ = accelerations(machine.layout, machine.system, x, v)
    transfer = Transfer(machine.layout, machine.system, machine.mobility.independent)
    mass, second = transfer.reduced(T, x, v)
    # q̈ of the multiplier form: D ẍ plus the convective part, over all coordinates
    call_level(machine.system, machine.system.motion, x, v)
    rates = transfer.rates_of(x, a, transfer.independent)
    found = [
        a[machine.layout.coordinate_index[q]] if q.kind == "coordinate" else rate + convection
        for q, rate, convection in zip(transfer.independent, rates, transfer._convection(), strict=True)
    ]
    assert deviation(np.array(found), second) < TIGHT
    assert np.abs(mass - mass.T).max() < 1e-14 * np.abs(mass).max()
    assert np.linalg.eigvalsh(mass).min() > 0.0


@pytest.mark.parametrize("seed", range(3))
def test_condensed_is_whole(machine, seed):
    x, v = moving(machine, seed)
    a, _ = accelerations(machine.layout, machine.system, x, v)
    layout, system = machine.condensed
    narrow, _ = accelerations(layout, system, machine.narrow(layout, x), machine.narrow(layout, v))
    assert deviation(machine.widen(layout, narrow), a) < TIGHT


@pytest.mark.parametrize("seed", range(3))
def test_velocities_are_slopes_of_positions(machine, seed):
    """F′q̇ against a difference of positions x = F(q), in six points."""
    x, v = moving(machine, seed)
    transfer = Transfer(machine.layout, machine.system, machine.mobility.independent)
    q = transfer.values(x, machine.mobility.independent)
    free = machine.layout.free
    first = transfer.first_order(x)
    h = 1e-3
    for k in range(q.size):
        step = h * np.eye(q.size)[k]
        far = [transfer.position(q + n * step, T, x)[free] for n in (-3, -2, -1, 1, 2, 3)]
        weights = np.array([-1, 9, -45, 45, -9, 1]) / (60 * h)
        assert deviation(weights @ np.array(far), first[:, k]) < 3e-12
    assert transfer.velocity(np.zeros(q.size), T, x).shape == v.shape
