"""Hill, monodromy matrix and a long march agree on what is stable; averaging does not, and knows it."""

from math import pi, sqrt

import numpy as np
import pytest

import flexura as fx
from flexura.analyses.periodic.averaging import average
from flexura.analyses.periodic.floquet import floquet
from flexura.analyses.periodic.nominal_motion import Course
from flexura.analyses.periodic.periodic import over_period
from flexura.analyses.periodic.periodic_equations import PeriodicEquations
from flexura.analyses.periodic.periodic_methods import Averaging, DirectIntegration, Hill
from flexura.planar import Beam, Mass
from references.gallery import model
from references.periodic_systems import mathieu

COUNT = {"mathieu": 80, "pendulum": 60, "slider_crank": 30, "drive_shaft": 30}
CLEAR = 0.02
"""Points that grow or decay by less than this in a period would need a longer march."""


def march(equations: PeriodicEquations, periods: int = 400, steps: int = 512) -> float:
    """The growth in 1/s of a state that is marched by the classical Runge–Kutta method."""
    h, n = equations.period / steps, equations.size
    A = equations.homogeneous(0.5 * h * np.arange(2 * steps + 1))
    a, b, c = A[:-1:2], A[1::2], A[2::2]
    one = np.eye(2 * n)
    k2 = b @ (one + 0.5 * h * a)
    k3 = b @ (one + 0.5 * h * k2)
    k4 = c @ (one + h * k3)
    matrices = one + h / 6.0 * (a + 2.0 * k2 + 2.0 * k3 + k4)
    scale = np.repeat([1.0, 1.0 / equations.frequency], n)
    y, sizes = np.random.default_rng(0).standard_normal(2 * n) / scale, []
    for _ in range(periods):
        for matrix in matrices:
            y = matrix @ y
        size = np.linalg.norm(scale * y)
        sizes.append(np.log(size))
        y = y / size
    return float(np.mean(sizes[periods // 2 :]) / equations.period)


def points(kind: str):
    random = np.random.default_rng(7)
    while True:
        if kind == "mathieu":
            yield mathieu(random.uniform(-0.5, 6.0), random.uniform(0.0, 2.5), random.uniform(0.0, 0.15))
            continue
        if kind == "pendulum":
            speed = random.uniform(0.7, 1.6) * sqrt(9.81)
            changed = model("elliptic_pendulum").with_parameter("inputs.crank.p.phi.rate", speed)
            positions = 32
        elif kind == "slider_crank":
            # soft rods at high speed, some of which are unstable
            speed, positions = random.uniform(300.0, 900.0), 64
            changed = model("slider_crank_resonance").with_parameter("inputs.crank.p.phi.rate", speed)
            changed = changed.with_parameter("elements.rod.section.damping_ratio", random.uniform(0.005, 0.03))
        else:
            speed, positions = random.uniform(0.55, 1.0) * 765.712653, 64
            changed = model("drive_shaft").with_parameter("inputs.drive.rotation.rate", speed)
        yield over_period(Course(changed), 2 * pi / speed, positions, 1e-9, forced=False)[1]


@pytest.mark.slow
@pytest.mark.parametrize("kind", COUNT)
def test_the_verdicts_are_the_same(kind):
    found, wrong, unstable = 0, 0, 0
    for equations in points(kind):
        exact = floquet(equations, DirectIntegration(), 0)
        if abs(exact.growth) * equations.period < CLEAR:
            continue
        hill = floquet(equations, Hill(harmonics=16), 0)
        marched = march(equations, 100)
        assert hill.stable == exact.stable == (marched < 0.0)
        assert hill.growth == pytest.approx(exact.growth, abs=1e-6 * equations.frequency)
        assert marched == pytest.approx(exact.growth, abs=0.05 / equations.period)
        if floquet(equations, Averaging(), 0).stable != exact.stable:
            wrong += 1
            assert not average(equations).valid
        found, unstable = found + 1, unstable + (not exact.stable)
        if found == COUNT[kind]:
            break
    print(f"{kind}: {found} points, {unstable} unstable, averaging wrong on {wrong}")
    if kind != "slider_crank":
        assert 0 < unstable < found


def test_no_exponent_is_lost_where_two_are_alike():
    """Near 764 rad/s a forward and a backward whirl of the drive shaft have like shapes, and exponents 0.06 ω apart."""
    speed = 764.1621825408604
    changed = model("drive_shaft").with_parameter("inputs.drive.rotation.rate", speed)
    equations = over_period(Course(changed), 2 * pi / speed, 64, 1e-9, forced=False)[1]
    exact, hill = floquet(equations, DirectIntegration(), 0), floquet(equations, Hill(harmonics=16), 0)
    assert len(hill.exponents) == 2 * equations.size
    assert hill.growth == pytest.approx(exact.growth, abs=1e-6 * equations.frequency)


def slider_crank(beams: int) -> fx.Model:
    """A crank with a damped flexible rod, whose fastest vibrations are thousands of times as fast as the crank."""
    rod = fx.Section(rhoA=0.5, EA=1e7, EI=500.0, damping=1e-4)
    return fx.Model(
        nodes={"O": (0, 0), "A": (0.15, 0), "B": (0.6, 0)},
        elements={
            "crank": Beam("O", "A", fx.Section(), rigid=True),
            "rod": Beam("A", "B", rod, parts=beams),
            "slider": Mass("B", 0.5),
        },
        fixed=["O", "B.y"],
        inputs={"crank.p.phi": fx.Ramp(rate=60.0)},
    )


def test_hill_keeps_the_least_stable_of_many_exponents() -> None:
    """Solutions that die out at once are mixed up by rounding, and must not take the place of slow ones."""
    motion = fx.periodic(slider_crank(8), 2.0 * np.pi / 60.0)
    every, slowest = (motion.stability(method) for method in (fx.Hill(), fx.Hill(wanted=4)))
    assert every.growth == pytest.approx(slowest.growth, rel=1e-6)


def test_the_default_of_stability_takes_the_cheaper_way() -> None:
    """Six beams by the monodromy matrix, and by default: equal digits."""
    values, parameter = [55.0, 60.0], "inputs.crank.p.phi.rate"
    by_default = fx.stability(slider_crank(6), parameter, values)
    exact = fx.stability(slider_crank(6), parameter, values, method=fx.DirectIntegration())
    np.testing.assert_allclose(by_default.growth, exact.growth, rtol=1e-7)
    assert len(by_default.exponents[0]) <= 8
