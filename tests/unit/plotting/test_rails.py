"""Sliding nodes are drawn on rails, fixed ones on the ground."""

from __future__ import annotations

import numpy as np

import flexura as fx
from flexura.planar import Beam
from flexura.plotting.rails import rails
from flexura.plotting.scene_frames import span


def test_a_sliding_node_has_a_rail_as_long_as_its_way() -> None:
    bar = fx.Section(rhoA=1.0)
    model = fx.Model(
        nodes={"O": (0, 0), "A": (0.1, 0), "B": (0.4, 0)},
        elements={"crank": Beam("O", "A", bar, rigid=True), "rod": Beam("A", "B", bar, rigid=True)},
        fixed=["O", "B.y"],
        inputs={"crank.p.phi": "2*pi*t"},
    )
    scene = fx.kinematics(model, times=np.linspace(0.0, 1.0, 41).tolist()).scene()
    assert scene.supports == ("O",)
    assert scene.guides == {"B": (0,)}
    margin = 0.05 * span(scene)
    np.testing.assert_allclose(rails(scene)["B"], [[0.2 - margin, 0.0], [0.4 + margin, 0.0]], atol=1e-12)
