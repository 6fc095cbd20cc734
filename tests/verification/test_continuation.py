"""Branches of periodic motions: folds, stability, motions of twice the period, ends, and what is said of them.

The folds and flips of single oscillators are found again with scipy, from their own equations, as the places where the
return map has a multiplier ±1.
"""

from math import pi, sqrt

import numpy as np
import pytest
from scipy.optimize import least_squares

import flexura as fx
from flexura.analyses.periodic import continuation as own
from flexura.planar import Beam, Mass, Truss
from flexura.results import fourier
from references import return_maps
from references.gallery import model as example

# -- pendulum with its pivot on an ellipse -----------------------------------------------------------------------------

NATURAL, SWING, RATE = sqrt(9.81), "pendulum.p.phi", "inputs.crank.p.phi.rate"
FRICTION = 0.0626418390534633


def pendulum(damping: float) -> fx.Model:
    return example("elliptic_pendulum").with_parameter("elements.pin.c", damping * FRICTION)


def swinging(w: float, damping: float) -> return_maps.Acceleration:
    def acceleration(t: float, x: complex, v: complex) -> complex:
        upwards, across = 9.81 + 0.75 * w * w * np.cos(w * t), 0.25 * w * w * np.sin(w * t)
        return -damping * FRICTION * (v + w) - upwards * np.sin(x) + across * np.cos(x)

    return acceleration


def test_the_resonance_near_half_of_the_natural_frequency_bends_back():
    branch = fx.continuation(pendulum(1.0), RATE, (0.47 * NATURAL, 0.52 * NATURAL), step=0.1)
    sizes, speeds = branch.amplitude(SWING), branch.values / NATURAL
    top = int(sizes.argmax())
    # the linear one has its peak of 0.4353 at 0.499
    assert speeds[top] == pytest.approx(0.4947, abs=5e-4)
    assert sizes[top] == pytest.approx(0.4194, abs=1e-3)
    assert branch.stable.all()
    assert branch.specials == ()
    assert branch.note == ""
    assert (speeds[0], speeds[-1]) == pytest.approx((0.47, 0.52), abs=1e-12)


@pytest.fixture(scope="module")
def folded():
    return fx.continuation(pendulum(0.3), RATE, (0.465 * NATURAL, 0.5 * NATURAL), harmonics=16, step=0.1)


def test_folds_of_the_pendulum(folded):
    assert [special.kind for special in folded.specials] == ["fold", "fold"]
    np.testing.assert_allclose([s.value / NATURAL for s in folded.specials], [0.49067, 0.47039], atol=1e-5)
    for special in folded.specials:
        start = np.array(list(special.cycle.initial.values()))
        value, _ = return_maps.limit(lambda w: (swinging(w, 0.3), 2 * pi / w), start, special.value * (1 + 1e-5), 1.0)
        assert special.value == pytest.approx(value, abs=1e-7)
        assert special.cycle.multipliers[0] == pytest.approx(1.0, abs=1e-4)


def test_there_is_nothing_beyond_a_fold(folded):
    for special, beyond in zip(folded.specials, (2e-4, -2e-4), strict=True):
        start = np.array(list(special.cycle.initial.values()))

        def least(value, start=start):
            """What is left at least between the ends of a period, of all motions that start near the fold."""
            near = least_squares(
                lambda y: return_maps.after(swinging(value, 0.3), y, 2 * pi / value) - y,
                start + 0.01 * np.array([1.0, 0.0]),
                bounds=(start - 0.3, start + 0.3),
                xtol=1e-12,
                ftol=1e-12,
                gtol=1e-14,
            )
            return np.abs(near.fun).max()

        assert least(special.value - beyond) < 1e-8
        assert least(special.value + beyond) > 2e-5


def test_stability_along_the_branch(folded):
    first, second = (special.index for special in folded.specials)
    assert folded.stable[:first].all()
    assert not folded.stable[first:second].any()
    assert folded.stable[second:].all()
    np.testing.assert_array_equal(folded.stable, folded.growth <= 1e-9)


