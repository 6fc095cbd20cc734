"""Motions in files: the same afterwards, readable by others, refused where they are not motions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest
import xarray as xr

import flexura as fx
from flexura.elements import element
from flexura.elements.element import Element
from flexura.nodes import At, Point
from flexura.planar import Mass
from flexura.results.result_file import write_dataset
from unit.results.conftest import random_motion

ARRAYS = ("t", "coordinate_force", "stress", "momentum")
SAID = ("model", "nodal_coordinates", "strains", "outcome", "method", "statistics", "events", "coordinates", "findings")


def assert_same(one: fx.Motion, other: fx.Motion) -> None:
    for name in SAID:
        assert getattr(one, name) == getattr(other, name)
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), strict=True)
    for name in ("position", "strain"):
        for mine, theirs in zip(getattr(one, name), getattr(other, name), strict=True):
            np.testing.assert_array_equal(mine, theirs, strict=True)
    assert list(one.energy) == list(other.energy)
    for name, values in one.energy.items():
        np.testing.assert_array_equal(values, other.energy[name], strict=True)


def test_a_motion_comes_back_as_it_was(motion: fx.Motion, tmp_path: Path) -> None:
    motion.save(tmp_path / "motion.nc")
    same = fx.load(tmp_path / "motion.nc")
    assert_same(motion, same)
    assert str(same) == str(motion)
    np.testing.assert_array_equal(same["A.x''"], motion["A.x''"])


def test_numbers_that_are_none_come_back_too(motion: fx.Motion, tmp_path: Path) -> None:
    motion.stress[:2] = [[np.nan], [np.inf]]
    motion.stress[2] = 5e-324
    motion.save(tmp_path / "motion.nc")
    assert_same(motion, fx.load(tmp_path / "motion.nc"))


def test_a_motion_without_strains_events_or_statistics(tmp_path: Path) -> None:
    model = fx.Model({"A": (0, 0)}, {"bob": Mass("A", 1.0)})
    motion = replace(random_motion(model), events=(), statistics={}, coordinates=(), energy={}, findings=(), method="")
    motion.save(tmp_path / "motion.nc")
    assert_same(motion, fx.load(tmp_path / "motion.nc"))


def test_a_motion_of_a_large_model(tmp_path: Path) -> None:
    # the text of the model is longer than the 64 kB that HDF5 can keep beside a variable
    nodes = {f"node_{i}": (float(i), 0.0) for i in range(2000)}
    model = fx.Model(nodes, {f"mass_{i}": Mass(f"node_{i}", 1.0 + i) for i in range(2000)})
    motion = random_motion(model, times=2)
    motion.save(tmp_path / "motion.nc")
    assert fx.load(tmp_path / "motion.nc").model == model


def test_the_dataset_has_labels_and_units(motion: fx.Motion) -> None:
    data = motion.to_xarray()
    np.testing.assert_array_equal(data.velocity.sel(coordinate="A.x"), motion["A.x'"])
    np.testing.assert_array_equal(data.stress.sel(deformation="arm.2.elongation"), -motion.force("arm.2.elongation"))
    np.testing.assert_array_equal(data.energy.sel(form="kinetic"), motion.energy["kinetic"])
    assert data.acceleration.attrs["units"] == "m/s², rad/s²"
    assert data.force.attrs["units"] == "N, N·m"
    assert data.time.attrs["units"] == "s"
    assert str(data.coordinate_unit.sel(coordinate="arm.p.phi").item()) == "rad"
    assert data.attrs["version"] == fx.__version__


def test_others_can_open_the_file(motion: fx.Motion, tmp_path: Path) -> None:
    motion.save(tmp_path / "motion.nc")
    with xr.open_dataset(tmp_path / "motion.nc", engine="h5netcdf") as data:
        xr.testing.assert_identical(data.load(), motion.to_xarray())
    with h5py.File(tmp_path / "motion.nc") as file:
        assert file["position"].shape == motion.position[0].shape
        assert [name.decode() for name in file["coordinate"][:2]] == ["O.x", "O.y"]
        assert file["position"].dims[0][0].name == "/time"


def test_what_was_there_stays_when_writing_fails(motion: fx.Motion, tmp_path: Path) -> None:
    path = tmp_path / "motion.nc"
    motion.save(path)
    before = path.read_bytes()
    broken = replace(motion, momentum=motion.momentum[:-1])
    with pytest.raises(ValueError, match="conflicting sizes"):
        broken.save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(fx.ModelError, match=r"nothing\.nc: there is no such file; is '.*nothing\.nc' its path\?"):
        fx.load(tmp_path / "nothing.nc")


@pytest.mark.parametrize("part", [0.0, 0.01, 0.5, 0.99])
def test_a_file_that_is_cut_off(motion: fx.Motion, tmp_path: Path, part: float) -> None:
    motion.save(tmp_path / "motion.nc")
    content = (tmp_path / "motion.nc").read_bytes()
    (tmp_path / "cut.nc").write_bytes(content[: int(part * len(content))])
    with pytest.raises(fx.ModelError, match=r"cut\.nc: (this is not a netCDF-4 file|the file is cut off)"):
        fx.load(tmp_path / "cut.nc")


def test_a_file_of_another_kind(tmp_path: Path) -> None:
    write_dataset(xr.Dataset({"a": ("x", [1.0])}), tmp_path / "other.nc")
    with pytest.raises(fx.ModelError, match=r"other\.nc: this is not a result of Flexura; it should say format"):
        fx.load(tmp_path / "other.nc")
    (tmp_path / "text.nc").write_text("title = 'a model'")
    with pytest.raises(fx.ModelError, match=r"text\.nc: this is not a netCDF-4 file"):
        fx.load(tmp_path / "text.nc")


def test_a_file_that_lacks_something(motion: fx.Motion, tmp_path: Path) -> None:
    write_dataset(motion.to_xarray().drop_vars("stress"), tmp_path / "less.nc")
    with pytest.raises(fx.ModelError, match=r"less\.nc: there is no 'stress' in it; repeat the run"):
        fx.load(tmp_path / "less.nc")


def test_an_element_that_is_not_known_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(element, "_registry", dict(element._registry))

    class Passing(Element):
        """An element of another run."""

        p: At[Point]

    random_motion(fx.Model({"A": (0, 0)}, {"guest": Passing("A")})).save(tmp_path / "motion.nc")
    element._registry.pop(("planar", "Passing"))
    with pytest.raises(fx.ModelError, match=r"elements\.guest\.type: there is no element 'Passing'; import the file"):
        fx.load(tmp_path / "motion.nc")
