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
