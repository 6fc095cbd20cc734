"""Blows with friction in space, where the slip turns: an ODE in the impulse, increments, straight slips."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from flexura.mechanics.contact.blow_phases import (
    BLOW_SIZE,
    COMPRESSION_STICK,
    ENERGETIC,
    HALT,
    KIND,
    NORMAL,
    POISSON,
    RATE,
    RESTITUTION_STICK,
    RETURNED,
    SLIPS,
    TAKEN,
    TANGENT,
)
from flexura.mechanics.contact.planar_blow import planar_blow
from flexura.mechanics.contact.spatial_blow import escape_direction, spatial_blow
from references.impulse_increments import by_increments


def struck(W, mu, e, u, slip, law=ENERGETIC):
    """The blow, the rates after it and the energy that it makes."""
    z = np.zeros(BLOW_SIZE)
    assert spatial_blow(W, mu, e, law, u, slip[0], slip[1], 0.0, z)
    impulse, before = z[NORMAL : TANGENT + 2], np.array([u, *slip])
    after = before + W @ impulse
    return z, after, 0.5 * impulse @ (before + after)


def by_ode(W, mu, e, u, slip):
    """Impulses at the end of restitution, by integration over the normal impulse, where the slip does not halt."""

    def rates(p, y):
        q = -mu * y[1:3] / math.hypot(y[1], y[2])
        return [*(W @ [1.0, *q]), *q, -min(y[0], 0.0), max(y[0], 0.0)]

    def turns(p, y):
        return y[0]

    def ends(p, y):
        return y[6] - e * e * y[5] if y[0] > 0.0 else -1.0

    turns.direction = ends.direction = 1.0
    turns.terminal = ends.terminal = True
    options = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-14}
    first = solve_ivp(rates, (0.0, 1e3), [u, *slip, 0, 0, 0, 0], events=turns, **options)
    middle = [1e-16, *first.y[1:, -1]]
    last = solve_ivp(rates, (first.t[-1], 1e3), middle, events=ends, **options)
    return last.t[-1], last.y[3:5, -1], first.t[-1]


# slips that turn by more than 10°: (W, μ, e, u, slip)
TURNING = [
    (np.array([[1.0, 0.3, -0.2], [0.3, 2.0, 0.5], [-0.2, 0.5, 1.5]]), 0.2, 0.8, -1.0, (0.5, -1.0)),
    (np.array([[2.0, -0.9, 0.8], [-0.9, 1.5, -0.4], [0.8, -0.4, 3.0]]), 0.15, 0.6, -2.0, (0.4, 0.3)),
    (np.array([[0.7, 0.1, 0.5], [0.1, 4.0, 1.0], [0.5, 1.0, 0.9]]), 0.3, 1.0, -1.0, (1.2, -0.2)),
]


@pytest.mark.parametrize(("W", "mu", "e", "u", "slip"), TURNING)
def test_slip_that_turns_is_that_of_the_ode(W, mu, e, u, slip):
    z, after, gain = struck(W, mu, e, u, slip)
    p, q, compression = by_ode(W, mu, e, u, slip)
    assert z[KIND] == SLIPS
    turned = math.atan2(slip[0] * after[2] - slip[1] * after[1], slip[0] * after[1] + slip[1] * after[2])
    assert abs(math.degrees(turned)) > 10.0
    assert z[NORMAL] == pytest.approx(p, abs=1e-9)
    assert z[TANGENT : TANGENT + 2] == pytest.approx(q, abs=1e-9)
    assert z[8] == pytest.approx(compression, abs=1e-9)
    assert z[RATE] == pytest.approx(after[0], abs=1e-12)
    assert gain < 0.0


def draw(random):
    rows = random.standard_normal((3, 4))
    mu, e = 10.0 ** random.uniform(-1.5, 0.7), random.random()
    slip = random.standard_normal(2) * (random.integers(0, 3) > 0)
    return rows @ rows.T, mu, e, -random.random() - 1e-3, slip


def test_energy_is_never_made_by_the_energetic_law():
    random, kinds = np.random.default_rng(4), set()
    for _ in range(1000):
        W, mu, e, u, slip = draw(random)
        z, after, gain = struck(W, mu, e, u, slip)
        kinds.add(int(z[KIND]))
        assert gain <= 1e-13 * z[NORMAL] * (abs(u) + np.abs(slip).sum())
        assert z[RETURNED] == pytest.approx(e * e * z[TAKEN], rel=1e-8)
        assert after[0] == pytest.approx(z[RATE], abs=1e-10 * (abs(u) + np.abs(after).max()))
        if z[KIND] in {COMPRESSION_STICK, RESTITUTION_STICK}:
            assert np.abs(after[1:]).max() < 1e-10 * (abs(u) + np.abs(slip).max())
    assert kinds == {1, 2, 3, 4, 5, 6}


def agrees_with_increments(case, count):
    W, mu, e, u, slip = case
    z, after, gain = struck(*case)
    assert gain <= 1e-13 * z[NORMAL] * (abs(u) + np.abs(slip).sum())
    assert z[RETURNED] == pytest.approx(e * e * z[TAKEN], rel=1e-8)
    dp, size = z[NORMAL] / count, np.abs(W).sum()
    p, q, last, _ = by_increments(W, mu, e, u, np.asarray(slip, dtype=float), dp, 2 * count)
    # an increment more or less is magnified where the gap hardly gives way: a stuck contact has the least mobility
    near = 20.0 * dp * (1.0 + size * (1.0 + mu) * np.linalg.inv(W)[0, 0])
    assert p == pytest.approx(z[NORMAL], abs=near)
    assert q == pytest.approx(z[TANGENT : TANGENT + 2], abs=near * (1.0 + mu))
    assert last == pytest.approx(after[1:], abs=near * size * (1.0 + mu))


def test_hodograph_is_the_limit_of_increments():
    random = np.random.default_rng(5)
    for _ in range(60):
        agrees_with_increments(draw(random), 20_000)


@pytest.mark.slow
def test_hodograph_is_the_limit_of_many_increments():
    random = np.random.default_rng(6)
    for _ in range(10_000):
        agrees_with_increments(draw(random), 100_000)


@pytest.mark.parametrize("angle", [0.0, 0.3, 2.0, -1.7])
@pytest.mark.parametrize("law", [ENERGETIC, POISSON])
def test_straight_slip_is_that_of_the_plane(angle, law):
    """A body whose coupling and slip have one direction, in axes that are turned about the normal."""
    turn = np.array([[1, 0, 0], [0, math.cos(angle), -math.sin(angle)], [0, math.sin(angle), math.cos(angle)]])
    W = turn @ np.array([[2.5, -1.5, 0.0], [-1.5, 2.5, 0.0], [0.0, 0.0, 1.3]]) @ turn.T
    for slip, mu in [(0.0, 0.0), (0.0, 0.8), (-1.0, 0.7), (-1.0, 0.95), (-0.3, 0.95), (0.5, 0.95), (0.5, 0.3)]:
        z = np.zeros(BLOW_SIZE)
        planar_blow(2.5, -1.5, 2.5, mu, 0.8, law, -1.0, slip, 0.0, z)
        found, _, _ = struck(W, mu, 0.8, -1.0, (slip * math.cos(angle), slip * math.sin(angle)), law)
        assert found[KIND] == z[KIND]
        assert found[NORMAL] == pytest.approx(z[NORMAL], abs=1e-12)
        along = z[TANGENT] * np.array([math.cos(angle), math.sin(angle)])
        assert found[TANGENT : TANGENT + 2] == pytest.approx(along, abs=1e-12)
        assert found[TAKEN] == pytest.approx(z[TAKEN], abs=1e-12)


def test_direction_of_escape_grows_and_does_not_turn():
    random = np.random.default_rng(7)
    for _ in range(200):
        rows = random.standard_normal((3, 4))
        W = rows @ rows.T
        w, C = W[0, 1:], W[1:, 1:]
        mu = 0.9 * random.random() * np.linalg.norm(np.linalg.solve(C, w))
        angle = escape_direction(W, mu)
        way, across = np.array([math.cos(angle), math.sin(angle)]), np.array([-math.sin(angle), math.cos(angle)])
        growth = w - mu * C @ way
        assert growth @ way > 0.0
        assert growth @ across == pytest.approx(0.0, abs=1e-13 * np.abs(W).max())


def test_halt_in_space_is_a_continuous_limit():
    """A slip next to a straight one that halts ends near it."""
    W = np.array([[2.5, -1.5, 0.0], [-1.5, 2.5, 0.0], [0.0, 0.0, 2.5]])
    straight, _, _ = struck(W, 0.95, 1.0, -1.0, (-0.3, 0.0))
    turned, _, _ = struck(W, 0.95, 1.0, -1.0, (-0.3, 1e-8))
    assert turned[KIND] == straight[KIND] == COMPRESSION_STICK
    assert turned[:4] == pytest.approx(straight[:4], abs=1e-7)
    assert turned[HALT] == pytest.approx(straight[HALT], abs=1e-7)
