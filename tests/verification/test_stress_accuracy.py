"""Stresses of implicit methods: accurate at the steps and between them, however small the strains are."""

from math import pi

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Mass, Truss

TURN = 2 * pi / 60.0
FORCES = [f"rod.{part}.{strain}" for part in (1, 2, 3, 4) for strain in ("elongation", "bending_p", "bending_q")]


def slider_crank(modulus, *, rigid=False):
    """A crank of 0.15 m at 60 rad/s with a bar of 6 mm as its rod, damped, in four parts."""
    area, second_moment = pi * 0.006**2 / 4, pi * 0.006**4 / 64
    bar = fx.Section(EA=modulus * area, EI=modulus * second_moment, rhoA=7850.0 * area, damping_ratio=0.02)
    return fx.Model(
        nodes={"O": (0, 0), "A": (0.15, 0), "B": (0.6, 0)},
        elements={
            "crank": Beam("O", "A", bar, rigid=True),
            "rod": Beam("A", "B", bar, parts=4, rigid=rigid),
            "slider": Mass("B", 0.5),
        },
        fixed=["O", "B.y"],
        inputs={"crank.p.phi": fx.Ramp(rate=60.0)},
    )


@pytest.fixture(scope="module")
def rigid_forces():
    """Forces in a rigid rod over the second half of a revolution, when vibrations of the start have gone."""
    motion = fx.simulate(slider_crank(2.1e11, rigid=True), TURN, samples=201, method=fx.DormandPrince(1e-10))
    return {name: motion.force(name)[100:] for name in FORCES}


@pytest.mark.parametrize(
    ("method", "error"),
    [
        (fx.KennedyCarpenter(), 0.01),
        (fx.GeneralisedAlpha(), 0.01),
        # positions alone under control: the forces are coarse, but not those of interpolated positions (440 %)
        (fx.KennedyCarpenter(stress_tolerance=1e3), 0.05),
    ],
    ids=repr,
)
def test_forces_in_a_stiff_rod_are_those_in_a_rigid_one(method, error, rigid_forces):
    # strains of 1e-8: the position at which they are seen is right to 1e-6
    motion = fx.simulate(slider_crank(2.1e13), TURN, samples=201, method=method)
    assert motion.outcome.good
    for kind in ("elongation", "bending"):
        names = [name for name in FORCES if kind in name]
        size = max(np.ptp(rigid_forces[name]) for name in names)
        worst = max(np.abs(motion.force(name)[100:] - rigid_forces[name]).max() for name in names)
        assert worst < error * size, kind


def test_stresses_between_steps_are_as_smooth_as_at_them():
    # one step of 0.01 s holds ten outputs: a spring so stiff that it only transmits the load on its mass
    load = fx.Sine(amplitude=1.0, frequency=10.0)
    model = fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"spring": Truss("O", "A", fx.Section(EA=1e9)), "mass": Mass("A", 1.0)},
        fixed=["O", "A.y"],
        loads={"A.x": load},
    )
    for method in (fx.KennedyCarpenter(step=0.01), fx.GeneralisedAlpha(step=0.01)):
        motion = fx.simulate(model, 1.0, samples=1001, method=method)
        late = motion.t > 0.5
        # the cubic of a sine leaves 0.023 (ωh)⁴ of it
        assert np.abs(motion.force("spring.elongation") + np.sin(10.0 * motion.t))[late].max() < 5e-6


def test_an_event_on_a_force_of_a_stiff_link_is_found_where_the_force_crosses():
    model = fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"spring": Truss("O", "A", fx.Section(EA=1e9)), "mass": Mass("A", 1.0)},
        fixed=["O", "A.y"],
        loads={"A.x": fx.Sine(amplitude=1.0, frequency=10.0)},
    )
    event = fx.Event("spring.elongation.force", -0.5, direction=-1)
    motion = fx.simulate(model, 1.0, method=fx.KennedyCarpenter(step=0.01), events=[event])
    times = [found.time for found in motion.events if found.time > 0.5]
    exact = (np.arcsin(0.5) + 2 * pi) / 10.0
    assert times == pytest.approx([exact], abs=1e-6)


def test_an_unloaded_link_does_not_hold_the_step():
    """Springs that carry nothing but rounding have no scale of their own."""
    elements = {
        "loaded": Truss("O", "A", fx.Section(EA=1e8)),
        "idle": Truss("P", "A", fx.Section(EA=1e8)),
        "mass": Mass("A", 1.0),
    }
    model = fx.Model(
        nodes={"O": (0, 0), "A": (1, 0), "P": (1, 1)},
        elements=elements,
        fixed=["O", "P"],
        loads={"A.x": fx.Sine(amplitude=1.0, frequency=10.0)},
    )
    alone = model.replace(elements={name: elements[name] for name in ("loaded", "mass")}, fixed=["O", "P", "A.y"])
    effort = [fx.simulate(each, 1.0, method=fx.KennedyCarpenter()).statistics["steps"] for each in (model, alone)]
    assert effort[0] < 1.5 * effort[1]


@pytest.mark.parametrize("load", [fx.Sine(amplitude=1.0, frequency=10.0), fx.Smoothstep(rise=1.0, duration=0.5)])
@pytest.mark.parametrize("place", [0.0, 1.0])
def test_a_load_that_begins_at_zero_does_not_hold_the_step(load, place):
    # the first strains are below the rounding of the positions: 3e4 trials for 0.1 ms before stresses had a floor
    model = fx.Model(
        nodes={"O": (place, 0), "A": (place + 1, 0)},
        elements={"spring": Truss("O", "A", fx.Section(EA=1e9)), "mass": Mass("A", 1.0)},
        fixed=["O", "A.y"],
        loads={"A.x": load},
    )
    motion = fx.simulate(model, 1.0, samples=101, method=fx.KennedyCarpenter(), limits=fx.Limits(steps=3000))
    # a spring so stiff transmits the load as it is
    assert motion.t[-1] == 1.0
    assert np.abs(motion.force("spring.elongation") + motion.force("A.x")).max() < 1e-2


def test_the_error_of_a_force_goes_with_the_tolerance():
    model = slider_crank(2.1e11)
    exact = fx.simulate(model, TURN, samples=201, method=fx.DormandPrince(1e-10))
    errors = []
    for tolerance in (1e-3, 1e-4, 1e-5):
        motion = fx.simulate(model, TURN, samples=201, method=fx.KennedyCarpenter(stress_tolerance=tolerance))
        apart = max(np.abs(motion.force(name) - exact.force(name)).max() / np.ptp(exact.force(name)) for name in FORCES)
        errors.append(apart)
    assert errors[0] < 0.05
    assert errors[1] < 0.2 * errors[0]
    assert errors[2] < 0.2 * errors[1]


@pytest.mark.parametrize("method", [fx.KennedyCarpenter(step=2e-5), fx.GeneralisedAlpha(step=2e-5)], ids=repr)
def test_forces_of_driven_links_converge_with_old_factors(method):
    """The pin of a driven crank moves as it must whatever the forces are; its work shows them."""
    # with factors from before the crank turned by a radian, the work was 127 J
    motion = fx.simulate(slider_crank(2.1e13), TURN, samples=51, method=method)
    assert np.abs(motion.energy["balance"]).max() < 1e-4 * np.abs(motion.energy["work"]).max()
