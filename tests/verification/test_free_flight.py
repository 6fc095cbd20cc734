"""A flexible beam thrown into free flight: nothing acts on it, so its momenta and its energy stay."""

from math import inf

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam
from references import beam_vibration

MOMENTUM, ENERGY = 1e-10, 5e-10
"""Of the start, over 100 periods; the largest deviations seen are 2.0e-11 and 9.0e-11, the targets 1e-10 and 1e-8."""


@pytest.mark.parametrize("EA", [inf, 2000.0], ids=["inextensible", "extensible"])
@pytest.mark.parametrize("second_order", [True, False])
def test_momenta_and_energy_stay_over_a_hundred_periods(EA, second_order):
    model = fx.Model(
        nodes={"A": (0, 0), "B": (1, 0)},
        elements={"rod": Beam("A", "B", fx.Section(EA=EA, EI=1.0, rhoA=1.0), parts=2, second_order=second_order)},
        start={"rod.1.bending_q'": 3.0, "rod.2.bending_p'": -4.0, "A.x'": 0.3, "A.y'": -0.5, "rod.p.phi'": 2.0},
    )
    period = 2.0 * np.pi / beam_vibration.free_free(1)[0]
    motion = fx.simulate(model, 100.0 * period, samples=1001, method=fx.DormandPrince(tolerance=1e-11))

    linear, angular = motion.momentum[:, :2], motion.momentum[:, 2]
    assert np.abs(linear - linear[0]).max() < MOMENTUM * np.hypot(*linear[0])
    assert np.abs(angular - angular[0]).max() < MOMENTUM * abs(angular[0])
    energy = motion.energy["total"]
    assert np.abs(energy / energy[0] - 1.0).max() < ENERGY
    # and it did vibrate
    assert motion.energy["strain"].max() > 0.05 * energy[0]
