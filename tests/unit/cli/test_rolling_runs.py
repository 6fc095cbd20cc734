"""Runs of what rolls in a file: linear equations with kinematic coordinates, root loci, steady motions."""

from pathlib import Path

import numpy as np
import pytest
import xarray

import flexura as fx

BICYCLE = Path(__file__).parents[3] / "examples" / "bicycle.toml"


def held(name):
    with xarray.open_dataset(Path("out") / f"{name}.nc", engine="h5netcdf") as data:
        return data.load()


def test_runs_of_the_bicycle(command):
    result = command("run", BICYCLE, "-o", "out")
    assert result.exit_code == 0, result.stderr
    model = fx.Model.from_file(BICYCLE)

    system, data = fx.linearise(model), held("weave")
    assert fx.load("out/weave.nc") == system
    assert tuple(data.rolls_coordinates.values) == system.rolls.coordinates
    np.testing.assert_array_equal(data.rolls_B, system.rolls.B)
    np.testing.assert_array_equal(data.rolls_K, system.rolls.K)
    assert data.modes.shape[0] == len(system.M) + len(system.rolls.coordinates)

    speeds = held("speeds")
    assert 0.3 * speeds.limit_value.values == pytest.approx([4.29238253634110396, 6.02426201538835889], rel=1e-11)
    assert list(speeds.limit_rising.values) == [0, 1]
    assert (Path("out") / "speeds.png").exists()
    assert "begins to grow" in result.stdout

    steadily = fx.load("out/steadily.nc")
    assert steadily["front_axle.rotation'"] == pytest.approx(20.0 * 0.3 / 0.35, rel=1e-12)
