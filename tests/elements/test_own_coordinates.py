"""Elements with coordinates of their own: a beam with bubble modes, against closed forms and against many beams."""

from pathlib import Path

import numpy as np
import pytest

import flexura as fx
from flexura.battery import run_battery
from flexura.model import files
from flexura.model.manual import strains
from flexura.planar import Beam
from flexura.spatial import Body, Hinge

LENGTH, EA, EI, RHOA = 1.0, 1e5, 200.0, 0.5
MASS = RHOA * LENGTH

# βℓ of cos βℓ cosh βℓ = -1 (clamped and free), sin βℓ = 0, cos βℓ cosh βℓ = 1, tan βℓ = tanh βℓ
FREE_TIP = (1.875104068711961, 4.694091132974174)
CASES = {
    "clamped and free": (["rod.p"], FREE_TIP),
    "pinned": (["O", "T"], (np.pi, 2 * np.pi)),
    "clamped": (["rod.p", "rod.q"], (4.730040744862704, 7.853204624095838)),
    "clamped and pinned": (["rod.p", "T"], (3.926602312047919, 7.068582745628732)),
}


@pytest.fixture
def bubble(load_file):
    return load_file(Path(__file__).with_name("bubble.py")).BubbleBeam


@pytest.fixture
def rod(bubble):
    """Makes a model of one beam along the x axis."""

    def make(modes, **given):
        element = bubble("O", "T", EA, EI, RHOA, modes)
        return fx.Model(nodes={"O": (0, 0), "T": (LENGTH, 0)}, elements={"rod": element}, **given)

    return make


def test_it_stands_the_battery(bubble):
    assert [str(finding) for finding in run_battery(bubble, 3e-14) if not finding.ok] == []


@pytest.mark.parametrize("case", CASES)
def test_frequencies_are_those_of_the_closed_forms(rod, case):
    fixed, beta = CASES[case]
    found = fx.linearise(rod(6, fixed=fixed)).frequencies
    expected = np.array(beta) ** 2 * np.sqrt(EI / RHOA) / LENGTH**2
    assert np.abs(found[0] / expected[0] - 1.0) < 2e-8
    assert np.abs(found[1] / expected[1] - 1.0) < 2e-6


def test_frequencies_are_those_of_many_beams(rod):
    parts = Beam("O", "T", fx.Section(EA=EA, EI=EI, rhoA=RHOA), parts=16)
    many = fx.Model(nodes={"O": (0, 0), "T": (LENGTH, 0)}, elements={"rod": parts}, fixed=["rod.p"])
    one = fx.modes(rod(6, fixed=["rod.p"]), count=2).frequencies
    # beams of length h have (βh)⁴/1440 too much: 5.1e-6 for the second mode
    assert one == pytest.approx(fx.modes(many, count=2).frequencies, rel=6e-6)


def test_each_mode_more_brings_the_frequencies_down(rod):
    # Rayleigh's quotient over a larger space is not larger
    second = [fx.linearise(rod(modes, fixed=["rod.p"])).frequencies[1] for modes in (1, 2, 3)]
    assert second[0] > second[1] > second[2] > FREE_TIP[1] ** 2 * np.sqrt(EI / RHOA)


def test_a_pendulum_swings_like_one_of_many_beams(rod):
    given = {"fixed": ["O"], "gravity": (0, -9.81)}
    run = {"until": 0.6, "samples": 31, "method": fx.DormandPrince(tolerance=1e-9)}
    parts = Beam("O", "T", fx.Section(EA=EA, EI=EI, rhoA=RHOA), parts=8)
    many = fx.simulate(fx.Model(nodes={"O": (0, 0), "T": (LENGTH, 0)}, elements={"rod": parts}, **given), **run)
    assert many["T.x"][-1] < -0.5  # more than a right angle
    errors = []
    for modes in (1, 3):
        one = fx.simulate(rod(modes, **given), **run)
        assert one.imbalance < 1e-10
        errors.append(np.hypot(one["T.x"] - many["T.x"], one["T.y"] - many["T.y"]).max())
    # 9.2e-5 and 1.8e-5 of the length: two beams are wrong by 6.2e-5, four by 1.1e-5
    assert errors[1] < 2e-5
    assert errors[0] > 4 * errors[1]


def test_a_driven_mode_takes_its_force(rod):
    # b = s²(1-s)²/2: ∫b² = 1/2520, ∫b″² = 1/5, ∫b′² = 1/210; the elongation is q²/(420 ℓ)
    signal = fx.Sine(amplitude=0.02, frequency=3.0)
    motion = fx.simulate(rod(1, fixed=["rod.p", "rod.q"], inputs={"rod.mode_1": signal}), until=1.0, samples=11)
    q, rate, second = (motion["rod.mode_1" + prime] for prime in ("", "'", "''"))
    assert q == pytest.approx(0.02 * np.sin(3.0 * motion.t), abs=1e-15)
    assert rate == pytest.approx(0.06 * np.cos(3.0 * motion.t), abs=1e-15)
    tension = EA / LENGTH * q**2 / (420 * LENGTH)
    expected = MASS / 2520 * second + EI / LENGTH**3 / 5 * q + tension * q / (210 * LENGTH)
    assert motion.force("rod.mode_1") == pytest.approx(expected, abs=1e-13)
    assert motion.unit("rod.mode_1") == "m"
    assert motion.unit("rod.mode_1.force") == "N"


