"""Slider-crank with a flexible rod: the periodic solution, its harmonics, and the first turn.

The reference values are from an independent computation of the linearised equations of [Schwab2002, section 4.4.2].
"""

from math import pi

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

import flexura as fx
from flexura.analyses.periodic.averaging import average
from flexura.results import fourier
from references.gallery import model

ROD = 0.3
LARGEST = {  # speed: largest |v|/l with 1 % and with 2 % of critical damping
    150.0: (0.013076, 0.013089),
    200.0: (0.033924, 0.032379),
    240.0: (0.029200, 0.029492),
    250.0: (0.033327, 0.033645),
    270.0: (0.102430, 0.068614),
    300.0: (0.049750, 0.050189),
}
PEAKS = [  # damping, where it is, how large
    (0.01, 164.75, 0.017447),
    (0.01, 205.5, 0.06067),
    (0.01, 270.25, 0.102927),
    (0.02, 205.25, 0.041317),
    (0.02, 270.75, 0.069058),
]


def vibration(speed: float, damping: float):
    changed = model("slider_crank_resonance").with_parameter("inputs.crank.p.phi.rate", speed)
    return fx.periodic(changed.with_parameter("elements.rod.section.damping_ratio", damping), 2 * pi / speed)


def deflection(found) -> np.ndarray:
    """v/l of the rod's middle, from the two bendings beside it."""
    return (found["rod.1.bending_q"] + found["rod.2.bending_p"]) / 2 / ROD


def harmonics(found) -> np.ndarray:
    return (found.series("rod.1.bending_q") + found.series("rod.2.bending_p")) / 2 / ROD


def largest(found) -> float:
    half = harmonics(found)
    return max(map(abs, fourier.extremes(np.concatenate([half[:0:-1].conj(), half]))))


@pytest.fixture(scope="module")
def slow():
    return vibration(150.0, 0.02)


@pytest.mark.parametrize(("speed", "sizes"), LARGEST.items())
def test_largest_deflection(speed, sizes):
    for damping, size in zip((0.01, 0.02), sizes, strict=True):
        assert largest(vibration(speed, damping)) == pytest.approx(size, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(("damping", "speed", "size"), PEAKS)
def test_peaks(damping, speed, size):
    found = minimize_scalar(
        lambda w: -largest(vibration(float(w), damping)), bounds=(speed - 2, speed + 2), method="bounded",
        options={"xatol": 0.03},
    )  # fmt: skip
    assert found.x == pytest.approx(speed, abs=0.3)
    # the table was read every quarter of a radian per second
    assert largest(vibration(speed, damping)) == pytest.approx(size, abs=1e-5)


def test_over_a_turn(slow):
    turn = slow.at(slow.period * np.arange(8) / 8)
    table = [-0.000121, 0.012752, 0.006165, 0.001802, -0.000067, -0.001723, -0.005839, -0.012940]
    np.testing.assert_allclose(deflection(turn), table, atol=1e-6)


def test_harmonics(slow):
    table = [8.0914e-3, 5.1947e-3, 1.8038e-3, 4.613e-4, 3.709e-4]
    np.testing.assert_allclose(2 * np.abs(harmonics(slow)[1:6]), table, atol=5e-7)
    # the fourth is there although nothing forces it
    sizes = (slow.amplitudes("rod.1.bending_q", quasistatic=True), slow.amplitudes("rod.1.bending_q"))
    assert sizes[0][4] < 0.1 * sizes[1][4]


def test_the_modes_of_the_mean_coefficients(slow):
    found = average(slow.solver.equations)
    assert found.valid
    slowest = np.sort_complex(found.exponents[found.exponents.imag > 0.0])[::-1][:2]
    np.testing.assert_allclose(slowest, [-16.651 + 829.216j, -325.62 + 3666.63j], atol=0.01)


def test_the_first_turn(slow):
    times = slow.period * np.arange(13) / 12
    table = [0, 0.009576, 0.012573, 0.005123, 0.004062, -0.000454, 0.002137, -0.003444, -0.000982, -0.006647]
    table += [-0.011782, -0.010063, 0.000002]
    np.testing.assert_allclose(deflection(slow.transient(times)), table, atol=1e-6)


def test_averaging_is_near_the_equations(slow):
    times = np.linspace(0.0, slow.period, 721)
    direct, averaged = slow.transient(times), slow.transient(times, method=fx.Averaging())
    gap = deflection(direct) - deflection(averaged)
    assert np.abs(gap).max() == pytest.approx(2.55e-4, abs=2e-6)
    assert np.sqrt(np.mean(gap**2)) == pytest.approx(9.2e-5, abs=2e-6)
    assert averaged.note == ""


def test_from_given_values(slow):
    start = {"rod.1.bending_p": 1e-3, "rod.2.bending_q'": 0.5}
    for method in (None, fx.DirectIntegration(), fx.Averaging()):
        first = slow.transient([0.0, 0.001], start, method)
        for name in slow.coordinates:
            k = slow.coordinates.index(name)
            assert first.q[0][0, k] == pytest.approx(start.get(name, 0.0), abs=1e-12)
            assert first.q[1][0, k] == pytest.approx(start.get(f"{name}'", 0.0), abs=1e-9)
    with pytest.raises(fx.ModelError, match=r"start: 'B\.x' is not an independent coordinate"):
        slow.transient([0.0], {"B.x": 0.1})


def test_a_long_transient_ends_in_the_periodic_motion(slow):
    times = slow.period * (40.0 + np.arange(5) / 5)
    late, forever = slow.transient(times), slow.at(times)
    np.testing.assert_allclose(deflection(late), deflection(forever), atol=1e-10)
