"""Blows on random mobilities with friction, by the energetic law, against steps of the normal impulse.

The impulse at which a blow ends is taken from the package, and reached by steps of an independent integration. The
works along these steps have the ratio e², and no blow makes energy.
"""

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
    NORMAL,
    RESTITUTION_REVERSE,
    RESTITUTION_STICK,
    SLIPS,
    STICKS,
    TANGENT,
)
from flexura.mechanics.contact.planar_blow import planar_blow
from flexura.mechanics.contact.spatial_blow import spatial_blow
from references.stepped_blows import IN_COMPRESSION, IN_RESTITUTION, NO_HALT, in_space, in_the_plane

SIZES = ((300, 20_000), pytest.param(10_000, 100_000, marks=pytest.mark.slow))
"""Numbers of blows, and of steps for each."""


def draw(random, rows):
    """Mobilities, friction, restitution, approach and slips of a contact; a third of them without slip."""
    mobility = random.standard_normal((rows, rows + 1))
    mu, e = 10.0 ** random.uniform(-2.0, 1.0), random.random()
    slips = random.standard_normal(rows - 1) * (random.integers(0, 3) > 0)
    return mobility @ mobility.T, mu, e, -random.random() - 1e-3, slips


def kind_of(halt, sticks, slips):
    """Type of the blow [Elkaranshawy1995, table 3.1]."""
    if halt == NO_HALT:
        return STICKS if sticks and not np.any(slips) else SLIPS
    kinds = {
        IN_COMPRESSION: (COMPRESSION_REVERSE, COMPRESSION_STICK),
        IN_RESTITUTION: (RESTITUTION_REVERSE, RESTITUTION_STICK),
    }
    return kinds[halt][int(sticks)]


def compare(z, case, stepped, sticks):
    """The ratio of works, the impulses, the energy and the type."""
    W, _, e, u, slips = case
    work, q, rate, halt = stepped
    assert work[1] / -work[0] == pytest.approx(e * e, abs=1e-8)
    assert rate >= 0.0
    impulses = np.array([z[NORMAL], *z[TANGENT : TANGENT + slips.size]])
    assert q == pytest.approx(impulses[1:], abs=1e-8 * np.abs(impulses).max())
    before = np.array([u, *slips])
    # the energy that the whole impulse makes, from the rates before and after it
    assert impulses @ (before + 0.5 * W @ impulses) <= 1e-12 * z[NORMAL] * np.abs(before).max()
    assert z[KIND] == kind_of(halt, sticks, slips)
    if halt != NO_HALT:
        assert (z[HALT] < z[COMPRESSION]) == (halt == IN_COMPRESSION)
    return int(z[KIND])


@pytest.mark.parametrize(("count", "steps"), SIZES)
def test_blows_in_the_plane(count, steps):
    random, kinds = np.random.default_rng(16), set()
    for _ in range(count):
        case = W, mu, e, u, slips = draw(random, 2)
        z = np.zeros(BLOW_SIZE)
        assert planar_blow(W[0, 0], W[0, 1], W[1, 1], mu, e, ENERGETIC, u, slips[0], 0.0, z)
        work, q, rate, _, halt = in_the_plane(W[0, 0], W[0, 1], W[1, 1], mu, u, slips[0], z[NORMAL], steps)
        kinds.add(compare(z, case, (work, [q], rate, halt), abs(W[0, 1]) <= mu * W[1, 1]))
    assert kinds == {SLIPS, STICKS, COMPRESSION_STICK, RESTITUTION_STICK, COMPRESSION_REVERSE, RESTITUTION_REVERSE}


@pytest.mark.parametrize(("count", "steps"), SIZES)
def test_blows_in_space(count, steps):
    random, kinds = np.random.default_rng(22), set()
    for _ in range(count):
        case = W, mu, e, u, slips = draw(random, 3)
        z = np.zeros(BLOW_SIZE)
        assert spatial_blow(W, mu, e, ENERGETIC, u, slips[0], slips[1], 0.0, z)
        sticks = np.linalg.norm(np.linalg.solve(W[1:, 1:], W[0, 1:])) <= mu
        kinds.add(compare(z, case, in_space(W, mu, u, slips, z[NORMAL], steps), sticks))
    assert kinds == {SLIPS, STICKS, COMPRESSION_STICK, RESTITUTION_STICK, COMPRESSION_REVERSE, RESTITUTION_REVERSE}