def test_a_loaded_mode_comes_to_rest_where_its_spring_holds_it(rod):
    state = fx.equilibrium(rod(2, fixed=["rod.p", "rod.q"], loads={"rod.mode_1": 1e-3}))
    assert state["rod.mode_1"] == pytest.approx(1e-3 * 5 * LENGTH**3 / EI, rel=1e-6)


def test_a_law_takes_the_place_of_the_modal_stiffness(rod):
    given = {"fixed": ["rod.p", "rod.q"], "laws": {"rod.mode_1": fx.LinearLaw(k=80.0, c=0.01)}}
    system = fx.linearise(rod(1, **given))
    assert system.coordinates == ("rod.mode_1",)
    assert system.M[0, 0] == pytest.approx(MASS / 2520, rel=1e-12)
    assert system.C[0, 0] == pytest.approx(0.01, rel=1e-12)
    assert system.K[0, 0] == pytest.approx(80.0, rel=1e-12)


def test_a_mode_starts_and_is_fed_back(rod):
    # M q̈ + K q = -d q̇, from q = 1 µm: small enough for the shortening to be nothing
    given = {
        "fixed": ["rod.p", "rod.q"],
        "start": {"rod.mode_1": 1e-6, "rod.mode_1'": 0.0},
        "loads": {"rod.mode_1": "-0.02*rod.mode_1'"},
        "independent": ["rod.mode_1"],
    }
    motion = fx.simulate(rod(1, **given), until=0.02, samples=21, method=fx.DormandPrince(tolerance=1e-11))
    m, k, d = MASS / 2520, EI / LENGTH**3 / 5, 0.02
    decay = d / (2 * m)
    omega = np.sqrt(k / m - decay**2)
    expected = 1e-6 * np.exp(-decay * motion.t) * (np.cos(omega * motion.t) + decay / omega * np.sin(omega * motion.t))
    assert motion["rod.mode_1"] == pytest.approx(expected, abs=1e-13)


def test_a_fixed_mode_is_left_out(rod):
    fewer = fx.linearise(rod(3, fixed=["rod.p", "rod.mode_2", "rod.mode_3"])).frequencies
    assert fewer == pytest.approx(fx.linearise(rod(1, fixed=["rod.p"])).frequencies, rel=1e-12)


def test_a_rigid_beam_has_no_modes(rod):
    assert fx.linearise(rod(3, fixed=["O", "rod"])).coordinates == ("rod.p.phi",)


def test_it_goes_to_files_and_back(rod, tmp_path):
    model = rod(3, fixed=["rod.p", "rod.mode_2"], start={"rod.mode_1": 1e-3})
    assert files.loads(files.dumps(model)).model == model
    motion = fx.simulate(model, until=0.001, samples=3)
    motion.save(tmp_path / "motion.nc")
    again = fx.load(tmp_path / "motion.nc")
    assert again["rod.mode_1"] == pytest.approx(motion["rod.mode_1"])
    assert again.force("rod.mode_2") == pytest.approx(motion.force("rod.mode_2"))
    assert len(set(motion.signals)) == len(motion.signals)


def test_it_is_drawn_with_its_modes(rod):
    motion = fx.simulate(rod(1, fixed=["rod.p", "rod.q"], start={"rod.mode_1": 0.32}), until=1e-5, samples=2)
    (line,) = motion.scene(points=5).lines["rod"]
    # b = s²(1-s)²/2 at s = 1/2
    assert line[0, 2] == pytest.approx([0.5, 0.32 / 32], abs=1e-12)


def test_an_unknown_mode_is_refused(rod):
    with pytest.raises(fx.ModelError, match=r"signal 'rod.mode_4': 'rod' has no 'mode_4'; did you mean 'mode_"):
        rod(2, fixed=["rod.mode_4"])


def test_the_catalogue_says_how_many_there_are(bubble):
    assert ("mode_1, mode_2 and so on, one for each mode", "m") in strains(bubble)


def test_every_method_and_formulation_has_the_modes(rod):
    # a cantilever that is let go from a bend, with 3e-7 and 8e-8 for what the implicit methods leave out
    given = {"fixed": ["rod.p"], "start": {"rod.bending_q": 1e-3, "rod.mode_1": 2e-4}}
    exact = fx.DormandPrince(tolerance=1e-11)
    expected = fx.simulate(rod(2, **given), until=0.004, samples=5, method=exact)
    ways = [
        (exact, fx.Minimal(), 1e-10),
        (exact, fx.Multipliers(), 1e-10),
        (fx.KennedyCarpenter(tolerance=1e-9), fx.Multipliers(), 1e-7),
        (fx.GeneralisedAlpha(step=2e-6, rho=1.0), fx.Multipliers(), 3e-7),
    ]
    for method, formulation, error in ways:
        found = fx.simulate(rod(2, **given), until=0.004, samples=5, method=method, formulation=formulation)
        for signal in ("rod.mode_1", "rod.mode_2", "T.y"):
            assert np.abs(found[signal] - expected[signal]).max() < error


