"""The models of the gallery, as the tests use them."""

from __future__ import annotations

import runpy
from functools import cache
from pathlib import Path
from typing import Any

import flexura as fx
from flexura.model.files import load_file

EXAMPLES = Path(__file__).parents[2] / "examples"


@cache
def model(name: str) -> fx.Model:
    """The model of an example."""
    found: fx.Model = runpy.run_path(str(EXAMPLES / f"{name}.py"))["model"]
    return found


MOVING = {"simulate", "kinematics", "superpose"}
MOST_SAMPLES = 801


@cache
def moving() -> dict[str, tuple[fx.Model, dict[str, Any]]]:
    """Runs of the files that move a model, by name: the model and what a simulation of it is told, but for a method."""
    found = {}
    for path in sorted(EXAMPLES.glob("*.toml")):
        content = load_file(path)
        for name, run in content.runs.items():
            if run["analysis"] in MOVING:
                events = tuple(fx.Event(**event) for event in run.get("events", ()))
                samples = min(run.get("samples", MOST_SAMPLES), MOST_SAMPLES)
                found[f"{path.stem}: {name}"] = (
                    content.model,
                    {"until": run["until"], "samples": samples, "events": events},
                )
    return found
