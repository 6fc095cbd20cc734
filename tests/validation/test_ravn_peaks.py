"""The force that an impact is estimated to have, against that of Hertz's law [Schwab2002, (5.33) and section 5.4.2].

The motions of the slider-crank with impacts and with Hertz's law part after three impacts, since they are chaotic. So
the estimates are compared one by one as long as the impacts correspond; from the same state, impact by impact; and in
the distribution of the greatest force of a turn.
"""

import runpy
from typing import NamedTuple

import numpy as np
import pytest

import flexura as fx
from flexura.laws.dissipation import strength
from references import hertz
from references import ravn_contact as ravn
from references.gallery import EXAMPLES
from references.ravn_contact import PLAY, RESTITUTION, SPEED, TURN
from references.ravn_model import AT_REST, HERTZ, IMPACT, away, slider_crank

K = HERTZ.stiffness
LOSS = strength("lankarani_nikravesh", RESTITUTION)
DAMPED = hertz.damped_peak(LOSS)


class Blow(NamedTuple):
    """An impact, with the state just before it."""

    time: float
    approach: float
    mass: float
    force: float
    state: dict[str, float]

    def contact(self, k: float) -> "Contact":
        """The same with Hertz's law, until the surfaces part."""
        model = slider_crank(fx.Hertz(k, RESTITUTION), start=self.state, angle=SPEED * self.time)
        until = 3e-4 * (K / k) ** 0.4
        motion = fx.simulate(model, until, samples=1501, events=[fx.Event("pin.gap", direction=1)])
        last = motion.events[0].time if motion.events else until
        force = motion.force("pin.gap")[motion.t <= last]
        deepest = int(force.argmax())
        place = np.unwrap(np.arctan2(motion["pin.across"], motion["pin.along"]))
        return Contact(float(force[deepest]), abs(place[deepest] - place[0]), -self.mass * motion["pin.gap''"][0])


class Contact(NamedTuple):
    """The first contact of a motion with Hertz's law."""

    peak: float
    """its greatest force"""
    turned: float
    """the angle by which it goes round the sleeve until then"""
    press: float
    """what the parts would be held together with where they touch"""


@pytest.fixture(scope="module")
def blows() -> list[Blow]:
    """The impacts of two turns that are faster than half a metre per second."""
    model, method = slider_crank(IMPACT), fx.DormandPrince(1e-11)
    impacts = [event for event in fx.simulate(model, 2.0 * TURN, method=method).impacts if event.approach > 0.5]
    before = fx.simulate(model, times=[event.time for event in impacts], method=method)
    states = [{name: float(before[name][k]) for name in AT_REST} for k in range(len(impacts))]
    found = [Blow(e.time, e.approach, e.mass, e.force, state) for e, state in zip(impacts, states, strict=True)]
    assert len(found) > 80
    # they touch, and go at each other as they should
    for blow in found:
        x, y, vx, vy = (blow.state[name] for name in AT_REST)
        assert np.hypot(x, y) == pytest.approx(PLAY, rel=1e-9)
        assert (x * vx + y * vy) / PLAY == pytest.approx(blow.approach, rel=1e-9)
    return found


def test_the_first_three_peaks():
    """Then the motions part: the fourth contacts are 6° of the crank from each other."""
    estimated = fx.simulate(slider_crank(IMPACT), 0.1 * TURN, method=fx.DormandPrince(1e-11)).impacts
    motion = fx.simulate(slider_crank(HERTZ), 0.1 * TURN, samples=20001, events=[fx.Event("pin.gap")])
    touches, force = [event.time for event in motion.events], motion.force("pin.gap")
    pairs = []
    for began, ended, event in zip(touches[:6:2], touches[1:6:2], estimated, strict=False):
        assert np.degrees(SPEED * abs(event.time - began)) < 1.6
        pairs.append(event.force / force[(motion.t >= began) & (motion.t <= ended)].max())
    assert pairs == pytest.approx([0.940, 1.051, 0.897], abs=1e-3)
    assert np.degrees(SPEED * (touches[6] - estimated[3].time)) > 6.0


@pytest.mark.slow
def test_peaks_from_the_same_state(blows):
    """Where blows are hard the estimate mostly holds to 15 %, from below; soft ones are pressed more than struck.

    The motion is chaotic: other roundings bring other blows. Of 13 hard ones 12 are within 7 %, one is off by 19 %.
    """
    ratio = np.array([blow.force / blow.contact(K).peak for blow in blows])
    approach = np.array([blow.approach for blow in blows])
    hard, fair = approach > 3.0, approach > 2.0
    assert hard.sum() > 4
    assert (np.abs(ratio[hard] - 1.0) < 0.15).mean() > 0.9
    assert np.abs(ratio[hard] - 1.0).max() < 0.25
    assert (np.abs(ratio[fair] - 1.0) < 0.15).mean() > 0.8
    assert ratio.max() < 1.1
    assert 0.85 < np.median(ratio) < 1.0
    print(f"\n{ratio.size} blows: " + ", ".join(f"{part:.3f}" for part in np.percentile(ratio, [0, 10, 50, 90, 100])))


