"""Limits of stability over a parameter against closed forms: each true limit once, and no other."""

from math import cos, pi, sqrt

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from scipy.special import mathieu_a, mathieu_b

import flexura as fx
from flexura.planar import Mass
from references.periodic_systems import shaken_pendulum
from references.rolling_models import disc


def particle(x: str, y: str = "", **given) -> fx.Model:
    """A unit mass in the plane, with these forces on it."""
    loads = {"A.x": x} | ({"A.y": y} if y else {})
    fixed = [] if y else ["A.y"]
    return fx.Model(nodes={"A": (0, 0)}, elements={"mass": Mass("A", 1.0)}, fixed=fixed, loads=loads, **given)


def negative_damping(c: float) -> fx.Model:
    return particle(f"-({c} - 0.337)*A.x' - 2*A.x")


def damped_divergence(k: float) -> fx.Model:
    return particle(f"-0.1*A.x' - ({k} - 0.337)*A.x")


def undamped_divergence(k: float) -> fx.Model:
    return particle(f"-({k} - 0.337)*A.x")


def circulatory(p: float) -> fx.Model:
    """Two frequencies √1 and √2 coupled by ±p: they meet where p = (2 - 1)/2."""
    return particle(f"-A.x - {p}*A.y", f"-2*A.y + {p}*A.x")


def gyroscopic(w: float) -> fx.Model:
    """A particle on a saddle of stiffness -1 that turns: stable where w > 1."""
    return particle(f"A.x + 2*{w}*A.y'", f"A.y - 2*{w}*A.x'")


def rolling(v: float) -> fx.Model:
    """A disc of unit mass, radius and weight, which stays upright above √(g/3R)."""
    return disc(start={"W.x'": v})


CASES = {
    "negative damping": (negative_damping, (0.0, 1.0), [0.337], [sqrt(2.0)]),
    "divergence with damping": (damped_divergence, (0.0, 1.0), [0.337], [0.0]),
    "divergence without damping": (undamped_divergence, (0.0, 1.0), [0.337], [0.0]),
    "circulatory": (circulatory, (0.03, 1.0), [0.5], [sqrt(1.5)]),
    "gyroscopic": (gyroscopic, (0.3, 2.0), [1.0], [1.0]),
    "rolling disc": (rolling, (0.1, 1.0), [sqrt(1.0 / 3.0)], [0.0]),
}


@pytest.mark.parametrize("count", [3, 10, 31])
@pytest.mark.parametrize("name", CASES)
def test_each_limit_once_and_none_other(name, count):
    build, span, values, speeds = CASES[name]
    found = fx.root_locus(build, "value", np.linspace(*span, count)).limits
    assert [limit.value for limit in found] == pytest.approx(values, abs=1e-8)
    assert [limit.eigenvalue.imag for limit in found] == pytest.approx(speeds, abs=1e-4)
    assert found[0].rising == (name == "circulatory")


@pytest.mark.parametrize("name", ["negative damping", "undamped divergence", "rolling disc"])
def test_a_limit_on_a_given_value(name):
    build, _, values, _ = CASES.get(name, CASES["divergence without damping"])
    at = [0.5 * values[0], values[0], 1.7 * values[0]]
    found = fx.root_locus(build, "value", at).limits
    assert [limit.value for limit in found] == pytest.approx(values, abs=1e-8)


def test_limits_of_slow_motions_beside_fast_ones():
    """A mode of 1 rad/s that diverges beside one of 3e5 rad/s is not taken for a zero."""
    found = fx.root_locus(lambda k: particle(f"-({k} - 0.337)*A.x", "-1e11*A.y - 1e3*A.y'"), "k", [0.0, 0.5, 1.0])
    # the rounding of 1e11 in the matrix is 1e-5, of which balancing leaves 4e-8
    assert [limit.value for limit in found.limits] == pytest.approx([0.337], abs=4e-7)


# -- periodic equations ------------------------------------------------------------------------------------------------


def test_limits_of_mathieus_equation_without_damping() -> None:
    """Two multipliers meet at 1 or -1: characteristic values of SciPy, each once."""
    q = 0.4
    exact = sorted([mathieu_a(0, q), mathieu_b(1, q), mathieu_a(1, q), mathieu_b(2, q), mathieu_a(2, q)])
    found = fx.stability(shaken_pendulum(1.0, q), "gravity.y", np.linspace(-6.0, 1.0, 40), period=pi).limits
    assert [limit.value for limit in found] == pytest.approx([-value for value in reversed(exact)], abs=1e-9)


def test_limits_of_mathieus_equation_with_damping() -> None:
    """The largest multiplier of the monodromy matrix by SciPy is 1."""
    q, damping = 2.0, 0.05

    def growth(a: float) -> float:
        def rates(t: float, z: np.ndarray) -> list[float]:
            stiffness = a - 2.0 * q * cos(2.0 * t)
            return [z[2], z[3], *(-2.0 * damping * z[2:] - stiffness * z[:2])]

        run = solve_ivp(rates, (0.0, pi), [1.0, 0.0, 0.0, 1.0], method="DOP853", rtol=1e-12, atol=1e-13)
        return float(np.abs(np.linalg.eigvals(run.y[:, -1].reshape(2, 2))).max() - 1.0)

    found = fx.stability(shaken_pendulum(1.0, q, damping), "gravity.y", np.linspace(-6.0, 1.0, 40), period=pi).limits
    assert len(found) == 3
    for limit in found:
        assert brentq(growth, -limit.value - 1e-3, -limit.value + 1e-3) == pytest.approx(-limit.value, abs=1e-9)


def test_pendulum_upside_down_between_its_limits() -> None:
    lower = brentq(lambda q: mathieu_a(0, q) + 0.1, 0.1, 1.0) / 2.0
    upper = brentq(lambda q: mathieu_b(1, q) + 0.1, 0.5, 1.5) / 2.0
    values = np.linspace(0.01, 0.6, 13)
    found = fx.stability(shaken_pendulum(-0.1, 1.0), "inputs.P.y.amplitude", values, period=pi).limits
    assert [limit.value for limit in found] == pytest.approx([lower, upper], abs=1e-9)


@pytest.mark.parametrize("damping", [0.0, 0.05])
def test_divergence_where_nothing_shakes(damping: float) -> None:
    model = shaken_pendulum(1.0, 0.0, damping)
    found = fx.stability(model, "gravity.y", np.linspace(-1.0, 1.3, 8), period=pi).limits
    assert [limit.value for limit in found] == pytest.approx([0.0], abs=1e-9)
    assert fx.stability(model, "gravity.y", np.linspace(-5.0, -0.5, 8), period=pi).limits == ()
