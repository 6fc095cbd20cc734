"""Default method of a run: not much dearer than the fastest method of the package at its accuracy."""

from __future__ import annotations

import pytest

from references.accuracy_models import cases
from references.method_costs import cost_of

CASES = {name: (model, until) for name, model, until in cases()}
SAMPLE = (
    "crank 0.003 2 20.0 0.02",
    "crank 0.006 4 60.0 0.02",
    "cantilever, step",
    "cantilever, damped step",
    "strip, soft",
)
MOST, CALLS = 3.0, 0.005
"""Cost over that of the fastest method, and seconds that the calls of a pilot and of tighter runs take besides."""


def dearer(name: str) -> str:
    """Report of a default that is too dear; empty where it is not."""
    found = cost_of(*CASES[name])
    if found is None or found.default <= MOST * found.fastest + CALLS:
        return ""
    return f"{name}: {found.chosen} takes {found.ratio:.1f} times as long as {found.method}"


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLE)
def test_the_default_of_a_sample_is_not_dear(name: str) -> None:
    assert not dearer(name)


@pytest.mark.slow
def test_the_defaults_of_forty_machines_are_not_dear() -> None:
    assert not [report for name in CASES if (report := dearer(name))]
