"""Files whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from flexura.atomic_files import whole
from flexura.errors import ModelError


def test_a_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    with whole(tmp_path / "file.txt") as draft:
        draft.write_text("text")
        assert not (tmp_path / "file.txt").exists()
    assert (tmp_path / "file.txt").read_text() == "text"
    assert len(list(tmp_path.iterdir())) == 1


def test_what_was_there_stays_when_writing_fails(tmp_path: Path) -> None:
    (tmp_path / "file.txt").write_text("before")
    with pytest.raises(KeyError), whole(tmp_path / "file.txt") as draft:  # noqa: PT012 - the failure is in the middle
        draft.write_text("half")
        raise KeyError
    assert (tmp_path / "file.txt").read_text() == "before"
    assert len(list(tmp_path.iterdir())) == 1


def test_places_that_cannot_be_written_to(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"there is no folder .*; make it first"), whole(tmp_path / "no" / "file.txt"):
        pass
    with pytest.raises(ModelError, match="this is a folder; give the name of a file"), whole(tmp_path):
        pass
    with pytest.raises(ModelError, match="the file cannot be written: no such file"), whole(tmp_path / "file.txt"):
        pass
