"""Units of parameters, and the axes of figures that have them."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Mass, Spring
from flexura.results.parameter_units import parameter_unit

model = fx.Model(
    nodes={"O": (0, 0), "A": (1, 0), "B": (1, 1)},
    elements={
        "arm": Beam("O", "A", fx.Section(EI=10.0, rhoA=0.6)),
        "spring": Spring("A", "B", k=300.0),
        "mass": Mass("A", 0.1),
    },
    fixed=["O", "B"],
    loads={"A.y": fx.Sine(2.0, 3.0), "A.x": 1.0, "arm": (0.0, -1.0)},
    inputs={"arm.p.phi": fx.Ramp(rate=3.0)},
    gravity=(0, -9.81),
)


@pytest.mark.parametrize(
    ("path", "unit"),
    [
        ("inputs.arm.p.phi.rate", "rad/s"),
        ("inputs.arm.p.phi.value", "rad"),
        ("inputs.arm.p.phi.start", "s"),
        ("loads.A.y.amplitude", "N"),
        ("loads.A.y.frequency", "rad/s"),
        ("loads.A.x", "N"),
        ("elements.spring.k", "N/m"),
        ("nodes.A.x", "m"),
        ("gravity.y", "m/s²"),
        ("start.arm.p.phi'", "rad/s"),
    ],
)
def test_units(path: str, unit: str) -> None:
    assert parameter_unit(model, path) == unit


def test_axes_name_the_parameter_with_its_unit() -> None:
    free = model.replace(inputs={}, loads={})
    found = fx.campbell(free, "elements.spring.k", np.linspace(300.0, 400.0, 3), count=1)
    assert found.plot().axes[-1].get_xlabel() == "elements.spring.k [N/m]"
    locus = fx.root_locus(free, "elements.mass.mass", [0.1, 0.2])
    assert "elements.mass.mass [kg]" in {ax.get_xlabel() for ax in locus.plot().axes}
    path = fx.equilibria(free, "gravity.y", (-9.81, -8.0))
    assert path.plot("A.y").axes[0].get_xlabel() == "gravity.y [m/s²]"
