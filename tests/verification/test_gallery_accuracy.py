"""Every example of the gallery that moves is right with default settings, or says that it may not be."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam
from references.converged_runs import Comparison, compare, converged
from references.gallery import moving

SAMPLE = ("pendulum: swing", "ravn_impact: two_turns", "stick_slip: ten_seconds", "journal_with_clearance: full")


@cache
def measured(name: str) -> tuple[fx.Outcome, Comparison | None]:
    """Outcome of a run with default settings, and its errors where it claims to be right."""
    model, told = moving()[name]
    motion = fx.simulate(model, **told)
    assert motion.outcome.good or motion.outcome is fx.Outcome.DOUBTFUL, motion.note
    if motion.outcome is fx.Outcome.DOUBTFUL:
        return motion.outcome, None
    return motion.outcome, compare(motion, converged(motion, model, events=told["events"]))


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in SAMPLE else pytest.mark.slow) for n in moving()])
def test_an_example_is_right_or_doubtful(name: str) -> None:
    _, found = measured(name)
    assert found is None or found.right, found


@pytest.mark.slow
def test_accuracy_brackets_the_errors() -> None:
    """Of nearly all signals, and few examples are doubtful."""
    found = [comparison for _, comparison in map(measured, moving())]
    assert np.mean([each for one in found if one is not None for each in one.bracketed]) >= 0.95
    assert sum(one is None for one in found) <= 0.1 * len(found)


# -- errors that grow --------------------------------------------------------------------------------------------------


def double_pendulum() -> fx.Model:
    """Two bars that fall from the horizontal: chaotic, with errors that grow e-fold in a fraction of a second."""
    bar = fx.Section(rhoA=1.0)
    return fx.Model(
        nodes={"O": (0, 0), "A": (1, 0), "B": (2, 0)},
        elements={"upper": Beam("O", "A", bar, rigid=True), "lower": Beam("A", "B", bar, rigid=True)},
        fixed=["O"],
        gravity=(0, -9.81),
    )


@pytest.mark.parametrize(("until", "right"), [(10.0, True), (30.0, False)])
def test_errors_of_a_chaotic_motion_grow(until: float, right: bool) -> None:
    """All steps are right to the tolerance; the position is, too, for a while."""
    model = double_pendulum()
    motion = fx.simulate(model, until)
    assert (motion.outcome is fx.Outcome.DONE) == right
    exact = fx.simulate(model, until, method=fx.DormandPrince(1e-12))
    error = float(np.abs(motion["B.x"] - exact["B.x"]).max())
    assert error < 1e-6 if right else error > 0.1
    assert motion.accuracy is not None
    assert error <= motion.accuracy["B.x"]
    assert any("small errors grow" in doubt.advice for doubt in motion.doubts) is not right
