"""Runs that begin again from a known start, and models that runs of a study share."""

from __future__ import annotations

import numpy as np

import flexura as fx
from flexura.analyses.motion.model_cache import borrowed
from flexura.analyses.studies.job import Job
from flexura.planar import Mass, Truss


def oscillator() -> fx.Model:
    """A mass on a spring."""
    return fx.Model(
        nodes={"W": (-1, 0), "B": (0, 0)},
        elements={"mass": Mass("B", 1.0), "spring": Truss("W", "B", fx.Section(EA=4.0))},
        fixed=["W", "B.y"],
        start={"B.x": 0.1, "B.x'": 0.3},
    )


def test_a_restart_undoes_what_a_run_has_changed():
    """State and arrays are those of the start, to the last bit."""
    model = oscillator()
    with borrowed(model) as prepared:
        machine = prepared.start(model, moving=True)
        fresh = [machine.x.copy(), machine.v.copy(), *(array.copy() for array in machine.condensed[1].changing())]
        machine.x += 1.0
        machine.v += 1.0
        for array in machine.condensed[1].changing():
            array[...] = 7
        again = machine.restart(model)
        assert again is machine
        found = [again.x, again.v, *again.condensed[1].changing()]
        assert all(one.tobytes() == other.tobytes() for one, other in zip(found, fresh, strict=True))


def test_a_restart_with_another_model_takes_up_its_start():
    """The rates are those of the other model."""
    model, other = oscillator(), oscillator().replace(start={"B.x": 0.1, "B.x'": 0.5})
    with borrowed(model) as prepared:
        prepared.start(model, moving=True)
        assert np.abs(prepared.restart(other).v).max() == 0.5


def test_runs_with_the_same_values_share_a_model():
    """Starts differ, elements are the very same; another value is another model."""
    job = Job(oscillator(), fx.simulate, {}, {}, parameters=("elements.mass.mass", "start.B.x"))
    pairs = ((2.0, 0.1), (2.0, 0.2), (3.0, 0.2))
    one, two, three = (job._changed({"elements.mass.mass": mass, "start.B.x": x})[0] for mass, x in pairs)
    assert one.elements is two.elements
    assert (one.start["B.x"], two.start["B.x"]) == (0.1, 0.2)
    assert (one.elements["mass"].mass, three.elements["mass"].mass) == (2.0, 3.0)
