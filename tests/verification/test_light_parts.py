"""Links that weigh next to nothing beside the parts they join: motion, forces and effort as without mass."""

import numpy as np
import pytest

import flexura as fx
from flexura import planar, spatial
from references import gallery

LIGHT = (1e-4, 1e-6, 1e-8, 1e-10, 1e-12)


def _slider_crank(rhoA: float) -> fx.Model:
    link = fx.Section(rhoA=rhoA)
    return fx.Model(
        nodes={"O": (0, 0), "A": (0.15, 0), "B": (0.45, 0)},
        elements={
            "crank": planar.Beam("O", "A", link, rigid=True),
            "rod": planar.Beam("A", "B", link, rigid=True),
            "piston": planar.Mass("B", 5.0),
            "flywheel": planar.Mass("crank.p", 0.0, 0.1),
        },
        fixed=["O", "B.y"],
        start={"crank.p.phi'": 20.0},
        loads={"B.x": "-100*B.x'"},
    )


def _spatial_slider_crank(rhoA: float) -> fx.Model:
    link = fx.Section(rhoA=rhoA, rhoIy=1e-3 * rhoA, rhoIz=1e-3 * rhoA)
    return fx.Model(
        nodes={"O": (0, 0, 0), "A": (0.06, 0, 0.08), "B": (0.4, 0.1, 0)},
        elements={
            "crank": spatial.Beam("O", "A", link, rigid=True),
            "drive": spatial.Hinge("O", "crank.p", axis=(0, 1, 0)),
            "rod": spatial.Truss("A", "B", fx.Section(EA=np.inf, rhoA=rhoA)),
            "piston": spatial.Mass("B", 5.0),
            "flywheel": spatial.Body("crank.p", 1.0, 0.1, 0.1, 0.1),
        },
        fixed=["O", "drive.p", "B.y", "B.z"],
        start={"drive.rotation'": 20.0},
    )


def _cart(rhoA: float) -> fx.Model:
    """Light pendulum on a heavy cart: it swings as on a fixed point."""
    return fx.Model(
        nodes={"C": (0, 0), "B": (0.01, -np.sqrt(1.0 - 1e-4))},
        elements={"cart": planar.Mass("C", 1000.0), "rod": planar.Beam("C", "B", fx.Section(rhoA=rhoA), rigid=True)},
        fixed=["C.y"],
        gravity=(0, -9.81),
    )


@pytest.mark.parametrize("formulation", [None, fx.Multipliers()])
@pytest.mark.parametrize("machine", [_slider_crank, _spatial_slider_crank])
def test_light_links_do_as_links_without_mass(machine, formulation):
    """Motion and forces differ by the masses, and rounding does not shorten steps."""
    reference = fx.simulate(machine(LIGHT[-1]), until=1.0, formulation=formulation)
    force = reference.force("rod.elongation")
    for rhoA in LIGHT[:-1]:
        motion = fx.simulate(machine(rhoA), until=1.0, formulation=formulation)
        assert motion.outcome is fx.Outcome.DONE
        assert motion.statistics["steps"] == pytest.approx(reference.statistics["steps"], rel=0.2)
        assert motion["B.x"] == pytest.approx(reference["B.x"], abs=rhoA + 1e-8)
        assert motion.force("rod.elongation") == pytest.approx(force, abs=(rhoA + 1e-6) * np.ptp(force))


@pytest.mark.parametrize("rhoA", [1.0, 1e-3, 1e-6, 1e-9])
def test_light_pendulum_on_a_heavy_cart(rhoA):
    """Small swings of a rod, T = 2π √(J/½mgl) (1 + φ²/16): held strains of light parts do not stiffen their motion."""
    until = 20.0
    motion = fx.simulate(_cart(rhoA), until=until, samples=20001)
    x = motion["B.x"] - motion["C.x"]
    crossing = np.flatnonzero((x[:-1] > 0.0) & (x[1:] <= 0.0))
    times = motion.t[crossing] + (motion.t[1] - motion.t[0]) * x[crossing] / (x[crossing] - x[crossing + 1])
    inertia = 1.0 / 3.0 - 0.25 * rhoA / (1000.0 + rhoA)  # about the hinge, less that of the cart that gives way
    expected = 2.0 * np.pi * np.sqrt(inertia / (0.5 * 9.81)) * (1.0 + 0.01**2 / 16.0)
    assert np.diff(times).mean() == pytest.approx(expected, rel=1e-6)
    assert motion.statistics["steps"] < 300


def test_slopes_that_are_rounding_carry_no_mass():
    """A straight flexible arm: its elongation depends on its rotations by rounding only, and a part has no mass."""
    motion = fx.simulate(_geared_arm(), until=0.05, limits=fx.Limits(steps=5000))
    assert motion.outcome is fx.Outcome.DONE
    assert motion.statistics["steps"] < 500
    free = fx.simulate(_geared_arm(), until=0.05, formulation=fx.Multipliers())
    assert motion["arm.p.phi"] == pytest.approx(free["arm.p.phi"], abs=1e-7)


def _geared_arm() -> fx.Model:
    """Arm that a motor turns through a gear; the rotor has inertia on a base without mass."""
    return fx.Model(
        nodes={"O": (0, 0), "A": (1, 0), "G": (0, -1)},
        elements={
            "arm": planar.Beam("O", "A", fx.Section(EI=10.0, rhoA=1.2), parts=4),
            "base": planar.Beam("O", "G", fx.Section(), rigid=True),
            "rotor": planar.Rotor("base.p", "arm.p", 2e-5, gear=20.0),
        },
        fixed=["O", "G"],
        loads={"arm.p.phi": "2*sin(40*t)"},
    )


def test_inertia_that_is_carried_along_levers_does_not_grow():
    """A base plate of beams with little rotary inertia: held still, it stays where it is drawn."""
    base = gallery.model("impact_beam_base")
    still = base.replace(fixed=[*base.fixed, *fx.linearise(base).coordinates])
    motion = fx.kinematics(still, times=[0.0, 0.1, 0.2])
    assert motion.outcome is fx.Outcome.DONE
    assert np.ptp(motion.position[0], axis=0).max() < 1e-12
