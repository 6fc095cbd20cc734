"""Curves: which axes there are, and what is written on them."""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO

import numpy as np
import pytest

from flexura.errors import ModelError
from flexura.plotting import energies, histories, orbits, phase


def test_each_signal_has_axes_of_its_own_on_one_time_axis(motion) -> None:
    figure = histories(motion, "B.x", "B.x'", "rod.elongation.force")
    assert [ax.get_ylabel() for ax in figure.axes] == [
        r"$x_{\mathrm{B}}$ [m]",
        r"$\dot{x}_{\mathrm{B}}$ [m/s]",
        "rod elongation\nforce [N]",
    ]
    assert [ax.get_xlabel() for ax in figure.axes] == ["", "", "time [s]"]
    assert all(ax.get_xlim() == (0.0, 2.0) for ax in figure.axes)
    assert figure.get_suptitle() == "Slider-crank"


def test_overlaid_signals_share_axes_by_unit(motion) -> None:
    upper, lower = histories(motion, "B.x", "B.x'", "B.y", overlay=True).axes
    assert [text.get_text() for text in upper.get_legend().get_texts()] == [r"$x_{\mathrm{B}}$", r"$y_{\mathrm{B}}$"]
    assert (upper.get_ylabel(), lower.get_ylabel()) == ("[m]", r"$\dot{x}_{\mathrm{B}}$ [m/s]")
    assert len({line.get_color() for ax in (upper, lower) for line in ax.lines}) == 3


def test_an_orbit_has_equal_axes(motion) -> None:
    (ax,) = orbits(motion, "B").axes
    assert ax.get_aspect() == 1.0
    np.testing.assert_array_equal(ax.lines[0].get_xydata(), np.column_stack([motion["B.x"], motion["B.y"]]))


def test_a_phase_portrait_is_the_rate_against_the_signal(motion) -> None:
    (ax,) = phase(motion, "B.x").axes
    np.testing.assert_array_equal(ax.lines[0].get_xydata(), np.column_stack([motion["B.x"], motion["B.x'"]]))


def test_energies_that_stay_zero_are_left_out(motion) -> None:
    (ax,) = energies(motion).axes
    assert [line.get_label() for line in ax.lines] == ["kinetic", "strain"]


@pytest.mark.parametrize(
    ("verb", "method", "kind"), [(histories, "plot", "signals"), (orbits, "plot_orbits", "points")]
)
def test_nothing_is_refused(motion, verb, method, kind) -> None:
    with pytest.raises(ModelError, match=rf"^{method}: no {kind} are named; name one or more, such as {method}\("):
        verb(motion)


def test_figures_can_be_saved(motion) -> None:
    for figure in (histories(motion, "B.x", "B.x'"), orbits(motion, "B"), phase(motion, "B.x"), energies(motion)):
        figure.savefig(file := BytesIO(), format="png")
        assert file.getvalue().startswith(b"\x89PNG")


def test_matplotlib_waits_until_it_is_needed() -> None:
    program = "import sys, flexura.plotting; sys.exit('matplotlib' in sys.modules or 'PIL' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
