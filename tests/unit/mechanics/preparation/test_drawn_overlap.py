"""Contacts whose surfaces overlap in the drawn position."""

from __future__ import annotations

import flexura as fx
from flexura.planar import Mass, PointContact


def test_surfaces_that_are_drawn_into_each_other_are_remarked() -> None:
    soft = fx.KelvinVoigt(1e5, 10.0)

    def floor(height: float) -> fx.Model:
        return fx.Model(
            nodes={"floor": (0, 0), "ball": (0, height)},
            elements={
                "ground": PointContact("floor", "ball", soft, radius=0.05),
                "mass": Mass("ball", 1.0),
            },
            fixed=["floor", "ball.x"],
            gravity=(0, -9.81),
        )

    (remark,) = floor(0.03).check().remarks
    assert remark == (
        "elements.ground: the surfaces of 'ground.gap' are drawn 0.02 m into each other and push each other apart; "
        "draw them apart or touching, unless they carry a load there"
    )
    assert not floor(0.05).check().remarks
    assert "drawn 0.02 m into each other" in fx.simulate(floor(0.03), 0.01).note
    assert not fx.simulate(floor(0.03), 0.01, start={"ball.y": 0.06}).note
