"""Results as MATLAB files, arrays of NumPy, CSV, Parquet and Matrix Market."""

import csv
import json
import shutil
import subprocess

import numpy as np
import pytest
from scipy.io import loadmat, mmread

import flexura as fx
from flexura.planar import Beam, Mass


@pytest.fixture(scope="module")
def model():
    return fx.Model(
        nodes={"O": (0, 0), "A": (0.5, 0), "B": (1, 0)},
        elements={
            "upper": Beam("O", "A", fx.Section(rhoA=0.5), rigid=True),
            "lower": Beam("A", "B", fx.Section(EA=1e6, EI=20.0, rhoA=0.5)),
            "tip": Mass("B", 0.1),
        },
        fixed=["O"],
        gravity=(0.0, -9.81),
        title="Pendulum",
    )


@pytest.fixture(scope="module")
def motion(model):
    return fx.simulate(model, until=0.2, samples=11)


@pytest.fixture(scope="module")
def weightless(model):
    return model.replace(gravity=(0.0, 0.0))


def test_a_motion_in_a_matlab_file_is_read_by_scipy(motion, tmp_path):
    motion.save(tmp_path / "m.mat")
    data = loadmat(tmp_path / "m.mat", simplify_cells=True)
    assert list(data["names"]) == list(motion.signals)
    assert data["units"][list(data["names"]).index("B.x")] == "m"
    np.testing.assert_array_equal(data["t"], motion.t)
    np.testing.assert_array_equal(data["values"][:, list(data["names"]).index("B.y")], motion["B.y"])
    np.testing.assert_array_equal(data["velocity"], motion.position[1])
    motion.save(tmp_path / "some.mat", ["B.x'", "O.y.force"])
    some = loadmat(tmp_path / "some.mat", simplify_cells=True)
    assert list(some["units"]) == ["m/s", "N"]
    np.testing.assert_array_equal(some["values"][:, 1], motion.force("O.y"))


def test_a_linear_system_in_a_matlab_file(weightless, tmp_path):
    system = fx.linearise(weightless)
    system.save(tmp_path / "linear.mat")
    data = loadmat(tmp_path / "linear.mat", simplify_cells=True)
    for name in ("M", "C", "K"):
        np.testing.assert_array_equal(data[name], getattr(system, name))
    np.testing.assert_array_equal(data["A"], system.to_state_space([], [])[0])
    np.testing.assert_array_equal(data["eigenvalues"], system.eigenvalues)
    assert list(data["coordinate"]) == list(system.coordinates)


@pytest.mark.skipif(shutil.which("octave-cli") is None, reason="Octave is not installed")
def test_octave_reads_a_matlab_file(motion, weightless, tmp_path):
    motion.save(tmp_path / "m.mat")
    fx.linearise(weightless).save(tmp_path / "l.mat")
    script = (
        "m = load('m.mat'); l = load('l.mat'); k = find(strcmp(m.names, 'B.y'));"
        "printf('%.17g %.17g %d\\n', m.values(end, k), max(abs(eig(l.K, l.M))), iscellstr(m.units));"
    )
    done = subprocess.run(
        ["octave-cli", "--no-gui", "-qf", "--eval", script], cwd=tmp_path, capture_output=True, text=True, timeout=120,
        check=True,
    )  # fmt: skip
    value, largest, cells = done.stdout.split()
    assert float(value) == motion["B.y"][-1]
    assert float(largest) == pytest.approx(np.abs(fx.linearise(weightless).eigenvalues).max() ** 2, rel=1e-9)
    assert cells == "1"


def test_arrays_of_numpy_need_no_pickle(motion, tmp_path):
    motion.save(tmp_path / "m.npz", ["B.x"])
    with np.load(tmp_path / "m.npz", allow_pickle=False) as data:
        np.testing.assert_array_equal(data["values"][:, 0], motion["B.x"])
        assert list(data["names"]) == ["B.x"]
        assert set(data["energy"].shape) == {len(motion.t), len(motion.energy)}


def test_a_csv_file_has_units_and_exact_numbers(motion, tmp_path):
    motion.save(tmp_path / "m.csv", ["B.x", "O.y.force"])
    with (tmp_path / "m.csv").open(newline="") as file:
        heads, *rows = csv.reader(file)
    assert heads == ["t [s]", "B.x [m]", "O.y.force [N]"]
    assert [float(row[1]) for row in rows] == motion["B.x"].tolist()


def test_results_without_time_are_tables_of_their_labels(weightless, tmp_path):
    modes = fx.modes(weightless, count=3)
    modes.save(tmp_path / "modes.csv")
    with (tmp_path / "modes.csv").open(newline="") as file:
        heads, *rows = csv.reader(file)
    assert heads[0] == "mode [1]"
    column = heads.index("frequencies [rad/s]")
    assert [float(row[column]) for row in rows] == modes.frequencies.tolist()


def test_parquet_keeps_columns_and_units(motion, weightless, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    motion.save(tmp_path / "m.parquet", ["B.x"])
    table = parquet.read_table(tmp_path / "m.parquet")
    assert table.column_names == ["t", "B.x"]
    assert table.column("B.x").to_pylist() == motion["B.x"].tolist()
    assert table.schema.field("B.x").metadata == {b"unit": b"m"}
    fx.modes(weightless, count=3).save(tmp_path / "modes.parquet")
    assert parquet.read_table(tmp_path / "modes.parquet").num_rows == 3


def test_matrices_come_with_names(weightless, tmp_path):
    system = fx.linearise(weightless)
    system.save(tmp_path / "arm.mtx")
    for name in ("M", "K"):
        read = mmread(tmp_path / f"arm_{name}.mtx").toarray()
        np.testing.assert_allclose(read, getattr(system, name), rtol=1e-15)
    names = json.loads((tmp_path / "arm_names.json").read_text())
    assert names["coordinates"] == list(system.coordinates)


def test_unknown_endings_are_refused_and_nothing_is_written(motion, tmp_path):
    with pytest.raises(fx.ModelError, match=r"m\.docx: there is no format for files that end in '\.docx'; options are"):
        motion.save(tmp_path / "m.docx")
    with pytest.raises(fx.ModelError, match=r"m\.mtx: a Motion has no mass and stiffness matrix; save the result of"):
        motion.save(tmp_path / "m.mtx")
    assert list(tmp_path.iterdir()) == []


def test_a_missing_package_names_its_extra(motion, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(fx.ModelError, match=r"'pyarrow', which is not installed; install it with: pip install"):
        motion.save(tmp_path / "m.parquet")


def test_the_command_converts_results(motion, tmp_path, invoke):
    motion.save(tmp_path / "m.nc")
    assert invoke("convert", tmp_path / "m.nc", tmp_path / "m.mat").exit_code == 0
    assert loadmat(tmp_path / "m.mat")["values"].shape == (11, len(motion.signals))