def test_motions_of_a_branch_are_those_of_their_own_values(folded):
    # looked at long after the branch has gone on
    for k in (0, len(folded) // 2, len(folded) - 1):
        cycle, w = folded[k], float(folded.values[k])
        start, slopes = return_maps.periodic(swinging(w, 0.3), list(cycle.initial.values()), 2 * pi / w)
        np.testing.assert_allclose(list(cycle.initial.values()), start, atol=1e-6)
        assert np.abs(cycle.multipliers).max() == pytest.approx(np.abs(np.linalg.eigvals(slopes)).max(), abs=1e-5)
        assert cycle.period == pytest.approx(2 * pi / w)
        assert cycle.amplitude("crank.p.phi") == pytest.approx(0.0, abs=1e-9)


# -- Duffing's oscillator, driven by a mass that something else moves --------------------------------------------------

SHAKEN, FREQUENCY, AMPLITUDE = "B.x - 0.1*A.x' - A.x - A.x^3", "inputs.B.x.frequency", "inputs.B.x.amplitude"
WELL = "B.x - 0.3*A.x' + A.x - A.x^3"


def oscillator(load: str, amplitude: float, frequency: float) -> fx.Model:
    return fx.Model(
        nodes={"A": (0, 0), "B": (0, 1)},
        elements={"mass": Mass("A", 1.0), "drive": Mass("B", 1.0)},
        fixed=["A.y", "B.y"],
        inputs={"B.x": fx.Sine(amplitude=amplitude, frequency=frequency)},
        loads={"A.x": load},
    )


def shaken(w: float) -> return_maps.Acceleration:
    return lambda t, x, v: 0.3 * np.sin(w * t) - 0.1 * v - x - x**3


def in_a_well(amplitude: float) -> return_maps.Acceleration:
    return lambda t, x, v: amplitude * np.sin(1.2 * t) - 0.3 * v + x - x**3


def test_folds_of_duffing():
    branch = fx.continuation(oscillator(SHAKEN, 0.3, 1.0), FREQUENCY, (0.9, 2.0), step=0.1)
    assert [special.kind for special in branch.specials] == ["fold", "fold"]
    for special in branch.specials:
        start = np.array(list(special.cycle.initial.values()))
        value, _ = return_maps.limit(lambda w: (shaken(w), 2 * pi / w), start, special.value * (1 + 1e-5), 1.0)
        assert special.value == pytest.approx(value, abs=1e-8)
    # three motions at one frequency, the second unstable
    w = 1.5
    crossings = np.flatnonzero(np.diff(np.sign(branch.values - w)))
    assert len(crossings) == 3
    assert [bool(branch.stable[k]) for k in crossings] == [True, False, True]
    for k in crossings:
        start, slopes = return_maps.periodic(shaken(w), list(branch[k].initial.values()), 2 * pi / w)
        turn = return_maps.after(shaken(w), start, 2 * pi / w, np.linspace(0.0, 2 * pi / w, 401))
        assert branch.amplitude("A.x")[k] == pytest.approx(np.ptp(turn[0]) / 2, rel=0.1)
        assert (np.abs(np.linalg.eigvals(slopes)).max() < 1.0) == branch.stable[k]


@pytest.fixture(scope="module")
def well():
    model, period = oscillator(WELL, 0.1, 1.2), 2 * pi / 1.2
    first = fx.periodic(model, period, method=fx.Shooting(start={"A.x": 1.0}))
    return fx.continuation(model, AMPLITUDE, (0.1, 0.3), period=period, step=0.1, start=first)


def test_a_flip(well):
    assert [special.kind for special in well.specials] == ["flip"]
    flip = well.specials[0]
    start = np.array(list(flip.cycle.initial.values()))
    value, _ = return_maps.limit(lambda a: (in_a_well(a), 2 * pi / 1.2), start, flip.value * (1 + 1e-5), -1.0)
    assert flip.value == pytest.approx(value, abs=1e-8)
    assert flip.cycle.multipliers[0] == pytest.approx(-1.0, abs=1e-7)
    assert well.stable[: flip.index].all()
    assert not well.stable[flip.index :].any()


def test_motions_of_twice_the_period(well):
    doubled = well.switch(well.specials[0], step=0.1, points=6)
    assert doubled.values[0] > well.specials[0].value
    assert doubled.stable.all()
    cycle, size = doubled[4], float(doubled.values[4])
    assert cycle.period == pytest.approx(4 * pi / 1.2)
    # odd harmonics are of twice the period, and they are there
    assert cycle.amplitudes("A.x")[1] > 0.05
    # a simulation that starts where the motion of one period was ends up in it
    model = oscillator(WELL, size, 1.2)
    before = well[int(np.abs(well.values - size).argmin())].initial
    times = cycle.period * (60 + np.arange(65) / 32)
    late = fx.simulate(model.replace(start=before), times=times.tolist(), method=fx.DormandPrince(1e-11))
    half = cycle.series("A.x")
    waves = np.exp(1j * np.outer(cycle.frequency * times, np.arange(1, len(half))))
    found = half[0].real + 2 * (waves @ half[1:]).real
    # in one of its two phases
    gaps = [np.abs(late["A.x"][:33] - values).max() for values in (found[:33], found[16:49])]
    assert min(gaps) < 1e-6
    assert max(gaps) > 0.1


def test_a_flip_of_the_flip(well):
    doubled = well.switch(well.specials[0], step=0.1)
    assert [special.kind for special in doubled.specials] == ["flip"]
    again = doubled.switch(doubled.specials[0], step=0.05, points=2)
    assert again[0].period == pytest.approx(8 * pi / 1.2)
    assert again.values[0] > doubled.specials[0].value


def test_from_a_motion_that_repeats_twice(well):
    once = well[0]
    twice = fx.continuation(
        oscillator(WELL, 0.1, 1.2), AMPLITUDE, (0.1, 0.12), period=2 * once.period, points=1, start=once, harmonics=16
    )
    assert twice[0].amplitude("A.x") == pytest.approx(once.amplitude("A.x"), abs=1e-7)
    assert twice[0].amplitudes("A.x")[1::2].max() < 1e-9


def test_a_crossing_of_branches():
    # at rest in the middle until the spring pushes instead of pulling: motions to either side branch off
    model = oscillator("B.x - 0.2*A.x' + A.x - A.x^3", 0.0, 1.2)
    sprung = model.replace(
        elements={**model.elements, "spring": Truss("C", "A", fx.Section(EA=2.0))},
        nodes={**model.nodes, "C": (-1, 0)},
        fixed=[*model.fixed, "C"],
    )
    branch = fx.continuation(sprung, "elements.spring.section.EA", (2.0, 0.5), period=2.0, step=0.2)
    assert [special.kind for special in branch.specials] == ["crossing"]
    assert branch.specials[0].value == pytest.approx(1.0, abs=1e-4)
    assert len(branch) < 20


# -- slider-crank with a flexible rod, 1 % of damping ------------------------------------------------------------------


def slider_crank(second_order: bool) -> fx.Model:
    model = example("slider_crank_resonance").with_parameter("elements.rod.section.damping_ratio", 0.01)
    rod = Beam("A", "B", model.elements["rod"].section, parts=2, second_order=second_order)
    return model.replace(elements={**model.elements, "rod": rod})


def largest(cycle) -> float:
    half = (cycle.series("rod.1.bending_q") + cycle.series("rod.2.bending_p")) / 2 / 0.3
    return max(map(abs, fourier.extremes(np.concatenate([half[:0:-1].conj(), half]))))


def peaks(branch) -> list[tuple[float, float]]:
    sizes = np.array([largest(cycle) for cycle in branch.cycles])
    tops = [k for k in range(1, len(sizes) - 1) if sizes[k] > max(sizes[k - 1], sizes[k + 1])]
    return [(float(branch.values[k]), float(sizes[k])) for k in tops]


def test_the_resonance_at_a_fifth():
    # with bending that shortens the rod there is no peak, as in the source; without it a smaller one than the linear
    # peak of 0.017447 at 164.75, at a higher speed
    span = (158.0, 172.0)
    assert peaks(fx.continuation(slider_crank(True), RATE, span, harmonics=20, step=0.1)) == []
    [(speed, size)] = peaks(fx.continuation(slider_crank(False), RATE, span, harmonics=20, step=0.1))
    assert speed == pytest.approx(165.8, abs=0.5)
    assert size == pytest.approx(0.01693, abs=5e-5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("second_order", "tops", "folds"),
    [
        (True, [(204.47, 0.05631), (253.31, 0.11845)], [264.039, 253.228]),
        (False, [(204.95, 0.0597), (266.5, 0.0934)], [267.797, 266.341]),
    ],
    ids=["shortened by bending", "plain"],
)
def test_the_resonances_at_a_quarter_and_at_a_third_bend_back(second_order, tops, folds):
    # the linear peaks are at 205.5 (0.06067) and at 270.25 (0.102927)
    branch = fx.continuation(slider_crank(second_order), RATE, (198.0, 280.0), harmonics=24, step=0.1)
    assert np.all(np.abs(np.array(peaks(branch)) - tops) < (0.3, 3e-4))
    assert [special.kind for special in branch.specials] == ["fold", "fold"]
    np.testing.assert_allclose([special.value for special in branch.specials], folds, atol=0.01)


# -- ends, errors, pictures --------------------------------------------------------------------------------------------


def test_an_interrupted_branch_is_not_lost(monkeypatch):
    taken = []
    step = own.Follower.step

    def interrupted(self, *given):
        taken.append(1)
        if len(taken) > 4:
            raise KeyboardInterrupt
        return step(self, *given)

    monkeypatch.setattr(own.Follower, "step", interrupted)
    branch = fx.continuation(oscillator(SHAKEN, 0.3, 1.0), FREQUENCY, (0.5, 2.0))
    assert len(branch) > 1
    assert branch.note.startswith("interrupted at 0.5")
    assert "note: interrupted" in str(branch)


def test_one_point_and_its_picture(tmp_path):
    one = fx.continuation(oscillator(SHAKEN, 0.3, 1.0), FREQUENCY, (0.5, 2.0), points=1)
    assert len(one) == 1
    assert one.note == "the branch goes on beyond these 1 points"
    one.plot("A.x", path=str(tmp_path / "one.png"))
    assert (tmp_path / "one.png").stat().st_size > 0


def test_picture_of_a_branch_with_its_special_points(folded, tmp_path):
    figure = folded.plot(SWING, path=str(tmp_path / "branch.png"))
    dashed = [line for line in figure.axes[0].lines if line.get_linestyle() == "--"]
    assert len(dashed) == 1
    assert "fold" in [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert repr(folded).endswith("2 special points>")
    assert "fold" in str(folded)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"span": (1.0, 1.0)}, "span: .* is not an interval"),
        ({"span": (1.0, float("nan"))}, "span: .* is not an interval"),
        ({"span": (0.0, 1.0)}, "a shaft at rest has no period"),
        ({"step": 0.0}, "step: 0 is not a fraction of the span"),
        ({"points": 0}, "points: 0 is too few"),
        ({"harmonics": 0}, "harmonics: 0 is too few"),
        ({"positions": 20}, "positions: 20 positions do not resolve 12 harmonics"),
        ({"period": 6.0}, "period: the equations do not repeat after 6 s"),
        ({"period": lambda value: -1.0}, "period: -1 s is not a period"),
    ],
)
def test_what_is_refused(given, message):
    with pytest.raises(fx.ModelError, match=message):
        fx.continuation(oscillator(SHAKEN, 0.3, 1.0), FREQUENCY, given.pop("span", (0.5, 2.0)), **given)


