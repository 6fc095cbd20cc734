"""How annotations are read."""

from __future__ import annotations

import pytest

from flexura.model.annotations import tag


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("Ramp", "ramp"),
        ("Smoothstep", "smoothstep"),
        ("DormandPrince", "dormand_prince"),
        ("RungeKutta4", "runge_kutta_4"),
        ("IBeam", "i_beam"),
        ("ABCModel2Term", "abc_model_2_term"),
    ],
)
def test_the_word_for_a_class(name: str, word: str) -> None:
    assert tag(type(name, (), {})) == word
