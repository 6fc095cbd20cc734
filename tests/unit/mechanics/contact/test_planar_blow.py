"""Blows with friction in the plane: the table of the source, increments of the impulse, limits."""

import math

import numpy as np
import pytest

from flexura.mechanics.contact.blow_phases import (
    BLOW_SIZE,
    COMPRESSION,
    COMPRESSION_REVERSE,
    COMPRESSION_STICK,
    ENERGETIC,
    HALT,
    KIND,
    NEWTON,
    NORMAL,
    POISSON,
    RATE,
    RESTITUTION_REVERSE,
    RESTITUTION_STICK,
    RETURNED,
    SLIPS,
    STICKS,
    TAKEN,
    TANGENT,
)
from flexura.mechanics.contact.planar_blow import planar_blow
from references.impulse_increments import in_the_plane

INF = math.inf


def struck(a, b, c, mu, e, u, slip, law=ENERGETIC):
    """The blow, and the energy that it makes."""
    z = np.zeros(BLOW_SIZE)
    assert planar_blow(a, b, c, mu, e, law, u, slip, 0.0, z)
    p, q = z[NORMAL], z[TANGENT]
    after = np.array([u + a * p + b * q, slip + b * p + c * q])
    return z, 0.5 * p * (u + after[0]) + 0.5 * q * (slip + after[1])


# a rod of 1 kg and 1 m at 45° [Elkaranshawy1995, section 5.6], e = 1: own derivation from (3.39)-(3.74)
ROWS = [
    (0.0, 0.0, SLIPS, 0.4000, INF, 0.8000, 1.0, (0, 0, 0)),
    (0.0, 0.8, STICKS, 0.6250, 0.0, 1.2500, 1.0, (0, 0, 0)),
    (-1.0, 0.7, SLIPS, 0.6897, 4.0, 1.3793, 1.0, (-0.7990, -0.7990, -0.7990)),
    (-1.0, 0.95, RESTITUTION_STICK, 0.9302, 1.1429, 1.7559, 1.2095, (-0.5429, -0.4077, -0.6875)),
    (-0.3, 0.95, COMPRESSION_STICK, 0.7375, 0.3429, 1.4484, 1.1374, (-0.0489, -0.0180, -0.1406)),
    (0.5, 0.95, COMPRESSION_STICK, 0.4375, 0.1290, 0.9018, 0.7429, (-0.0307, -0.0500, 0.1094)),
    (0.5, 0.3, COMPRESSION_REVERSE, 0.3902, 0.2222, 0.8073, 0.8551, (-0.0552, -0.0740, 0.0005)),
    (0.9, 0.3, RESTITUTION_REVERSE, 0.3390, 0.4000, 0.7217, 0.8395, (-0.0656, -0.0975, 0.0)),
]


@pytest.mark.parametrize(("slip", "mu", "kind", "compression", "halt", "end", "leaves", "gains"), ROWS)
def test_rod_of_the_source(slip, mu, kind, compression, halt, end, leaves, gains):
    for law, gain in zip((ENERGETIC, POISSON, NEWTON), gains, strict=True):
        z, made = struck(2.5, -1.5, 2.5, mu, 1.0, -1.0, slip, law)
        assert z[KIND] == kind
        assert z[COMPRESSION] == pytest.approx(compression, abs=1e-4)
        assert z[HALT] == pytest.approx(halt, abs=1e-4)
        assert made == pytest.approx(gain, abs=1e-4)
        if law == ENERGETIC:
            assert z[NORMAL] == pytest.approx(end, abs=1e-4)
            assert z[RATE] == pytest.approx(leaves, abs=1e-4)
            assert z[RETURNED] / z[TAKEN] == pytest.approx(1.0, abs=1e-12)
        elif law == NEWTON:
            assert z[RATE] == pytest.approx(1.0, abs=1e-12)
        else:
            assert z[NORMAL] == pytest.approx(2.0 * z[COMPRESSION], abs=1e-12)


def test_laws_differ_where_the_slip_halts():
    """(-1, +0.5, 0.95): Newton's law makes 7/64 J; Poisson's returns 0.888 of the work of compression."""
    newton, gain = struck(2.5, -1.5, 2.5, 0.95, 1.0, -1.0, 0.5, NEWTON)
    assert gain == pytest.approx(0.109375, abs=1e-12)
    assert newton[RETURNED] / newton[TAKEN] == pytest.approx(1.812, abs=5e-4)
    poisson, gain = struck(2.5, -1.5, 2.5, 0.95, 1.0, -1.0, 0.5, POISSON)
    assert poisson[RETURNED] / poisson[TAKEN] == pytest.approx(0.888, abs=5e-4)
    assert gain < 0.0


def draw(random):
    """Random mobilities, friction, restitution and approach; a third of them without slip."""
    rows = random.standard_normal((2, 3))
    (a, b), (_, c) = rows @ rows.T
    mu, e = 10.0 ** random.uniform(-2, 1), random.random()
    return a, b, c, mu, e, -random.random() - 1e-3, random.standard_normal() * (random.integers(0, 3) > 0)


