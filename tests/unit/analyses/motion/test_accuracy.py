"""Accuracy of motions: estimated errors by name, from steps or from a second run; the choice of the method."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import flexura as fx
from flexura.analyses.motion.accuracy import tightened
from flexura.analyses.motion.method_choice import _PILOT
from flexura.planar import Beam, Mass, Truss

simulation = import_module("flexura.analyses.motion.simulate")

METHODS = [fx.DormandPrince(1e-6), fx.DormandPrince(1e-5, 5), fx.Adams(1e-6), fx.KennedyCarpenter()]


def oscillator(stiffness: float, damping: float = 0.0, load: object = 0.0) -> fx.Model:
    """A mass of 1 kg on a spring that is stretched by 1 mm at the start."""
    return fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"spring": Truss("O", "A", fx.Section(EA=stiffness, damping=damping)), "mass": Mass("A", 1.0)},
        fixed=["O", "A.y"],
        loads={"A.x": load} if load else {},
        start={"A.x": 1.001},
    )


def errors_of(motion: fx.Motion, omega: float) -> tuple[float, float]:
    """True errors of the position and of the force in the spring."""
    exact = 1e-3 * np.cos(omega * motion.t)
    return (
        float(np.abs(motion["A.x"] - 1.0 - exact).max()),
        float(np.abs(motion.force("spring.elongation") + omega**2 * exact).max()),
    )


@pytest.mark.parametrize("method", METHODS, ids=repr)
@pytest.mark.parametrize("verify", [False, True])
def test_the_accuracy_brackets_the_error_of_a_vibration(method: fx.Method, verify: bool) -> None:
    motion = fx.simulate(oscillator(1e4), 2.0, method=method, verify=verify)
    position, force = errors_of(motion, 100.0)
    assert motion.accuracy is not None
    assert position <= motion.accuracy["A.x"] < 1e5 * position
    assert force <= motion.accuracy.force("spring.elongation") < 1e5 * force
    assert motion.accuracy["spring.elongation.force"] == motion.accuracy.force("spring.elongation")
    assert ("second run" in motion.accuracy.source) is verify


def test_a_fixed_step_tells_its_accuracy_by_a_second_run_only() -> None:
    method = fx.RungeKutta4(1e-3)
    assert fx.simulate(oscillator(1e4), 0.5, method=method).accuracy is None
    motion = fx.simulate(oscillator(1e4), 0.5, method=method, verify=True)
    # half the step has a sixteenth of the error
    assert motion.accuracy is not None
    assert motion.accuracy["A.x"] == pytest.approx(4 / 3 * 15 / 16 * errors_of(motion, 100.0)[0], rel=0.05)


def test_tighter_settings() -> None:
    assert tightened(fx.DormandPrince(1e-6)).tolerance == pytest.approx(1e-7)
    assert tightened(fx.KennedyCarpenter(1e-6)).stress_tolerance == pytest.approx(1e-4)
    assert tightened(fx.KennedyCarpenter(step=1e-3)) == fx.KennedyCarpenter(step=5e-4)
    assert tightened(fx.Newmark(1e-3)) == fx.Newmark(5e-4)


def test_a_verified_run_with_coarse_settings_is_doubtful() -> None:
    motion = fx.simulate(oscillator(1e4), 2.0, method=fx.GeneralisedAlpha(step=1e-2), verify=True)
    assert motion.outcome is fx.Outcome.DOUBTFUL
    assert any(finding.where.endswith(".force") for finding in motion.doubts)


def test_accuracy_is_shown_and_stored(tmp_path: Path) -> None:
    motion = fx.simulate(oscillator(100.0), 1.0)
    motion.save(tmp_path / "motion.nc")
    again = fx.load(tmp_path / "motion.nc")
    assert again == motion
    assert again.accuracy["A.x'"] == motion.accuracy["A.x'"]
    assert "accuracy" in str(motion)
    assert motion.summary().accuracy == motion.accuracy.figures
    assert motion.accuracy.figures in str(motion.accuracy)


def test_a_signal_without_an_estimate_is_named() -> None:
    motion = fx.simulate(oscillator(100.0), 1.0)
    with pytest.raises(fx.ModelError, match="B"):
        motion.accuracy["B.x"]


class TestChoice:
    """Explicit where vibrations can be followed; implicit where they are too fast and do not matter."""

    def test_slow_vibrations_are_followed(self) -> None:
        motion = fx.simulate(oscillator(1e4), 1.0)
        assert motion.method.startswith("DormandPrince")
        assert motion.statistics["fastest rad/s"] == pytest.approx(100.0)

    def test_without_stiffness_nothing_is_predicted(self) -> None:
        model = fx.Model(
            nodes={"O": (0, 0), "A": (1, 0)},
            elements={"bar": Beam("O", "A", fx.Section(rhoA=1.0), rigid=True)},
            fixed=["O"],
            gravity=(0, -9.81),
        )
        assert "fastest rad/s" not in fx.simulate(model, 0.5).statistics

    def test_a_damped_stiff_spring_is_implicit_and_right(self) -> None:
        # it carries the load, and no vibration
        load = fx.Smoothstep(rise=1.0, duration=10.0)
        model = oscillator(1e8, 1e-3, load).replace(start={})
        motion = fx.simulate(model, 20.0)
        assert motion.method.startswith("KennedyCarpenter")
        assert motion.outcome is fx.Outcome.DONE
        u = np.minimum(0.1 * motion.t, 1.0)
        exact = 10 * u**3 - 15 * u**4 + 6 * u**5
        error = np.abs(motion.force("spring.elongation") + exact).max()
        assert error < 1e-2
        assert error < motion.accuracy.force("spring.elongation")

    def test_a_fast_vibration_that_is_the_motion_is_followed(self) -> None:
        motion = fx.simulate(oscillator(1e8), 0.5, samples=20_001)
        assert motion.method.startswith("DormandPrince")
        assert errors_of(motion, 1e4)[0] < 1e-7

    def test_a_vibration_too_fast_to_be_followed_is_a_doubt(self) -> None:
        motion = fx.simulate(oscillator(1e10), 2.2, samples=1001)
        assert motion.method.startswith("KennedyCarpenter")
        assert motion.outcome is fx.Outcome.DOUBTFUL


def test_runs_that_are_only_compared_have_no_local_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pilot run and the companion show errors by their differences; local errors are those of the result alone."""
    judged: list[str] = []
    estimate = simulation.with_local_errors

    def noted(machine: Any, memory: Any, method: fx.Method, motion: fx.Motion, alone: bool = False) -> fx.Motion:
        judged.append(motion.method)
        return estimate(machine, memory, method, motion, alone)

    monkeypatch.setattr(simulation, "with_local_errors", noted)
    motion = fx.simulate(oscillator(1e4), 2.0, samples=51)
    assert motion.accuracy is not None
    assert "growth" in motion.accuracy.source
    assert judged == [motion.method]
    judged.clear()
    stiff = fx.simulate(oscillator(1e10, damping=1e-5, load=fx.Sine(1.0, 1.0)).replace(start={}), 1.0, samples=51)
    assert stiff.method.startswith("KennedyCarpenter")
    assert stiff.method in judged
    assert repr(_PILOT) not in judged
