"""Diagrams over a parameter: the work is shared out however the script is run."""

import subprocess
import sys

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Mass, PointContact

SCRIPT = """
import flexura as fx
from flexura.planar import Mass, PointContact

model = fx.Model(
    nodes={"O": (0, 0), "B": (0.5, 0)},
    elements={"mass": Mass("B", 1.0), "stop": PointContact("O", "B", fx.Restitution(0.8), normal=(1, 0))},
    fixed=["O", "B.y"],
    loads={"B.x": "cos(2.8*t) - B.x"},
)
found = fx.bifurcation(model, "elements.stop.contact.e", [0.4, 0.6, 0.8], period=2.24, skip=2, periods=3, workers=2)
print(found)
"""
SAID = "<Bifurcation: 3 motions over elements.stop.contact.e>"


def model(e: float) -> fx.Model:
    return fx.Model(
        nodes={"O": (0, 0), "B": (0.5, 0)},
        elements={"mass": Mass("B", 1.0), "stop": PointContact("O", "B", fx.Restitution(e), normal=(1, 0))},
        fixed=["O", "B.y"],
        loads={"B.x": "cos(2.8*t) - B.x"},
    )


def test_workers_find_the_same():
    """To the last bit: each has a machine of its own."""
    values = np.linspace(0.3, 0.9, 24)
    one, many = (
        fx.bifurcation(model(0.8), "elements.stop.contact.e", values, period=2.24, skip=20, periods=30, workers=workers)
        for workers in (1, 4)
    )
    np.testing.assert_array_equal(one.points("B.x")[1], many.points("B.x")[1])


@pytest.mark.parametrize("way", ["script", "runpy", "module", "stdin"])
def test_workers_however_the_script_is_run(way, tmp_path):
    """With nothing to guard: not one of the ways runs the script again for every worker."""
    (tmp_path / "diagram.py").write_text(SCRIPT, encoding="utf-8")
    arguments = {
        "script": ["diagram.py"],
        "runpy": ["-c", "import runpy; runpy.run_path('diagram.py', run_name='__main__')"],
        "module": ["-m", "diagram"],
        "stdin": ["-"],
    }[way]
    done = subprocess.run(
        [sys.executable, *arguments],
        input=SCRIPT,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stdout.strip() == SAID


def test_a_motion_that_ends_early_says_where():
    driven = fx.Model(
        nodes={"O": (0, 0), "B": (0.5, 0)},
        elements={"mass": Mass("B", 1.0), "stop": PointContact("O", "B", fx.Restitution(0.5), normal=(1, 0))},
        fixed=["O", "B.y"],
        inputs={"B.x": fx.Ramp(rate=-1.0, value=0.5)},
    )
    with pytest.raises(fx.AnalysisError, match=r"at elements\.mass\.mass = 1: "):
        fx.bifurcation(driven, "elements.mass.mass", [1.0, 2.0, 3.0], period=1.0, skip=1, periods=1, workers=2)


def test_the_period_at_a_value_does_not_depend_on_the_others():
    """A free vibration of √2 rad/s, sampled every 2π s, never repeats, however large a motion is at other values."""
    oscillator = fx.Model(
        nodes={"B": (0, 0)},
        elements={"mass": Mass("B", 1.0)},
        fixed=["B.y"],
        loads={"B.x": "-2*B.x"},
        start={"B.x": 1e-6},
    )
    swings = [1e-6, 10.0]
    alone, both = (
        fx.bifurcation(oscillator, "start.B.x", values, period=2 * np.pi, skip=1, periods=20)
        for values in (swings[:1], swings)
    )
    assert alone.period("B.x", 0) == both.period("B.x", 0) == both.period("B.x", 1) == 0


def test_a_signal_that_is_sampled_where_it_is_zero_repeats():
    forced = fx.Model(
        nodes={"B": (0, 0)},
        elements={"mass": Mass("B", 1.0)},
        fixed=["B.y"],
        loads={"B.x": "3*sin(t) - 4*B.x"},  # x = sin t
        start={"B.x'": 1.0},
    )
    found = fx.bifurcation(forced, "elements.mass.mass", [1.0], period=2 * np.pi, skip=1, periods=10)
    assert np.abs(found.motions[0]["B.x"]).max() < 1e-6
    assert found.period("B.x", 0) == 1
