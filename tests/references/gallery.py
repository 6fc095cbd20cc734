"""The models of the gallery, as the tests use them."""

from __future__ import annotations

import runpy
from functools import cache
from pathlib import Path

import flexura as fx

EXAMPLES = Path(__file__).parents[2] / "examples"


@cache
def model(name: str) -> fx.Model:
    """The model of an example."""
    found: fx.Model = runpy.run_path(str(EXAMPLES / f"{name}.py"))["model"]
    return found
