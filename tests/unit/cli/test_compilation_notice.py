"""The first compilation is announced, once."""

from __future__ import annotations

import pytest
from numba import njit

from flexura.cli import compilation_notice


def test_compilation_is_announced_once(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation_notice._announcer, "silent", True)
    plus, minus = njit(lambda x: x + 1), njit(lambda x: x - 1)
    with compilation_notice.announced():
        pass
    assert capsys.readouterr().err == ""
    with compilation_notice.announced():
        plus(1)
        minus(1)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("compiling")
    assert captured.err.count("\n") == 1
