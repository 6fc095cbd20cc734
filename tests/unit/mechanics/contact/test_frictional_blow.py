"""A blow with friction in the plane: the closed form against small increments of the normal impulse."""

import numpy as np
import pytest

from flexura.mechanics.contact.frictional_blow import frictional_blow


def by_increments(a, b, c, mu, e, u, slip, count=4000):
    """Step along the normal impulse until restitution has returned e² of the work of compression."""
    dp = (abs(u) + abs(slip) + 1e-9) / (a + c) / count
    p = q = work = taken = 0.0
    while p < 1e6 * dp * count:
        if abs(slip) <= 2.0 * dp * (abs(b) + mu * c):
            # at rest: stick if friction can hold, else slide the way that the blow pushes
            dq = -b / c if abs(b) <= mu * c else -mu * np.sign(b)
            slip = 0.0 if abs(b) <= mu * c else slip
        else:
            dq = -mu * np.sign(slip)
        du, ds = a + b * dq, b + c * dq
        step = u + 0.5 * du * dp
        work += step * dp
        taken = min(taken, work)
        u, slip, p, q = u + du * dp, slip + ds * dp, p + dp, q + dq * dp
        if u > 0.0 and work - taken >= -(e**2) * taken:
            break
    return p, q


@pytest.mark.parametrize("seed", range(40))
def test_closed_form_is_the_limit_of_increments(seed):
    random = np.random.default_rng(seed)
    rows = random.standard_normal((2, 3))
    (a, b), (_, c) = rows @ rows.T
    mu, e = 10.0 ** random.uniform(-2, 1), random.random()
    u, slip = -random.random(), random.standard_normal() * random.integers(0, 2)
    found = frictional_blow(a, b, c, mu, e, u, slip, 0.0)
    size = found[0] + abs(u) / a
    assert found == pytest.approx(by_increments(a, b, c, mu, e, u, slip), abs=5e-3 * size * (1.0 + mu))
    # energy is never made
    after = np.array([u + a * found[0] + b * found[1], slip + b * found[0] + c * found[1]])
    assert found[0] * (u + after[0]) + found[1] * (slip + after[1]) <= 1e-12


def test_limits():
    assert frictional_blow(2.0, 0.5, 1.0, 0.0, 0.4, -1.0, 3.0, 0.0) == pytest.approx((0.7, 0.0))
    # no coupling and no slip: no friction
    assert frictional_blow(2.0, 0.0, 1.0, 0.3, 0.4, -1.0, 0.0, 0.0) == pytest.approx((0.7, 0.0))
    # without approach and with a regular contact nothing happens
    assert frictional_blow(2.0, 0.5, 1.0, 0.3, 0.4, 0.0, 1.0, 0.0) == (0.0, 0.0)
    # a contact that presses the harder the more it slides stops its slip
    a, b, c, mu = 1.0, -0.9, 1.0, 3.0
    normal, tangent = frictional_blow(a, b, c, mu, 0.0, 0.0, -1.0, 0.0)
    assert a + mu * b < 0.0 < normal
    assert -1.0 + b * normal + c * tangent == pytest.approx(0.0, abs=1e-14)
    assert a * normal + b * tangent == pytest.approx(0.0, abs=1e-14)
