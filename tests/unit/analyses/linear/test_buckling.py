"""What buckling says of loads that are too small, of models that cannot stand, and of what it has found."""

import numpy as np
import pytest

import flexura as fx
from flexura import planar, spatial


def column(**changes):
    """A pinned column of two beams, critical at a little more than π²."""
    given = {
        "nodes": {"A": (0, 0), "B": (1, 0)},
        "elements": {"column": planar.Beam("A", "B", fx.Section(EI=1.0), parts=2)},
        "fixed": ["A", "B.y"],
        "loads": {"B.x": fx.Ramp(-1.0)},
    }
    return fx.Model(**given | changes)


@pytest.fixture(scope="module")
def found():
    return fx.buckling(column(), until=20.0)


def test_the_stiffness_is_gone_there(found):
    stiffness = np.linalg.eigvalsh(0.5 * (found.system.K + found.system.K.T))
    assert abs(stiffness[0]) < 1e-8 * stiffness[-1]
    assert found.system.t == found.time
    assert repr(found) == f"<Buckling: bifurcation at t = {found.time:.6g}>"


def test_the_mode_has_no_stiffness_and_names(found):
    shape = np.array([found.mode[name] for name in found.system.coordinates])
    assert np.abs(shape).max() == 1.0
    np.testing.assert_allclose(found.system.K @ shape, 0.0, atol=1e-8 * np.abs(found.system.K).max())


def test_the_mode_is_drawn(found, tmp_path):
    found.plot_mode(path=str(tmp_path / "mode.png"))
    assert (tmp_path / "mode.png").stat().st_size > 0


@pytest.mark.parametrize("steps", [1, 2, 50])
def test_the_number_of_steps_does_not_matter(found, steps):
    assert fx.buckling(column(), until=20.0, steps=steps).time == pytest.approx(found.time, rel=1e-10)


def test_two_modes_at_once():
    """A round column in space: the lowest stiffness touches zero twice, and is not passed over."""
    section = fx.Section(EI=1.0, GIt=1.0)
    model = fx.Model(
        nodes={"A": (0, 0, 0), "B": (1, 0, 0)},
        elements={"column": spatial.Beam("A", "B", section, parts=4)},
        fixed=["column.p"],
        loads={"B.x": fx.Ramp(-1.0)},
    )
    assert fx.buckling(model, until=4.0, steps=1).time == pytest.approx(np.pi**2 / 4.0, rel=1e-4)


def test_a_load_that_is_too_small():
    with pytest.raises(fx.AnalysisError, match="keeps its stiffness up to t = 5: let the loads grow longer"):
        fx.buckling(column(), until=5.0)


def test_a_follower_does_not_bend_a_cantilever_over():
    """Beck's column flutters in the end, but its stiffness does not go: six times the load of Euler is no limit."""
    section = fx.Section(EI=1.0, GIt=1.0)
    model = fx.Model(
        nodes={"A": (0, 0, 0), "B": (1, 0, 0)},
        elements={"column": spatial.Beam("A", "B", section, parts=4)},
        fixed=["column.p"],
        loads={"column.q.own_x": fx.Ramp(-1.0)},
    )
    with pytest.raises(fx.AnalysisError, match="linearise"):
        fx.buckling(model, until=15.0, steps=5)


def test_what_has_no_stiffness_at_the_start():
    loose = column(fixed=["A"], loads={"B.x": fx.Ramp(-1.0)})
    with pytest.raises(fx.AnalysisError, match="at t = 0 is without stiffness already, in 'column"):
        fx.buckling(loose, until=1.0)


def test_what_is_unstable_at_the_start():
    with pytest.raises(fx.AnalysisError, match="at t = 0 is unstable already"):
        fx.buckling(column(loads={"B.x": fx.Polynomial((-15.0, -1.0))}), until=1.0)


def test_nothing_that_can_buckle():
    rigid = column(elements={"column": planar.Beam("A", "B", fx.Section(EI=1.0), rigid=True)})
    with pytest.raises(fx.ModelError, match="nothing in it can buckle"):
        fx.buckling(rigid, until=1.0)


@pytest.mark.parametrize(("given", "said"), [({"until": 0.0}, "until"), ({"until": 1.0, "steps": 0}, "steps")])
def test_times_and_steps_that_lead_nowhere(given, said):
    with pytest.raises(fx.ModelError, match=said):
        fx.buckling(column(), **given)