def test_small_motions_have_the_modes(rod):
    # superposed on rest, they are the linear ones: q of the driven frequency, at 0.9 of the first
    first = fx.linearise(rod(3, fixed=["rod.p", "rod.q"])).frequencies[0]
    model = rod(3, fixed=["rod.p", "rod.q"], loads={"rod.mode_1": fx.Sine(amplitude=1e-3, frequency=0.9 * first)})
    found = fx.superpose(model, until=0.01)
    full = fx.simulate(model, until=0.01, samples=2, method=fx.DormandPrince(tolerance=1e-11))
    assert found["rod.mode_1"][-1] == pytest.approx(full["rod.mode_1"][-1], rel=1e-5)


def test_responses_and_periodic_motions_have_the_modes(rod):
    # K - Ω² M with K = EI/(5 ℓ³) and M = ρAℓ/2520; the chord is shortened by less than 1e-12 of the length
    dynamic = EI / LENGTH**3 / 5 - 50.0**2 * MASS / 2520
    model = rod(1, fixed=["rod.p", "rod.q"], loads={"rod.mode_1": fx.Sine(amplitude=1e-3, frequency=50.0)})
    found = fx.response(model.replace(loads={}), ["rod.mode_1"], ["rod.mode_1"], [50.0])
    assert found.magnitudes.ravel() == pytest.approx([1.0 / dynamic], rel=1e-9)
    periodic = fx.periodic(model, period=2 * np.pi / 50.0)
    assert periodic.amplitude("rod.mode_1") == pytest.approx(1e-3 / dynamic, rel=1e-6)


def test_a_sagging_cantilever_has_the_deflection_of_the_closed_form(rod):
    # w = ρAg x²(6ℓ² - 4ℓx + x²)/(24 EI) is a quartic: one bubble b = s²(1-s)²/2 has all of it, as s⁴ has the factor 1/2
    state = fx.equilibrium(rod(2, fixed=["rod.p"], gravity=(0, -1e-3)))
    load = RHOA * 1e-3
    assert state["T.y"] == pytest.approx(-load * LENGTH**4 / (8 * EI), rel=1e-6)
    assert state["rod.mode_1"] == pytest.approx(-load * LENGTH**4 / (12 * EI), rel=1e-6)
    assert abs(state["rod.mode_2"]) < 1e-12


@pytest.mark.parametrize("name", ["x", "phi", "p", "elongation", "mode 1"])
def test_a_coordinate_that_cannot_be_told_from_others_is_refused(bubble, name):
    cls = type("Odd", (bubble,), {"coordinates": (name,), "__annotations__": {}})
    with pytest.raises(fx.ModelError, match=rf"elements.rod: a coordinate of its own may not be called '{name}'"):
        fx.Model(nodes={"O": (0, 0), "T": (LENGTH, 0)}, elements={"rod": cls("O", "T", EA, EI, RHOA, 1)})


# ── in space ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def slug(load_file):
    return load_file(Path(__file__).with_name("slug.py")).Slug


def test_a_sliding_mass_stands_the_battery(slug):
    assert [str(finding) for finding in run_battery(slug, 3e-14) if not finding.ok] == []


def test_a_mass_that_slides_in_a_rotor_is_softened_by_its_rotation(slug):
    # m q̈ + (k - m Ω²) q = m Ω² d: ω² = k/m - Ω² about its new place of rest, and the force of Coriolis on the drive
    m, k, d, spin, q0 = 0.3, 48.0, 0.2, 7.0, 0.05
    elements = {
        "ground": Body("O", 1.0, 1.0, 1.0, 1.0),
        "rotor": Body("C", 2.0, 0.1, 0.1, 0.1),
        "shaft": Hinge("ground.p", "rotor.p", axis=(0, 0, 1)),
        "slug": slug("rotor.p", m, k, d),
    }
    model = fx.Model(
        space="spatial",
        nodes={"O": (0, 0, 0), "C": (0, 0, 0)},
        elements=elements,
        fixed=["ground.p", "C"],
        inputs={"shaft.rotation": fx.Ramp(rate=spin)},
        start={"slug.travel": q0},
    )
    motion = fx.simulate(model, until=1.0, samples=21, method=fx.DormandPrince(tolerance=1e-11))
    omega = np.sqrt(k / m - spin**2)
    rest = spin**2 * d / omega**2
    q = rest + (q0 - rest) * np.cos(omega * motion.t)
    rate = -(q0 - rest) * omega * np.sin(omega * motion.t)
    assert np.abs(motion["slug.travel"] - q).max() < 1e-9
    assert np.abs(np.abs(motion.force("shaft.rotation")) - np.abs(2 * m * (d + q) * rate * spin)).max() < 1e-7
    assert fx.linearise(model, at=0.0).frequencies[0] == pytest.approx(omega, rel=1e-9)
