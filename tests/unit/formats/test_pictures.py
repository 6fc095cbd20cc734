"""ParaView series and glTF animations: opened by VTK, and checked against the motion."""

import json
import struct
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import flexura as fx
from flexura.planar import Beam, PointContact
from flexura.spatial import Shell

EXAMPLES = Path(__file__).parents[3] / "examples"
STEEL = fx.Material(E=2.1e11, rho=7850.0)


@pytest.fixture(scope="module")
def cantilever():
    return fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"beam": Beam("O", "A", fx.Rectangle(0.02, 0.01), STEEL, parts=2)},
        fixed=["beam.p"],
        loads={"A.y": -2.0, "A.x": 100.0},
        title="Cantilever",
    )


@pytest.fixture(scope="module")
def satellite():
    model = fx.Model.from_file(EXAMPLES / "satellite.toml")
    return fx.simulate(model, until=0.5, samples=4)


def test_a_state_has_section_forces_and_stresses(cantilever, tmp_path):
    pyvista = pytest.importorskip("pyvista")
    fx.equilibrium(cantilever).save(tmp_path / "beam.vtu")
    grid = pyvista.read(tmp_path / "beam.vtu")
    assert grid.n_cells == 2 + 2
    assert grid.n_points == 2 * 9 + 2
    tip = int(np.argmax(grid.points[:18, 0]))
    np.testing.assert_allclose(grid["axial_force"][:18], 100.0, rtol=1e-3)
    # clamped end: M = F L less the little lever of the pull, stress N/A + 6M/bh²
    moment = np.abs(grid["bending_moment"][:18])
    assert moment.max() == pytest.approx(2.0, rel=0.1)
    assert moment[tip] == pytest.approx(0.0, abs=5e-3)
    expected = 100.0 / 2e-4 + 6.0 * moment.max() / (0.02 * 0.01**2)
    assert grid["normal_stress"].max() == pytest.approx(expected, rel=1e-3)
    # FL³/3EI, less what the pull stiffens
    assert grid["displacement"][tip, 1] == pytest.approx(-2.0 / (3 * 2.1e11 * 0.02 * 0.01**3 / 12), rel=0.15)


def test_a_motion_is_a_time_series(satellite, tmp_path):
    pyvista = pytest.importorskip("pyvista")
    satellite.save(tmp_path / "satellite.pvd")
    reader = pyvista.get_reader(tmp_path / "satellite.pvd")
    np.testing.assert_array_equal(reader.time_values, satellite.t)
    reader.set_active_time_value(satellite.t[-1])
    grid = reader.read()[0]
    names = json.loads((tmp_path / "satellite" / "elements.json").read_text())
    owned = {names[owner] for owner in grid["element"] if owner >= 0}
    assert {"right", "left", "right_root"} <= owned
    nodes = grid.extract_cells(np.flatnonzero(grid.celltypes == 1)).points
    place = [satellite[f"Q.{axis}"][-1] for axis in "xyz"]
    assert np.abs(nodes - place).sum(axis=1).min() < 1e-6


@pytest.fixture(scope="module")
def plate():
    """A square of two triangles that is clamped on one side, in equilibrium."""
    sheet = fx.Material(E=70e9, nu=0.3, rho=2700.0)
    model = fx.Model(
        nodes={"A": (0, 0, 0), "B": (0.2, 0, 0), "C": (0.2, 0.2, 0), "D": (0, 0.2, 0)},
        elements={"first": Shell("A", "B", "C", 1e-3, sheet), "second": Shell("first.p", "first.r", "D", 1e-3, sheet)},
        fixed=["first.p", "second.r"],
        gravity=(0, 0, -9.81),
    )
    return fx.equilibrium(model)


def test_plates_are_faces(plate, tmp_path):
    """Two polygons of three corners in their deformed shape."""
    pyvista = pytest.importorskip("pyvista")
    plate.save(tmp_path / "plate.vtu")
    grid = pyvista.read(tmp_path / "plate.vtu")
    faces = [grid.get_cell(i) for i in np.flatnonzero(grid["element"] >= 0)]
    assert [face.n_points for face in faces] == [3, 3]
    assert all(face.type == pyvista.CellType.POLYGON for face in faces)
    corners = np.array([[plate[f"{node}.{axis}"] for axis in "xyz"] for node in "ABC"])
    np.testing.assert_allclose(faces[0].points, corners, atol=1e-9)
    assert corners[1, 2] < -1e-5


