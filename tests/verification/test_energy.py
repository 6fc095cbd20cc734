"""The balance of energy: what drives, loads and dampers do adds up."""

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Mass, Truss

BAR = fx.Section(EI=2.0, rhoA=0.5)
EXACT = fx.DormandPrince(tolerance=1e-11)


def balance(model: fx.Model, until: float) -> float:
    motion = fx.simulate(model, until, samples=41, method=EXACT)
    assert motion.outcome is fx.Outcome.DONE
    turned_over = max(np.abs(motion.energy[name]).max() for name in ("kinetic", "work", "strain"))
    return float(np.abs(motion.energy["balance"]).max() / turned_over)


def arm(**given: object) -> fx.Model:
    """A flexible arm of two beams on a pin."""
    return fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"arm": Beam("O", "A", BAR, parts=2)},
        **({"fixed": ["O"]} | given),
    )


CASES = {
    "gravity": arm(gravity=(0, -9.81)),
    "distributed load": arm(loads={"arm": ("3*sin(5*t)", -4.0)}),
    "moment that changes": arm(loads={"arm.p.phi": "2*cos(3*t)"}),
    "load on a driven coordinate": arm(inputs={"arm.p.phi": fx.Sine(0.4, 3.0)}, loads={"arm.p.phi": 1.5}),
    "driven point": arm(fixed=["O.y"], inputs={"O.x": "0.1*sin(4*t)"}, gravity=(0, -9.81)),
    "damped material": fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"arm": Beam("O", "A", fx.Section(EI=2.0, rhoA=0.5, damping=1e-3), parts=2)},
        fixed=["arm.p"],
        loads={"A.y": 0.3},
    ),
    "driven strain": fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"strut": Truss("O", "A", fx.Section(rhoA=0.2)), "end": Mass("A", 1.0)},
        fixed=["O"],
        inputs={"strut.elongation": "0.2*sin(6*t)"},
        start={"A.y'": 1.0},
    ),
    "law by formula": arm(laws={"arm.1.bending_p": "30*e + 4e3*e^3 + 0.01*v"}, start={"arm.p.phi'": 2.0}),
}


@pytest.mark.parametrize("name", CASES)
def test_balance(name: str) -> None:
    assert balance(CASES[name], 1.0) < 1e-10
