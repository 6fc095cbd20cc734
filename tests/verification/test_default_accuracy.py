"""Default settings are right, or say that they may not be: forty machines against converged runs."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

import flexura as fx
from flexura import spatial
from references import generated_models, generated_vehicles
from references.accuracy_models import cases
from references.converged_runs import compare, converged

CASES = {name: (model, until) for name, model, until in cases()}
SAMPLE = ("chain, soft", "drive line, stiff and undamped", "cantilever, step", "strip, stiff", "ball on a floor")


def check(name: str) -> list[bool]:
    """Right within 1 % and 1e-4, or doubtful; the brackets of all signals."""
    model, until = CASES[name]
    motion = fx.simulate(model, until, samples=401)
    found = compare(motion, converged(motion, model))
    assert motion.outcome is fx.Outcome.DOUBTFUL or found.right, found
    return found.bracketed


@pytest.mark.parametrize("name", SAMPLE)
def test_a_sample_of_machines(name: str) -> None:
    assert np.mean(check(name)) >= 0.9


@pytest.mark.slow
def test_forty_machines() -> None:
    assert len(CASES) >= 40
    bracketed = [each for name in CASES for each in check(name)]
    assert np.mean(bracketed) >= 0.95


def test_strain_energy_that_is_small_beside_the_kinetic_raises_no_doubt() -> None:
    """Its rod has a ten-millionth of the kinetic energy, so that errors of the motion are larger than its strains."""
    model, until = CASES["small crank"]
    motion = fx.simulate(model, until, samples=401)
    assert motion.outcome is fx.Outcome.DONE
    assert compare(motion, converged(motion, model)).right


# -- machines made by chance, on which no constant was set -------------------------------------------------------------

UNSEEN = range(100, 142)


def check_generated(machines: ModuleType, seed: int) -> list[bool]:
    """Right within 1 % and 1e-4, or doubtful; the brackets of all signals."""
    _, model, until = machines.generated(seed)
    motion = fx.simulate(model, until, samples=401)
    if not (motion.outcome.good or motion.outcome is fx.Outcome.DOUBTFUL):
        return []  # an arm of rubber that folds on itself
    exact = converged(motion, model)
    if exact.t.size < motion.t.size:
        assert motion.outcome is fx.Outcome.DOUBTFUL, seed
        return []  # an arm that is twisted by half a turn, beyond which its torsion is not defined
    found = compare(motion, exact)
    assert motion.outcome is fx.Outcome.DOUBTFUL or found.right, (seed, found)
    return found.bracketed


@pytest.mark.parametrize("seed", [100, 102, 104])
def test_a_sample_of_generated_machines(seed: int) -> None:
    assert np.mean(check_generated(generated_models, seed)) >= 0.9


@pytest.mark.parametrize("seed", [1005, 1009, 1016, 1027, 1049])
def test_a_sample_of_machines_with_light_and_reduced_parts(seed: int) -> None:
    """Rows of light masses between springs of all strengths had accelerations that were wrong by their range."""
    assert np.mean(check_generated(generated_vehicles, seed)) >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize(
    ("machines", "seeds"), [(generated_models, UNSEEN), (generated_vehicles, range(1000, 1066))], ids=["bars", "others"]
)
def test_generated_machines(machines: ModuleType, seeds: range) -> None:
    assert np.mean([each for seed in seeds for each in check_generated(machines, seed)]) >= 0.95


# -- stiff rods: their steps are as long as the fastest vibration allows, at any tolerance -----------------------------


def rod_on_hinge(rotation: fx.Smoothstep | fx.Ramp, tip: tuple[float, float, float] = (1.0, 0.0, 0.0)) -> fx.Model:
    """A slender steel rod in space, on a driven hinge."""
    elements = {
        "base": spatial.Body("O", 1.0),
        "rod": spatial.Beam("O", "A", fx.Circle(0.01), fx.Material(E=2.1e11, rho=7850.0)),
        "axle": spatial.Hinge("base.p", "rod.p", axis=(0, 0, 1)),
    }
    return fx.Model(
        nodes={"O": (0, 0, 0), "A": tip},
        elements=elements,
        fixed=["base.p", "O"],
        gravity=(0, 0, -9.81),
        inputs={"axle.rotation": rotation},
        space="spatial",
    )


@pytest.mark.parametrize("rotation", [fx.Ramp(rate=1.0), fx.Smoothstep(rise=0.5, duration=0.5)])
def test_outcome_agrees_with_the_estimate_of_a_stiff_rod(rotation: fx.Smoothstep | fx.Ramp) -> None:
    model = rod_on_hinge(rotation)
    motion = fx.simulate(model, 1.0, samples=201)
    assert motion.accuracy is not None
    _, estimate = motion.accuracy.worst_force
    assert motion.outcome is fx.Outcome.DONE
    assert estimate <= 1e-2
    finest = fx.DormandPrince(1e-12, largest_step=0.25 / motion.statistics["steps"])
    found = compare(motion, fx.simulate(model, times=motion.t.tolist(), method=finest))
    assert found.forces <= estimate
    assert np.mean(found.bracketed) >= 0.95


def test_forces_of_rounding_are_not_judged() -> None:
    model = rod_on_hinge(fx.Ramp(rate=0.0), (0.6, 0.5, 0.37)).replace(gravity=(0, 0, 0))
    motion = fx.simulate(model, 1.0, samples=51)
    assert motion.outcome is fx.Outcome.DONE
    assert motion.accuracy is not None
    assert motion.accuracy.worst_force == ("", 0.0)
