"""Kernels of whole models give the bits of the general code, for every number and state."""

import numpy as np
import pytest

import flexura as fx
from flexura import spatial
from flexura.analyses.motion.model_cache import CACHE
from flexura.derive.kernels import LANES
from flexura.derive.machine_code import load
from flexura.mechanics.motion import mixed_iteration, whole_model
from flexura.mechanics.motion.equations_of_motion import (
    ACCELERATE,
    SOLUTION,
    STAGE,
    WHOLE,
    accelerate,
    accelerate_stage,
    drive,
)
from flexura.mechanics.motion.mixed_iteration import correct_stresses, linearise, unbalanced
from flexura.mechanics.motion.whole_model import OwnCode, iteration_entries, whole_entries
from flexura.mechanics.motion.whole_model_kernel import WholeModel
from flexura.mechanics.preparation.prepared_model import prepare
from flexura.model.gallery import example
from flexura.planar import Beam, Mass
from unit.mechanics.models import BAR, MODELS, driven

T = 0.3


def crank(**given):
    """A rigid slider-crank under gravity: nothing but links and masses."""
    return fx.Model(
        nodes={"O": (0, 0), "A": (0.1, 0.1), "B": (0.5, 0)},
        elements={
            "crank": Beam("O", "A", BAR, rigid=True),
            "rod": Beam("A", "B", BAR, rigid=True),
            "piston": Mass("B", 0.5),
        },
        fixed=["O", "B.y"],
        gravity=(0, -9.81),
        **{"start": {"crank.p.phi'": 10.0}} | given,
    )


CASES = {
    "rigid links": (crank, {ACCELERATE, STAGE}),
    "driven crank": (lambda: crank(start={}, inputs={"crank.p.phi": "10*t"}), {WHOLE}),
    "linear laws": (lambda: example("elliptic_pendulum"), {WHOLE}),
    "many of a kind": (lambda: example("four_bar"), {WHOLE}),
    "links without mass": (lambda: example("slider_crank_rigid"), {WHOLE}),
    "contact law": (lambda: example("journal_with_clearance"), {SOLUTION}),
    "feedback": (lambda: example("motor_in_series"), {SOLUTION}),
    "rolling": (lambda: example("sleigh"), {ACCELERATE, STAGE}),
    "space": (lambda: example("eulers_disc"), {SOLUTION}),
    "impacts": (lambda: example("ravn_impact"), {WHOLE}),
    "dry friction": (lambda: example("stick_slip"), set()),
    "large": (lambda: example("elastica"), set()),
    "factors in panels": (lambda: example("iltis"), set()),
} | {name: (model, None) for name, model in MODELS.items()}


def flexible(parts=3, **given):
    """A falling cantilever of a few beams with loads in time."""
    section = fx.Section(EA=400.0, EI=2.0, rhoA=0.4, **given)
    return fx.Model(
        nodes={"O": (0, 0), "B": (1, 0)},
        elements={"arm": Beam("O", "B", section, parts=parts)},
        fixed=["arm.p"],
        gravity=(0, -9.81),
        loads={"B.x": "sin(3*t)"},
    )


def arm():
    """Eight flexible beams in space on a hinge: over 600 slopes of strains with laws."""
    section = fx.Section(EA=1e5, EIy=1.0, EIz=4.0, GIt=1.0, rhoA=0.05, rhoIy=1e-7, rhoIz=4e-7)
    elements = {
        "arm": spatial.Beam("O", "B", section, y_axis=(0, 1, 0), parts=8),
        "hinge": spatial.Hinge("O", "arm.p", axis=(0, 0, 1)),
    }
    return fx.Model(nodes={"O": (0, 0, 0), "B": (1, 0, 0)}, elements=elements, fixed=["hinge.p"], gravity=(0, 0, -9.81))


