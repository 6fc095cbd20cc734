"""States that are not in balance are named where they are linearised."""

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Mass
from references.rolling_models import disc

ROD = fx.Section(rhoA=1.0)


def pendulum(end: tuple[float, float]) -> fx.Model:
    return fx.Model(
        nodes={"O": (0, 0), "A": end},
        elements={"rod": Beam("O", "A", ROD, rigid=True)},
        fixed=["O"],
        gravity=(0, -9.81),
    )


def test_a_level_pendulum_is_not_in_balance():
    level, hanging = fx.linearise(pendulum((1, 0))), fx.linearise(pendulum((0, -1)))
    # the rod would turn by 3/2 of a radian at the frequency √(g/L): moment mgL/2 over inertia mL²/3
    assert level.imbalance == pytest.approx(1.5, rel=1e-6)
    assert "not in balance" in str(level)
    assert "not in balance" in level.summary().trouble
    assert hanging.imbalance == pytest.approx(0.0, abs=1e-12)
    assert hanging.summary().trouble == ""


def test_an_equilibrium_is_in_balance():
    steel = fx.Material(E=2e11, rho=7850.0)
    model = fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"beam": Beam("O", "A", fx.Circle(0.02), steel, parts=4)},
        fixed=["beam.p"],
        gravity=(0, -9.81),
    )
    # slope at the end of a cantilever under its weight: ρAgL³/6EI with A/I = 4/r²
    slope = 4.0 * 7850.0 * 9.81 / (6.0 * 2e11 * 0.01**2)
    assert fx.linearise(model).imbalance == pytest.approx(slope, rel=2e-3)
    assert fx.linearise(model, fx.equilibrium(model)).imbalance < 1e-12


def test_a_locus_over_states_that_are_not_steady_says_so():
    leaning = fx.root_locus(
        lambda v: disc(start={"W.x'": v, "disc.p": fx.Rotation(vector=(0.2, 0.0, 0.0))}), "speed", [0.8, 1.0]
    )
    assert "2 of 2 values, first at 0.8" in leaning.note
    upright = fx.root_locus(lambda v: disc(start={"W.x'": v}), "speed", np.array([0.8, 1.0]))
    assert upright.note == ""


@pytest.mark.parametrize("damping", [0.0, 1e-3])
def test_a_part_without_inertia_is_named(damping):
    # the end of a beam without mass has a stiffness against rotation, and no inertia
    section = fx.Section(EA=1e5, EI=1.0, rhoA=0.0, damping=damping)
    model = fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"beam": Beam("O", "A", section), "mass": Mass("A", 1.0)},
        fixed=["beam.p"],
    )
    with pytest.raises(fx.ModelError, match=r"small motions have no inertia in beam\.\w+.*; give the part"):
        print(fx.linearise(model).eigenvalues)
