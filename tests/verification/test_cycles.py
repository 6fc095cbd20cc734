"""Periodic motions of the full equations by shooting and by their harmonics.

References are an independent computation of the source's cases [Schwab2002, section 4.4], the equations of single
oscillators solved with scipy in ``references.return_maps``, and long simulations.
"""

from math import pi, sqrt

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Mass, Truss
from references import return_maps
from references.gallery import model as example

RATE = "inputs.crank.p.phi.rate"

# -- pendulum with its pivot on an ellipse -----------------------------------------------------------------------------

NATURAL, SWING = sqrt(9.81), "pendulum.p.phi"
AMPLITUDES = {0.2: 0.010422, 0.4: 0.051179, 0.48: 0.144252, 0.5: 0.34644, 0.6: 0.150126, 0.8: 0.416731}


def pendulum(speed: float) -> fx.Model:
    return example("elliptic_pendulum").with_parameter(RATE, speed * NATURAL)


def swinging(w: float) -> return_maps.Acceleration:
    """φ̈ of the pendulum: its friction is with the pinion, which turns at -ω [Schwab2002 (4.18)]."""

    def acceleration(t: float, x: complex, v: complex) -> complex:
        upwards, across = 9.81 + 0.75 * w * w * np.cos(w * t), 0.25 * w * w * np.sin(w * t)
        return -0.02 * NATURAL * (v + w) - upwards * np.sin(x) + across * np.cos(x)

    return acceleration


@pytest.mark.parametrize(("speed", "amplitude"), AMPLITUDES.items())
def test_amplitude_of_the_pendulum(speed, amplitude):
    period = 2 * pi / (speed * NATURAL)
    shot, balanced = (
        fx.periodic(pendulum(speed), period, method=method) for method in (fx.Shooting(1e-10), fx.FullBalance())
    )
    assert shot.amplitude(SWING) == pytest.approx(amplitude, abs=1e-6)
    assert balanced.amplitude(SWING) == pytest.approx(shot.amplitude(SWING), abs=1e-9)
    assert max(shot.error, balanced.error) < 1e-9
    # the same from scipy
    start, slopes = return_maps.periodic(swinging(speed * NATURAL), list(shot.initial.values()), period)
    np.testing.assert_allclose(list(shot.initial.values()), start, atol=1e-9)
    np.testing.assert_allclose(list(balanced.initial.values()), start, atol=1e-9)
    for found in (shot, balanced):
        multipliers = np.linalg.eigvals(slopes)
        np.testing.assert_allclose(np.sort_complex(found.multipliers), np.sort_complex(multipliers), atol=1e-8)
        assert found.stable


def at(cycle, times: np.ndarray) -> np.ndarray:
    """The swing at any times, from its harmonics."""
    half = cycle.series(SWING)
    waves = np.exp(1j * np.outer(cycle.frequency * times, np.arange(1, len(half))))
    return half[0].real + 2 * (waves @ half[1:]).real


@pytest.fixture(scope="module")
def resonance():
    return fx.periodic(pendulum(0.5), 4 * pi / NATURAL, method=fx.FullBalance())


def test_a_simulation_from_its_start_repeats(resonance):
    model = resonance.model.replace(start=resonance.initial)
    motion = fx.simulate(model, 3 * resonance.period, samples=97, method=fx.DormandPrince(tolerance=1e-11))
    assert np.abs(motion[SWING] - at(resonance, motion.t)).max() < 1e-8


def test_a_long_simulation_ends_in_it(resonance):
    # disturbances lose more than a tenth in each period
    turns = 150
    times = resonance.period * (turns + np.arange(33) / 32)
    motion = fx.simulate(resonance.model, times=times.tolist(), method=fx.DormandPrince(tolerance=1e-11))
    assert np.abs(motion[SWING] - at(resonance, motion.t)).max() < 1e-6


def test_all_signals_of_a_cycle(resonance):
    turn = 0.5 * NATURAL * resonance.t
    np.testing.assert_allclose(resonance["S.x"], 0.25 * np.sin(turn), atol=1e-12)
    np.testing.assert_allclose(resonance["S.y"], -0.75 * np.cos(turn), atol=1e-12)
    np.testing.assert_allclose(resonance["Q.x"], resonance["S.x"] + np.sin(resonance[SWING]), atol=1e-12)
    # the rod pulls the bob, of one kilogram, along its own line
    across, up = -np.sin(resonance[SWING]), np.cos(resonance[SWING])
    pull = across * resonance["Q.x''"] + up * (resonance["Q.y''"] + 9.81)
    np.testing.assert_allclose(resonance.force("pendulum.elongation"), -pull, atol=1e-9)
    # what turns is given without its steady advance
    assert resonance.amplitude("crank.p.phi") == pytest.approx(0.0, abs=1e-10)
    assert resonance.amplitudes("S.y")[1] == pytest.approx(0.75, abs=1e-12)
    assert resonance.unit(SWING) == "rad"


