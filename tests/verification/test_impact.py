"""Impacts: one, several at once, contact that lasts and ends, and what cannot be."""

from itertools import pairwise

import numpy as np
import pytest

import flexura as fx
from flexura.laws.restitution import Restitution
from flexura.planar import Beam, Mass
from references.impact import Bounces
from references.ravn import MASS, SPEED, STIFFNESS, TURN, ravn, strikes
from references.surfaces import Floor, Sleeve, Wall

# ── the slider-crank with play of the source ─────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def turns() -> fx.Motion:
    """Twenty turns."""
    return fx.simulate(ravn(), 20.0 * TURN, samples=20_001)


def test_first_impacts_of_the_slider_crank():
    """[Schwab2002, section 5.4.2]; the numbers are the catalogue's, of an independent computation."""
    motion = fx.simulate(ravn(), TURN, method=fx.DormandPrince(tolerance=1e-11))
    first, second = motion.impacts[:2]
    assert np.degrees(SPEED * first.time) == pytest.approx(6.818576, abs=1e-6)
    assert first.approach == pytest.approx(4.385803, abs=1e-6)
    assert first.impulse == pytest.approx(1.241092, abs=1e-6)
    assert first.mass == pytest.approx(0.145118, abs=1e-6)
    assert np.degrees(SPEED * second.time) == pytest.approx(18.095035, abs=1e-6)
    assert second.impulse == pytest.approx(0.337788, abs=1e-6)
    assert second.mass == pytest.approx(0.062012, abs=1e-6)


def test_impacts_of_the_slider_crank_by_hand():
    """The motion is chaotic: errors grow some tenfold at each impact."""
    motion = fx.simulate(ravn(), TURN, method=fx.DormandPrince(tolerance=1e-13))
    for n, (event, exact) in enumerate(zip(motion.impacts, strikes(8), strict=False)):
        error = 1e-12 * 5.0**n
        assert event.time / TURN == pytest.approx(exact.time / TURN, abs=error)
        assert event.approach == pytest.approx(exact.approach, abs=1e3 * error)
        assert event.impulse == pytest.approx(exact.impulse, abs=1e3 * error)


def test_estimated_peak_is_near_that_of_the_hertz_model():
    """Catalogue 4.15: 47847.7 N at the first impact of the run with Hertz's law [Schwab2002 (5.33)]."""
    first = fx.simulate(ravn(), 0.1 * TURN).impacts[0]
    assert pytest.approx(65.8e9, rel=1e-3) == STIFFNESS
    energy = 0.5 * first.mass * first.approach**2
    indentation = (2.5 * energy / STIFFNESS) ** 0.4
    assert first.force == pytest.approx(STIFFNESS * indentation**1.5, rel=1e-12)
    assert first.force == pytest.approx(47847.7, rel=0.1)


def test_journal_stays_in_its_sleeve(turns):
    """Blows magnify small errors: what it does after thousands of them is not known, but all of it obeys the laws."""
    assert turns.outcome is fx.Outcome.DOUBTFUL
    assert all(doubt.what.startswith("the motion is sensitive") for doubt in turns.doubts)
    inside = 0.5e-3 - np.hypot(turns["B.x"] - turns["C.x"], turns["B.y"] - turns["C.y"])
    assert inside.min() > -1e-15


def test_journal_flies_rebounds_and_stays_in_contact(turns):
    kinds = [event.kind for event in turns.events]
    assert kinds.count("impact") > 1000
    assert kinds.count("contact") - kinds.count("release") in {0, 1}
    assert kinds.count("contact") >= 3
    force, gap = turns.force("pin.gap"), turns["pin.gap"]
    touching = np.abs(force) > 0.0
    assert 0.02 < touching.mean() < 0.9
    assert np.abs(gap[touching]).max() < 1e-15
    # samples just before a release have the error of the interpolated state
    assert -force.min() < 1e-5 * np.abs(force).max()
    # the slider has no force on it in flight
    assert np.abs(turns["C.x''"][~touching]).max() < 1e-6


def test_energy_of_the_slider_crank(turns):
    """The crank's work at impacts comes from its reactions there, not from the balance."""
    assert min(event.lost for event in turns.impacts) >= 0.0
    turnover = np.abs(np.diff(turns.energy["work"])).sum()
    assert np.abs(turns.energy["balance"]).max() < 1e-8 * turnover
    assert np.diff(turns.energy["dissipated"]).min() >= 0.0


@pytest.mark.parametrize("method", [fx.DormandPrince(1e-10, order=5), fx.RungeKutta4(TURN / 2000)], ids=repr)
def test_methods_agree_on_the_first_impacts(method):
    motion = fx.simulate(ravn(), 0.2 * TURN, method=method)
    for event, exact in zip(motion.impacts[:6], strikes(6), strict=True):
        assert event.time / TURN == pytest.approx(exact.time / TURN, abs=1e-6)
        assert event.impulse == pytest.approx(exact.impulse, rel=1e-4)


