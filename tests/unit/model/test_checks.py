"""What is odd about a model, short of being wrong."""

from __future__ import annotations

import flexura as fx
from flexura import planar
from flexura.model.checks import check
from flexura.model.model import Model


def test_a_sound_model_has_no_findings(model: Model) -> None:
    assert check(model) == []


def test_unused_nodes_are_found(model: Model) -> None:
    findings = check(model.replace(nodes={**model.nodes, "lonely": (3, 4)}))
    assert [str(finding) for finding in findings] == [
        "nodes.lonely: no element is attached to this node; leave it out, or attach one"
    ]


def test_surfaces_that_are_drawn_into_each_other_are_remarked() -> None:
    soft = fx.KelvinVoigt(1e5, 10.0)

    def floor(height: float) -> fx.Model:
        return fx.Model(
            nodes={"floor": (0, 0), "ball": (0, height)},
            elements={
                "ground": planar.PointContact("floor", "ball", soft, radius=0.05),
                "mass": planar.Mass("ball", 1.0),
            },
            fixed=["floor", "ball.x"],
            gravity=(0, -9.81),
        )

    (remark,) = floor(0.03).check().remarks
    assert remark == (
        "elements.ground: the surfaces of 'ground.gap' are drawn 0.02 m into each other and push each other apart; "
        "draw them apart or touching"
    )
    assert not floor(0.05).check().remarks
    assert "drawn 0.02 m into each other" in fx.simulate(floor(0.03), 0.01).note
    assert not fx.simulate(floor(0.03), 0.01, start={"ball.y": 0.06}).note
