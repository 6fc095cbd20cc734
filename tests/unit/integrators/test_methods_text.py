"""Texts of methods, as summaries and errors show them."""

from __future__ import annotations

import pytest

import flexura as fx


@pytest.mark.parametrize(
    ("method", "text"),
    [
        (fx.DormandPrince(), "DormandPrince(tolerance=1e-08)"),
        (fx.DormandPrince(1e-6, order=5), "DormandPrince(tolerance=1e-06, order=5)"),
        (fx.KennedyCarpenter(), "KennedyCarpenter(tolerance=2e-05, stress_tolerance=0.001)"),
        (fx.Newmark(step=1e-3, wave=0.9), "Newmark(step=0.001, wave=0.9)"),
        (fx.RungeKutta4(1e-3), "RungeKutta4(step=0.001)"),
    ],
)
def test_the_text_has_tolerances_and_what_is_not_the_default(method, text) -> None:
    assert repr(method) == text
    assert eval(text, vars(fx) | {name: getattr(fx, name) for name in [text.partition("(")[0]]}) == method
