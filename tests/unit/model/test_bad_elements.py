"""Built-in elements that cannot be meant are refused when the model is made, with where, what and remedy."""

from collections.abc import Callable
from typing import Any

import pytest

import flexura as fx
from flexura.planar import Beam, Bearing, Belt, Gear, Hinge, Mass, Slider, Truss

ROD = fx.Section(EI=1.0, rhoA=1.0)
NODES = {"O": (0.0, 0.0), "A": (1.0, 0.0), "B": (1.0, 0.0)}


def made(**elements: Any) -> Callable[[], fx.Model]:
    return lambda: fx.Model(nodes=NODES, elements=elements)


SLIPS: dict[str, tuple[Callable[[], Any], str]] = {
    "no length": (made(rod=Beam("A", "B", ROD)), "elements.rod: its two ends coincide"),
    "both ends at one node": (made(rod=Truss("A", "A", ROD)), "elements.rod"),
    "shape without material": (made(rod=Beam("O", "A", fx.Circle(1e-2))), "elements.rod: section: a Circle is a shape"),
    "numbers with material": (
        made(rod=Beam("O", "A", ROD, fx.Material(E=1e9, rho=1.0))),
        "the material would be ignored",
    ),
    "parts without end": (lambda: Beam("O", "A", ROD, parts=10**9), "Beam.parts"),
    "no part": (lambda: Beam("O", "A", ROD, parts=0), "Beam.parts"),
    "half a part": (lambda: Beam("O", "A", ROD, parts=1.5), "Beam.parts"),
    "negative mass": (lambda: Mass("A", -1.0), "Mass.mass"),
    "mass that is no number": (lambda: Mass("A", float("nan")), "Mass.mass"),
    "inertia at a point": (made(m=Mass("A", 1.0, inertia=0.1)), "elements.m: inertia: a rotary inertia needs"),
    "pulleys inside each other": (made(b=Belt("O", "A", 3.0, 0.5)), "elements.b: the centres are too near"),
    "gears given twice": (made(g=Gear("O", "A", 2.0, radius_p=0.3, radius_q=-0.6)), "elements.g: ratio: a gear pair"),
    "gears not given": (made(g=Gear("O", "A")), "elements.g: ratio: a gear pair is given by its ratio"),
    "internal gears alike": (made(g=Gear("O", "A", -1.0)), "elements.g: ratio: an internal pair of equal gears"),
    "pressure angle": (lambda: Gear("O", "A", 2.0, pressure_angle=2.0), "Gear.pressure_angle"),
    "negative stiffness": (lambda: Hinge("O", "A", k=-1.0), "Hinge.k"),
    "direction of three": (lambda: Slider("O", "A", direction=(1, 2, 3)), "Slider.direction"),
    "weld to a point": (made(t=Truss("O", "A", ROD), b=Beam("t.q", "B", ROD)), "'t.q' has no orientation"),
    "welds in a circle": (
        made(a=Bearing("b.p", "O"), b=Bearing("a.p", "A")),
        "the welds run in a circle: ",
    ),
    "weld to nothing": (made(a=Beam("O", "arm.q", ROD)), "there is no element 'arm' to attach to"),
    "damping twice": (lambda: fx.Section(EI=1.0, damping=0.1, damping_ratio=0.1), "damping"),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_refused(slip: str) -> None:
    make, text = SLIPS[slip]
    with pytest.raises(fx.ModelError) as caught:
        make()
    assert text in str(caught.value)
    assert caught.value.remedy
