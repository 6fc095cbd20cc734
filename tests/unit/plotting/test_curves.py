"""Curves of anything, and branches that change their line at special points."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx
from flexura.plotting import curves, style
from references.gallery import model

RATE = "inputs.crank.p.phi.rate"


def test_curves_and_guides(tmp_path):
    x = np.linspace(0.0, 1.0, 5)
    path = tmp_path / "curves.png"
    figure = curves(
        {"one": (x, x), "limit": (x, 0 * x), "two": (x, x**2)}, "x", "y", "T", guides=["limit"], path=str(path)
    )
    (ax,) = figure.axes
    one, limit, two = ax.lines
    assert path.exists()
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["one", "limit", "two"]
    assert (one.get_color(), two.get_color()) == style.PALETTE[:2]
    assert limit.get_color() == style.MUTED
    assert limit.get_linestyle() == "--"
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x", "y")
    # one alone needs no legend, and circles are round
    (ax,) = curves({"one": (x, x)}, equal=True).axes
    assert ax.get_legend() is None
    assert ax.get_aspect() == 1.0


def test_a_branch_changes_its_line_at_its_special_points():
    pendulum = model("pendulum_branches")
    natural = np.sqrt(9.81)
    found = fx.continuation(pendulum, RATE, (1.1 * natural, 1.28 * natural), harmonics=6, step=0.3)
    (flip,) = found.specials
    (ax,) = found.plot("pendulum.p.phi").axes
    full, dashed, mark = ax.lines
    assert full.get_linestyle() == "-"
    assert dashed.get_linestyle() == "--"
    place = flip.value, flip.cycle.amplitude("pendulum.p.phi")
    np.testing.assert_allclose([full.get_xydata()[-1], dashed.get_xydata()[0], mark.get_xydata()[0]], [place] * 3)
    assert len(full.get_xydata()) + len(dashed.get_xydata()) == len(found) + 2


def test_exponents_in_space_leave_out_what_dies_at_once():
    found = fx.stability(model("elliptic_pendulum"), RATE, np.array([2.8, 3.0, 3.3]), positions=32)
    grows = found.exponents.real > 0.0
    (ax,) = found.plot_exponents(lowest=-1e9).axes
    assert [len(points.get_offsets()) for points in ax.collections] == [(~grows).sum(), grows.sum()]
    assert len(ax.lines) == grows.sum()
    (ax,) = found.plot_exponents(lowest=-1e-9).axes
    assert len(ax.collections[0].get_offsets()) == 0


@pytest.mark.parametrize("signal", ["pendulum.p.phi", "Q.x"])
def test_harmonics_of_a_cycle_have_no_quasistatic_part(signal):
    from flexura.plotting.periodic_figures import harmonics

    pendulum = model("elliptic_pendulum")
    small, full = (
        fx.periodic(pendulum, 2 * np.pi / 1.5, method=method) for method in (fx.HarmonicBalance(), fx.FullBalance())
    )
    (ax,) = harmonics(full, signal).axes
    assert not ax.collections
    assert ax.get_xlabel() == "harmonic"
    np.testing.assert_allclose(ax.patches[1].get_height(), full.amplitudes(signal)[1])
    (ax,) = harmonics(small, signal).axes
    assert len(ax.collections) == 1
