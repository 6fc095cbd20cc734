"""Threads that share the steps of a large model change no bit of its motion."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx
from flexura import planar, spatial
from flexura.integrators import step_loop
from flexura.mechanics.core.team import THREADS

STEEL = fx.Material(E=2.1e11, rho=7850.0, damping=1e-5)


def chain(space: str, count: int) -> fx.Model:
    """Clamped beams in a row with a load at the tip."""
    beam, rest = (planar.Beam, (0.0,)) if space == "planar" else (spatial.Beam, (0.0, 0.0))
    nodes = {f"n{i}": (i / count, *rest) for i in range(count + 1)}
    elements = {f"b{i}": beam(f"b{i - 1}.q" if i else "n0", f"n{i + 1}", fx.Circle(0.01), STEEL) for i in range(count)}
    return fx.Model(nodes=nodes, elements=elements, fixed=["n0", "b0.p"], loads={f"n{count}.y": -20.0})


@pytest.mark.parametrize(("space", "count"), [("planar", 700), ("spatial", 260)])
@pytest.mark.parametrize("step", [0.0, 2e-4])
def test_threads_change_no_bit(space: str, count: int, step: float, monkeypatch: pytest.MonkeyPatch) -> None:
    model, seen = chain(space, count), list[int]()
    follow = step_loop.follow

    def watched(problem: step_loop.Problem, *rest: object) -> object:
        seen.append(int(problem.system.factors.team.desk[THREADS]))
        return follow(problem, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(step_loop, "follow", watched)
    method = fx.KennedyCarpenter(step=step)
    until = 6e-4 if step else 1e-6
    one, two = (fx.simulate(model, until=until, samples=3, method=method, threads=n) for n in (1, 2))
    assert seen == [1, 2]
    for order in range(3):
        np.testing.assert_array_equal(one.position[order], two.position[order])
    assert one.statistics == two.statistics


def test_small_models_run_in_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small model is not divided: the argument is allowed, and has no effect."""
    model = chain("planar", 8)
    one, two = (fx.simulate(model, until=1e-3, samples=3, method=fx.KennedyCarpenter(), threads=n) for n in (1, 2))
    np.testing.assert_array_equal(one.position[0], two.position[0])
