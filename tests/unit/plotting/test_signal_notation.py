"""Signals as they are written beside an axis."""

from __future__ import annotations

import pytest

from flexura.plotting.signal_notation import bracketed, folded, label


@pytest.mark.parametrize(
    ("signal", "unit", "written"),
    [
        ("B.x", "m", r"$x_{\mathrm{B}}$ [m]"),
        ("B.x'", "m/s", r"$\dot{x}_{\mathrm{B}}$ [m/s]"),
        ("B.x''", "m/s^2", r"$\ddot{x}_{\mathrm{B}}$ [m/s²]"),
        ("B.x'''", "", "B x⁽3⁾"),
        ("crank.p.phi", "rad", r"$\varphi_{\mathrm{crank.p}}$ [rad]"),
        ("left_end.y.force", "N", r"$y_{\mathrm{left\_end}}$ force [N]"),
        ("crank.p.phi.force", "N·m", r"$\varphi_{\mathrm{crank.p}}$ moment [N·m]"),
        ("rod.elongation", "m", "rod elongation [m]"),
        ("rod.bending_p''", "1", "rod bending p″"),
        ("rod.elongation.force", "N", "rod elongation force [N]"),
        ("5$ rod.x", "m", r"5\$ rod x [m]"),
    ],
)
def test_a_signal_is_written_as_in_a_formula(signal: str, unit: str, written: str) -> None:
    assert label(signal, unit) == written


def test_powers_are_raised() -> None:
    assert bracketed("kg m^2 s^-2") == " [kg m² s⁻²]"


def test_words_are_folded_and_formulas_are_not() -> None:
    assert folded("rod elongation force [N]") == "rod elongation\nforce [N]"
    assert folded(label("a_long_name_of_a_node.x", "m")) == label("a_long_name_of_a_node.x", "m")