def test_other_methods_of_stability(resonance):
    hill = resonance.stability(fx.Hill(harmonics=24))
    np.testing.assert_allclose(np.sort(np.abs(hill.multipliers)), np.sort(np.abs(resonance.multipliers)), atol=1e-8)


# -- slider-crank with a flexible rod ----------------------------------------------------------------------------------

ROD = 0.3
LARGEST = {150.0: 0.013017, 180.0: 0.019063, 200.0: 0.030051, 250.0: 0.032964, 300.0: 0.050157}
OVER_A_TURN = [-0.000147, 0.012695, 0.006241, 0.001741, -0.000062, -0.001678, -0.005896, -0.012871]


def deflection(found) -> np.ndarray:
    return (found["rod.1.bending_q"] + found["rod.2.bending_p"]) / 2 / ROD


@pytest.mark.parametrize(("speed", "size"), LARGEST.items())
def test_largest_deflection_of_the_rod(speed, size):
    model = example("slider_crank_resonance").with_parameter(RATE, speed)
    shot = fx.periodic(model, 2 * pi / speed, positions=512, method=fx.Shooting())
    assert np.abs(deflection(shot)).max() == pytest.approx(size, abs=1e-5)
    balanced = fx.periodic(model, 2 * pi / speed, harmonics=32, positions=256, method=fx.FullBalance())
    np.testing.assert_allclose(deflection(shot)[::2], deflection(balanced), atol=1e-8)
    np.testing.assert_allclose(np.abs(shot.multipliers[:2]), np.abs(balanced.multipliers[:2]), atol=1e-6)
    if speed == 150.0:
        np.testing.assert_allclose(deflection(shot)[:-1:64], OVER_A_TURN, atol=1e-6)
        assert np.abs(shot.multipliers).max() == pytest.approx(0.49428, abs=1e-5)


# -- nothing drives in time --------------------------------------------------------------------------------------------

PERIOD = 6.66328685932380
"""of van der Pol's oscillator with μ = 1, known to all digits"""


def van_der_pol(**given) -> fx.Model:
    return fx.Model(
        nodes={"A": (0, 0)},
        elements={"mass": Mass("A", 1.0)},
        fixed=["A.y"],
        loads={"A.x": "1.0*(1 - A.x^2)*A.x' - A.x"},
        **given,
    )


@pytest.mark.parametrize("guess", [6.3, 7.2])
def test_the_period_of_van_der_pol(guess):
    method = fx.Shooting(tolerance=1e-11, free_period=True, start={"A.x": 2.0})
    found = fx.periodic(van_der_pol(), guess, method=method)
    assert found.period == pytest.approx(PERIOD, abs=1e-11)
    slopes = return_maps.monodromy(lambda t, x, v: (1 - x * x) * v - x, np.array(list(found.initial.values())), PERIOD)
    expected = np.sort(np.linalg.eigvals(slopes).real)
    np.testing.assert_allclose(np.sort(found.multipliers.real), expected, atol=1e-9)
    assert found.multipliers[0] == pytest.approx(1.0, abs=1e-9)
    assert found.stable
    assert found.amplitude("A.x") == pytest.approx(2.00862, abs=1e-5)


@pytest.mark.parametrize("start", [{"A.x": 2.0}, {"A.x": 2.0, "A.x'": 0.0}, {"spring.elongation": 2.0}])
def test_a_model_may_start_with_signals_that_are_not_its_coordinates(start):
    """The elongation of the bar is the coordinate; the model starts with the position of the mass."""
    oscillator = van_der_pol()
    nodes, elements = dict(oscillator.nodes), dict(oscillator.elements)
    bar = Truss("W", "A", fx.Section(EA=0.0))
    model = oscillator.replace(
        nodes=nodes | {"W": (-3.0, 0.0)}, elements=elements | {"spring": bar}, fixed=["W", "A.y"], start=start
    )
    found = fx.periodic(model, 6.3, method=fx.Shooting(tolerance=1e-11, free_period=True))
    assert found.period == pytest.approx(PERIOD, abs=1e-10)


