"""Penalty terms make the mass regular, however small the pivots before the last one are."""

import numpy as np
import pytest

import flexura as fx
from flexura.spatial import Beam


@pytest.mark.parametrize("size", [0.01, 1.0, 100.0])
def test_a_rigid_bar_on_a_ball_joint_has_all_its_samples(size):
    """The Euler parameters of its far end have no inertia along their length.

    In this direction of the bar a pivot before theirs is small, and rounding passes for inertia.
    """
    bar = fx.Section(rhoA=8.724, rhoIy=0.00146 * size**2, rhoIz=0.002856 * size**2)
    model = fx.Model(
        nodes={"O": (0, 0, 0), "A": (0.0211117 * size, 0.0362154 * size, 0.0001593 * size)},
        elements={"bar": Beam("O", "A", bar, rigid=True, y_axis=(0, 0, 1))},
        fixed=["O"],
        start={"bar.p.about_x'": -134.65484, "bar.p.about_y'": 21.21792, "bar.p.about_z'": 124.77823},
    )
    motion = fx.simulate(model, 0.0134, samples=200)
    assert motion.outcome is fx.Outcome.DONE
    assert np.isfinite(motion["A.x"]).all()
    assert motion.energy["total"] == pytest.approx(motion.energy["total"][0], rel=1e-6)
