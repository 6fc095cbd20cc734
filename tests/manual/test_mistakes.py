"""Mistakes of new users: each message is that of the list, and has a place, an error and a remedy."""

from __future__ import annotations

import re

import pytest

from flexura.elements import element
from manual.mistakes import Mistake, beginning, message, mistakes

MISTAKES = mistakes()


@pytest.fixture(scope="module")
def names():
    return beginning()


def test_there_are_many() -> None:
    assert len(MISTAKES) >= 100
    assert len({mistake.title for mistake in MISTAKES}) == len(MISTAKES)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.title.replace(" ", "_"))
def test_the_message_is_that_of_the_list(mistake: Mistake, names, tmp_path, monkeypatch) -> None:
    # elements that other tests define are no part of the program
    built_in = {key: cls for key, cls in element._registry.items() if cls.__module__.startswith("flexura.")}
    monkeypatch.setattr(element, "_registry", built_in)
    monkeypatch.chdir(tmp_path)
    assert message(mistake, names) == mistake.message, "after a change: python tests/manual/mistakes.py, then read"


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.title.replace(" ", "_"))
def test_it_names_place_error_and_remedy(mistake: Mistake) -> None:
    said = mistake.message
    if mistake.language == "python" and not mistake.code.startswith("print("):
        assert re.match(r"(ModelError|AnalysisError|AttributeError|FrozenInstanceError): ", said)
    assert not re.search(r"Traceback|0x[0-9a-f]{6,}|site-packages|KeyError|TypeError|ValueError", said)
    # the remedy follows a semicolon
    error, _, remedy = said.rstrip().rpartition("; ")
    assert error
    assert len(remedy.split()) >= 2
