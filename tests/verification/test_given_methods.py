"""Implicit runs say which forces and accelerations may not be right: with a given method, and by default."""

from __future__ import annotations

import runpy
from math import pi
from pathlib import Path

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Damper, Mass, Spring
from references.accuracy_models import cases
from references.converged_runs import compare, converged

CASES = {name: (model, until) for name, model, until in cases()}
POSSIBLE = "from the local errors of the given method"
SAMPLE = ("four-bar, undamped", "strip, soft", "pendulum with springs", "ball on a floor", "double pendulum")
LOOSE = Path(__file__).parents[2] / "examples" / "slider_crank_loose.py"


def notes(motion: fx.Motion, words: str) -> list[fx.Finding]:
    return [finding for finding in motion.findings if words in finding.what]


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in SAMPLE else pytest.mark.slow) for n in CASES])
def test_a_given_implicit_method_is_right_or_names_a_force(name: str) -> None:
    model, until = CASES[name]
    motion = fx.simulate(model, until, samples=401, method=fx.KennedyCarpenter())
    default = fx.simulate(model, until, samples=401)
    # the default run is right to 1 %, or doubtful: a converged run in other tests shows it
    wrong = default.outcome is fx.Outcome.DONE and compare(motion, default).forces > 2e-2
    found = notes(motion, POSSIBLE)
    assert found or motion.outcome is fx.Outcome.DOUBTFUL or not wrong
    for note in found:
        assert np.ptp(motion.force(note.where.removesuffix(".force"))) > 0.0
        assert note.time is not None
        assert 0.0 < note.time <= until
        assert "verify=True" in note.advice


def test_smooth_motions_have_no_note() -> None:
    model, until = CASES["double pendulum"]
    assert not notes(fx.simulate(model, until, method=fx.KennedyCarpenter()), POSSIBLE)


def test_a_measured_error_replaces_the_note() -> None:
    model, until = CASES["four-bar, undamped"]
    motion = fx.simulate(model, until, method=fx.KennedyCarpenter(), verify=True)
    assert not notes(motion, POSSIBLE)
    assert motion.outcome is fx.Outcome.DOUBTFUL


@pytest.mark.parametrize("name", ["cantilever, slow load", "cantilever, undamped slow load"])
def test_rates_that_are_not_right_are_computed_again(name: str) -> None:
    """Positions and forces of the implicit method are right, rates of the vibrations that it damps are 2 % wrong.

    Of those that nothing damps accelerations remain wrong, at any tolerance that is worth its cost.
    """
    model, until = CASES[name]
    motion = fx.simulate(model, until, samples=201)
    doubts = {finding.what for finding in motion.findings if finding.severity == "doubt"}
    assert doubts <= {"estimated error of an acceleration, relative to its range"}
    found = compare(motion, converged(motion, model))
    assert found.right or (doubts and found.rates <= 1e-2 and found.forces <= 1e-2)


@pytest.mark.parametrize("method", [fx.KennedyCarpenter(), fx.GeneralisedAlpha(), None])
def test_accelerations_of_light_parts_are_right(method: object) -> None:
    """A light mass on a strong damper: its acceleration is a millionth of what the forces on it would give alone."""
    model = fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"mass": Mass("A", 1e-3), "damper": Damper("O", "A", c=1e4), "spring": Spring("O", "A", k=1e3)},
        fixed=["O", "A.y"],
        loads={"A.x": fx.Sine(amplitude=10.0, frequency=3.0)},
    )
    motion = fx.simulate(model, 5.0, samples=301, method=method)
    assert motion.outcome is fx.Outcome.DONE
    settled = motion.t > 0.5
    # c ẋ + k x = F sin ωt: after the start ẍ = ω Im(iω e^{iωt} F/(k + iωc)), and a transient of rate k/c
    turning = np.exp(3.0j * motion.t) * 10.0 / (1e3 + 3.0j * 1e4)
    steady = np.imag(-9.0 * turning)
    decay = np.imag(turning[0]) * -1e-2 * np.exp(-0.1 * motion.t)
    apart = np.abs(motion["A.x''"] - steady - decay)[settled]
    assert apart.max() < 1e-2 * np.ptp(steady)


@pytest.mark.slow
def test_rattling_in_a_clearance_is_seen() -> None:
    """Errors that grow with every blow never leave the clearance: positions stay near, forces do not."""
    script = runpy.run_path(str(LOOSE))
    turn = 2.0 * pi / script["SPEED"]
    motion = fx.simulate(script["model"], turn, samples=1501)
    exact = fx.simulate(script["model"], turn, samples=1501, method=fx.DormandPrince(1e-11))
    error = np.abs(motion.force("socket.gap") - exact.force("socket.gap")).max()
    assert error > 1e-2 * np.ptp(exact.force("socket.gap"))
    assert motion.outcome is fx.Outcome.DOUBTFUL
    assert motion.accuracy is not None
    assert error <= motion.accuracy.force("socket.gap")
