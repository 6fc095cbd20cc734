"""Runs that do not reach their end speak up."""

import warnings

import pytest

import flexura as fx
from flexura.errors import UnfinishedRun

PENDULUM = fx.Model(
    nodes={"O": (0, 0), "A": (1, 0)},
    elements={"arm": fx.planar.Beam("O", "A", fx.Section(rhoA=1.0), rigid=True)},
    fixed=["O"],
    gravity=(0, -9.81),
)
SHORT = fx.Limits(steps=3)


def test_a_run_that_ends_early_warns_once_and_keeps_what_there_is():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(3):
            motion = fx.simulate(PENDULUM, 10.0, limits=SHORT)
    assert [entry.category for entry in caught] == [UnfinishedRun]
    message = str(caught[0].message)
    assert message.startswith("the run ended at t = ")
    assert "of 10 s: a limit of the run was reached" in message
    assert message.endswith("With strict=True this is an error.")
    assert caught[0].filename == __file__
    assert motion.t.size > 1


def test_strict_raises_with_the_result_so_far():
    with pytest.raises(fx.AnalysisError, match=r"the run ended at t = .* s of 10 s: a limit of the run") as error:
        fx.simulate(PENDULUM, 10.0, limits=SHORT, strict=True)
    assert error.value.partial.outcome is fx.Outcome.LIMITED


def test_a_motion_out_of_reach_warns_too():
    reach = PENDULUM.replace(nodes={"O": (0, 0), "A": (0.6, 0.8)}, inputs={"A.x": "0.6 + t"})
    with pytest.warns(UnfinishedRun, match="the links cannot be assembled"):
        fx.kinematics(reach, until=1.0, samples=11)


def test_good_runs_are_silent():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fx.simulate(PENDULUM, 0.1, strict=True)
