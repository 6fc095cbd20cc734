"""Prepared models are used again, and no motion sees what another has left in one."""

from concurrent.futures import ThreadPoolExecutor
from itertools import permutations

import numpy as np
import pytest

import flexura as fx
from flexura.analyses.motion import model_cache
from flexura.analyses.motion.model_cache import CACHE, CAPACITY, MOST_ALIKE, ModelCache
from flexura.errors import ModelError
from flexura.planar import Beam, Clearance, Mass
from references.rolling_models import disc
from unit.mechanics.models import pendulum, slider_crank

UNTIL = 4e-3
STEEL = fx.Material(E=2.06e11, rho=7850.0)
HERTZ = fx.Hertz(radii=(9.5e-3, -10e-3), materials=(STEEL, STEEL), restitution=0.95)


def loose_pin(contact=HERTZ, rate=523.6):
    """A slider-crank with play, whose law remembers the last approach, or whose impacts are events."""
    return fx.Model(
        nodes={"O": (0, 0), "A": (0.05, 0), "B": (0.17, 0), "C": (0.17, 0)},
        elements={
            "crank": Beam("O", "A", fx.Section(), rigid=True),
            "rod": Beam("A", "B", fx.Section(rhoA=1.2), rigid=True),
            "pin": Clearance("C", "rod.q", clearance=0.5e-3, contact=contact),
            "slider": Mass("C", 0.145),
        },
        fixed=["O", "C.y"],
        inputs={"crank.p.phi": fx.Ramp(rate=rate)},
        start={"pin.along'": 0.0, "pin.across'": 0.0},
    )


CASES = {
    "hertz": (loose_pin(), {}),
    "impacts": (loose_pin(fx.Restitution(0.7)), {}),
    "loads and laws": (slider_crank(), {}),
    "implicit": (slider_crank(), {"method": fx.KennedyCarpenter()}),
    "minimal": (pendulum(), {"method": fx.DormandPrince(), "formulation": fx.Minimal()}),
    "rolling": (disc(start={"disc.p.about_x'": 0.3, "disc.p.about_own_y'": 0.4}), {}),
}


@pytest.fixture(autouse=True)
def cache(monkeypatch):
    """An empty cache."""
    monkeypatch.setattr(CACHE, "models", {})


@pytest.fixture
def prepared(monkeypatch):
    """The models that are prepared, in turn."""
    found = []
    make = model_cache.PreparedModel
    monkeypatch.setattr(
        model_cache, "PreparedModel", lambda model, layout: found.append(model) or make(model, layout=layout)
    )
    return found


def run(model, **options):
    return fx.simulate(model, UNTIL, samples=9, **options)


def fresh(model, **options):
    """The motion of a model that was never here."""
    kept, CACHE.models = CACHE.models, {}
    motion = run(model, **options)
    CACHE.models = kept
    return motion


def numbers(motion):
    """All that a motion has."""
    energies = [motion.energy[name] for name in sorted(motion.energy)]
    tables = (*motion.position, *motion.strain, motion.stress, motion.coordinate_force, motion.momentum)
    return [array.copy() for array in (motion.t, *tables, *energies)]


def same(motion, arrays):
    return all(np.array_equal(a, b, equal_nan=True) for a, b in zip(numbers(motion), arrays, strict=True))


@pytest.mark.parametrize("name", CASES)
def test_again_is_the_same_to_the_last_bit(name):
    model, options = CASES[name]
    first = run(model, **options)
    before = numbers(first)
    again = run(model, **options)
    assert same(again, before)
    assert (again.events, again.statistics, again.note) == (first.events, first.statistics, first.note)
    # and the first has not changed
    assert same(first, before)


def test_a_model_is_prepared_once(prepared):
    run(loose_pin())
    run(loose_pin())
    run(loose_pin(rate=500.0))
    assert prepared == [loose_pin(), loose_pin(rate=500.0)]


def test_all_analyses_share_a_planar_model(prepared):
    model = slider_crank()
    run(model)
    fx.linearise(model)
    fx.equilibrium(model)
    assert prepared == [model]


