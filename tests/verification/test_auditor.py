"""Mutation test of the auditor: a sign error planted in the package is found by a run of the gallery.

Each mutant is the package with one line changed, run without compilation in a process of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import flexura as fx

EXAMPLES = Path(__file__).parents[2] / "examples"

RUN = """
import importlib.machinery
import json
import sys

module, old, new, path, until = json.loads(sys.argv[1])
decode = importlib.machinery.SourceFileLoader.get_data


def mutated(self, file):
    data = decode(self, file)
    if not file.endswith(module):
        return data
    text = data.decode()
    assert text.count(old) == 1, f"{module} has the line to change {text.count(old)} times: choose another"
    return text.replace(old, new).encode()


importlib.machinery.SourceFileLoader.get_data = mutated
sys.dont_write_bytecode = True
importlib.machinery.SourceFileLoader.path_stats = lambda self, file: (_ for _ in ()).throw(OSError)

import flexura as fx

limits = fx.Limits(steps=150)
motion = fx.simulate(fx.Model.from_file(path), until, samples=11, method=fx.DormandPrince(1e-7), limits=limits)
print(json.dumps([motion.outcome.name, [finding.what for finding in motion.doubts]]))
"""


class Mutant(NamedTuple):
    """A line of a module that is changed, and the model of the gallery that shows it."""

    module: str
    old: str
    new: str
    example: str
    until: float
    said: str


FRICTION = "mechanics/motion/sliding_friction.py"
MOTION = "mechanics/motion/equations_of_motion.py"
MUTANTS = {
    "friction pushes the bodies along": Mutant(
        FRICTION, "] -= out[slopes.source[e]] * part", "] += out[slopes.source[e]] * part", "stick_slip", 0.6, "energy"
    ),
    "friction points along the slip": Mutant(
        FRICTION,
        "g.pull[i, 0] = g.direction[i, 0]\n        return",
        "g.pull[i, 0] = -g.direction[i, 0]\n        return",
        "stick_slip",
        0.6,
        "friction does positive work",
    ),
    "contact damping drives": Mutant(
        "laws/hertz.py", "return 1.0 + lost * rate", "return 1.0 - lost * rate", "ravn_hertz", 2.5e-3, "positive work"
    ),
    "contact pulls": Mutant(
        "laws/hertz.py", "* maximum(self._loss(", "* -maximum(self._loss(", "ravn_hertz", 2e-3, "pulls"
    ),
    "drive has its rate reversed": Mutant(
        MOTION, "v[c] = registers", "v[c] = -registers", "slider_crank_flexible", 2e-3, "energy"
    ),
    "drive has its work reversed": Mutant(
        "mechanics/motion/powers.py",
        "given += out[reactions.slope.source[i]]",
        "given -= out[reactions.slope.source[i]]",
        "slider_crank_flexible",
        2e-3,
        "energy",
    ),
    "load acts the other way": Mutant(
        MOTION, "z[place] += s.program", "z[place] -= s.program", "stick_slip", 0.6, "energy"
    ),
    "centrifugal force is dropped": Mutant(
        "derive/kinds.py",
        "total = [t + distribute(g, convective) for",
        "total = [t for",
        "slider_crank_flexible",
        2e-3,
        "energy",
    ),
    "gyroscopic force is dropped": Mutant(
        "derive/rotary_inertia.py", "(c - u) * p for t", "c * p for t", "spinning_top", 0.05, "momentum"
    ),
}


def run(mutant: Mutant) -> tuple[str, list[str]]:
    """Outcome and doubts of a run of a mutant."""
    path = str(EXAMPLES / f"{mutant.example}.toml")
    given = json.dumps([mutant.module, mutant.old, mutant.new, path, mutant.until])
    environment = os.environ | {"FLEXURA_INTERPRET": "1"}
    done = subprocess.run(
        [sys.executable, "-c", RUN, given], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    outcome, doubts = json.loads(done.stdout)
    return outcome, doubts


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_found(name: str) -> None:
    outcome, doubts = run(MUTANTS[name])
    assert outcome in {"DOUBTFUL", "LIMITED"}
    assert any(MUTANTS[name].said in doubt for doubt in doubts), doubts


@pytest.mark.parametrize("example", sorted({(mutant.example, mutant.until) for mutant in MUTANTS.values()}))
def test_the_package_as_it_is_raises_no_doubt(example: tuple[str, float]) -> None:
    name, until = example
    model = fx.Model.from_file(EXAMPLES / f"{name}.toml")
    motion = fx.simulate(model, until, samples=11, method=fx.DormandPrince(1e-7))
    assert (motion.outcome, motion.doubts) == (fx.Outcome.DONE, ())
