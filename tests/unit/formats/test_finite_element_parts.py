"""Parts from CalculiX, scikit-fem, meshes and Matrix Market, against the eigensolvers of those programs."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import scipy

import flexura as fx
from flexura.spatial import Body, Hinge, Superelement

STORED = Path(__file__).with_name("calculix")
PRINTED = [3854.708, 6774.272, 11776.95, 13870.09]
"""Frequencies in Hz that CalculiX 2.20 prints for the free bar of three solids."""


def ends(part, length=0.12):
    """Sets of nodes at both ends of a bar along x, whose mean motions are those of the interfaces."""
    near = [np.flatnonzero(np.abs(part.positions[:, 0] - x) < 1e-9).tolist() for x in (0.0, length)]
    return [fx.Interface(tuple(nodes), coupling="mean") for nodes in near]


def test_matrices_of_calculix_have_its_frequencies():
    part = fx.load_calculix(STORED / "bracket.inp")
    found = fx.reduce(part, ends(part), modes=4, method="free")
    assert found.frequencies / (2 * np.pi) == pytest.approx(PRINTED, rel=2e-7)  # all digits that are printed
    assert found.mass == pytest.approx(7850 * 0.12 * 0.04 * 0.01, rel=1e-9)
    assert found.content["inertia"][0, 0] == pytest.approx(found.mass * (0.04**2 + 0.01**2) / 12, rel=0.5)
    # the same matrices by SciPy; some degrees of freedom have no mass, so the pencil is turned round
    k, m = part.stiffness.toarray(), part.mass.toarray()
    inverse = scipy.linalg.eigh(m, k + 1e7 * m, eigvals_only=True)
    squares = 1.0 / inverse[::-1][:10] - 1e7
    assert found.frequencies == pytest.approx(np.sqrt(squares[6:10]), rel=1e-8)


@pytest.mark.skipif(shutil.which("ccx") is None, reason="CalculiX is not installed")
def test_files_that_calculix_writes_now_are_read(tmp_path):
    shutil.copy(STORED / "bracket.inp", tmp_path)
    subprocess.run(["ccx", "bracket"], cwd=tmp_path, check=True, capture_output=True, timeout=60)
    now, then = fx.load_calculix(tmp_path / "bracket"), fx.load_calculix(STORED / "bracket")
    assert abs(now.stiffness - then.stiffness).max() < 1e-9 * abs(then.stiffness).max()
    assert abs(now.mass - then.mass).max() < 1e-9 * abs(then.mass).max()


def test_files_that_are_not_there_are_named(tmp_path):
    shutil.copy(STORED / "bracket.inp", tmp_path)
    with pytest.raises(
        fx.ModelError, match=r"bracket.dof: the file cannot be read; run the job with \*FREQUENCY, SOLVER"
    ):
        fx.load_calculix(tmp_path / "bracket.inp")
    (tmp_path / "empty.inp").write_text("*STEP\n")
    with pytest.raises(fx.ModelError, match=r"empty.inp: it has no nodes; give the input file with its \*NODE lines"):
        fx.load_calculix(tmp_path / "empty.inp")


def test_a_part_of_scikit_fem_has_its_frequencies():
    skfem = pytest.importorskip("skfem")
    from skfem.io.meshio import to_meshio

    grid = [np.linspace(0, *axis) for axis in ((0.12, 5), (0.04, 2), (0.01, 2))]
    mesh = skfem.MeshHex.init_tensor(*grid)
    part = fx.from_mesh(to_meshio(mesh), fx.Material(E=2.1e11, rho=7850.0, nu=0.3))
    squares = scipy.linalg.eigh(part.stiffness.toarray(), part.mass.toarray(), eigvals_only=True)
    found = fx.reduce(part, ends(part), modes=4, method="free")
    assert found.frequencies == pytest.approx(np.sqrt(squares[6:10]), rel=1e-8)
    assert len(part.lines) > 30
    # bending of a bar of 120 × 10 mm: 22.37 √(EI/ρA)/ℓ², less what shear and rotation take
    slender = 22.37 * np.sqrt(2.1e11 / 7850.0 / 12) * 0.01 / 0.12**2 / (2 * np.pi)
    assert 0.95 * slender < found.frequencies[0] / (2 * np.pi) < 1.05 * slender
    with pytest.raises(
        fx.ModelError, match="mesh: the mesh has quad, and neither solids, nor triangles with a thickness"
    ):
        fx.from_mesh(to_meshio(skfem.MeshQuad()), fx.Material(E=1.0, rho=1.0))


def test_matrix_market_files_are_read(tmp_path):
    part = fx.load_calculix(STORED / "bracket")
    heavy = np.flatnonzero(part.component < 3)
    small = scipy.sparse.csr_array(part.stiffness)[heavy][:, heavy]
    scipy.io.mmwrite(tmp_path / "K.mtx", small)
    scipy.io.mmwrite(tmp_path / "M.mtx", scipy.sparse.csr_array(part.mass)[heavy][:, heavy])
    read = fx.load_matrices(tmp_path / "M.mtx", tmp_path / "K.mtx", part.positions)
    assert abs(read.stiffness - small).max() < 1e-9 * abs(small).max()
    with pytest.raises(fx.ModelError, match=r"none.mtx: the matrix cannot be read"):
        fx.load_matrices(tmp_path / "none.mtx", tmp_path / "K.mtx", part.positions)


def test_a_solid_bracket_moves_in_a_machine():
    # driven about one end at a steady speed, the far end of the bar is pulled out by m Ω² (ℓ²/2 - x²/2)…: ρΩ²ℓ³/(3E)
    part = fx.load_calculix(STORED / "bracket")
    near, far = (interface.nodes for interface in ends(part))
    reduced = fx.reduce(part, [fx.Interface(near), fx.Interface(far, coupling="mean")], modes=1)
    at, tip = reduced.content["origin"], reduced.content["origin"] + reduced.points[0]
    elements = {
        "ground": Body("G", 1.0, 1.0, 1.0, 1.0),
        "hub": Body("O", 1.0, 1.0, 1.0, 1.0),
        "shaft": Hinge("ground.p", "hub.p", axis=(0, 0, 1)),
        "bracket": Superelement("hub.p", ("T",), reduced, damping_ratio=0.3),
    }
    nodes = {"G": tuple(at), "O": tuple(at), "T": tuple(tip)}
    model = fx.Model(
        space="spatial", nodes=nodes, elements=elements, fixed=["ground.p", "O"],
        inputs={"shaft.rotation": fx.Ramp(rate=50.0)},
    )  # fmt: skip
    motion = fx.simulate(model, until=0.01, samples=5)
    assert np.hypot(motion["T.x"] - at[0], motion["T.y"] - at[1])[-1] == pytest.approx(0.12, rel=1e-5)
    stretch = 7850.0 * 50.0**2 * 0.12**3 / (3 * 2.1e11)
    assert motion["bracket.static_1"][-1] == pytest.approx(stretch, rel=0.1)


@pytest.mark.parametrize("shape", ["MeshHex", "MeshTet"])
@pytest.mark.parametrize("quadratic", [False, True])
def test_nodes_of_solids_have_stresses(shape, quadratic):
    skfem = pytest.importorskip("skfem")
    from skfem.io.meshio import to_meshio

    grid = [np.linspace(0, *axis) for axis in ((0.12, 4), (0.04, 3), (0.01, 2))]
    steel = fx.Material(E=2.1e11, rho=7850.0, nu=0.3)
    part = fx.from_mesh(to_meshio(getattr(skfem, shape).init_tensor(*grid)), steel, quadratic)
    # uniform tension along x, with shear between y and z
    strains = np.array([[1e-4, 0, 0], [0, -0.3e-4, 2e-4], [0, 0, -0.3e-4]])
    displacements = (part.positions @ strains.T)[part.node, part.component]
    found = (part.stress @ displacements).reshape(-1, 6)
    shear = 2.1e11 / 2.6 * 2e-4
    assert found == pytest.approx(np.tile([2.1e7, 0, 0, 0, shear, 0], (len(found), 1)), abs=1e-6 * 2.1e7)

    # the same names in a machine
    reduced = fx.reduce(part, ends(part), modes=1)
    start, end = reduced.content["origin"], reduced.content["origin"] + reduced.points[0]
    model = fx.Model(
        nodes={"O": tuple(start), "T": tuple(end)},
        elements={"bar": Superelement("O", ("T",), reduced)},
        fixed=["O", "bar.frame"],
        loads={"T.x": 4000.0},
    )
    state = fx.equilibrium(model)
    inside = state.part("bar")
    far = [i for i, place in enumerate(part.positions) if abs(place[0] - 0.12) < 1e-9]
    mean = np.mean([inside.at(node)[0, 0] for node in far])
    assert mean == pytest.approx(state["T.x"] - end[0], rel=1e-6)
    assert inside.stress()[0].max() == inside.peak("von_mises").value
    assert inside.stress(f"{inside.places()[2]}.xx") == pytest.approx(inside.stress("xx")[:, 2])


def plate(count, kind):
    """Mesh of a square of 0.3 m, of triangles or quadrilaterals, and the ends of its first side."""
    meshio = pytest.importorskip("meshio")
    side = np.linspace(0.0, 0.3, count + 1)
    points = np.array([(x, y) for x in side for y in side])
    at = np.arange(len(points)).reshape(count + 1, count + 1)
    quads = np.stack([at[:-1, :-1], at[1:, :-1], at[1:, 1:], at[:-1, 1:]], axis=-1).reshape(-1, 4)
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    edge = ("line", np.stack([at[0, :-1], at[0, 1:]], axis=-1))
    return meshio.Mesh(points, [(kind, {"quad": quads, "triangle": triangles}[kind]), edge]), [str(i) for i in at[0]]


@pytest.mark.parametrize("kind", ["triangle", "quad"])
def test_meshes_of_shells_are_read(kind, tmp_path):
    mesh, side = plate(6, kind)
    mesh.write(tmp_path / "plate.vtk")
    steel = fx.Material(E=2.1e11, rho=7850.0, nu=0.3)
    part = fx.from_mesh(tmp_path / "plate.vtk", steel, thickness=2e-3)
    found = fx.reduce(part, [side[0], side[-1]], modes=3, method="free")
    assert found.mass == pytest.approx(7850.0 * 0.3**2 * 2e-3)
    # λ² of a free square plate with ν = 0.3, from the tables of Leissa (Vibration of Plates, NASA SP-160)
    rigidity = 2.1e11 * 2e-3**3 / (12.0 * 0.91)
    factors = found.frequencies * 0.3**2 * np.sqrt(7850.0 * 2e-3 / rigidity)
    assert factors == pytest.approx([13.47, 19.60, 24.27], rel=0.04)


def test_lines_of_a_mesh_are_beams_where_a_section_is_given():
    mesh, side = plate(3, "triangle")
    steel = fx.Material(E=2.1e11, rho=7850.0, nu=0.3)
    bare = fx.from_mesh(mesh, steel, thickness=2e-3)
    ribbed = fx.from_mesh(mesh, steel, thickness=2e-3, section=fx.Circle(8e-3))
    masses = [fx.reduce(part, [side[0], side[-1]]).mass for part in (bare, ribbed)]
    assert masses[1] - masses[0] == pytest.approx(7850.0 * np.pi * 4e-3**2 * 0.3)
    rib = fx.from_mesh(mesh, steel, section=fx.Section(EA=1e6, EI=10.0, GIt=8.0, rhoA=0.5))
    assert fx.reduce(rib, [side[0], side[-1]]).mass == pytest.approx(0.15)
    with pytest.raises(fx.ModelError, match="mesh: the mesh has triangle, line, and neither solids"):
        fx.from_mesh(mesh, steel)
    with pytest.raises(fx.ModelError, match="thickness: -1 is out of range"):
        fx.from_mesh(mesh, steel, thickness=-1.0)
