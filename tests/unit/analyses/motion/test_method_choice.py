"""Choice of the method: the cost of pilot runs."""

from importlib import import_module

import pytest

import flexura as fx
from flexura.analyses.motion.method_choice import EXPLICIT
from flexura.planar import Mass, Truss

simulation = import_module("flexura.analyses.motion.simulate")


@pytest.mark.filterwarnings("ignore::flexura.errors.UnfinishedRun")
@pytest.mark.parametrize("k", [-1e7, -1e9])
def test_the_pilot_run_of_an_unstable_model_ends(monkeypatch: pytest.MonkeyPatch, k: float) -> None:
    """Motions that grow without bound take ever smaller steps of the implicit method."""
    evaluations: dict[str, float] = {}
    run = simulation._Runs.__call__

    def counted(self, method, *arguments):
        motion = run(self, method, *arguments)
        evaluations[type(method).__name__] = motion.statistics["evaluations"]
        return motion

    monkeypatch.setattr(simulation._Runs, "__call__", counted)
    model = fx.Model(
        nodes={"O": (0, 0), "B": (1, 0)},
        elements={"spring": Truss("O", "B", fx.Section(EA=0.0)), "mass": Mass("B", 1.0)},
        fixed=["O", "B.y"],
        laws={"spring.elongation": fx.LinearLaw(k=k)},
        start={"B.x": 1.1},
    )
    motion = fx.simulate(model, until=2.0, samples=3)
    assert motion.outcome is fx.Outcome.NOT_FINITE
    assert "grew without bound" in motion.outcome.value
    # limits are examined after blocks of at most 20 000 steps, of some twelve evaluations
    assert evaluations["KennedyCarpenter"] <= motion.statistics["predicted explicit evaluations"] + 12 * 20_000
    assert type(EXPLICIT).__name__ in evaluations
