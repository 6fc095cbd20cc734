"""Chaos by impacts: exponents of Lyapunov with saltation, diagrams over a parameter, and sections."""

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Mass, PointContact
from references.impact import StopOscillator


def oscillator(exact: StopOscillator, start: float, rate: float = 0.0) -> fx.Model:
    """A mass on a spring beside a stop."""
    force = f"{exact.f}*cos({exact.omega}*t) - {exact.c}*B.x' - {exact.k}*(B.x - {exact.rest})"
    return fx.Model(
        nodes={"O": (0, 0), "B": (start, 0)},
        elements={"mass": Mass("B", 1.0), "stop": PointContact("O", "B", fx.Restitution(exact.e), normal=(1, 0))},
        fixed=["O", "B.y"],
        loads={"B.x": force},
        start={"B.x'": rate},
    )


def repeating(exact: StopOscillator) -> tuple[fx.Model, float, float, np.ndarray]:
    """The motion with one impact a turn: model, time of the impact, rebound, multipliers."""
    ((impact, rebound, multipliers),) = exact.orbits()
    _, state, struck = exact.flight(impact, np.array([0.0, rebound]), 2.0 * np.pi / exact.omega)
    assert not struck
    return oscillator(exact, *state.tolist()), impact, rebound, multipliers


CHAOTIC = StopOscillator(k=1.0, c=0.05, f=1.0, omega=2.8, rest=0.0, e=0.8)
PRESSED = StopOscillator(k=1.0, c=0.2, f=1.0, omega=1.52, rest=-0.5, e=0.95)
REPEATING = StopOscillator(k=1.0, c=0.05, f=1.0, omega=2.65, rest=0.0, e=0.8)


def standard_error(rates: np.ndarray) -> float:
    """Of the mean, from a hundred parts that are long against all memory."""
    parts = rates.reshape(100, -1).mean(axis=1)
    return float(parts.std(ddof=1) / 10.0)


@pytest.mark.slow
def test_exponent_of_the_impact_oscillator():
    """The value in the long run, against an independent one: exact flights, exact impacts, saltation matrices.

    The two follow motions of their own. Each has a standard error below one per cent, and they are within two.
    """
    turn = 2.0 * np.pi / PRESSED.omega
    rates = PRESSED.rates(20_000, np.array([1.3, 0.0]), skip=100)
    exact, doubt = rates.mean(), standard_error(rates)
    assert doubt < 0.008 * exact
    found = fx.lyapunov(oscillator(PRESSED, 0.7), 10_100.0 * turn, 2.0 * turn, skip=100.0 * turn)
    assert found.chaotic
    assert found.error < 0.01 * exact
    assert found.exponent == pytest.approx(exact, rel=0.02)


@pytest.mark.parametrize("start", [0.5, 0.7, 0.9, 1.1])
def test_exponent_of_the_same_turns(start):
    """Neighbours that strike each at its own time, against the slopes of exact flights and the saltation matrix.

    The first deviation is the same; some ten turns more, and rounding would be all that is left of the motion itself.
    """
    turn = 2.0 * np.pi / CHAOTIC.omega
    found = fx.lyapunov(oscillator(CHAOTIC, start), 22.0 * turn, turn)
    deviation = np.random.default_rng(1).standard_normal(2)
    exact = CHAOTIC.exponent(22, np.array([start, 0.0]), skip=0, deviation=tuple(deviation))
    assert found.exponent == pytest.approx(exact, rel=0.02)


def test_exponent_of_a_motion_that_repeats():
    """One impact a turn: the exponent is that of Floquet's multiplier, all in closed form."""
    turn = 2.0 * np.pi / REPEATING.omega
    model, _, _, multipliers = repeating(REPEATING)
    assert multipliers[0] < multipliers[1] < 0.0
    found = fx.lyapunov(model, 400.0 * turn, turn, skip=200.0 * turn)
    assert found.exponent == pytest.approx(np.log(-multipliers[0]) / turn, rel=3e-4)
    assert not found.chaotic
    assert "do not diverge" in str(found)


def test_exponent_between_two_discs():
    """A mass that flies to and fro between two discs, without loss: a motion that repeats, and that nothing keeps.

    The matrix of a flight over the length l and a reflection at the radius a has the trace 2 (1 + l/a) and the
    determinant one: what is off the line grows by 1 + l/a + √((1 + l/a)² - 1) a flight.
    """
    a, l, speed = 1.0, 0.8, 2.0
    wall = fx.Restitution(1.0)
    model = fx.Model(
        nodes={"left": (-a - l / 2, 0), "right": (a + l / 2, 0), "B": (0, 0)},
        elements={
            "mass": Mass("B", 1.0),
            "one": PointContact("left", "B", wall, against="circle", size=a),
            "other": PointContact("right", "B", wall, against="circle", size=a),
        },
        fixed=["left", "right"],
        start={"B.x'": speed},
    )
    flight = l / speed
    grown = 1.0 + l / a + np.sqrt((1.0 + l / a) ** 2 - 1.0)
    found = fx.lyapunov(model, 60.0 * flight, flight, skip=20.0 * flight)
    assert found.exponent == pytest.approx(np.log(grown) / flight, rel=1e-9)
    assert found.chaotic