RELAXATION = {0.1: 6.2871112723, 5.0: 11.6122306677, 10.0: 19.0783695669}
"""Periods of van der Pol's oscillator by μ, from SciPy's DOP853 at 1e-13 with an event."""


def relaxation(mu: float, form: str) -> fx.Model:
    nonlinear = {"van der Pol": "A.x*A.x", "Rayleigh": "A.x'*A.x'/3"}[form]
    return van_der_pol().replace(loads={"A.x": f"{mu}*(1 - {nonlinear})*A.x' - A.x"})


@pytest.mark.parametrize("form", ["van der Pol", "Rayleigh"])
@pytest.mark.parametrize(("mu", "period"), RELAXATION.items())
def test_limit_cycles_are_found_from_guesses_within_a_fifth(mu, period, form):
    # the rate of van der Pol's motion is a motion of Rayleigh's, of the same period
    for factor in (0.8, 1.2):
        for start in (1.6, 2.4):
            method = fx.Shooting(free_period=True, start={"A.x": start})
            found = fx.periodic(relaxation(mu, form), factor * period, method=method)
            assert found.period == pytest.approx(period, abs=1e-8)
            assert found.multipliers[0] == pytest.approx(1.0, abs=1e-8)
            assert found.stable


@pytest.mark.parametrize("mu", [0.1, 5.0])
def test_methods_agree_on_the_stability_of_a_limit_cycle(mu):
    method = fx.Shooting(free_period=True, start={"A.x": 2.0})
    found = fx.periodic(relaxation(mu, "van der Pol"), RELAXATION[mu], method=method)
    for other in (fx.DirectIntegration(), fx.Hill()):
        judged = found.judged(other)
        assert judged.stable
        np.testing.assert_allclose(judged.multipliers, found.multipliers, atol=1e-7)


@pytest.mark.parametrize("guess", [0.85, 1.15])
@pytest.mark.parametrize("start", [0.85, 1.15])
@pytest.mark.parametrize("damping", [0.02, 0.1])
def test_a_cycle_that_repels_is_found_from_both_sides(damping, start, guess):
    """By averaging, 1 - 5 x² + 2 x⁴ has cycles of amplitude 1, which repels with e^{3πε/2}, and 2, which attracts."""
    model = fx.Model(
        nodes={"A": (0, 0)},
        elements={"mass": Mass("A", 1.0)},
        fixed=["A.y"],
        loads={"A.x": f"-A.x - {damping}*(1 - 5*A.x^2 + 2*A.x^4)*A.x'"},
    )
    found = fx.periodic(model, guess * 2 * pi, method=fx.Shooting(free_period=True, start={"A.x": start}))
    assert np.abs(found.motion["A.x"]).max() == pytest.approx(1.0, abs=damping**2)
    largest, trivial = np.sort(np.abs(found.multipliers))[::-1]
    assert largest == pytest.approx(np.exp(1.5 * pi * damping), rel=0.1 * damping)
    assert trivial == pytest.approx(1.0, abs=1e-6)
    assert not found.stable


def test_a_motion_that_dies_out_has_no_period():
    damped = van_der_pol().replace(loads={"A.x": "-0.4*A.x' - A.x"})
    for model, start, message in (
        (van_der_pol(), {}, "the initial state is at rest"),
        (damped, {"A.x": 1.0}, "converges to rest"),
    ):
        with pytest.raises(fx.AnalysisError, match=message):
            fx.periodic(model, 6.5, method=fx.Shooting(free_period=True, start=start))
    with pytest.raises(fx.AnalysisError, match="free_period=True"):
        fx.periodic(van_der_pol(), 6.5, method=fx.Shooting(start={"A.x": 2.0}))


# -- edges -------------------------------------------------------------------------------------------------------------


