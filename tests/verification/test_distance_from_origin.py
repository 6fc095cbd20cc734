"""The same model far from the origin: the same energy balance, or a refusal."""

from __future__ import annotations

import pytest

import flexura as fx
from flexura.planar import Beam, Mass

RIGID, SOFT = fx.Section(rhoA=0.2), fx.Section(EA=2e3, EI=2.0, rhoA=0.2)


def pendulum(far: float, rigid: bool) -> fx.Model:
    return fx.Model(
        nodes={"O": (far, far), "A": (far + 0.5, far)},
        elements={"arm": Beam("O", "A", RIGID if rigid else SOFT, rigid=rigid), "bob": Mass("A", 2.0)},
        fixed=["O"],
        gravity=(0, -9.81),
    )


@pytest.mark.parametrize(("far", "digits"), [(1e3, 1e-11), (1e6, 1e-8)])
def test_a_rigid_pendulum_swings_as_at_the_origin(far: float, digits: float) -> None:
    near, away = fx.simulate(pendulum(0.0, True), 1.0), fx.simulate(pendulum(far, True), 1.0)
    assert away.outcome is fx.Outcome.DONE
    assert away["A.y"][-1] - far == pytest.approx(near["A.y"][-1], abs=digits)
    assert near.imbalance is not None
    assert away.imbalance is not None
    assert near.imbalance < 1e-10
    # the energy of the weight is m g y, and rounded with y
    assert away.imbalance < 1e-10 + 1e-15 * far / 0.1


def test_a_flexible_pendulum_swings_as_at_the_origin() -> None:
    near, away = fx.simulate(pendulum(0.0, False), 0.5), fx.simulate(pendulum(1e3, False), 0.5)
    assert (away.outcome, away.findings) == (fx.Outcome.DONE, ())
    assert away.force("O.x")[-1] == pytest.approx(near.force("O.x")[-1], rel=1e-5)


@pytest.mark.parametrize(("far", "rigid"), [(1e9, True), (1e9, False), (1e6, False)])
def test_rounding_that_spoils_the_motion_is_refused(far: float, rigid: bool) -> None:
    with pytest.raises(fx.ModelError, match="draw the model near the origin"):
        fx.simulate(pendulum(far, rigid), 1.0)


def test_rounding_that_shows_in_stiff_links_is_noted() -> None:
    assert "from the origin" in fx.simulate(pendulum(4e3, False), 1e-3).note
