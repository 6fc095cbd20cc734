"""The command line in this process."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import Result
from typer.testing import CliRunner

from flexura.cli.app import app


@pytest.fixture
def invoke() -> Callable[..., Result]:
    """Call ``flexura`` with these words."""
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words])
