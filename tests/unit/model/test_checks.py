"""What is odd about a model, short of being wrong."""

from __future__ import annotations

from flexura.model.checks import check
from flexura.model.model import Model


def test_a_sound_model_has_no_findings(model: Model) -> None:
    assert check(model) == []


def test_unused_nodes_are_found(model: Model) -> None:
    findings = check(model.replace(nodes={**model.nodes, "lonely": (3, 4)}))
    assert [str(finding) for finding in findings] == [
        "nodes.lonely: no element is attached to this node; leave it out, or attach one"
    ]