def test_a_start_that_does_not_suit(well, folded):
    with pytest.raises(fx.ModelError, match=r"start: its coordinates are pendulum\.p\.phi, those of the model A\.x"):
        fx.continuation(oscillator(WELL, 0.1, 1.2), AMPLITUDE, (0.1, 0.2), period=2 * pi / 1.2, start=folded[0])
    with pytest.raises(fx.ModelError, match=r"start: it repeats after .* longer than the period of the branch"):
        fx.continuation(oscillator(WELL, 0.1, 12.0), AMPLITUDE, (0.1, 0.2), period=2 * pi / 12.0, start=well[0])


def test_only_a_flip_has_motions_of_twice_the_period(folded):
    with pytest.raises(fx.ModelError, match="special: a fold has no branch of twice the period; give a flip"):
        folded.switch(folded.specials[0])


def test_a_branch_ends_where_the_geometry_ends() -> None:
    """A crank longer than its rod swings up to the angle at which the rod stands upright, and the result says so."""
    rigid = fx.Section(rhoA=0.5)
    model = fx.Model(
        nodes={"O": (0, 0), "A": (0.4, 0), "B": (0.7, 0), "C": (1, 0)},
        elements={
            "crank": Beam("O", "A", rigid, rigid=True),
            "rod": Beam("A", "B", rigid, rigid=True),
            "spring": Truss("B", "C", fx.Section(EA=30.0, damping=0.02)),
            "mass": Mass("C", 1.0),
        },
        fixed=["O", "B.y", "C.y"],
        inputs={"crank.p.phi": fx.Sine(amplitude=0.8, frequency=3.0)},
    )
    span = (0.83, 1.5)
    branch = fx.continuation(model, "inputs.crank.p.phi.amplitude", span, 2.0 * np.pi / 3.0, harmonics=4)
    assert branch.values[-1] == pytest.approx(np.arcsin(0.75), abs=2e-3)
    assert "cannot be followed beyond" in branch.note
    assert "cannot be assembled" in branch.note
