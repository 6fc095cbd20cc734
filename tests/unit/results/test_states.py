"""States in results: by name, in files and tables, and nothing of their integrals."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Mass, Truss


@pytest.fixture(scope="module")
def model():
    return fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"spring": Truss("O", "A", fx.Section(EA=20.0)), "mass": Mass("A", 1.0)},
        fixed=["O", "A.y"],
        loads={"A.x": "-sum"},
        states={"sum": "A.x - 1.1"},
        start={"sum": 0.5},
    )


@pytest.fixture(scope="module")
def motion(model):
    return fx.simulate(model, until=0.5, samples=11)


def test_a_state_is_a_signal(motion):
    assert motion["sum"][0] == 0.5
    assert motion["sum'"] == pytest.approx(motion["A.x"] - 1.1, abs=1e-14)
    assert "sum" in motion.signals
    assert motion.unit("sum") == ""
    assert motion.unit("sum'") == "1/s"
    assert not [a for a in motion.nodal_coordinates if a.integral]
    assert motion.position[0].shape == (11, len(motion.nodal_coordinates))
    # a state is no freedom
    assert "dof       1: " in str(motion)


def test_a_state_has_no_force_and_one_rate(motion):
    with pytest.raises(fx.ModelError, match="a state has no force; its rate is sum'"):
        motion.force("sum")
    with pytest.raises(fx.ModelError, match="a state has a value and a rate; remove a prime"):
        motion["sum''"]


def test_states_are_saved(motion, tmp_path):
    motion.save(tmp_path / "motion.nc")
    again = fx.load(tmp_path / "motion.nc")
    assert np.array_equal(again["sum"], motion["sum"])
    assert np.array_equal(again["sum'"], motion["sum'"])
    assert list(motion.to_xarray().state_value.sel(state="sum").values) == list(motion["sum"])
    motion.to_csv(tmp_path / "motion.csv")
    assert (tmp_path / "motion.csv").read_text(encoding="utf-8").splitlines()[0].endswith("sum [1]")


def test_a_run_may_go_on_from_the_second_time(model, motion):
    later = fx.simulate(model, times=[0.25, 0.5])
    assert later["sum"] == pytest.approx(motion["sum"][[5, 10]], rel=1e-7)


def test_a_state_of_equilibrium_starts_a_run(model):
    state = fx.equilibrium(model)
    assert state["sum"] == pytest.approx(-2.0, rel=1e-13)
    still = fx.simulate(model.replace(start={"A.x": state["A.x"], "sum": state["sum"]}), until=0.5)
    assert np.ptp(still["A.x"]) < 1e-12


def test_kinematics_has_no_states():
    driven = fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"bar": Truss("O", "A", fx.Section(EA=20.0, rhoA=1.0))},
        fixed=["O", "A.y"],
        inputs={"A.x": "1 + 0.1*t"},
        states={"sum": "A.x"},
    )
    with pytest.raises(fx.ModelError, match="it has states, which kinematics does not support: sum; use simulate"):
        fx.kinematics(driven, until=1.0)
    assert fx.simulate(driven, until=1.0)["sum"][-1] == pytest.approx(1.05, rel=1e-9)


def test_what_is_periodic_has_no_states(model):
    with pytest.raises(fx.ModelError, match="it has states, which a nominal motion does not support: sum; replace"):
        fx.periodic(model, period=1.0)


def test_what_buckles_has_no_states(model):
    with pytest.raises(fx.ModelError, match=r"it has states.*read the eigenvalues of linearise\(\)"):
        fx.buckling(model, until=1.0)


def test_rounding_prints_as_zero():
    """Of lengths as large as the machine; a small machine has small displacements."""
    for size in (1.0, 1e-9):
        model = fx.Model(
            nodes={"O": (0, 0), "A": (size, 0)},
            elements={"spring": Truss("O", "A", fx.Section(EA=20.0)), "mass": Mass("A", 1.0)},
            fixed=["O"],
        )
        for part, printed in ((1e-16, "0"), (1e-6, f"{1e-6 * size:.9g}")):
            state = fx.kinematics(model.replace(inputs={"A.x": size, "A.y": part * size}), times=[0.0]).end
            line = next(line for line in str(state).splitlines() if "A.y" in line)
            assert line.split()[1] == printed


@pytest.mark.parametrize(("load", "text"), [(0.0, "State: equilibrium, 1 iteration\n"), (1.0, ", 2 iterations\n")])
def test_the_text_of_a_state_counts_its_iterations(model, load, text):
    alone = model.replace(loads={"A.x": load}, states={}, start={})
    assert text in str(fx.equilibrium(alone))