def agrees_with_increments(case, count):
    a, b, c, mu, e, u, slip = case
    z, gain = struck(*case)
    assert gain <= 1e-14 * z[NORMAL] * (abs(u) + abs(slip))
    assert z[RETURNED] == pytest.approx(e * e * z[TAKEN], rel=1e-8, abs=1e-300)
    dp = z[NORMAL] / count
    p, q, halt, end = in_the_plane(*case, dp, 2 * count)
    # an increment more or less is magnified where the gap hardly gives way: a stuck contact has the least mobility
    near = 20.0 * dp * (1.0 + (a + c) * (1.0 + mu) / (a - b * b / c))
    assert p == pytest.approx(z[NORMAL], abs=near)
    assert q == pytest.approx(z[TANGENT], abs=near * (1.0 + mu))
    if slip == 0.0:
        assert z[KIND] == (STICKS if abs(b) <= mu * c else SLIPS)
    elif min(abs(z[HALT] - z[COMPRESSION]), abs(z[HALT] - z[NORMAL])) > near:
        halts = halt < p - near
        sticks = abs(b) <= mu * c
        if not halts:
            assert z[KIND] == SLIPS
        elif halt < end:
            assert z[KIND] == (COMPRESSION_STICK if sticks else COMPRESSION_REVERSE)
        else:
            assert z[KIND] == (RESTITUTION_STICK if sticks else RESTITUTION_REVERSE)
    return z[KIND]


def test_closed_form_is_the_limit_of_increments():
    random = np.random.default_rng(1)
    kinds = {agrees_with_increments(draw(random), 20_000) for _ in range(300)}
    assert kinds == {SLIPS, STICKS, COMPRESSION_STICK, RESTITUTION_STICK, COMPRESSION_REVERSE, RESTITUTION_REVERSE}


@pytest.mark.slow
def test_closed_form_is_the_limit_of_many_increments():
    random = np.random.default_rng(2)
    for _ in range(10_000):
        agrees_with_increments(draw(random), 100_000)


def test_energy_is_never_made_by_the_energetic_law():
    random = np.random.default_rng(3)
    for _ in range(10_000):
        a, b, c, mu, e, u, slip = draw(random)
        z, gain = struck(a, b, c, mu, e, u, slip)
        assert gain <= 1e-14 * z[NORMAL] * (abs(u) + abs(slip))
        assert z[RETURNED] == pytest.approx(e * e * z[TAKEN], rel=1e-8)
        assert z[RATE] >= 0.0


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_units_do_not_matter(scale):
    one, _ = struck(2.5, -1.5, 2.5, 0.95, 0.7, -1.0, -0.3)
    other, _ = struck(2.5 * scale, -1.5 * scale, 2.5 * scale, 0.95, 0.7, -1e-3, -0.3e-3)
    assert other[NORMAL] == pytest.approx(one[NORMAL] * 1e-3 / scale, rel=1e-13)
    assert other[KIND] == one[KIND]


def test_limits():
    assert struck(2.0, 0.5, 1.0, 0.0, 0.4, -1.0, 3.0)[0][:2] == pytest.approx([0.7, 0.0])
    # no coupling and no slip: no friction
    assert struck(2.0, 0.0, 1.0, 0.3, 0.4, -1.0, 0.0)[0][:2] == pytest.approx([0.7, 0.0])
    # without approach and with a regular contact nothing happens
    assert struck(2.0, 0.5, 1.0, 0.3, 0.4, 0.0, 1.0)[0][NORMAL] == 0.0
    # friction on a slip that no impulse changes
    assert struck(2.0, 0.0, 0.0, 0.3, 0.5, -1.0, 1.0)[0][:2] == pytest.approx([0.75, -0.225])
    # on the edge of sticking both ways are the same
    below, above = (struck(2.0, 0.6, 1.0, mu, 0.5, -1.0, -0.1)[0] for mu in (0.6 - 1e-12, 0.6 + 1e-12))
    assert below[:4] == pytest.approx(above[:4], abs=1e-11)
    # a contact that presses the harder the more it slides stops its slip, with a blow and without
    a, b, c, mu = 1.0, -0.9, 1.0, 3.0
    for u in (0.0, -1.0):
        z, _ = struck(a, b, c, mu, 0.0, u, -1.0)
        assert a + mu * b < 0.0 < z[NORMAL]
        assert -1.0 + b * z[NORMAL] + c * z[TANGENT] == pytest.approx(0.0, abs=1e-14)
        assert u + a * z[NORMAL] + b * z[TANGENT] == pytest.approx(0.0, abs=1e-14)


def test_one_freedom_locks_or_bounces():
    """Gap and slip go together: strong friction stops both, weak friction lets the machine rebound."""
    z, _ = struck(1.0, 1.0, 1.0, 2.0, 0.5, -1.0, -1.0)
    assert z[RATE] == 0.0
    assert z[NORMAL] == pytest.approx(1.0 / 3.0)
    z, gain = struck(1.0, 1.0, 1.0, 0.5, 0.5, -1.0, -1.0)
    assert z[RATE] > 0.0
    assert z[RETURNED] == pytest.approx(0.25 * z[TAKEN])
    assert gain < 0.0
    # nothing gives way
    assert not planar_blow(1.0, 1.0, 1.0, 2.0, 0.5, ENERGETIC, -1.0, 0.0, 0.0, np.zeros(BLOW_SIZE))
