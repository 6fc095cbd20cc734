"""Steps that keep clear of singular positions, told from those that may pass one."""

import numpy as np
import pytest

import flexura as fx
from flexura.analyses.motion.singular_positions import SingularPositions
from flexura.integrators.passage_search import _parabolas_clear
from flexura.spatial import Beam, Hinge, Mass, Truss

TIMES = np.linspace(0.0, 1.0, 17)


@pytest.mark.parametrize("stride", [1, 2, 4])
@pytest.mark.parametrize("passed", [0.03, 0.31, 0.5, 0.96])
@pytest.mark.parametrize("skew", [-0.5, 0.0, 0.5])
def test_a_passage_is_never_clear(stride, passed, skew):
    assert not _parabolas_clear((TIMES - passed) ** 2 * (1.0 + skew * (TIMES - passed)), stride)


@pytest.mark.parametrize("nearest", [0.0, 0.31, 1.2])
def test_a_motion_that_comes_near_is_clear(nearest):
    assert _parabolas_clear(0.01 + (TIMES - nearest) ** 2, 1)


@pytest.mark.parametrize("tolerance", [1e-4, 6e-5])
def test_a_mechanism_that_comes_near_is_not_examined(monkeypatch, tolerance):
    """The constraints of this slider-crank come within a tenth of dependence in every revolution.

    In the first one their largest pivots grow within a step.
    """
    examined = []
    monkeypatch.setattr(SingularPositions, "__call__", lambda self, *step: examined.append(step))
    A, B = (0.0, 0.15, 0.0), (np.sqrt(0.4**2 - 0.1**2 - 0.1**2), 0.05, 0.1)
    model = fx.Model(
        nodes={"O": (0, 0, 0), "A": A, "B": B},
        elements={
            "crank": Beam("O", "A", fx.Section(rhoA=0.2225), rigid=True),
            "rod": Truss("A", "B", fx.Section(rhoA=0.2225), rigid=True),
            "slider": Mass("B", 0.033375),
            "shaft": Hinge("O", "crank.p", axis=(0, 0, 1)),
        },
        fixed=["shaft.p", "B.y", "B.z"],
        start={"shaft.rotation'": 150.0},
    )
    assert fx.simulate(model, 0.1, method=fx.DormandPrince(tolerance)).outcome is fx.Outcome.DONE
    assert examined == []
