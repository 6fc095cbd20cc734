"""Effort of the explicit method, predicted from the fastest vibration and the fastest damper."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx
from flexura.analyses.motion.effort_prediction import predict
from flexura.mechanics.preparation.prepared_model import prepare
from flexura.planar import Beam, Damper, Mass, Spring
from references.gallery import model as example


def oscillator(damping: float) -> fx.Model:
    """A mass of 2 kg on a spring of 200 N/m, 10 rad/s, with a damper along it."""
    return fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"spring": Spring("O", "A", k=200.0), "damper": Damper("O", "A", damping), "mass": Mass("A", 2.0)},
        fixed=["O", "A.y"],
    )


@pytest.mark.parametrize(("damping", "fastest", "longest"), [(4.0, 10.0, 1.4), (40.0, 20.0, 2.8), (400.0, 200.0, 4.0)])
def test_steps_resolve_vibrations_and_dampers_stably(damping: float, fastest: float, longest: float) -> None:
    """1.4 rad of a vibration in a step: ω = √(k/m); up to 4 time constants m/c of a faster damper."""
    found = predict(prepare(oscillator(damping)), until=1.0)
    assert found.frequency == pytest.approx(fastest)
    assert found.vibration == pytest.approx(10.0)
    assert found.longest == pytest.approx(longest)
    assert found.least_evaluations == pytest.approx(12.0 * fastest / longest)


def test_an_arm_with_fast_damping_is_followed_after_one_pilot_run() -> None:
    """Implicit runs at two tolerances were made in vain before: more than twice the time."""
    motion = fx.simulate(example("flexible_arm"), until=2.0, samples=401)
    assert motion.method.startswith("DormandPrince")
    tries: dict[str, float] = motion.statistics
    # the prediction from the pilot run decided, not that from a run with tighter tolerances
    assert tries["predicted explicit evaluations"] <= 3.0 * 1.5 * tries["predicted implicit evaluations"]


def driven_crank(**changes: object) -> fx.Model:
    """A slider-crank of 0.1 m and 0.3 m, driven at 10 rad/s."""
    bar = fx.Section(rhoA=1.0)
    model = fx.Model(
        nodes={"O": (0, 0), "A": (0.1, 0), "B": (0.4, 0)},
        elements={"crank": Beam("O", "A", bar, rigid=True), "rod": Beam("A", "B", bar, rigid=True)},
        fixed=["O", "B.y"],
        inputs={"crank.p.phi": fx.Ramp(rate=10.0)},
    )
    return model.replace(**changes)


def test_driven_mechanisms_need_no_companion() -> None:
    """x = r cos φ + √(l² - r² sin² φ): the constraints are closed at every output, and errors do not grow."""
    model = driven_crank()
    assert predict(prepare(model), until=1.0).determined
    motion = fx.simulate(model, until=2.0, samples=101)
    phi = 10.0 * motion.t
    exact = 0.1 * np.cos(phi) + np.sqrt(0.09 - (0.1 * np.sin(phi)) ** 2)
    assert np.abs(motion["B.x"] - exact).max() < 1e-12
    assert motion.outcome is fx.Outcome.DONE
    assert motion.accuracy is not None
    assert motion.accuracy.source == "local errors of the steps"


@pytest.mark.parametrize("free", [driven_crank(inputs={}), oscillator(0.0), example("planimeter")])
def test_what_moves_by_itself_or_rolls_is_not_determined(free: fx.Model) -> None:
    assert not predict(prepare(free), until=1.0).determined
