"""Public names are fetched one by one: a first run does not wait for what it does not use."""

from __future__ import annotations

import subprocess
import sys
from inspect import unwrap

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


CHOICES = """
from flexura.laws.filters import SensorFilter
from flexura.laws.sampled_laws import SampledLaw
from flexura.laws.shapes import Shape
from flexura.laws.signals import Signal
from flexura.laws.slip_laws import SlipLaw
from flexura.model.annotations import allowed

for cls in (SensorFilter, SampledLaw, Shape, Signal, SlipLaw):
    print(cls.__name__, *sorted(each.__name__ for each in allowed(cls).classes if "flexura.laws" in each.__module__))
"""


def output(script: str) -> str:
    """What a script prints in a process of its own."""
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout


def test_a_run_imports_what_it_uses() -> None:
    assert not set(UNUSED) & set(output(ONE_RUN).split())


def test_a_file_may_name_every_law() -> None:
    """A trajectory, for example, whose module no model imports."""
    assert output(CHOICES) == output(f"import flexura.public\n{CHOICES}")
    assert "Trajectory" in output(CHOICES)


def test_names_are_those_of_the_public_module() -> None:
    """A function is fetched with a check of its arguments around it."""
    assert sorted(places()) == sorted(public.__all__)
    assert all(unwrap(fetch(name)) is unwrap(getattr(public, name)) for name in public.__all__)
