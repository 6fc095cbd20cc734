"""The path of a journal in its bearing, and the locus of the force on it."""

import numpy as np
import pytest

import flexura as fx
from references.gallery import model


@pytest.fixture(scope="module")
def motion() -> fx.Motion:
    return fx.simulate(model("ravn_hertz"), until=1e-3, samples=201)


def test_the_path_is_in_units_of_the_play(motion, tmp_path):
    path = tmp_path / "path.png"
    (ax,) = motion.plot_journal("pin", path=str(path), marks=10).axes
    circle, line, dots = ax.lines
    assert path.exists()
    assert np.hypot(*circle.get_data()) == pytest.approx(1.0)
    assert line.get_xdata() == pytest.approx(motion["pin.along"] / 0.5e-3)
    # dots are equally spaced in time, whatever the outputs are
    assert len(dots.get_xdata()) == 11
    assert dots.get_ydata()[5] == pytest.approx(np.interp(0.5e-3, motion.t, motion["pin.across"] / 0.5e-3))
    assert ax.get_aspect() == 1.0


def test_the_locus_is_that_of_the_force_on_the_journal(motion):
    (ax,) = motion.plot_locus("pin").axes
    line = ax.lines[2]
    assert line.get_xdata() == pytest.approx(motion.force("pin.along"))
    assert line.get_ydata() == pytest.approx(motion.force("pin.across"))