# ── several contacts ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_ball_in_a_corner_is_struck_twice_at_once():
    """Each wall turns its own component round."""
    law = Restitution(0.5)
    model = fx.Model(
        nodes={"O": (0, 0), "B": (1, 1)},
        elements={"ball": Mass("B", 1.0), "floor": Floor("O", "B", law), "wall": Wall("O", "B", law)},
        fixed=["O"],
        start={"B.x'": -2.0, "B.y'": -2.0},
    )
    motion = fx.simulate(model, 1.0)
    assert [(event.signal, event.time) for event in motion.events] == [
        ("floor.gap", pytest.approx(0.5, abs=1e-12)),
        ("wall.gap", pytest.approx(0.5, abs=1e-12)),
    ]
    assert motion["B.x'"][-1] == pytest.approx(1.0)
    assert motion["B.y'"][-1] == pytest.approx(1.0)


def beam_on(floors: tuple[str, ...], e: float, **start: float) -> fx.Model:
    """A rigid beam of unit mass and length over the floor, with feet at nodes along it."""
    nodes = {"T": (0, 0), "P": (-0.5, 0.1), "M": (0, 0.1), "Q": (0.5, 0.1)}
    section = fx.Section(rhoA=1.0)
    return fx.Model(
        nodes=nodes,
        elements={
            "left": Beam("P", "M", section, rigid=True),
            "right": Beam("left.q", "Q", section, rigid=True),
            **{f"foot{node}": Floor("T", node, Restitution(e)) for node in floors},
        },
        fixed=["T"],
        gravity=(0, -10.0),
        start=start,
    )


def test_beam_that_lands_flat_on_three_feet_rests():
    """One foot more than is needed: forces that balance the weight are found all the same."""
    motion = fx.simulate(beam_on(("P", "M", "Q"), 0.3), 1.0)
    assert motion.outcome is fx.Outcome.DONE
    feet = np.array([motion.force(f"foot{node}.gap")[-1] for node in "PMQ"])
    assert feet.min() >= 0.0
    assert feet.sum() == pytest.approx(10.0, rel=1e-12)
    assert (feet[2] - feet[0]) == pytest.approx(0.0, abs=1e-9)
    assert min(motion[f"foot{node}.gap"].min() for node in "PMQ") > -1e-12
    assert motion.energy["dissipated"][-1] == pytest.approx(1.0, rel=1e-9)


def test_beam_that_lands_on_one_foot_tips_to_the_other():
    motion = fx.simulate(beam_on(("P", "Q"), 0.0, **{"left.p.phi": 0.1, "P.y": 0.05}), 2.0, samples=2001)
    assert [(event.signal, event.kind) for event in motion.events[:2]] == [
        ("footP.gap", "impact"),
        ("footP.gap", "contact"),
    ]
    assert motion.force("footP.gap")[-1] == pytest.approx(5.0, rel=1e-9)
    assert motion.force("footQ.gap")[-1] == pytest.approx(5.0, rel=1e-9)
    assert motion.imbalance < 1e-9
    assert np.diff(motion.energy["total"]).max() < 1e-9