def test_plates_of_animations_are_filled(plate, tmp_path):
    """Two right-angled triangles for each plate, which together have its corners and its area."""
    plate.save(tmp_path / "plate.glb")
    document, _ = chunks(tmp_path / "plate.glb")
    flat = [
        number
        for number, mesh in enumerate(document["meshes"])
        if document["accessors"][mesh["primitives"][0]["attributes"]["POSITION"]]["count"] == 3
    ]
    halves = [node for node in document["nodes"] if node.get("mesh") in flat and node["name"] == "first"]
    assert len(halves) == 2
    places = []
    for node in halves:
        turn = Rotation.from_quat(node["rotation"])
        places.append(node["translation"] + turn.apply(np.diag(node["scale"])[:2]))
    corners = np.array([[plate[f"{node}.{axis}"] for axis in "xyz"] for node in "ABC"])
    found = np.concatenate(places)
    assert np.abs(found[:, None] - corners).max(axis=2).min(axis=0).max() < 1e-7
    area = np.linalg.norm(np.cross(corners[1] - corners[0], corners[2] - corners[0])) / 2.0
    assert sum(node["scale"][0] * node["scale"][1] / 2.0 for node in halves) == pytest.approx(area, rel=1e-6)


def test_a_picture_of_the_satellite_is_rendered_off_screen(satellite, tmp_path):
    pyvista = pytest.importorskip("pyvista")
    satellite.save(tmp_path / "satellite.pvd")
    reader = pyvista.get_reader(tmp_path / "satellite.pvd")
    reader.set_active_time_value(satellite.t[-1])
    plotter = pyvista.Plotter(off_screen=True, window_size=(320, 240))
    plotter.add_mesh(reader.read()[0], scalars="bending_moment_z", line_width=6)
    image = plotter.screenshot(tmp_path / "satellite.png", return_img=True)
    plotter.close()
    assert image.shape[:2] == (240, 320)
    assert len(np.unique(image.reshape(-1, image.shape[2]), axis=0)) > 2


def test_contact_forces_are_fields_of_cells(tmp_path):
    pyvista = pytest.importorskip("pyvista")
    model = fx.Model(
        nodes={"G": (0, 0), "A": (0, 1e-3), "B": (1, 1e-3)},
        elements={
            "bar": Beam("A", "B", fx.Section(rhoA=1.0), rigid=True),
            "foot": PointContact("G", "A", contact=fx.KelvinVoigt(k=1e5, c=50.0)),
        },
        fixed=["G", "B"],
        gravity=(0, -9.81),
    )
    motion = fx.simulate(model, until=0.2, samples=3)
    motion.save(tmp_path / "foot.pvd")
    reader = pyvista.get_reader(tmp_path / "foot.pvd")
    reader.set_active_time_value(motion.t[-1])
    assert np.abs(reader.read()[0]["contact_force"]).max() == pytest.approx(abs(motion.force("foot.gap")[-1]), rel=1e-9)


def chunks(path):
    content = path.read_bytes()
    magic, version, length = struct.unpack_from("<4sII", content)
    assert (magic, version, length) == (b"glTF", 2, len(content))
    size, kind = struct.unpack_from("<I4s", content, 12)
    assert kind == b"JSON"
    return json.loads(content[20 : 20 + size]), content[28 + size :]


def accessor(document, data, number):
    found = document["accessors"][number]
    view = document["bufferViews"][found["bufferView"]]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[found["type"]]
    return np.frombuffer(data, "<f4", found["count"] * width, view["byteOffset"]).reshape(-1, width)


def test_an_animation_has_the_places_of_the_nodes(satellite, tmp_path):
    satellite.save(tmp_path / "satellite.glb")
    document, data = chunks(tmp_path / "satellite.glb")
    (animation,) = document["animations"]
    node = next(i for i, each in enumerate(document["nodes"]) if each["name"] == "Q")
    (channel,) = [
        each for each in animation["channels"] if each["target"] == {"node": node, "path": "translation"}
    ]  # fmt: skip
    sampler = animation["samplers"][channel["sampler"]]
    np.testing.assert_allclose(accessor(document, data, sampler["input"])[:, 0], satellite.t, rtol=1e-6)
    expected = np.stack([satellite[f"Q.{axis}"] for axis in "xyz"], axis=1)
    np.testing.assert_allclose(accessor(document, data, sampler["output"]), expected, atol=1e-6)


def test_an_animation_is_opened_by_vtk(cantilever, tmp_path):
    pyvista = pytest.importorskip("pyvista")
    fx.equilibrium(cantilever).save(tmp_path / "beam.glb")
    mesh = pyvista.read(tmp_path / "beam.glb").combine(merge_points=False)
    low, high = np.array(mesh.bounds).reshape(3, 2).T
    assert low[0] == pytest.approx(0.0, abs=0.02)
    assert high[0] == pytest.approx(1.0, abs=0.02)


def test_results_without_shapes_are_refused(cantilever, tmp_path):
    system = fx.linearise(cantilever.replace(loads={}))
    for ending in ("glb", "pvd", "vtu"):
        with pytest.raises(fx.ModelError, match="a LinearSystem has no shapes over time; save a motion or a state"):
            system.save(tmp_path / f"system.{ending}")
    motion = fx.simulate(cantilever, until=0.01, samples=3)
    with pytest.raises(fx.ModelError, match=r"m\.vtu: the motion has 3 times; save it as \.pvd, a time series"):
        motion.save(tmp_path / "m.vtu")