@pytest.mark.slow
def test_what_the_estimate_leaves_out(blows):
    """The press of the rest of the mechanism, and the dissipation; with them it is right where contacts stay put.

    The gap closes with an acceleration of up to 2e4 m/s² while the surfaces are pressed, some 30 µs long: 0.6 m/s of
    approach. What is left comes from the contact that goes round, with which the mass that counts changes.
    """
    ratio, plain, turned = [], [], []
    for blow in blows:
        contact = blow.contact(K)
        better = DAMPED * hertz.pressed_peak(K, 1.5, blow.mass, blow.approach, contact.press)
        ratio.append(better / contact.peak)
        plain.append(blow.force / contact.peak)
        turned.append(contact.turned)
    still, error, simple = np.array(turned) < 0.02, *(np.abs(np.array(part) - 1.0) for part in (ratio, plain))
    assert still.sum() > 8
    assert error[still].max() < 0.04
    assert np.median(error) < 0.5 * np.median(simple)
    close = [(part < 0.15).mean() for part in (simple, error)]
    assert close[1] > close[0] + 0.1
    print(f"\n{still.sum()} of {still.size} stay put: {error[still].max():.3f}; within 15 %: {close}")


@pytest.mark.slow
def test_surfaces_that_are_stiffer_are_nearer_to_the_estimate(blows):
    """Contacts get shorter with K to the power -2/5, and nothing is left but what the dissipation takes."""
    errors = []
    for factor in (1.0, 1e2, 1e4):
        peaks = np.array([blow.contact(factor * K).peak for blow in blows[::4]])
        # the estimate goes with K to the power 2/5
        estimated = np.array([factor**0.4 * blow.force for blow in blows[::4]])
        errors.append(np.median(np.abs(DAMPED * estimated / peaks - 1.0)))
    shorter = 1e2**0.4
    assert errors[0] / errors[1] == pytest.approx(shorter, rel=0.5)
    assert errors[1] / errors[2] == pytest.approx(shorter, rel=0.5)
    assert errors[2] < 0.01


@pytest.mark.slow
def test_the_greatest_force_of_a_turn():
    """Whatever the motion does: the second to the sixth turn of starts that differ by a micrometre."""
    random, until = np.random.default_rng(1), 6.0 * TURN
    estimated, found = [], []
    for _ in range(20):
        begin = away(*random.uniform(-1e-6, 1e-6, 2).tolist())
        struck = fx.simulate(slider_crank(IMPACT, start=begin), until, samples=2)
        pressed = fx.simulate(slider_crank(HERTZ, start=begin), until, samples=24001)
        turn, force = (pressed.t // TURN).astype(int), pressed.force("pin.gap")
        for k in range(1, 6):
            estimated.append(max((e.force for e in struck.impacts if e.time // TURN == k), default=0.0))
            found.append(force[turn == k].max())
    for part in (50, 75, 95):
        assert np.percentile(estimated, part) == pytest.approx(np.percentile(found, part), rel=0.15)
    print(f"\n{np.percentile(estimated, [50, 75, 95])} N, {np.percentile(found, [50, 75, 95])} N")


# -- dissipation -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", ["hunt_crossley", "lankarani_nikravesh", "flores", "gonthier"])
@pytest.mark.parametrize("e", [0.99, 0.95, 0.7, 0.3])
def test_dissipation_takes_little_of_the_peak(rule, e):
    """At first it takes from the force, as the surfaces go less deep; large losses are a blow of their own."""
    s, m, v = strength(rule, e), 0.145, 5.0
    exact = hertz.collide(m, K, 1.5, v, s / v).force / hertz.collide(m, K, 1.5, v, 0.0).force
    assert hertz.damped_peak(s) == pytest.approx(exact, rel=1e-6)
    if e == 0.99:
        assert hertz.damped_peak(s) == pytest.approx(1.0 - 0.4 * s, abs=s * s)


def test_dissipation_of_the_source():
    # the catalogue's 51234.40 and 52598.743 N for the sphere on a barrier
    assert pytest.approx(51234.40 / 52598.743, rel=5e-6) == DAMPED


# -- what the rest of the mechanism feels ------------------------------------------------------------------------------


def test_peaks_of_torque_and_acceleration():
    """From steps of work and velocity, against the forces by hand on a crank, a rod and a slider."""
    script = runpy.run_path(str(EXAMPLES / "ravn_impact.py"))
    motion, _ = script["compute"]()
    at, acceleration, torque = script["peaks"](motion)
    before = fx.simulate(script["model"], times=at.tolist(), method=script["METHOD"])
    x, y = (before[f"pin.{part}"] / PLAY for part in ("along", "across"))
    rod = np.arctan2(before["B.y"] - before["A.y"], before["B.x"] - before["A.x"])
    force = np.array([event.force for event in before.impacts])
    assert at.size > 80
    assert acceleration == pytest.approx(force * x / ravn.SLIDER_MASS, abs=1e-6 * np.abs(acceleration).max())
    for k in range(at.size):
        state = np.array([rod[k], 0.0, 0.0, 0.0])
        pushed, loose = (ravn.torque(at[k], state, f * np.array([x[k], y[k]])) for f in (-force[k], 0.0))
        assert torque[k] == pytest.approx(pushed - loose, abs=1e-6 * np.abs(torque).max())
