"""Machines made by chance with springs, drives, controllers, rotors, shells and reduced parts.

They go beside those of ``generated_models``: other kinds of machines for the accuracy of default settings. A seed makes
one machine.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin
from random import Random

import flexura as fx
from flexura import planar, spatial
from references.round_bars import round_bar

Case = tuple[str, fx.Model, float]

STEEL = fx.Material(E=2.1e11, rho=7850.0)


def bar(chance: Random, length: float, slender: tuple[float, float] = (1.2, 2.0)) -> fx.Section:
    """A round bar of steel or aluminium of a random slenderness and damping."""
    modulus, density = chance.choice([(2.1e11, 7850.0), (7e10, 2700.0)])
    diameter = length / 10 ** chance.uniform(*slender)
    return round_bar(diameter, modulus, density, chance.choice([0.0, 0.005, 0.02]))


def first_frequency(section: fx.Section, length: float) -> float:
    """Frequency [rad/s] of the first bending vibration of a cantilever."""
    return float(3.516 * (section.EI / (section.rhoA * length**4)) ** 0.5)


def half_car(chance: Random) -> Case:
    """Body on two springs that carry it, wheels on tyres, the road moves the wheels one after the other."""
    mass, base = chance.uniform(400, 900), chance.uniform(2.2, 3.0)
    stiffness, tyre = chance.uniform(1.5e4, 4e4), 10 ** chance.uniform(5.0, 6.5)
    damping = chance.uniform(800, 3000)
    nodes = {"G": (0.0, 0.8)}
    elements: dict[str, fx.Element] = {}
    fixed = ["G.x"]
    inputs: dict[str, fx.Signal] = {}
    for name, x in (("F", base / 2), ("R", -base / 2)):
        nodes |= {f"T{name}": (x, 0.8), f"W{name}": (x, 0.3), f"S{name}": (x, 0.0)}
        elements |= {
            f"spring{name}": planar.Spring(f"W{name}", f"T{name}", stiffness, c=damping, preload=-mass * 9.81 / 2),
            f"wheel{name}": planar.Mass(f"W{name}", chance.uniform(25, 45)),
            f"tyre{name}": planar.Spring(
                f"S{name}", f"W{name}", tyre, c=chance.choice([0.0, 50.0]), preload=-mass * 5.3
            ),
        }
        fixed += [f"W{name}.x", f"S{name}.x"]
        start = 0.1 if name == "F" else 0.1 + base / 15.0
        inputs[f"S{name}.y"] = fx.Smoothstep(rise=0.05, duration=chance.uniform(0.05, 0.3), start=start)
    elements["body"] = planar.Body("G", mass, chance.uniform(400, 900), points=("TF", "TR"))
    return "half car", fx.Model(nodes, elements, fixed=fixed, inputs=inputs, gravity=(0, -9.81)), 1.0


def platform(chance: Random) -> Case:
    """Body in space on four springs with preload, that is pushed aside."""
    side, mass = chance.uniform(0.3, 2.0), chance.uniform(5.0, 200.0)
    nodes = {"G": (0.0, 0.0, 0.5 * side)}
    elements: dict[str, fx.Element] = {}
    fixed = []
    for i, (x, y) in enumerate(((1, 1), (1, -1), (-1, -1), (-1, 1))):
        nodes[f"P{i}"] = (0.5 * side * x, 0.5 * side * y, 0.5 * side)
        nodes[f"Q{i}"] = (0.7 * side * x, 0.7 * side * y, 0.0)
        stiffness = mass * 9.81 / side * 10 ** chance.uniform(0.8, 3.0)
        elements[f"leg{i}"] = spatial.Spring(
            f"Q{i}", f"P{i}", stiffness, c=0.02 * (stiffness * mass) ** 0.5, preload=-mass * 2.6
        )
        fixed.append(f"Q{i}")
    inertia = mass * side**2 / 12
    points = tuple(f"P{i}" for i in range(4))
    elements["body"] = spatial.Body("G", mass, Jxx=inertia, Jyy=inertia, Jzz=2 * inertia, points=points)
    push = fx.Smoothstep(rise=0.3 * mass * 9.81, duration=chance.uniform(0.05, 0.5))
    loads = {"G.x": push, "P0.z": fx.Sine(amplitude=0.1 * mass * 9.81, frequency=chance.uniform(5, 40))}
    model = fx.Model(nodes, elements, fixed=fixed, loads=loads, gravity=(0, 0, -9.81))
    return "platform", model, chance.uniform(0.5, 1.5)


def servo_arm(chance: Random) -> Case:
    """Flexible arm that a PID controller turns through a gear of finite stiffness."""
    size = chance.uniform(0.4, 1.2)
    section = bar(chance, size)
    inertia = section.rhoA * size**3 / 3
    bandwidth = chance.uniform(5.0, 20.0)
    gear = inertia * (bandwidth * chance.uniform(4, 20)) ** 2
    model = fx.Model(
        nodes={"O": (0, 0), "M": (0.1 * size, 0), "A": (size, 0)},
        elements={
            "motor": planar.Beam("O", "M", fx.Section(rhoA=1.0), rigid=True),
            "rotor": planar.Mass("motor.p", 0.0, inertia=0.3 * inertia),
            "gear": planar.Hinge("motor.p", "arm.p", k=gear, c=0.002 * gear / bandwidth),
            "arm": planar.Beam("O", "A", section, parts=chance.choice([1, 2, 3])),
            "load": planar.Mass("A", 0.3 * section.rhoA * size),
        },
        fixed=["O"],
        controllers={
            "servo": fx.Controller(
                A=[[0.0]], B=[[1.0, 0.0]], C=[[2.0 * inertia * bandwidth**3]],
                D=[[4.0 * inertia * bandwidth**2, 3.0 * inertia * bandwidth]],
                measured=("motor.p.phi", "motor.p.phi'"), acting=("motor.p.phi",),
                reference=(fx.Smoothstep(rise=0.8, duration=5.0 / bandwidth), 0.0),
            )
        },
    )  # fmt: skip
    return "servo arm", model, 12.0 / bandwidth


def rotor(chance: Random) -> Case:
    """Shaft with an unbalanced disc on two elastic bearings, run up or at a constant speed."""
    size = chance.uniform(0.3, 1.0)
    section = bar(chance, size, (1.2, 1.7))
    speed = chance.uniform(0.1, 0.6) * first_frequency(section, size)
    stiffness = section.EI / size**3 * 10 ** chance.uniform(1.0, 3.0)
    damping = {"cy": 0.001 * stiffness / speed, "cz": 0.001 * stiffness / speed}
    disc = spatial.Disc("left.q", 0.3 * size, 0.03 * size, STEEL, unbalance=chance.uniform(1e-5, 1e-3) * size)
    model = fx.Model(
        nodes={"L": (0, 0, 0), "GL": (0, 0, 0), "C": (0.4 * size, 0, 0), "R": (size, 0, 0), "GR": (size, 0, 0)},
        elements={
            "base_left": spatial.Body("GL", 1.0),
            "base_right": spatial.Body("GR", 1.0),
            "left": spatial.Beam("L", "C", section),
            "right": spatial.Beam("left.q", "R", section),
            "disc": disc,
            "front": spatial.Bearing("base_left.p", "left.p", ky=stiffness, kz=stiffness, **damping),
            "rear": spatial.Bearing("base_right.p", "right.q", kx=0.0, ky=stiffness, kz=0.7 * stiffness, **damping),
        },
        fixed=["base_left.p", "GL", "base_right.p", "GR"],
        inputs={"front.rotation": chance.choice([fx.Ramp(rate=speed), fx.Smoothstep(rise=20.0, duration=80 / speed)])},
        gravity=(0, 0, -9.81),
    )
    return "rotor", model, chance.uniform(20.0, 60.0) / speed


def light_parts(chance: Random) -> Case:
    """Row of heavy and very light masses between springs with dampers, pulled slowly or shaken."""
    count = chance.randint(2, 4)
    nodes = {f"N{i}": (0.1 * i, 0.0) for i in range(count + 1)}
    elements: dict[str, fx.Element] = {}
    for i in range(count):
        stiffness, mass = 10 ** chance.uniform(2, 6), 10 ** chance.uniform(-5, 0.5)
        ratio = chance.choice([0.01, 0.3, 1.5])
        c = 2 * ratio * (stiffness * mass) ** 0.5
        elements[f"spring{i}"] = planar.Spring(f"N{i}", f"N{i + 1}", stiffness, c=c)
        elements[f"mass{i}"] = planar.Mass(f"N{i + 1}", mass)
    load = chance.choice([fx.Smoothstep(rise=1.0, duration=0.3), fx.Sine(amplitude=1.0, frequency=20.0)])
    fixed = ["N0", *(f"N{i}.y" for i in range(1, count + 1))]
    return "light parts", fx.Model(nodes, elements, fixed=fixed, loads={f"N{count}.x": load}), 0.8


def press(chance: Random) -> Case:
    """Crank, flexible rod and slider against a spring with preload; driven or with a torque against friction."""
    size = 10 ** chance.uniform(-2, 0.5)
    section = bar(chance, size)
    speed = chance.uniform(0.02, 0.1) * first_frequency(section, size)
    mass = section.rhoA * size * chance.uniform(0.1, 3.0)
    inputs, start = {"crank.p.phi": fx.Ramp(rate=speed)}, {}
    if chance.random() < 0.4:
        inputs, start = {}, {"crank.p.phi'": speed}
    stiffness = mass * speed**2 * chance.uniform(0.1, 3.0)
    model = fx.Model(
        nodes={"O": (0, 0), "A": (0.2 * size, 0.1 * size), "B": (size, 0), "W": (1.6 * size, 0)},
        elements={
            "crank": planar.Beam("O", "A", section, rigid=True),
            "flywheel": planar.Mass("crank.p", 0.0, inertia=20 * mass * size**2),
            "rod": planar.Beam("A", "B", section, parts=chance.choice([1, 2, 4])),
            "slider": planar.Mass("B", mass),
            "spring": planar.Spring("B", "W", stiffness, preload=-0.1 * stiffness * size),
        },
        fixed=["O", "B.y", "W"],
        inputs=inputs,
        start=start,
    )
    return f"press of {size:.3g} m", model, chance.uniform(0.5, 1.2) * 2 * pi / speed


def spatial_four_bar(chance: Random) -> Case:
    """Driven crank, flexible coupler with a universal joint and a ball, rocker on a skew axis."""
    size = 10 ** chance.uniform(-1, 0.3)
    section = bar(chance, size)
    speed = chance.uniform(0.02, 0.1) * first_frequency(section, size)
    tilt = chance.uniform(0.2, 0.7)
    link = fx.Section(rhoA=section.rhoA)
    model = fx.Model(
        nodes={"O": (0, 0, 0), "A": (0.15 * size, 0, 0.1 * size), "B": (0.9 * size, 0.1 * size, 0.6 * size),
               "C": (size, 0, 0)},
        elements={
            "motor": spatial.Hinge("O", "crank.p", axis=(0, 0, 1)),
            "crank": spatial.Beam("O", "A", link, rigid=True),
            "coupler": spatial.Beam("A", "B", section, parts=chance.choice([1, 2])),
            "axle": spatial.Hinge("C", "rocker.p", axis=(sin(tilt), cos(tilt), 0)),
            "rocker": spatial.Beam("C", "B", link, rigid=True),
        },
        fixed=["motor.p", "axle.p"],
        inputs={"motor.rotation": fx.Ramp(rate=speed)},
        gravity=(0, 0, -9.81),
    )  # fmt: skip
    return "four-bar in space", model, chance.uniform(0.3, 1.0) * 2 * pi / speed


def plate(chance: Random) -> Case:
    """Strip of shells, clamped at one edge, with a load at a corner."""
    size = chance.uniform(0.2, 1.0)
    thickness = size / chance.uniform(30, 100)
    nodes, elements = {}, {}
    for i in range(3):
        for j in range(2):
            nodes[f"N{i}{j}"] = (0.4 * size * i, 0.4 * size * j, 0.0)
    for i in range(2):
        for k, (a, b, c) in enumerate(((f"N{i}0", f"N{i + 1}0", f"N{i + 1}1"), (f"N{i}0", f"N{i + 1}1", f"N{i}1"))):
            elements[f"s{i}{k}"] = spatial.Shell(a, b, c, thickness, STEEL)
    frequency = 1.01 * thickness / (0.8 * size) ** 2 * 5170.0
    load = 2.1e11 * thickness**3 / size * 0.01 * chance.uniform(0.01, 0.3)
    loads = {"N21.z": fx.Smoothstep(rise=load, duration=chance.uniform(0.5, 4.0) / frequency * 6.28)}
    fixed = ["N00", "N01"]
    return "plate", fx.Model(nodes, elements, fixed=fixed, loads=loads, space="spatial"), 10.0 / frequency


@lru_cache
def _reduced(modes: int) -> tuple[fx.Substructure, fx.Section]:
    section = bar(Random(3), 0.8)
    rod = fx.Model(
        nodes={"A": (0, 0, 0), "B": (0.8, 0, 0)},
        elements={"rod": spatial.Beam("A", "B", section, parts=8)},
        space="spatial",
    )
    return fx.reduce(rod, ["rod.p", "rod.q"], modes=modes), section


def reduced_rod(chance: Random) -> Case:
    """Slider-crank in space whose rod is a reduced part with damped modes."""
    part, section = _reduced(chance.choice([2, 4]))
    speed = chance.uniform(0.02, 0.15) * first_frequency(section, 0.8)
    model = fx.Model(
        nodes={"O": (0, 0, 0), "A": (0.2, 0, 0), "B": (1.0, 0, 0)},
        elements={
            "motor": spatial.Hinge("O", "crank.p", axis=(0, 1, 0)),
            "crank": spatial.Beam("O", "A", fx.Section(rhoA=2.0), rigid=True),
            "pin": spatial.Hinge("crank.q", "rod.frame", axis=(0, 1, 0)),
            "rod": spatial.Superelement("A", ("B",), part, damping_ratio=chance.choice([0.01, 0.05, 0.2])),
            "slider": spatial.Mass("B", chance.uniform(0.3, 3.0)),
        },
        fixed=["motor.p", "B.z"],
        inputs={"motor.rotation": fx.Ramp(rate=speed)},
    )
    return "reduced rod", model, 2 * pi / speed


def geared(chance: Random) -> Case:
    """Two shafts of discs coupled by elastic teeth, started by a torque."""
    stiffness = 10 ** chance.uniform(3, 6)
    nodes = {"O": (0, 0), "P": (0.3, 0)}
    elements: dict[str, fx.Element] = {}
    for name, node, y in (("a", "O", 0.1), ("b", "O", 0.1), ("c", "P", 0.1), ("d", "P", 0.1)):
        nodes[f"R{name}"] = (nodes[node][0], y)
        elements[name] = planar.Beam(node, f"R{name}", fx.Section(rhoA=chance.uniform(0.1, 3.0)), rigid=True)
        elements[f"disc_{name}"] = planar.Mass(f"{name}.p", 0.0, inertia=10 ** chance.uniform(-3, -1))
    elements["shaft_ab"] = planar.Hinge("a.p", "b.p", k=10 ** chance.uniform(1, 4), c=chance.choice([0.0, 0.05]))
    elements["shaft_cd"] = planar.Hinge("c.p", "d.p", k=10 ** chance.uniform(1, 4), c=0.02)
    elements["teeth"] = planar.Gear("b.p", "c.p", ratio=chance.choice([0.5, 2.0, 1.5]), k=stiffness / 0.01, c=1.0)
    loads = {"a.p.phi": fx.Smoothstep(rise=2.0, duration=0.1), "d.p.phi": -0.5}
    return "gears", fx.Model(nodes, elements, fixed=["O", "P"], loads=loads), 0.6


def blade(chance: Random) -> Case:
    """Flexible blade on a hub that is run up about an axis, in the field of gravity."""
    size = chance.uniform(0.3, 3.0)
    section = bar(chance, size, (1.3, 2.2))
    slow = first_frequency(section, size)
    duration = chance.uniform(2.0, 10.0) * 2 * pi / slow
    rate = chance.uniform(0.3, 1.5) * slow
    tilt = chance.uniform(-0.4, 0.4)
    model = fx.Model(
        nodes={"O": (0, 0, 0), "H": (0.1 * size, 0, 0), "A": (0.1 * size + size * cos(tilt), 0, size * sin(tilt))},
        elements={
            "motor": spatial.Hinge("O", "hub.p", axis=(0, 0, 1)),
            "hub": spatial.Beam("O", "H", section, rigid=True),
            "blade": spatial.Beam("hub.q", "A", section, parts=chance.choice([2, 3])),
        },
        fixed=["motor.p"],
        inputs={"motor.rotation": fx.Smoothstep(rise=0.5 * rate * duration, duration=duration)},
        gravity=(0, 0, -9.81),
    )
    return f"blade of {size:.3g} m", model, chance.uniform(0.5, 1.3) * duration


KINDS = (
    half_car, platform, servo_arm, rotor, light_parts, press, spatial_four_bar, plate, reduced_rod, geared, blade,
)  # fmt: skip


def generated(seed: int) -> Case:
    """The machine of a seed."""
    chance = Random(seed)
    name, model, until = KINDS[seed % len(KINDS)](chance)
    return f"{seed}: {name}", model, until
