"""Small motions as sums of modes with static corrections, against all coordinates and closed forms."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import flexura as fx
from flexura.analyses.periodic import small_motion_tables
from flexura.mechanics.linear.modal_basis import Forces
from flexura.planar import Beam, Mass, PinSlot, PointContact
from flexura.results.small_motion import SmallMotion
from references.gallery import model as example

LENGTH, STIFFNESS, MASS = 0.5, 5.0, 0.2
WALL = 1e5


def shaken_beam(parts: int = 6) -> fx.Model:
    """A cantilever with a mass at its tip, shaken between two walls."""
    section, wall = fx.Section(EA=1e6, EI=STIFFNESS, rhoA=MASS, damping=1e-5), fx.KelvinVoigt(WALL, 5.0)
    return fx.Model(
        nodes={"O": (0, 0), "A": (LENGTH, 0), "C": (LENGTH, 0)},
        elements={
            "beam": Beam("O", "A", section, parts=parts),
            "tip": Mass("A", 0.02),
            "slot": PinSlot("C", "A", 1.0, 4e-4, wall, wall),
        },
        fixed=["O", "beam.p.phi", "C"],
        loads={"A.y": fx.Sine(amplitude=5.0, frequency=400.0)},
    )


@cache
def shaken(modes: int | None) -> SmallMotion:
    return fx.superpose(shaken_beam(), 0.02, samples=201, tolerance=1e-12, modes=modes)


def test_all_modes_are_all_coordinates():
    every, whole = shaken(None), shaken(18)
    assert whole.statistics["coordinates"] == len(every.linear.coordinates) == 18
    for signal in (
        "slot.left",
        "A.y",
        "A.y'",
        "beam.3.bending_p",
        "slot.left.force",
        "beam.1.bending_p.force",
        "O.y.force",
    ):
        size = np.ptp(every[signal])
        np.testing.assert_allclose(whole[signal], every[signal], atol=1e-9 * size, err_msg=signal)
    assert np.ptp(every.force("slot.left")) > 5.0


def test_more_modes_come_closer():
    every = shaken(None).force("slot.left")
    errors = [np.abs(shaken(count).force("slot.left") - every).max() / np.ptp(every) for count in (2, 4, 8)]
    assert errors[2] < 0.3 * errors[1] < 0.1 * errors[0]
    assert errors[2] < 2e-3
    # forces are those of the law on the gaps
    small = shaken(4)
    law = np.maximum(-WALL * small["slot.left"] - 5.0 * small["slot.left'"], 0.0) * (small["slot.left"] < 0.0)
    np.testing.assert_allclose(small.force("slot.left"), law, atol=1e-9 * np.ptp(law))


# -- static corrections ------------------------------------------------------------------------------------------------

LOAD, GAP = 20.0, 1e-3


def pressed_beam() -> fx.Model:
    """A cantilever, loaded in the middle, that rests with its tip on a stop."""
    section = fx.Section(EI=STIFFNESS, rhoA=MASS, damping=5e-3)
    return fx.Model(
        nodes={"O": (0, 0), "B": (0.5 * LENGTH, 0), "A": (LENGTH, 0), "C": (LENGTH, -GAP)},
        elements={
            "inner": Beam("O", "B", section, parts=3),
            "outer": Beam("inner.q", "A", section, parts=3),
            "stop": PointContact("C", "A", fx.KelvinVoigt(WALL), normal=(0, 1)),
        },
        fixed=["O", "inner.p.phi", "C"],
        loads={"B.y": -LOAD},
    )


def stop_force(tip: float, between: float) -> float:
    """Force of the stop, with the flexibility of the tip under its own load and under that in the middle."""
    return (between * LOAD - GAP) / (tip + 1.0 / WALL)


def test_contact_force_at_rest_has_the_whole_flexibility(monkeypatch: pytest.MonkeyPatch) -> None:
    tip, between = LENGTH**3 / (3 * STIFFNESS), 5 * LENGTH**3 / (48 * STIFFNESS)
    exact = stop_force(tip, between)
    small = fx.superpose(pressed_beam(), 1.0, times=[1.0], modes=1)
    assert small.force("stop.gap")[-1] == pytest.approx(exact, rel=1e-6)
    assert small.statistics["coordinates"] == 3
    # without attachment modes, the flexibility is that of the first mode
    acting = small_motion_tables.acting_forces

    def none(*given: object) -> Forces:
        found = acting(*given)
        return Forces(found.directions[:, :, :0], 0.0 * found.history)

    monkeypatch.setattr(small_motion_tables, "acting_forces", none)
    wrong = fx.superpose(pressed_beam(), 1.0, times=[1.0], modes=1)
    system = fx.linearise(
        pressed_beam().replace(elements={k: v for k, v in pressed_beam().elements.items() if k != "stop"})
    )
    shapes = [system.frequency_response(at, "A.y", np.array([0.0])).real for at in ("A.y", "B.y")]
    assert shapes[0].ravel()[0] == pytest.approx(tip, rel=1e-6)
    # the first mode of a cantilever: 3.516015 at its tip, which is 2 of unit modal mass, and 0.679 in the middle
    square = 3.5160153**4 / 3.5160153**2 * STIFFNESS / (MASS * LENGTH**4)
    first = 4.0 / (MASS * LENGTH) / square
    cut = stop_force(first, 0.3395233 * first)
    assert wrong.force("stop.gap")[-1] == pytest.approx(cut, rel=1e-3)
    assert abs(cut / exact - 1.0) > 0.05


# -- nominal motions that move, states, initial values -----------------------------------------------------------------


def test_a_machine_that_runs():
    period = 2 * np.pi / 150.0
    model = example("slider_crank_resonance").with_parameter("inputs.crank.p.phi.rate", 150.0)
    times = np.linspace(0.0, 1.5 * period, 61).tolist()
    every = fx.superpose(model, period=period, times=times, tolerance=1e-12)
    count = len(every.linear.coordinates)
    for modes, allowed in ((count, 1e-9), (2, 0.01)):
        small = fx.superpose(model, period=period, times=times, tolerance=1e-12, modes=modes)
        assert small.note == ""
        for signal in ("rod.1.bending_q", "B.x", "crank.p.phi.force"):
            size = np.abs(every.change(signal)).max()
            np.testing.assert_allclose(small[signal], every[signal], atol=allowed * size, err_msg=signal)


def test_states_and_initial_values_are_kept():
    model = shaken_beam().replace(
        states={"charge": "-A.y - 50*charge"},
        loads={"A.y": "-400*A.y + 2e3*charge"},
        start={"A.y'": 0.3, "charge": 1e-3},
    )
    every, small = (fx.superpose(model, 0.01, samples=41, tolerance=1e-11, modes=modes) for modes in (None, 8))
    assert np.ptp(every["charge"]) > 1e-5
    for signal in ("A.y", "charge", "slot.left.force"):
        assert np.abs(small[signal] - every[signal]).max() < 0.02 * np.ptp(every[signal]), signal


def test_what_is_refused():
    for given, message in (
        ({"modes": 19}, "modes: 19 are more than the 18 that the model has; give 18 or fewer, or a frequency as below"),
        ({"modes": 3, "below": 100.0}, "modes: modes and below are both given; give a number of modes or a frequency"),
        ({"modes": -1}, "modes: -1 is not a number of modes; give zero or more"),
        ({"below": 0.0}, "below: 0 Hz is not a frequency; give a positive number"),
    ):
        with pytest.raises(fx.ModelError, match=message):
            fx.superpose(shaken_beam(), 0.01, **given)
    section = fx.Section(EA=1e6, EI=STIFFNESS)
    light = shaken_beam().replace(elements={"beam": Beam("O", "A", section), "tip": Mass("A", 0.02)})
    for given in ({}, {"modes": 1}):
        with pytest.raises(fx.ModelError, match="small motions have no inertia in"):
            fx.superpose(light, 0.01, **given)
