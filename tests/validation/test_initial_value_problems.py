"""Mechanical problems of the test set for initial value problem solvers, against its published solutions.

The squeezing mechanism of the same collection is in the gallery.
"""

import pytest

import flexura as fx
from flexura.planar import Beam, Mass, Slider, Spring, Truss

pytestmark = pytest.mark.validation


def car_axis() -> fx.Model:
    """Axle with two wheels on springs, whose right one runs over a wavy road [MazziaMagherini2008, II-7].

    The left wheel slides along a guide that stands upright on the chassis; its rotation means nothing.
    """
    mass = 10.0 * 0.01**2 / 2.0
    return fx.Model(
        nodes={"O": (0, 0), "B": (1, 0), "L": (0, 0.5), "R": (1, 0.5)},
        elements={
            "chassis": Beam("O", "B", fx.Section(), rigid=True),
            "guide": Slider("chassis.p", "L", direction=(0, 1), pivot=True),
            "axle": Truss("L", "R", fx.Section()),
            "left": Mass("L", mass),
            "right": Mass("R", mass),
            "left_spring": Spring("O", "L", k=1.0, free_length=0.5),
            "right_spring": Spring("B", "R", k=1.0, free_length=0.5),
        },
        fixed=["O", "guide.q.phi"],
        inputs={"B.y": "0.1*sin(10*t)"},
        start={"R.y'": 0.0},
        gravity=(0, -1),
    )


CAR_AXIS = {
    "L.x": 0.0493455784275402809,
    "L.y": 0.496989460230171154,
    "R.x": 1.04174252488542152,
    "R.y": 0.373911027265361257,
    "L.x'": -0.0770583684040972358,
    "L.y'": 0.00744686658723778553,
    "R.x'": 0.0175568157537232222,
    "R.y'": 0.770341043779251976,
}
"""Solution after 3 s [MazziaMagherini2008, II-7]."""


@pytest.mark.parametrize(
    ("method", "within"), [(None, 1e-8), (fx.DormandPrince(1e-12), 1e-11), (fx.KennedyCarpenter(1e-10), 1e-7)]
)
def test_car_axis(method, within):
    motion = fx.simulate(car_axis(), until=3.0, method=method)
    assert motion.outcome is fx.Outcome.DONE
    assert {name: motion[name][-1] for name in CAR_AXIS} == pytest.approx(CAR_AXIS, rel=0.0, abs=within)