def test_every_other_harmonic_may_vanish():
    # Duffing's oscillator has odd harmonics only
    model = fx.Model(
        nodes={"A": (0, 0)},
        elements={"mass": Mass("A", 1.0)},
        fixed=["A.y"],
        loads={"A.x": "1.5*cos(0.4*t) - 0.1*A.x' - A.x - A.x^3"},
    )
    found = fx.periodic(model, 5 * pi, method=fx.FullBalance(1e-9))
    assert found.harmonics > 16
    assert found.error < 1e-9
    assert found.amplitudes("A.x")[2::2].max() < 1e-12
    start, _ = return_maps.periodic(
        lambda t, x, v: 1.5 * np.cos(0.4 * t) - 0.1 * v - x - x**3, list(found.initial.values()), 5 * pi
    )
    np.testing.assert_allclose(list(found.initial.values()), start, atol=1e-8)
    few = fx.periodic(model, 5 * pi, harmonics=5, method=fx.FullBalance())
    assert few.error > 1e-3
    assert few.harmonics == 5


def test_nothing_moves_where_nothing_pushes():
    model = van_der_pol().replace(loads={"A.x": "-A.x - 0.1*A.x'"})
    for method in (fx.FullBalance(), fx.Shooting()):
        found = fx.periodic(model, 4.0, method=method)
        assert found.amplitude("A.x") < 1e-10
        assert found.stable


def test_several_turns_in_one_period(resonance):
    twice = fx.periodic(pendulum(0.5), 2 * resonance.period, method=fx.Shooting(start=resonance.initial))
    assert twice.amplitude(SWING) == pytest.approx(resonance.amplitude(SWING), abs=1e-7)
    np.testing.assert_allclose(np.abs(twice.multipliers), np.abs(resonance.multipliers) ** 2, atol=1e-7)


@pytest.mark.parametrize("method", [fx.FullBalance(), fx.Shooting()], ids=["balance", "shooting"])
def test_what_is_no_period(method, resonance):
    for period, message in (
        (0.0, "period: 0 s is not a period"),
        (float("nan"), "period: nan s is not a period"),
        (1.3 * resonance.period, r"period: the equations do not repeat after 5\.2"),
    ):
        with pytest.raises(fx.ModelError, match=message):
            fx.periodic(pendulum(0.5), period, method=method)


def test_a_coordinate_that_turns_repeats_after_full_turns(resonance):
    """The same cycle in the angle between the pendulum and the pinion, which turns once in a period."""
    model, speed = pendulum(0.5).replace(independent=["pin.rotation"]), 0.5 * NATURAL
    start = {"pin.rotation": 0.2, "pin.rotation'": 0.7 + speed}
    found = fx.periodic(model, resonance.period, method=fx.Shooting(start=start))
    np.testing.assert_allclose(found.multipliers, resonance.multipliers, atol=1e-7)
    assert found["pin.rotation"][-1] - found["pin.rotation"][0] == pytest.approx(2.0 * pi, abs=1e-8)
    assert found.amplitude("pin.rotation") == pytest.approx(resonance.amplitude(SWING), abs=1e-7)
    assert found.series("pin.rotation'")[0].real == pytest.approx(speed, abs=1e-8)
    with pytest.raises(fx.AnalysisError, match=r"no periodic motion of 4\.01213 s is found"):
        fx.periodic(model, resonance.period, method=fx.FullBalance())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"harmonics": 0}, "harmonics: 0 is too few"),
        ({"harmonics": -1}, "harmonics: -1 is not a number of harmonics"),
        ({"harmonics": 8, "positions": 16}, "positions: 16 positions do not resolve 8 harmonics; give at least 17"),
        ({"positions": 2}, "positions: 2 are too few"),
    ],
)
def test_numbers_that_are_refused(given, message):
    with pytest.raises(fx.ModelError, match=message):
        fx.periodic(pendulum(0.5), 4 * pi / NATURAL, method=fx.FullBalance(), **given)


def test_starts_that_are_refused():
    for start, message in (
        ({"Q.x": 1.0}, r"start: 'Q\.x' is not an independent coordinate"),
        ({"P": 1.0}, "there is no"),
    ):
        with pytest.raises(fx.ModelError, match=message):
            fx.periodic(pendulum(0.5), 4 * pi / NATURAL, method=fx.Shooting(start=start))


def test_a_motion_that_ends_early():
    falling = van_der_pol().replace(loads={"A.x": "A.x^3 + cos(t)"})
    with pytest.raises(fx.AnalysisError, match=r"the motion from the start ends at .* the period of 6\.28319 s"):
        fx.periodic(falling, 2 * pi, method=fx.Shooting(start={"A.x": 50.0}))


def test_words(resonance):
    assert repr(resonance) == "<Cycle: period 4.01213 s, 32 harmonics>"
    assert "stable: growth" in str(resonance)
    assert "pendulum.p.phi" in str(resonance)
