"""Declarations of the methods, against the guide and against the classes that there are."""

from pathlib import Path
from typing import get_args

import flexura as fx
from flexura.integrators.methods import Method

GUIDE = Path(__file__).parents[3] / "docs" / "guides" / "integrators.md"


def test_the_table_of_the_guide_is_what_the_methods_declare():
    table = [line.split("|")[1:-1] for line in GUIDE.read_text().splitlines() if line.startswith("| `")]
    said = {row[0].strip(" `"): [cell.strip() for cell in row[1:]] for row in table if len(row) == 6}
    declared = {
        method.__name__: [
            "yes" if there else "no"
            for there in (
                method.can.events,
                method.can.contact,
                method.can.stiff,
                method.can.rolling,
                method.can.minimal,
            )
        ]
        for method in get_args(Method)
    }
    assert said == declared


def test_declarations_are_of_the_class_and_not_settings():
    assert fx.GeneralisedAlpha(step=1e-3) == fx.GeneralisedAlpha(step=1e-3)
    assert "can" not in repr(fx.GeneralisedAlpha())
    assert fx.KennedyCarpenter.can.contact
