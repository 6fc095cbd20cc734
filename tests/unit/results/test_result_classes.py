"""Every class of results, found by registration: pickle, file, equality, dataset, summary and figures."""

from __future__ import annotations

import dataclasses
import pickle
from pathlib import Path

import numpy as np
import pytest
import xarray

import flexura as fx
from flexura.results.figures import figures
from flexura.results.result import Result, result_classes
from unit.results.small_results import EXAMPLES

CLASSES = sorted(result_classes())


def test_every_class_has_an_example() -> None:
    assert set(CLASSES) == set(EXAMPLES)


@pytest.mark.parametrize("name", CLASSES)
def test_a_result_is_plain_data(name: str, tmp_path: Path) -> None:
    result = EXAMPLES[name]()
    assert type(result) is result_classes()[name]

    # equality, which a change of one number ends
    assert result == pickle.loads(pickle.dumps(result))
    assert result != changed(result)
    assert result != "a result"

    # files
    path = tmp_path / "result.nc"
    result.save(path)
    loaded = fx.load(path)
    assert type(loaded) is type(result)
    assert loaded == result
    assert loaded != changed(result)
    assert str(loaded) == str(result)
    assert loaded.summary() == result.summary()
    with xarray.open_dataset(path, engine="h5netcdf") as data:
        xarray.testing.assert_identical(data.load(), result.to_xarray())

    # nothing in it can be called
    assert not list(callables(result))


def changed(result: Result) -> Result:
    """The result with another number or text in its first field that has one."""
    for field in dataclasses.fields(result):
        value = getattr(result, field.name)
        if isinstance(value, np.ndarray) and value.size:
            other = value.copy()
            other.flat[-1] = other.flat[-1] + 1.0
            return dataclasses.replace(result, **{field.name: other})
        if isinstance(value, Result):
            return dataclasses.replace(result, **{field.name: changed(value)})
    raise AssertionError(f"there is no number in {result!r}")


def callables(value: object, depth: int = 0):
    """What can be called among the fields of results and records, however deep."""
    if isinstance(value, tuple | list):
        for each in value:
            yield from callables(each, depth + 1)
    elif dataclasses.is_dataclass(value) and not isinstance(value, fx.Model):
        for field in dataclasses.fields(value):
            yield from callables(getattr(value, field.name), depth + 1)
    elif callable(value):
        yield value


@pytest.mark.parametrize("name", CLASSES)
def test_what_a_result_declares_is_there(name: str) -> None:
    cls = result_classes()[name]
    keys = [key for figure in figures(cls) for key in figure.keys]
    assert len(keys) == len(set(keys))
    for figure in figures(cls):
        assert callable(getattr(cls, figure.method))


def test_signals_in_a_file(tmp_path: Path) -> None:
    # other programs cannot compute a signal from the harmonics of the coordinates
    found = EXAMPLES["PeriodicMotion"]()
    data = found.to_xarray("Q.x", "crank.p.phi.force")
    np.testing.assert_array_equal(data.history.sel(signal="Q.x"), found["Q.x"])
    assert str(data.unit.sel(signal="crank.p.phi.force").values) == "N·m"
    found.save(tmp_path / "with.nc", signals=["Q.x"])
    assert fx.load(tmp_path / "with.nc") == found


def test_a_loaded_result_goes_on(tmp_path: Path) -> None:
    # what needs the model again: signals, stability by another method, contributions, branches of twice the period
    for name in ("PeriodicMotion", "LinearSystem", "Cycle", "SmallMotion"):
        EXAMPLES[name]().save(tmp_path / f"{name}.nc")
    vibration, loaded = EXAMPLES["PeriodicMotion"](), fx.load(tmp_path / "PeriodicMotion.nc")
    np.testing.assert_array_equal(loaded["Q.x"], vibration["Q.x"])
    np.testing.assert_array_equal(loaded.exponents, vibration.exponents)
    np.testing.assert_array_equal(loaded.series("Q.x"), vibration.series("Q.x"))
    system, again = EXAMPLES["LinearSystem"](), fx.load(tmp_path / "LinearSystem.nc")
    response = [each.frequency_response("A.x", "column.1.elongation.force", [3.0]) for each in (system, again)]
    np.testing.assert_array_equal(*response)
    for part, (C, K) in system.contributions.items():
        np.testing.assert_array_equal(again.contributions[part][0], C)
        np.testing.assert_array_equal(again.contributions[part][1], K)
    cycle, same = EXAMPLES["Cycle"](), fx.load(tmp_path / "Cycle.nc")
    np.testing.assert_allclose(same["Q.x"], cycle["Q.x"], atol=1e-14)
    exponents = [np.sort_complex(each.stability(fx.Hill()).exponents) for each in (same, cycle)]
    np.testing.assert_allclose(*exponents, rtol=1e-9, atol=1e-12)
    small, twin = EXAMPLES["SmallMotion"](), fx.load(tmp_path / "SmallMotion.nc")
    np.testing.assert_array_equal(twin["Q.x.force"], small["Q.x.force"])


def test_a_result_from_a_pickle_asks_the_analyses(tmp_path: Path) -> None:
    # in a new process nothing but the class of the result has been imported
    import subprocess
    import sys

    (tmp_path / "system.pickle").write_bytes(pickle.dumps(EXAMPLES["LinearSystem"]()))
    code = "import pickle, sys; system = pickle.load(open(sys.argv[1], 'rb')); print(system.input('A.x').size)"
    found = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "system.pickle")], capture_output=True, text=True, check=True
    )
    assert found.stdout.split() == [str(len(EXAMPLES["LinearSystem"]().coordinates))]