def test_diagram_of_the_impact_oscillator():
    """One point where the motion repeats, many where it is chaotic; the points are those of single runs."""
    model = oscillator(CHAOTIC, 0.5)
    turn = 2.0 * np.pi / CHAOTIC.omega
    found = fx.bifurcation(model, "elements.stop.contact.e", [0.3, 0.8], period=turn, skip=60, periods=20)
    assert found.period("B.x", 0) > 0
    assert found.period("B.x", 1) == 0
    values, points = found.points("B.x")
    assert values.size == points.size == 42
    single = fx.simulate(model.with_parameter("elements.stop.contact.e", 0.3), times=[60.0 * turn, 80.0 * turn])
    assert points[[0, 20]] == pytest.approx(single["B.x"], abs=1e-9)


def test_section_once_a_turn():
    """Where the motion repeats, all looks are the one that the closed form has at that time."""
    turn = 2.0 * np.pi / REPEATING.omega
    model, impact, rebound, _ = repeating(REPEATING)
    _, exact, struck = REPEATING.flight(impact, np.array([0.0, rebound]), impact + 0.5 * turn)
    assert not struck
    skip = 200.0 * turn + impact + 0.5 * turn
    found = fx.poincare(model, skip + 9.0 * turn, turn, skip=skip)
    assert len(found) == 10
    assert found["B.x"] == pytest.approx(exact[0], abs=1e-8)
    assert found["B.x'"] == pytest.approx(exact[1], abs=1e-8)


def test_section_of_two_frequencies():
    """Free and forced vibration: once a turn of the force the free one is left, an ellipse that closes."""
    forced, free, amplitude, shift = 2.0, np.sqrt(3.0), 0.2, 0.1
    steady = 1.0 / (free**2 - forced**2)
    model = fx.Model(
        nodes={"B": (0, 0)},
        elements={"mass": Mass("B", 1.0)},
        fixed=["B.y"],
        loads={"B.x": f"cos({forced}*t) - {free**2}*B.x"},
        start={"B.x": steady + amplitude, "B.x'": free * shift},
    )
    turn = 2.0 * np.pi / forced
    found = fx.poincare(model, 300.0 * turn, turn, method=fx.DormandPrince(tolerance=1e-11))
    assert len(found) == 301
    radius = np.hypot(found["B.x"] - steady, found["B.x'"] / free)
    assert radius == pytest.approx(np.hypot(amplitude, shift), abs=1e-8)
    angles = np.sort(np.arctan2(found["B.x'"] / free, found["B.x"] - steady))
    assert np.diff(angles).max() < 0.1


def test_section_where_a_signal_crosses():
    """Farthest from the stop the rate is zero and falls, in chaos too: the second run is the first one again."""
    model = oscillator(CHAOTIC, 0.5)
    turn = 2.0 * np.pi / CHAOTIC.omega
    found = fx.poincare(model, 60.0 * turn, fx.Event("B.x'", 0.0, direction=-1), skip=20.0 * turn)
    assert len(found) > 30
    assert found.t[0] >= 20.0 * turn
    assert found["B.x'"] == pytest.approx(0.0, abs=1e-7)
    assert (found["B.x''"] < 0.0).all()


def test_section_at_impacts():
    """Just before each impact: the approach is that of the impacts, and the phase is the closed form's."""
    turn = 2.0 * np.pi / REPEATING.omega
    model, impact, rebound, _ = repeating(REPEATING)
    found = fx.poincare(model, 200.0 * turn, "stop.gap", skip=180.0 * turn)
    assert len(found) == 20
    assert found["B.x"] == pytest.approx(0.0, abs=1e-9)
    assert found["B.x'"] == pytest.approx(-rebound / REPEATING.e, rel=1e-6)
    assert found.phase(turn) == pytest.approx(REPEATING.omega * impact, abs=1e-6)


def test_what_a_diagram_needs():
    model = oscillator(CHAOTIC, 0.5)
    with pytest.raises(fx.ModelError, match="not values of a parameter"):
        fx.bifurcation(model, "elements.stop.contact.e", [], period=1.0)
    with pytest.raises(fx.ModelError, match="no periods to sample"):
        fx.bifurcation(model, "elements.stop.contact.e", [0.5], period=1.0, periods=0)
    with pytest.raises(fx.ModelError, match="0 is not a number of workers"):
        fx.bifurcation(model, "elements.stop.contact.e", [0.5], period=1.0, workers=0)
    with pytest.raises(fx.ModelError, match="at least eight spacings"):
        fx.lyapunov(model, 1.0, 0.5)
    with pytest.raises(fx.ModelError, match=r"only simulate, bifurcation, lyapunov and Shooting\(\) support"):
        fx.equilibrium(model)


def test_what_a_section_needs():
    model = oscillator(CHAOTIC, 0.5)
    with pytest.raises(fx.ModelError, match="nothing is left after skip"):
        fx.poincare(model, 1.0, 0.1, skip=2.0)
    with pytest.raises(fx.ModelError, match="not a period between skip and until"):
        fx.poincare(model, 1.0, 0.5, skip=0.9)
    with pytest.raises(fx.AnalysisError, match="no samples were found"):
        fx.poincare(model, 1.0, fx.Event("B.x", 50.0))
