"""Energies and values of states by name: what is not there is answered, and a state starts a model."""

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam

ARM = fx.Model(
    nodes={"O": (0, 0), "A": (1, 0)},
    elements={"arm": Beam("O", "A", fx.Section(EA=1e6, EI=1e3, rhoA=1.0))},
    fixed=["O", "arm.p.phi"],
    gravity=(0, -9.81),
)


def test_values_of_a_state_start_a_model_with_a_fixed_end():
    state = fx.equilibrium(ARM)
    assert dict(state.values) == {name: state[name] for name in state.motion.signals}
    still = fx.simulate(ARM, until=0.05, samples=6, start=state.values)
    assert np.ptp(still["A.y"]) < 1e-9
    assert ARM.replace(start=state.values) == ARM.replace(start=state)


@pytest.mark.parametrize(
    ("form", "said"),
    [
        (
            "work",
            "energy: 'work' is not recorded by this analysis; options are kinetic, strain, gravity, total; simulate",
        ),
        ("kinetc", "energy: there is no 'kinetc'; did you mean 'kinetic'?"),
    ],
)
def test_energies_that_are_not_there(form, said):
    with pytest.raises(fx.ModelError) as error:
        fx.equilibrium(ARM).motion.energy[form]
    assert str(error.value).startswith(said)


def test_a_drive_against_a_fixed_slider_is_named():
    wire = fx.Section(EA=1e6, EI=10.0, rhoA=0.2)
    model = fx.Model(
        nodes={"O": (0, 0), "A": (0.09, 0.12), "B": (0.365, 0)},
        elements={"crank": Beam("O", "A", wire, rigid=True), "rod": Beam("A", "B", wire, rigid=True)},
        fixed=["O", "B"],
        inputs={"crank.p.phi": fx.Ramp(rate=150.0)},
    )
    motion = fx.kinematics(model, [0.0, 0.01])
    assert motion.outcome is fx.Outcome.DOUBTFUL
    assert motion.doubts[0].advice.startswith("the drive of crank.p.phi moves a signal that other constraints hold")