def test_motions_in_turn_do_not_see_each_other():
    alone = {name: numbers(fresh(model, **options)) for name, (model, options) in CASES.items()}
    for order in list(permutations(CASES))[:: 720 // 3]:
        motions = {name: run(CASES[name][0], **CASES[name][1]) for name in order}
        for name, motion in motions.items():
            assert same(motion, alone[name]), (name, order)


@pytest.mark.parametrize(
    "other",
    [
        loose_pin(rate=500.0),
        loose_pin().with_parameter("elements.slider.mass", 0.2),
        loose_pin().with_parameter("nodes.A.x", 0.051),
        loose_pin(fx.Hertz(k=5e9, restitution=0.8)),
    ],
)
def test_other_numbers_are_another_model(other):
    first = numbers(run(loose_pin()))
    assert same(run(other), numbers(fresh(other)))
    assert not same(run(other), first)
    assert same(run(loose_pin()), first)


def test_a_sweep_changes_numbers_in_place(prepared):
    """Masses, lengths, laws of contacts, inputs and gravity; the numbers of the first two values are kept."""
    paths = {"elements.slider.mass": 0.1, "nodes.A.x": 0.04, "elements.pin.contact.restitution": 0.8}
    models = [loose_pin(rate=500.0 + 7.3 * k) for k in range(3)]
    models += [models[0].with_parameter(path, value) for path, value in paths.items()]
    models.append(models[0].replace(gravity=(0.0, -9.81)))
    motions = [run(model) for model in models]
    assert len(prepared) == MOST_ALIKE
    for model, motion in zip(models, motions, strict=True):
        assert same(motion, numbers(fresh(model)))
        assert motion.model == model


def test_two_models_in_turn_are_prepared_once(prepared):
    for _ in range(3):
        run(loose_pin(rate=500.0))
        run(loose_pin(rate=510.0))
    assert len(prepared) == 2


def test_many_structures_in_turn_share_the_cache(prepared):
    """A full cache has one model of each structure, whose numbers change."""
    kinds = [slider_crank(), pendulum(), loose_pin(), loose_pin(fx.Restitution(0.7))]
    for k in range(3):
        for kind in kinds:
            run(kind.replace(gravity=(0.0, -9.0 - k)))
    assert len(prepared) == len(kinds) == CAPACITY


def test_zero_and_infinite_values_are_structure(prepared):
    """A rod that turns rigid, and a spring that turns off, are other models."""
    rod = fx.Section(EA=1e5, EI=10.0, rhoA=1.0)
    elastic = fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"rod": Beam("O", "A", rod)},
        fixed=["O"],
        laws={"rod.elongation": fx.LinearLaw(k=1e5, c=1.0)},
        gravity=(0.0, -9.81),
    )
    changes = [("laws.rod.elongation.c", 0.0), ("laws.rod.elongation.k", 0.0), ("elements.rod.section.EI", np.inf)]
    models = [elastic, elastic.replace(gravity=(0.0, -9.0)), *(elastic.with_parameter(*change) for change in changes)]
    for model in models:
        assert same(run(model), numbers(fresh(model)))
    assert [model for model in prepared if model in models[2:]][::2] == models[2:]


def test_another_start_is_another_motion():
    swinging = pendulum()
    starts = [
        swinging.replace(start={"upper.p.phi'": 2.0, "lower.p.phi'": -0.4}),
        swinging.replace(start={"upper.p.phi": 0.5}),
        swinging.replace(start={"lower.p.phi": 0.5, "upper.p.phi'": 1.0}),
        swinging.replace(start={}),
        swinging,
    ]
    for model in starts:
        assert same(run(model), numbers(fresh(model)))
        assert run(model).model == model


def test_a_start_names_what_there_is_in_space():
    still = disc()
    for model in (
        still,
        still.replace(start={"disc.p.about_own_y'": 0.4}),
        still.replace(start={"disc.p.own_x'": 0.4}),
    ):
        assert same(run(model), numbers(fresh(model)))
        system = fx.linearise(model)
        assert np.isfinite(system.M).all()


def test_values_at_the_start_are_changed_in_place(prepared):
    for rate in (0.3, 0.4):
        run(pendulum().replace(start={"upper.p.phi'": rate}))
    assert len(prepared) == 1


def test_order_of_names_is_kept():
    one = pendulum()
    other = one.replace(nodes=dict(reversed(list(one.nodes.items()))))
    assert one == other
    run(one)
    assert run(other).nodal_coordinates == fresh(other).nodal_coordinates != run(one).nodal_coordinates


def test_other_methods_and_times_of_one_model():
    model = slider_crank()
    settings = [{}, {"method": fx.KennedyCarpenter()}, {"method": fx.RungeKutta4(step=1e-4)}]
    for options in (*settings, *settings):
        assert same(run(model, **options), numbers(fresh(model, **options)))


def test_kinematics_of_what_moved_before():
    bar, mass = fx.Section(rhoA=1.0), Mass("B", 1.0)
    model = fx.Model(
        nodes={"O": (0, 0), "A": (0.1, 0), "B": (0.4, 0)},
        elements={"crank": Beam("O", "A", bar, rigid=True), "rod": Beam("A", "B", bar, rigid=True), "piston": mass},
        fixed=["O", "B.y"],
        inputs={"crank.p.phi": "3*t + 0.1*sin(t)"},
    )
    times = np.linspace(0.0, 1.0, 9)
    first = numbers(fx.kinematics(model, times=times))
    before = numbers(run(model))
    assert same(fx.kinematics(model, times=times), first)
    assert same(fx.kinematics(model, times=times + 0.5), numbers(fx.kinematics(model, times=times + 0.5)))
    assert same(run(model), before)
    assert same(fresh(model), before)


def test_an_error_leaves_nothing_behind():
    model = loose_pin(fx.Restitution(0.7))
    before = numbers(run(model))
    with pytest.raises(ModelError, match="impacts need multipliers"):
        run(model, formulation=fx.Minimal())
    assert same(run(model), before)


def test_threads_do_not_share():
    models = [loose_pin(), slider_crank(), loose_pin(fx.Restitution(0.7)), pendulum()] * 3
    alone = [numbers(fresh(model)) for model in models]
    with ThreadPoolExecutor(4) as pool:
        for motion, arrays in zip(pool.map(run, models), alone, strict=True):
            assert same(motion, arrays)


def test_the_capacity_is_limited():
    cache = ModelCache()
    crank = loose_pin()
    models = [crank.replace(elements={**crank.elements, f"rest{k}": Mass("C", 0.1)}) for k in range(CAPACITY + 1)]
    for model in models:
        with cache.borrowed(model):
            pass
    assert len(cache.models) == CAPACITY
    with cache.borrowed(models[-1]) as one, cache.borrowed(models[-1]) as other:
        # a borrowed model is not there
        assert one is not other
