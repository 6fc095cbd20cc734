"""The fastest vibration and the fastest damper at the start decide about the method of a run."""

import pytest

import flexura as fx
from flexura.analyses.motion.fastest_vibration import fastest
from flexura.mechanics.preparation.prepared_model import prepare
from flexura.planar import Beam, Mass, Truss


def found(model):
    """Fastest vibration and damper at the start."""
    machine = prepare(model)
    layout, system = machine.condensed
    return fastest(system, machine.narrow(layout, machine.x), machine.narrow(layout, machine.v))


@pytest.mark.parametrize(("k", "c"), [(800.0, 0.0), (800.0, 3.0), (800.0, 90.0)])
def test_mass_on_a_spring(k, c):
    """√(k/m) and c/m."""
    model = fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"spring": Truss("O", "A", fx.Section(EA=0.0)), "mass": Mass("A", 2.0)},
        fixed=["O", "A.y"],
        laws={"spring.elongation": fx.LinearLaw(k=k, c=c)},
    )
    assert found(model) == pytest.approx(((k / 2.0) ** 0.5, c / 2.0), rel=1e-12)


def test_cantilever():
    """The largest frequency of its vibrations; the estimate may be a few per cent low."""
    section = fx.Section(EA=1e4, EI=2.0, rhoA=0.4)
    model = fx.Model({"O": (0, 0), "B": (1, 0)}, {"arm": Beam("O", "B", section, parts=3)}, fixed=["arm.p"])
    largest = max(fx.linearise(model).frequencies)
    assert 0.9 * largest < found(model).vibration <= largest * (1.0 + 1e-9)


def test_nothing_vibrates():
    bar = fx.Section(rhoA=1.0)
    assert found(fx.Model({"O": (0, 0), "B": (1, 0)}, {"bar": Beam("O", "B", bar, rigid=True)}, fixed=["O"])) == (
        0.0,
        0.0,
    )
