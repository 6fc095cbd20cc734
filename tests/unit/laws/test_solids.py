"""Shapes that bodies are drawn with."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx
from flexura.errors import ModelError
from flexura.laws.solids import sharp_edges
from flexura.spatial import Body

CUBE = np.array([(x, y, z) for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
FACES = np.array([face for a, b, c, d in SIDES for face in ((a, b, c), (a, c, d))])


def extent(solid: fx.Cuboid | fx.Cylinder | fx.Wireframe) -> list[float]:
    places = np.array([place for line in solid.lines() for place in line])
    return np.ptp(places, axis=0).tolist()


def test_solids_have_their_size() -> None:
    assert extent(fx.Cuboid(0.4, 0.3, 0.2)) == pytest.approx([0.4, 0.3, 0.2])
    assert extent(fx.Cylinder(0.3, 0.5, axis=(0, 2, 0))) == pytest.approx([0.3, 0.5, 0.3], rel=0.02)
    assert extent(fx.Wireframe(((0, 0, 0, 1, 2, 3),))) == [1.0, 2.0, 3.0]
    with pytest.raises(ModelError, match="the axis has no direction"):
        fx.Cylinder(0.3, 0.5, axis=(0, 0, 0))


def test_the_sharp_edges_of_a_cube_are_twelve() -> None:
    # the diagonals of its faces are smooth; places are joined that the mesh repeats
    repeated = CUBE[FACES.ravel()], np.arange(36).reshape(-1, 3)
    for points, faces in ((CUBE, FACES), repeated):
        places, edges = sharp_edges(points, faces)
        assert (len(places), len(edges)) == (8, 12)


def test_a_mesh_is_read_and_a_missing_one_is_named(tmp_path) -> None:
    meshio = pytest.importorskip("meshio")
    meshio.write_points_cells(tmp_path / "cube.obj", 1e3 * CUBE, [("triangle", FACES)])
    assert extent(fx.Wireframe.from_file(tmp_path / "cube.obj", scale=1e-3)) == pytest.approx([1.0, 1.0, 1.0])
    with pytest.raises(ModelError, match="this mesh cannot be read"):
        fx.Wireframe.from_file(tmp_path / "none.stl")


def test_a_solid_goes_to_a_file_and_changes_no_motion(tmp_path) -> None:
    def fall(**drawn: object) -> fx.Model:
        body = Body("C", 1.0, 0.1, 0.1, 0.1, **drawn)
        return fx.Model({"C": (0, 0, 0)}, {"body": body}, start={"body.p.about_x'": 1.0}, gravity=(0, 0, -9.81))

    drawn = fall(solid=fx.Cuboid(0.4, 0.3, 0.2, centre=(0.1, 0, 0)))
    drawn.to_file(tmp_path / "fall.toml")
    assert fx.Model.from_file(tmp_path / "fall.toml") == drawn
    assert np.array_equal(fx.simulate(drawn, 0.1)["C.z"], fx.simulate(fall(), 0.1)["C.z"])
