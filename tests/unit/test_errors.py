"""Errors say where, what and the remedy."""

from __future__ import annotations

import pickle

import pytest

from flexura.errors import AnalysisError, ModelError, did_you_mean


def test_the_three_parts_are_joined() -> None:
    assert str(ModelError("elements.rod", "it is bent", "straighten it")) == "elements.rod: it is bent; straighten it"
    assert str(ModelError("", "it is bent")) == "it is bent"
    assert str(ModelError("elements.rod", "it is bent").within("a.toml")) == "a.toml: elements.rod: it is bent"


@pytest.mark.parametrize("error", [ModelError("a", "b", "c"), AnalysisError("stuck", partial=[1, 2])])
def test_errors_travel_between_processes(error: Exception) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)


@pytest.mark.parametrize(
    ("word", "options", "remedy"),
    [
        ("sectoin", ["p", "section"], "did you mean 'section'?"),
        ("beam", ["Truss", "Beam"], "did you mean 'Beam'?"),
        ("xyz", ["left", "right"], "options are left, right"),
        ("xyz", [], "there are none to choose from"),
        ("xyz", [f"node{i}" for i in range(14)], "node11 and 2 more"),
    ],
)
def test_did_you_mean(word: str, options: list[str], remedy: str) -> None:
    assert did_you_mean(word, options).endswith(remedy)
