"""Linearised equations along a nominal motion."""

import numpy as np
import pytest

import flexura as fx
from flexura.analyses.periodic.nominal_motion import Course
from flexura.planar import Beam, Hinge, Mass
from flexura.spatial import Body


def pendulum(**more) -> fx.Model:
    given = {"gravity": (0, -9.81), "fixed": ["P.x"], "inputs": {"P.y": fx.Sine(amplitude=0.1, frequency=3.0)}}
    return fx.Model(
        nodes={"P": (0, 0), "Q": (0, -2)},
        elements={"rod": Beam("P", "Q", fx.Section(), rigid=True), "bob": Mass("Q", 1.5)},
        **given | more,
    )


def along(model, times):
    return Course(model, float(times[0])).along(times)


TIMES = np.linspace(0.0, 1.0, 5)


def test_a_sequence_of_linear_systems():
    found = along(pendulum(), TIMES)
    assert len(found) == 5
    assert found.M.shape == found.C.shape == found.K.shape == (5, 1, 1)
    lifted = 9.81 - 0.1 * 9.0 * np.sin(3.0 * TIMES)
    np.testing.assert_allclose((found.K / found.M)[:, 0, 0], lifted / 2.0, rtol=1e-12)
    for k, system in enumerate(found):
        assert system.t == TIMES[k]
        np.testing.assert_allclose(system.K, found.K[k])
    assert found[-1].t == TIMES[-1]
    with pytest.raises(IndexError, match="there are 5 times"):
        found[5]


def test_rows_of_signals():
    found = along(pendulum(independent=["rod.p.phi"]), TIMES)
    assert found.coordinates == ("rod.p.phi",)
    a, b, c = found.rows("rod.p.phi'")
    assert np.all(b == 1.0)
    assert not np.any(a)
    assert not np.any(c)
    a, b, c = found.rows("Q.x''")
    np.testing.assert_allclose(c[:, 0], 2.0, atol=1e-12)
    np.testing.assert_allclose(np.hstack([a, b]), 0.0, atol=1e-12)


def test_what_is_held_stays_where_it_starts():
    found = along(pendulum(independent=["rod.p.phi"], start={"rod.p.phi": 0.4}), TIMES)
    np.testing.assert_allclose(found.nominal["rod.p.phi"], 0.4, atol=1e-12)
    lifted = 9.81 - 0.9 * np.sin(3.0 * TIMES)
    np.testing.assert_allclose(found.forcing[:, 0], -1.5 * 2.0 * lifted * np.sin(0.4), rtol=1e-10)
    with pytest.raises(fx.ModelError, match=r"start\.rod\.p\.phi'.*with an initial rate"):
        along(pendulum(independent=["rod.p.phi"], start={"rod.p.phi'": 0.4}), TIMES)


def test_a_law_that_holds_is_let_go():
    sprung = pendulum()
    sprung = sprung.replace(
        elements={**sprung.elements, "pin": Hinge("P", "rod.p", k=3.0)}, fixed=["P.x", "pin.p.phi"], gravity=(0, 0)
    )
    found = along(sprung.replace(start={"pin.rotation": 0.2}, inputs={}, fixed=["P", "pin.p.phi"]), TIMES)
    np.testing.assert_allclose(found.forcing[:, 0], -3.0 * 0.2, rtol=1e-10)
    # the stress that is there in truth is that of the spring
    np.testing.assert_allclose(found.nominal.force("pin.rotation") - found.holding("pin.rotation"), -0.6, rtol=1e-10)


def test_a_free_rotation_in_space_has_no_nominal_motion():
    free = fx.Model(nodes={"A": (0, 0, 0)}, elements={"body": Body("A", 1.0, Jxx=1.0, Jyy=1.0, Jzz=1.0)}, fixed=["A"])
    with pytest.raises(fx.ModelError, match=r"independent: 'body\.p\.about_.' is a small rotation"):
        along(free, TIMES)
