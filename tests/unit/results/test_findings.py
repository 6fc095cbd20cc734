"""Findings change outcomes, summaries and exit codes."""

from __future__ import annotations

from dataclasses import replace

import pytest

import flexura as fx
from flexura.cli.command_output import DOUBTFUL, FAILED, MISTAKEN, gravest

NOTE = fx.Finding("the start was changed")
DOUBT = fx.Finding("energy balance", "doubt", 0.25, "rod", 3e-3, 1e-6, "tighten the tolerance")


def test_a_doubt_makes_a_good_outcome_doubtful(motion: fx.Motion) -> None:
    done = replace(motion, outcome=fx.Outcome.DONE, findings=())
    assert done.with_findings(NOTE).outcome is fx.Outcome.DONE
    doubtful = done.with_findings(NOTE, DOUBT)
    assert doubtful.outcome is fx.Outcome.DOUBTFUL
    assert not doubtful.outcome.good
    assert doubtful.doubts == (DOUBT,)
    assert doubtful.note == "the start was changed"


def test_a_failure_stays_a_failure(motion: fx.Motion) -> None:
    found = motion.with_findings(DOUBT)
    assert found.outcome is fx.Outcome.SINGULAR
    assert found.findings[-1] is DOUBT


def test_summary_and_description_show_findings(motion: fx.Motion) -> None:
    doubtful = replace(motion, outcome=fx.Outcome.DONE, findings=()).with_findings(NOTE, DOUBT)
    said = "energy balance (rod) at 0.25 s: 0.003, allowed 1e-06; tighten the tolerance"
    assert str(DOUBT) == said
    summary = doubtful.summary()
    assert summary.doubtful
    assert not summary.failed
    assert summary.trouble.endswith(said)
    assert summary.remarks[-2:] == ("the start was changed", said)
    assert f"doubt     {said}" in str(doubtful)


@pytest.mark.parametrize(
    ("codes", "code"),
    [([0, 0], 0), ([0, DOUBTFUL], DOUBTFUL), ([DOUBTFUL, FAILED], FAILED), ([FAILED, MISTAKEN, DOUBTFUL], MISTAKEN)],
)
def test_the_gravest_run_gives_the_exit_code(codes: list[int], code: int) -> None:
    assert gravest(codes) == code