def evaluate(system, x, v, function=accelerate):
    """All that an evaluation leaves behind."""
    a, stress = np.zeros_like(x), np.zeros(max(system.strain.size, 1))
    x, v, f = x.copy(), v.copy(), system.factors
    for left in (system.motion.out, f.values, f.scaled, system.z, system.strain, system.rate, system.power):
        left[:] = 0.0
    function(system, T, x, v, a, stress)
    pivots = f.values[: system.z.size].copy()
    left = [system.motion.out, f.scaled, system.z, system.strain, system.rate, system.power]
    return [a, stress, x, v, pivots, *(array.copy() for array in left)]


@pytest.mark.parametrize(("name", "long"), [*((name, False) for name in CASES), ("large in space", True)])
def test_bits_of_the_general_code(name, long):
    model, expected = CASES.get(name) or ((lambda: example("slider_crank_loose")), {SOLUTION})
    machine = prepare(model())
    layout, system = machine.condensed
    general = system.entry.copy()
    own = whole_entries(layout, system, long)
    changed = set(np.flatnonzero(own != general).tolist())
    assert expected is None or changed == expected
    random = np.random.default_rng(3)
    for _ in range(3):
        x, v = machine.narrow(layout, machine.x), machine.narrow(layout, machine.v)
        x[system.free] += 1e-3 * random.standard_normal(system.free.size)
        v[system.free] += random.standard_normal(system.free.size)
        # other numbers of the elements, in place
        system.number[:] *= 1.0 + 0.1 * random.random(system.number.size)
        system.entry[:] = general
        right = evaluate(system, x, v)
        system.entry[:] = own
        for found, wanted in zip(evaluate(system, x, v), right, strict=True):
            np.testing.assert_array_equal(found, wanted)
        for found, wanted in zip(evaluate(system, x, v, accelerate_stage)[:2], right, strict=False):
            np.testing.assert_array_equal(found, wanted)


def test_closed_contacts_have_the_general_code():
    """The kernel is that of open contacts, whose rows have no place in it."""
    machine = prepare(example("slider_crank_block"))
    layout, system = machine.condensed
    x, v = machine.narrow(layout, machine.x), machine.narrow(layout, machine.v) + 1.0
    general, own, found = system.entry.copy(), whole_entries(layout, system), []
    for closed in (0, 1):
        system.switches.on[:] = closed
        for entry in (general, own):
            system.entry[:] = entry
            found.append(evaluate(system, x, v))
    for pair in (found[:2], found[2:]):
        for one, other in zip(*pair, strict=True):
            np.testing.assert_array_equal(one, other)
    assert np.abs(found[2][0] - found[0][0]).max() > 0.1


@pytest.mark.parametrize(("name", "entry"), [("rigid links", ACCELERATE), ("many of a kind", WHOLE)])
def test_elements_are_written_out_or_called_with_the_same_bits(name, entry):
    """Alone, in lanes side by side, or by their kernels: groups of one, two and four elements."""
    machine, found, sources = prepare(CASES[name][0]()), [], []
    layout, system = machine.condensed
    x, v = machine.narrow(layout, machine.x), machine.narrow(layout, machine.v) + 1.0
    for most in (0, 2, LANES):
        sources.append(WholeModel(layout, system, fused=True, stage=False, most=most).source())
        system.entry[entry] = load(sources[-1], "kernel")
        found.append(evaluate(system, x, v))
    assert len(set(sources)) > 1
    for other in found[1:]:
        for left, right in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(left, right)


