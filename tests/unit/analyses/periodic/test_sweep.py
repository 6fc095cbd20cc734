"""Periodic motions at many values of a parameter."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx
from references.gallery import model

RATE = "inputs.crank.p.phi.rate"
SPEEDS = np.array([1.0, 1.3, 1.5])


def test_each_is_what_it_would_be_alone():
    pendulum = model("elliptic_pendulum")
    found = fx.sweep(pendulum, RATE, SPEEDS)
    alone = [fx.periodic(pendulum.with_parameter(RATE, float(w)), 2 * np.pi / w) for w in SPEEDS]
    np.testing.assert_allclose(
        found.amplitude("pendulum.p.phi"), [one.amplitude("pendulum.p.phi") for one in alone], rtol=1e-9
    )
    np.testing.assert_allclose(
        found.amplitudes("pendulum.p.phi", 3), [one.amplitudes("pendulum.p.phi")[:4] for one in alone], rtol=1e-8
    )
    # more than there are
    assert found.amplitudes("pendulum.p.phi", 60)[0, -1] == 0.0
    assert found.stable.all()
    assert len(found) == 3
    assert found[1].period == pytest.approx(2 * np.pi / 1.3)
    assert "at most, at 1.5" in str(found)
    assert repr(found) == f"<Sweep: 3 motions over {RATE}>"


def test_the_full_equations():
    pendulum = model("elliptic_pendulum")
    small = fx.sweep(pendulum, RATE, SPEEDS[:2])
    full = fx.sweep(pendulum, RATE, SPEEDS[:2], method=fx.Shooting())
    alone = fx.periodic(pendulum.with_parameter(RATE, 1.3), 2 * np.pi / 1.3, method=fx.Shooting())
    assert full.amplitude("pendulum.p.phi")[1] == pytest.approx(alone.amplitude("pendulum.p.phi"), rel=1e-6)
    # the swing is small, but not that small
    differ = full.amplitude("pendulum.p.phi") / small.amplitude("pendulum.p.phi") - 1.0
    assert np.all(np.abs(differ) < 1e-2)
    assert np.all(np.abs(differ) > 1e-6)


def test_no_values():
    with pytest.raises(fx.ModelError, match="these are not values of a parameter"):
        fx.sweep(model("elliptic_pendulum"), RATE, [])


def test_pictures(tmp_path):
    found = fx.sweep(model("elliptic_pendulum"), RATE, SPEEDS)
    figure = found.plot("pendulum.p.phi", "Q.x", path=str(tmp_path / "sweep.png"))
    assert len(figure.axes) == 2
    np.testing.assert_allclose(figure.axes[0].lines[0].get_ydata(), found.amplitude("pendulum.p.phi"))
    assert (tmp_path / "sweep.png").exists()
    figure = found.plot_harmonics("pendulum.p.phi", highest=3, logarithmic=True)
    assert [line.get_label() for line in figure.axes[0].lines] == ["1ω", "2ω", "3ω"]
    assert figure.axes[0].get_yscale() == "log"
    with pytest.raises(fx.ModelError, match="no signals are named"):
        found.plot()
