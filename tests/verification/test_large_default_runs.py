"""Default runs of large frames: bounded effort, right positions and largest forces, a doubt about the others."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

import flexura as fx
from flexura import planar, spatial
from flexura.analyses.motion import effort_prediction, method_choice
from flexura.analyses.motion.evaluation_cost import explicit_evaluation, implicit_evaluation
from flexura.analyses.motion.model_cache import borrowed
from flexura.mechanics.motion.equations_of_motion import accelerate

STEEL = fx.Material(E=2.1e11, rho=7850.0)


def frame(columns: int, rows: int, space: str = "planar") -> fx.Model:
    """Square cells of 0.1 m, clamped at one side, with their weight from t = 0 on."""
    beam, rest, gravity = (
        (planar.Beam, (), (0.0, -9.81)) if space == "planar" else (spatial.Beam, (0.0,), (0.0, 0.0, -9.81))
    )
    ends, elements = dict[str, str](), dict[str, Any]()

    def end(node: str, own: str) -> str:
        # the first beam at a node makes its orientation, the others are welded to it
        if node in ends:
            return ends[node]
        ends[node] = own
        return node

    for i in range(columns + 1):
        for j in range(rows + 1):
            for name, k, l in ((f"x{i}_{j}", i + 1, j), (f"y{i}_{j}", i, j + 1)):
                if k <= columns and l <= rows:
                    p, q = end(f"n{i}_{j}", f"{name}.p"), end(f"n{k}_{l}", f"{name}.q")
                    elements[name] = beam(p, q, fx.Circle(0.01), STEEL)
    return fx.Model(
        nodes={f"n{i}_{j}": (0.1 * i, 0.1 * j, *rest) for i in range(columns + 1) for j in range(rows + 1)},
        elements=elements,
        fixed=[name for j in range(rows + 1) for name in (f"n0_{j}", ends[f"n0_{j}"])],
        gravity=gravity,
    )


def errors_of_large_forces(motion: fx.Motion, exact: fx.Motion) -> float:
    """Largest error of an elongation force, of the largest range of such a force."""
    axial = [k for k, strain in enumerate(exact.strains) if strain.component == "elongation"]
    right = exact.stress[:, axial]
    return float(np.abs(motion.stress[:, axial] - right).max() / np.ptp(right, axis=0).max())


def test_steps_follow_the_largest_forces(monkeypatch: pytest.MonkeyPatch) -> None:
    model, until = frame(8, 8), 0.02
    monkeypatch.setattr(effort_prediction, "_LONG", 0.01)
    monkeypatch.setattr(method_choice, "_LONG_PILOT", 0.01)
    motion = fx.simulate(model, until, samples=41)
    exact = fx.simulate(model, until, samples=41, method=fx.DormandPrince())
    all_forces = fx.simulate(model, until, samples=41, method=fx.KennedyCarpenter())
    assert motion.outcome is fx.Outcome.DOUBTFUL
    assert motion.statistics["evaluations"] < 0.5 * all_forces.statistics["evaluations"]
    assert motion.accuracy is not None
    assert motion.accuracy.worst_position[1] <= 1e-4
    assert np.abs(motion.position[0] - exact.position[0]).max() <= 1e-4
    [finding] = [each for each in motion.findings if "smaller ones are uncertain" in each.what]
    assert finding.value is not None
    assert errors_of_large_forces(motion, exact) <= finding.value <= 0.02


@pytest.mark.parametrize("model", [frame(10, 0), frame(12, 12), frame(5, 5, "spatial")])
def test_counted_costs_are_measured_ones(model: fx.Model) -> None:
    with borrowed(model) as prepared:
        machine = prepared.start(model, moving=True)
        layout, system = machine.condensed
        x, v = machine.narrow(layout, machine.x), machine.narrow(layout, machine.v)
        a, stress, took = np.zeros_like(x), np.zeros(max(system.strain.size, 1)), []
        for _ in range(50):
            begin = time.process_time()
            accelerate(system, 0.0, x, v, a, stress)
            took.append(time.process_time() - begin)
        # machines differ by less than that
        assert 0.1 < explicit_evaluation(system) / min(took) < 10.0


def test_masses_of_frames_are_dear() -> None:
    """The evaluation of a chain costs about the same by both methods, that of a frame far more by the explicit one."""

    def ratio(model: fx.Model) -> float:
        with borrowed(model) as prepared:
            machine = prepared.start(model, moving=True)
            return implicit_evaluation(machine.stiff) / explicit_evaluation(machine.condensed[1])

    assert 0.8 < ratio(frame(60, 0)) < 1.5
    assert ratio(frame(12, 12, "spatial")) < 0.3