@pytest.mark.parametrize("name", ["flexible", "damped", "held and driven", "spatial", "large"])
def test_bits_of_the_general_iteration(name):
    model = {"flexible": flexible, "damped": lambda: flexible(damping=1e-3), "held and driven": driven, "spatial": arm}
    machine = prepare(model.get(name, lambda: flexible(parts=60))())
    system, layout = machine.stiff, machine.condensed[0]
    general, own = system.entry.copy(), iteration_entries(system)
    assert np.count_nonzero(own != general) == (0 if name == "large" else 3)
    random, found = np.random.default_rng(5), []
    x, v = machine.narrow(layout, machine.x), machine.narrow(layout, machine.v)
    x[system.free] += 1e-3 * random.standard_normal(system.free.size)
    v[system.free] += random.standard_normal(system.free.size)
    a, start = random.standard_normal(x.size), random.standard_normal(system.strain.size)
    for entry in (general, own):
        system.entry[:] = entry
        stress, s = start.copy(), system
        drive(s, T, x, v, a)
        linearise(s, x, v, a, stress, 1e4, 1e2)
        for left in (s.z, s.mixed.gap, s.mixed.demand, s.mixed.change, s.strain, s.rate):
            left[:] = 0.0
        mixed_iteration.evaluate(s, x, v, a)
        unbalanced(s, stress, s.z)
        found.append([s.z.copy(), s.mixed.gap.copy(), s.mixed.demand.copy(), s.strain.copy(), s.rate.copy()])
        correct_stresses(s, stress, s.z)
        found[-1] += [stress, s.mixed.change.copy()]
    for general_array, own_array in zip(*found, strict=True):
        np.testing.assert_array_equal(own_array, general_array)


@pytest.mark.parametrize("name", ["rigid links", "linear laws", "contact law", "impacts"])
def test_motions_do_not_depend_on_the_choice(name, monkeypatch):
    model, found = CASES[name][0](), []
    signals = [f"{node}.x" for node in model.nodes]
    for most in (-1, 100):
        files = {}
        monkeypatch.setattr(whole_model, "read_sealed", files.get)
        monkeypatch.setattr(whole_model, "write_sealed", files.__setitem__)
        monkeypatch.setattr(whole_model, "_MOST_RUNS", most)
        CACHE.models.clear()
        motion = fx.simulate(model, until=0.05, method=fx.DormandPrince())
        found.append([motion[signal] for signal in signals] + [motion.force(signal) for signal in signals])
    CACHE.models.clear()
    np.testing.assert_array_equal(*found)


def test_new_structures_are_compiled_when_they_come_back(monkeypatch):
    files = {}
    monkeypatch.setattr(whole_model, "read_sealed", files.get)
    monkeypatch.setattr(whole_model, "write_sealed", files.__setitem__)
    layout, system = prepare(crank()).condensed
    general, first = system.entry.copy(), OwnCode(layout, system, stiff=False)
    own = [np.array_equal(first.for_run(), general) for _ in range(5)]
    assert own == [True, True, True, False, False]
    again = OwnCode(*prepare(crank()).condensed, stiff=False)
    np.testing.assert_array_equal(again.for_run(), first.for_run())


def test_structures_that_run_for_long_get_larger_kernels(monkeypatch):
    """Their factors have the bits of before with optimised registers, too."""
    files = {}
    monkeypatch.setattr(whole_model, "read_sealed", files.get)
    monkeypatch.setattr(whole_model, "write_sealed", files.__setitem__)
    machine = prepare(example("slider_crank_loose"))
    layout, system = machine.condensed
    general, factors = system.entry.copy(), system.factors.entry.copy()
    code = OwnCode(layout, system, stiff=False)
    for evaluations, long in ((60_000, False), (60_000, True)):
        np.testing.assert_array_equal(code.for_run(), general)
        code.spend(evaluations)
        assert (b"long" in files.values()) is long
    assert np.flatnonzero(code.for_run() != general).tolist() == [SOLUTION]
    assert system.factors.entry[0] != factors[0]
    x, v = machine.narrow(layout, machine.x), machine.narrow(layout, machine.v)
    found = []
    for entry in (factors, system.factors.entry.copy()):
        system.factors.entry[:] = entry
        found.append(evaluate(system, x, v))
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)
    # another process
    again = OwnCode(layout, system, stiff=False)
    np.testing.assert_array_equal(again.for_run(), code.for_run())
