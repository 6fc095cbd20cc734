"""The elements with surfaces, given a law of restitution: closed forms, and each other."""

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Clearance, Mass, PointContact
from flexura.spatial import Ball
from flexura.spatial import Mass as Lump
from references.impact import Bounces
from references.ravn import STIFFNESS, TURN, ravn, strikes

LAW = fx.Restitution(0.7)


def test_joint_with_play_strikes_as_the_slider_crank_does_by_hand():
    plain = ravn()
    joint = Clearance("C", "rod.q", 0.5e-3, fx.Restitution(0.95, k=STIFFNESS))
    model = plain.replace(elements={**plain.elements, "pin": joint})
    motion = fx.simulate(model, 0.3 * TURN, method=fx.DormandPrince(1e-11))
    for event, exact in zip(motion.impacts[:5], strikes(5), strict=True):
        assert event.signal == "pin.gap"
        assert event.time / TURN == pytest.approx(exact.time / TURN, abs=1e-9)
        assert event.impulse == pytest.approx(exact.impulse, abs=1e-7)
    assert motion["pin.gap"].min() > -1e-15
    assert motion.imbalance < 1e-9


def test_estimated_peak_is_that_of_the_run_with_hertz():
    """Within 15 % at the first impact; the law of Hertz loses a little on the way in."""
    plain = ravn()
    peaks = []
    compliant = fx.Hertz(STIFFNESS, restitution=0.95, dissipation="lankarani_nikravesh")
    for contact in (fx.Restitution(0.95, k=STIFFNESS), compliant):
        model = plain.replace(elements={**plain.elements, "pin": Clearance("C", "rod.q", 0.5e-3, contact)})
        motion = fx.simulate(model, 0.03 * TURN, samples=20_001)
        peaks.append(motion.impacts[0].force if motion.impacts else motion.force("pin.gap").max())
    assert peaks[0] == pytest.approx(peaks[1], rel=0.15)
    assert peaks[1] == pytest.approx(47847.7, abs=20.0)


def test_ball_bounces_on_a_line():
    exact = Bounces(1.0, 9.81, 0.7)
    model = fx.Model(
        nodes={"T": (0, 0), "B": (0, 1.2)},
        elements={"ball": Mass("B", 2.0), "floor": PointContact("T", "B", LAW, radius=0.2)},
        fixed=["T"],
        gravity=(0, -9.81),
    )
    motion = fx.simulate(model, 4.0, method=fx.DormandPrince(1e-12))
    times = [event.time for event in motion.impacts]
    assert times == pytest.approx([exact.time(n) for n in range(len(times))], abs=1e-10)
    assert next(e.time for e in motion.events if e.kind == "contact") == pytest.approx(exact.rest, abs=1e-10)
    assert motion.force("floor.gap")[-1] == pytest.approx(2.0 * 9.81)


def test_ball_bounces_on_a_plane_in_space():
    exact = Bounces(1.0, 9.81, 0.7)
    model = fx.Model(
        nodes={"T": (0, 0, 0), "B": (0, 0, 1.2)},
        elements={"ball": Lump("B", 2.0), "floor": Ball("T", "B", LAW, radius=0.2)},
        fixed=["T"],
        gravity=(0, 0, -9.81),
        start={"B.x'": 1.0},
    )
    motion = fx.simulate(model, 4.0, method=fx.DormandPrince(1e-12))
    times = [event.time for event in motion.impacts]
    assert times == pytest.approx([exact.time(n) for n in range(len(times))], abs=1e-10)
    # nothing acts along the plane
    assert motion["B.x"] == pytest.approx(motion.t, abs=1e-12)


def test_mass_in_a_slot_goes_to_and_fro():
    """Elastic, and without any force: it meets a side after every width."""
    model = fx.Model(
        nodes={"O": (0, 0), "B": (0, 0.1)},
        elements={
            "mass": Mass("B", 1.0),
            "slot": PointContact("O", "B", fx.Restitution(1.0), against="slot", size=0.5),
        },
        fixed=["O"],
        start={"B.y'": 2.0},
    )
    motion = fx.simulate(model, 5.0, samples=1001)
    assert [event.time for event in motion.impacts] == pytest.approx(0.2 + 0.5 * np.arange(10), abs=1e-11)
    assert np.abs(motion["B.y"]).max() <= 0.5 + 1e-12
    assert motion.energy["kinetic"] == pytest.approx(2.0, rel=1e-12)


def test_puck_in_a_ring_keeps_its_angle():
    """Elastic: every chord has the same length, and every impact the same angle."""
    model = fx.Model(
        nodes={"O": (0, 0), "B": (0.2, 0)},
        elements={
            "puck": Mass("B", 1.0),
            "ring": PointContact("O", "B", fx.Restitution(1.0), against="ring", size=1.0),
        },
        fixed=["O"],
        start={"B.x'": 1.0, "B.y'": 2.0},
    )
    motion = fx.simulate(model, 20.0, method=fx.DormandPrince(1e-12))
    chords = np.diff([event.time for event in motion.impacts])
    # momentum about the centre 0.4, speed √5: the chord is 2√(1 - (0.4/√5)²)
    assert chords == pytest.approx(2.0 * np.sqrt(1.0 - 0.16 / 5.0) / np.sqrt(5.0), abs=1e-9)
    assert motion.momentum[:, 2] == pytest.approx(0.4, abs=1e-10)
