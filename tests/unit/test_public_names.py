"""Public names are fetched one by one: a first run does not wait for what it does not use."""

from __future__ import annotations

import subprocess
import sys

from flexura import public
from flexura.public_names import fetch, places

ONE_RUN = """
import sys
import flexura as fx
from flexura.planar import Beam

rod = fx.Section(rhoA=1.0)
model = fx.Model(nodes={"O": (0, 0), "A": (1, 0)}, elements={"rod": Beam("O", "A", rod, rigid=True)}, fixed=["O"])
fx.simulate(model, until=0.01)
print(*sys.modules)
"""
UNUSED = ("flexura.public", "flexura.plotting", "flexura.formats", "flexura.analyses.gradients", "scipy.optimize")


def test_a_run_imports_what_it_uses() -> None:
    done = subprocess.run([sys.executable, "-c", ONE_RUN], capture_output=True, text=True, check=True)
    assert not set(UNUSED) & set(done.stdout.split())


def test_names_are_those_of_the_public_module() -> None:
    assert sorted(places()) == sorted(public.__all__)
    assert all(fetch(name) is getattr(public, name) for name in public.__all__)
