"""Models from SPACAR files against models written directly, and against those of the gallery."""

from pathlib import Path

import numpy as np
import pytest

import flexura as fx
from flexura.formats.spacar import format_spacar, parse_spacar, read_spacar
from flexura.formats.spacar.numbering import number
from references import spacar_models
from references.spacar_models import FOLDER

EXAMPLES = Path(__file__).parents[2] / "examples"


def positions(model, until, names, method=None):
    motion = fx.simulate(model, until=until, samples=11, method=method)
    axes = "xyz"[: model.dimension]
    return np.array([motion[f"{name}.{axis}"] for name in names for axis in axes])


@pytest.mark.parametrize("name", ["slider_crank", "two_hinges"])
def test_motions_of_files_are_those_of_models_written_directly(name):
    imported, direct = read_spacar(FOLDER / f"{name}.dat"), getattr(spacar_models, name)()
    assert imported.losses == ()
    until = imported.runs["forward_dynamics"]["until"]
    method = fx.DormandPrince(tolerance=1e-9) if name == "two_hinges" else None
    found = positions(imported.model, until, direct.nodes, method)
    np.testing.assert_allclose(found, positions(direct, until, direct.nodes, method), rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", ["cantilever", "leaf_springs"])
def test_equilibria_and_frequencies_of_files_are_those_of_models_written_directly(name):
    imported, direct = read_spacar(FOLDER / f"{name}.dat"), getattr(spacar_models, name)()
    states = [fx.equilibrium(model, at=1.0) for model in (imported.model, direct)]
    assert imported.losses == ()
    for node in direct.nodes:
        for axis in "xyz":
            assert states[0][f"{node}.{axis}"] == pytest.approx(states[1][f"{node}.{axis}"], abs=1e-12)
    frequencies = [
        fx.linearise(model, state).frequencies for model, state in zip((imported.model, direct), states, strict=True)
    ]
    np.testing.assert_allclose(frequencies[0], frequencies[1], rtol=1e-9)


def test_leaf_springs_keep_the_stiffness_of_released_strains():
    # two clamped leaf springs: F L³ / 24 EI, less 0.02 % of stretch and second order
    model = fx.load_spacar(FOLDER / "leaf_springs.dat")
    shift = fx.equilibrium(model, at=1.0)["n7.x"] - 0.06
    assert shift == pytest.approx(5.0 * 0.08**3 / (24.0 * 0.083333), rel=5e-4)


@pytest.mark.parametrize("dialect", ["twente", "delft"])
def test_a_file_of_either_dialect_is_the_slider_crank_of_the_gallery(dialect):
    imported = read_spacar(FOLDER / f"slider_crank_flexible_{dialect}.dat", second_order=False)
    gallery = fx.Model.from_file(EXAMPLES / "slider_crank_flexible.toml")
    assert imported.losses == ()
    assert imported.runs["forward_dynamics"] == {"analysis": "simulate", "until": 0.041887902047863905, "samples": 361}
    until = 0.01
    found = positions(imported.model, until, ["n3", "n6", "n8"])
    np.testing.assert_allclose(found, positions(gallery, until, ["A", "rod.1.q", "B"]), rtol=0, atol=1e-9)
    frequencies = [fx.linearise(model).frequencies for model in (imported.model, gallery)]
    np.testing.assert_allclose(frequencies[0], frequencies[1], rtol=1e-9)


GALLERY = {
    "slider_crank_rigid": 0.04, "slider_crank_flexible": 0.004, "slider_crank_resonance": 0.004,
    "slider_crank_transient": 0.004, "four_bar": 2.0, "pendulum": 0.5, "cardan_joint": 1.0, "drive_shaft": 0.01,
    "rolling_disc": 0.3, "bicycle": 0.2, "gyroscope": 0.01, "bennett_linkage": 1.0,
}  # fmt: skip
"""Examples whose elements and inputs a SPACAR file can say, and the time until which they are compared."""


REFUSED = {
    "cable_drum": "planar Belt", "elliptic_pendulum": "planar Gear", "elliptic_trammel": "planar Gear",
    "pendulum_branches": "planar Gear", "step_dwell": "planar Gear", "planimeter": "planar Wheel",
    "journal_with_clearance": "planar Clearance", "ravn_hertz": "planar Clearance", "ravn_impact": "planar Clearance",
    "ravn_oil_film": "planar Clearance", "rotor_with_seal": "spatial Bearing",
    "iltis": "springs and dampers, no other laws", "motor_in_series": "no formula",
    "swivel_wheel": "Expression is none",
}  # fmt: skip
"""Examples of the thesis that a SPACAR file cannot say, and the words in which they are refused."""


def test_every_example_of_the_thesis_is_compared_or_refused():
    cited = {path.stem for path in EXAMPLES.glob("*.py") if "Schwab2002" in path.read_text(encoding="utf-8")}
    assert cited - set(GALLERY) == set(REFUSED)


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("dialect", ["twente", "delft"])
def test_examples_that_no_file_can_say_are_refused_with_the_reason(name, dialect):
    with pytest.raises(fx.ModelError, match=REFUSED[name]):
        format_spacar(fx.Model.from_file(EXAMPLES / f"{name}.toml"), dialect=dialect)


def test_the_example_of_the_manual_of_spacar95():
    """Flexible slider-crank after 5 s: digits printed in [SchwabMeijaard2000], section 5.7."""
    imported = read_spacar(FOLDER / "manual_spacar95.dat")
    assert imported.losses == ()
    assert imported.runs["forward_dynamics"] == {"analysis": "simulate", "until": 5.0, "samples": 101}
    motion = fx.simulate(imported.model, until=5.0, samples=11)
    printed = {"e1.p.phi": 7.5, "n3.x": 5.199e-2, "n3.y": 1.407e-1, "n6.x": 0.1863, "n6.y": 0.07383, "n8.x": 0.3168}
    for signal, value in printed.items():
        # one unit of the fourth digit
        assert motion[signal][-1] == pytest.approx(value, abs=10.0 ** (np.floor(np.log10(value)) - 3.0))
    # strains are printed with the absolute tolerance of 1e-3 of that program
    strains = {"e2.bending_p": 2.673e-3, "e2.bending_q": 4.227e-3, "e3.bending_p": 3.644e-3, "e3.bending_q": 1.996e-3}
    for signal, value in strains.items():
        assert motion[signal][-1] == pytest.approx(value, rel=3e-3)


def test_other_words_of_spacar95_mean_the_same():
    """XY, PLHINGE, EDAMPP, EMASS, XD and E against the words of the other dialect."""
    delft = """* two bars with a torsion spring
plbeam 1  1 2  3 4
plbeam 2  3 5  6 7
plhinge 3  4 5
xy 1 0 0
xy 3 1 0
xy 6 2 0
fix 1
emass 1 2.0
emass 2 1.0
estiff 3 5.0
edampp 3 0.1
e 3 1 0.3
ed 3 1 0.2
xd 2 1 0.5
dyne 3 1
timestep 10 0.5
end
eof
"""
    found = parse_spacar(delft)
    assert found.losses == ()
    assert found.model.start == {"e3.rotation": 0.3, "e3.rotation'": 0.2, "e1.p.phi'": 0.5}
    spring = found.model.elements["e3"]
    assert (spring.k, spring.c) == (5.0, 0.1)
    assert found.runs["forward_dynamics"]["until"] == 0.5
    bent = parse_spacar(delft.replace("plbeam 2", "plbeamnl 2").replace("dyne 3 1", "dyne 3 1\ndyne 2 2 3"))
    assert bent.model.elements["e2"].second_order
    assert not parse_spacar(delft.replace("dyne 3 1", "dyne 3 1\ndyne 2 2 3")).model.elements["e2"].second_order


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["twente", "delft"])
@pytest.mark.parametrize("name", GALLERY)
def test_examples_of_the_gallery_survive_a_file(name, dialect):
    """Motion and eigenvalues; gears, belts, clearances and planar wheels of the thesis have no keyword."""
    gallery = fx.Model.from_file(EXAMPLES / f"{name}.toml")
    plain = "second_order = false" in (EXAMPLES / f"{name}.toml").read_text()
    rotary = "lumped" if name == "drive_shaft" else "consistent"
    imported = parse_spacar(format_spacar(gallery, dialect=dialect), second_order=not plain, rotary=rotary)
    assert imported.losses == ()
    numbers = {node: f"n{i}" for node, i in number(gallery).positions.items() if node in gallery.nodes}
    found = positions(imported.model, GALLERY[name], numbers.values())
    np.testing.assert_allclose(found, positions(gallery, GALLERY[name], numbers), rtol=0, atol=1e-9)
    roots = [fx.linearise(model).eigenvalues for model in (gallery, imported.model)]
    roots = [each[np.lexsort((each.imag, each.real.round(6)))] for each in roots]
    np.testing.assert_allclose(roots[1], roots[0], rtol=0, atol=1e-9 * np.abs(roots[0]).max(initial=0.0))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bend", "buckling_column", "elastica", "lees_frame"])
def test_structures_of_the_gallery_survive_a_file(name):
    gallery = fx.Model.from_file(EXAMPLES / f"{name}.toml")
    imported = parse_spacar(format_spacar(gallery)).model
    systems = [fx.linearise(model).K for model in (gallery, imported)]
    spectra = [np.linalg.eigvalsh(matrix) for matrix in systems]
    np.testing.assert_allclose(spectra[1], spectra[0], rtol=1e-9, atol=1e-9 * abs(spectra[0]).max())
