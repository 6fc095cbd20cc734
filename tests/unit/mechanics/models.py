"""Models that between them have all there is: every class of strain, drives, loads, laws, closed loops, belts."""

import numpy as np

import flexura as fx
from flexura.mechanics.preparation.minimal_coordinates import Transfer
from flexura.planar import Beam, Bearing, Belt, Gear, Hinge, Mass, Slider, Truss

BAR = fx.Section(rhoA=0.4)
SPRINGY = fx.Section(EA=400.0, EI=2.0, rhoA=0.4, damping=1e-3)


def pendulum():
    """Two rigid bars under gravity."""
    return fx.Model(
        nodes={"O": (0, 0), "A": (1, 0), "B": (1.6, 0.8)},
        elements={"upper": Beam("O", "A", BAR, rigid=True), "lower": Beam("A", "B", BAR, rigid=True)},
        fixed=["O"],
        gravity=(0.0, -9.81),
        start={"upper.p.phi'": 1.3, "lower.p.phi'": -0.4},
    )


def slider_crank():
    """A closed loop with a flexible rod in two parts, a load, a law and a torsion spring."""
    return fx.Model(
        nodes={"O": (0, 0), "A": (0.15, 0.05), "B": (0.45, 0.0), "W": (0.7, 0.1)},
        elements={
            "crank": Beam("O", "A", BAR, rigid=True),
            "rod": Beam("A", "B", SPRINGY, parts=2),
            "piston": Mass("B", 0.3),
            "spring": Truss("B", "W", fx.Section(EA=3.0)),
            "coil": Hinge("crank.q", "rod.p", k=0.2, c=0.01),
        },
        fixed=["O", "B.y", "W"],
        loads={"B.x": "0.5*sin(3*t)", "crank.p.phi": -0.2, "rod": (0.0, -1.0)},
        laws={"spring.elongation": fx.Expression("3*e + 20*e**3 + 0.1*v")},
        gravity=(0.5, -9.81),
        start={"crank.p.phi'": 4.0, "rod.1.bending_q": 0.01},
    )


def driven():
    """A slider-crank driven by the elongation of an actuator, with a rigid rod."""
    return fx.Model(
        nodes={"O": (0, 0), "A": (0.15, 0.1), "B": (0.45, 0.0), "W": (-0.3, 0.4)},
        elements={
            "crank": Beam("O", "A", BAR, rigid=True),
            "rod": Beam("A", "B", SPRINGY, second_order=False),
            "piston": Mass("B", 0.3),
            "jack": Truss("W", "A", fx.Section()),
        },
        fixed=["O", "W", "B.y"],
        inputs={"jack.elongation": "0.02*sin(5*t)"},
        gravity=(0.0, -9.81),
    )


def transmission():
    """Gears, a massive belt, a guide and a bearing that gives."""
    return fx.Model(
        nodes={"O": (0, 0), "C": (0.5, 0.1), "D": (1.4, 0.2), "E": (2.0, 0.2), "wall": (1.4, 0.2)},
        elements={
            "wheel": Mass("gear.p", 0.2, 0.02),
            "gear": Gear("O", "C", ratio=1.5),
            "pinion": Mass("gear.q", 0.3, 0.03),
            "belt": Belt("gear.q", "D", radius_p=0.1, radius_q=0.2, EA=900.0, rhoA=0.2, wound_p=0.3, wound_q=0.2),
            "drum": Mass("belt.q", 0.4, 0.05),
            "guide": Slider("belt.q", "E", k=5.0, c=0.1),
            "sledge": Mass("guide.q", 0.2, 0.01),
            "mount": Bearing("wall", "belt.q", kx=80.0, ky=90.0, kt=3.0, cx=0.2),
        },
        fixed=["O", "C", "wall", "mount.p.phi"],
        start={"gear.p.phi'": 2.0},
    )


MODELS = {model.__name__: model for model in (pendulum, slider_crank, driven, transmission)}


def moving(machine, seed=0):
    """A state of the machine in motion that closes all its held strains: positions and rates."""
    random = np.random.default_rng(seed)
    transfer = Transfer(machine.layout, machine.system, machine.mobility.independent)
    q = transfer.values(machine.x, machine.mobility.independent)
    x = transfer.position(q + 0.02 * random.uniform(-1, 1, q.size), 0.3, machine.x)
    return x, transfer.velocity(random.uniform(-1, 1, q.size), 0.3, x)
