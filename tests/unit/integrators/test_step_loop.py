"""The step loop: blocks of any size, and runs without headway."""

import numpy as np
import pytest

import flexura as fx
from flexura.analyses.motion.simulate import pose
from flexura.integrators import step_loop
from flexura.integrators.run_memory import DONE, NOW, RUNNING, STALLED, STATUS, STEPS
from flexura.mechanics.preparation.prepared_model import prepare
from flexura.planar import Beam

ARM = fx.Model(
    nodes={"O": (0, 0), "A": (1, 0)},
    elements={"arm": Beam("O", "A", fx.Section(EA=1e6, EI=50.0, rhoA=0.5))},
    fixed=["O"],
    gravity=(0.0, -9.81),
)
METHODS = [fx.DormandPrince(1e-6), fx.Adams(1e-6), fx.GeneralisedAlpha(), fx.KennedyCarpenter()]


def run(method, budget, monkeypatch):
    """Integrate in blocks of a size."""
    advance = step_loop.advance
    monkeypatch.setattr(step_loop, "advance", lambda s, m, _: advance(s, m, budget))
    problem = pose(prepare(ARM), np.array([0.0, 0.05]), method)
    memory, _ = step_loop.integrate(problem, method, lambda _: None)
    monkeypatch.undo()
    return memory


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_blocks_of_one_trial_end_and_give_the_same_motion(method, monkeypatch):
    """A step that is rejected must be tried again shorter, in the next block too."""
    one, many = (run(method, budget, monkeypatch) for budget in (1, 1000))
    assert one.count[STATUS] == many.count[STATUS] == DONE
    assert one.count[STEPS] == many.count[STEPS]
    assert np.array_equal(one.x, many.x)


def test_a_run_without_headway_ends(monkeypatch):
    """Steps that come to nothing beside the time asked for: a thousand of them are enough to know."""
    method = fx.RungeKutta4(step=1e-17)
    problem = pose(prepare(ARM), np.array([0.0, 1.0]), method)
    memory, _ = step_loop.integrate(problem, method, lambda _: None)
    assert memory.count[STATUS] == STALLED != RUNNING
    assert 0.0 < memory.clock[NOW] < 1e-13
    motion = fx.simulate(ARM, 1.0, method=method)
    assert motion.outcome is fx.Outcome.STALLED
    assert not motion.outcome.good