def test_row_of_balls_that_are_apart_hands_the_momentum_on():
    """Equal elastic balls with a little room between them: Newton's cradle."""
    law = Restitution(1.0)
    names = ["a", "b", "c", "d"]
    model = fx.Model(
        nodes={name: (1.0 * i, 0.0) for i, name in enumerate(names)},
        elements={name + name: Mass(name, 1.0) for name in names}
        | {f"{p}{q}": Wall(p, q, law) for p, q in pairwise(names)},
        start={"a.x'": 1.0},
    )
    motion = fx.simulate(model, 4.0)
    assert [event.time for event in motion.impacts] == pytest.approx([1.0, 2.0, 3.0])
    assert [motion[f"{name}.x'"][-1] for name in names] == pytest.approx([0.0, 0.0, 0.0, 1.0], abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_energy_never_grows_whatever_strikes_together(seed):
    """A beam with feet of different laws, in the middle of a tumble."""
    random = np.random.default_rng(seed)
    e = dict(zip("PMQ", random.random(3), strict=True))
    base = beam_on(("P", "M", "Q"), 0.0, **{"left.p.phi'": 5.0 * random.standard_normal()})
    laws = {f"foot{node}": Floor("T", node, Restitution(e[node])) for node in "PMQ"}
    model = fx.Model(
        nodes=base.nodes, elements={**base.elements, **laws}, fixed=base.fixed, gravity=base.gravity, start=base.start
    )
    motion = fx.simulate(model, 3.0, samples=1001)
    assert motion.outcome is fx.Outcome.DONE
    assert min(event.lost for event in motion.impacts) > -1e-9
    assert np.diff(motion.energy["total"]).max() < 1e-8
    assert motion.imbalance < 1e-7
    assert min(motion[f"foot{node}.gap"].min() for node in "PMQ") > -1e-9


def test_puck_slides_round_in_a_circle():
    """Without restitution it keeps what goes along the wall, which presses with m v²/r; with gravity it would fall."""
    model = fx.Model(
        nodes={"O": (0, 0), "B": (0.3, 0)},
        elements={"puck": Mass("B", 2.0), "rim": Sleeve("O", "B", 0.5, Restitution(0.0))},
        fixed=["O"],
        start={"B.x'": 3.0, "B.y'": 4.0},
    )
    motion = fx.simulate(model, 2.0, method=fx.DormandPrince(1e-11))
    landing, contact = motion.events
    direction = np.array([0.3 + 3.0 * landing.time, 4.0 * landing.time])
    along = (direction[0] * 4.0 - direction[1] * 3.0) / 0.5
    assert np.linalg.norm(direction) == pytest.approx(0.5, abs=1e-12)
    assert (contact.kind, contact.time) == ("contact", landing.time)
    assert np.hypot(motion["B.x'"], motion["B.y'"])[-1] == pytest.approx(along, rel=1e-9)
    assert motion.force("rim.gap")[-1] == pytest.approx(2.0 * along**2 / 0.5, rel=1e-8)


def test_puck_leaves_the_loop_where_the_force_ends():
    """At v² = g r (2 - 2 cos …): it falls off where m v²/r no more exceeds the weight along the radius."""
    g, r = 10.0, 0.5
    speed = np.sqrt(3.5 * g * r)
    model = fx.Model(
        nodes={"O": (0, 0), "B": (0, -r)},
        elements={"puck": Mass("B", 1.0), "rim": Sleeve("O", "B", r, Restitution(0.0))},
        fixed=["O"],
        gravity=(0, -g),
        start={"B.x'": float(speed)},
    )
    motion = fx.simulate(model, 1.0, samples=20_001, method=fx.DormandPrince(1e-12))
    release = next(event.time for event in motion.events if event.kind == "release")
    # v² = v0² - 2 g r (1 + sin β) and v²/r = g sin β at the angle β above the horizontal
    sine = (speed**2 / (g * r) - 2.0) / 3.0
    height = np.interp(release, motion.t, motion["B.y"])
    assert height == pytest.approx(r * sine, abs=1e-7)


# ── other events, files, and what cannot be ──────────────────────────────────────────────────────────────────────────


def ball(e: float = 0.5, height: float = 1.0, **more) -> fx.Model:
    """A mass over a floor."""
    return fx.Model(
        nodes={"T": (0, 0), "B": (0, height)},
        elements={"ball": Mass("B", 2.0), "floor": Floor("T", "B", Restitution(e))},
        gravity=(0, -9.81),
        **{"fixed": ["T"]} | more,
    )


def test_events_that_are_watched_go_on_beside_impacts():
    exact = Bounces(1.0, 9.81, 0.5)
    watched = [fx.Event("B.y", value=0.1), fx.Event("B.y'", direction=-1)]
    motion = fx.simulate(ball(), 2.0, events=watched)
    tops = [event.time for event in motion.events if event.signal == "B.y'"]
    assert tops == pytest.approx([exact.time(n) + exact.approach(n + 1) / 9.81 for n in range(len(tops))], abs=1e-9)
    assert len(tops) > 10
    assert sum(event.signal == "B.y" for event in motion.events) == 3

    stopped = fx.simulate(ball(), 2.0, events=[fx.Event("B.y", value=0.1, direction=1, stop=True)])
    assert stopped.outcome is fx.Outcome.STOPPED
    assert len(stopped.impacts) == 1
    assert stopped["B.y"][-1] == pytest.approx(0.1, abs=1e-9)


def test_driven_part_that_meets_a_wall_is_blocked():
    model = fx.Model(
        nodes={"T": (0, 0), "B": (1, 0)},
        elements={"ball": Mass("B", 2.0), "wall": Wall("T", "B", Restitution(0.5))},
        fixed=["T", "B.y"],
        inputs={"B.x": fx.Expression("1 - t")},
    )
    motion = fx.simulate(model, 2.0)
    assert motion.outcome is fx.Outcome.BLOCKED
    assert motion.t[-1] == pytest.approx(1.0, abs=1e-9)


def test_bad_input_is_refused():
    with pytest.raises(fx.ModelError, match=r"Restitution\.e: 1\.2 .* at least 0 and of at most 1"):
        Restitution(1.2)
    with pytest.raises(fx.ModelError, match="at least 0"):
        Restitution(-0.1)
    overlap = r"element 'floor': the surfaces overlap by 0\.1 m at the start \(floor\.gap\); draw or start them apart"
    with pytest.raises(fx.ModelError, match=overlap):
        fx.simulate(ball(height=-0.1), 1.0)
    with pytest.raises(fx.ModelError, match="the surfaces coincide at the start"):
        fx.simulate(ravn(play=0.0), 1.0)
    with pytest.raises(fx.ModelError, match="impacts need multipliers; leave the formulation out"):
        fx.simulate(ball(), 1.0, formulation=fx.Minimal())


def test_mass_of_the_source_is_that_of_the_slider():
    """At the first impact the journal strikes along the slider's path: the slider's mass, nearly."""
    assert fx.simulate(ravn(), 0.1 * TURN).impacts[0].mass == pytest.approx(MASS, rel=1e-2)
