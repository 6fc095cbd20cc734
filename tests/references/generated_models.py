"""Machines made by chance, for the accuracy of default settings: no constant was set on the tested ones.

Frames, linkages, trees, shafts and contacts; lengths from millimetres to ten metres, materials from rubber to steel,
with and without damping, loads and drives of random strength. A seed makes one machine.
"""

from __future__ import annotations

from math import pi
from random import Random

import flexura as fx
from flexura import planar, spatial
from references.round_bars import round_bar

Case = tuple[str, fx.Model, float]


def _bar(chance: Random, length: float) -> fx.Section:
    """A round bar of a random slenderness and material."""
    modulus, density = chance.choice([(2.1e11, 7850.0), (7e10, 2700.0), (3e9, 1200.0), (2e7, 1100.0)])
    diameter = length / 10 ** chance.uniform(1.2, 2.2)
    return round_bar(diameter, modulus, density, chance.choice([0.0, 0.0, 0.005, 0.02, 0.1]))


def _bending_time(section: fx.Section, length: float) -> float:
    """Period of the first bending vibration of a cantilever."""
    return float(2 * pi / (3.516 * (section.EI / (section.rhoA * length**4)) ** 0.5))


def _load(chance: Random, size: float, time: float) -> fx.Signal | float:
    return chance.choice(
        [
            size,
            fx.Sine(amplitude=size, frequency=2 * pi / (chance.uniform(0.5, 4.0) * time)),
            fx.Smoothstep(rise=size, duration=chance.uniform(0.5, 3.0) * time),
        ]
    )


def frame(chance: Random) -> Case:
    """A portal of flexible beams with a load at a corner."""
    size = 10 ** chance.uniform(-2, 1)
    section = _bar(chance, size)
    height, time = size * chance.uniform(0.5, 1.5), _bending_time(section, size)
    force = 0.02 * section.EI / size**2 * chance.uniform(0.2, 2.0)
    model = fx.Model(
        nodes={"A": (0, 0), "B": (0, height), "C": (size, height), "D": (size, 0)},
        elements={
            "left": planar.Beam("A", "B", section, parts=chance.choice([1, 2])),
            "top": planar.Beam("left.q", "C", section, parts=chance.choice([1, 2])),
            "right": planar.Beam("top.q", "D", section),
        },
        fixed=["A", "D", "left.p.phi"],
        loads={"B.x": _load(chance, force, time)},
    )
    return f"frame of {size:.3g} m", model, chance.uniform(1.0, 4.0) * time


def linkage(chance: Random) -> Case:
    """A four-bar whose coupler and rocker may be flexible, driven at a random speed."""
    size = 10 ** chance.uniform(-2, 0.5)
    section = _bar(chance, size)
    speed = chance.uniform(0.02, 0.15) * 2 * pi / _bending_time(section, size)
    rocker = chance.choice([True, False])
    model = fx.Model(
        nodes={"O": (0, 0), "A": (0.25 * size, 0), "B": (0.8 * size, 0.6 * size), "C": (size, 0)},
        elements={
            "crank": planar.Beam("O", "A", section, rigid=True),
            "coupler": planar.Beam("A", "B", section, parts=chance.choice([1, 2, 3])),
            "rocker": planar.Beam("C", "B", section, rigid=rocker),
        },
        fixed=["O", "C"],
        inputs={"crank.p.phi": fx.Ramp(rate=speed)},
    )
    return f"linkage of {size:.3g} m", model, chance.uniform(0.5, 1.5) * 2 * pi / speed


def tree(chance: Random) -> Case:
    """Links that hang on each other and fall, some flexible, with springs in the joints."""
    size = 10 ** chance.uniform(-1, 1)
    nodes: dict[str, tuple[float, float]] = {"N0": (0.0, 0.0)}
    elements: dict[str, fx.Element] = {}
    for i in range(1, chance.randint(2, 4) + 1):
        parent = chance.randrange(i)
        x, y = nodes[f"N{parent}"]
        nodes[f"N{i}"] = (x + size * chance.uniform(0.3, 1.0), y + size * chance.uniform(-0.5, 0.5))
        section = _bar(chance, size)
        elements[f"link{i}"] = planar.Beam(f"N{parent}", f"N{i}", section, rigid=chance.random() < 0.5)
        if i > 1 and chance.random() < 0.5:
            stiffness = section.rhoA * size**2 * 9.81 * chance.uniform(0.2, 20.0)
            elements[f"joint{i}"] = planar.Hinge("link1.p", f"link{i}.p", k=stiffness)
    model = fx.Model(nodes=nodes, elements=elements, fixed=["N0"], gravity=(0, -9.81))
    return f"tree of {len(nodes) - 1} links", model, chance.uniform(0.3, 1.5) * (size / 9.81) ** 0.5


def springs(chance: Random) -> Case:
    """Masses in a row, between springs and dampers of all strengths."""
    count = chance.randint(2, 5)
    nodes = {f"N{i}": (0.1 * i, 0.0) for i in range(count + 1)}
    elements: dict[str, fx.Element] = {}
    for i in range(count):
        stiffness = 10 ** chance.uniform(2, 8)
        damper = chance.choice([0.0, 0.02 * stiffness**0.5])
        section = fx.Section(EA=0.1 * stiffness, damping=damper / stiffness)
        elements[f"spring{i}"] = planar.Truss(f"N{i}", f"N{i + 1}", section)
        elements[f"mass{i}"] = planar.Mass(f"N{i + 1}", 10 ** chance.uniform(-1, 1))
    fixed = ["N0", *(f"N{i}.y" for i in range(1, count + 1))]
    load = chance.choice([1.0, fx.Sine(amplitude=1.0, frequency=10 ** chance.uniform(0.5, 2.5))])
    model = fx.Model(nodes=nodes, elements=elements, fixed=fixed, loads={f"N{chance.randint(1, count)}.x": load})
    return f"springs and {count} masses", model, 10 ** chance.uniform(-1.5, 0.3)


def drop(chance: Random) -> Case:
    """A mass that drops on the middle of a beam, or on the floor, and bounces."""
    size = 10 ** chance.uniform(-1, 0.5)
    section = _bar(chance, size)
    mass, height = section.rhoA * size * chance.uniform(0.2, 3.0), size * chance.uniform(0.01, 0.1)
    stiffness = mass * 9.81 / (1e-4 * size) ** 1.5 * 10 ** chance.uniform(-1, 2)
    law = fx.Hertz(k=stiffness, restitution=chance.choice([1.0, 0.8, 0.5]))
    nodes = {"L": (0.0, 0.0), "M": (0.5 * size, 0.0), "R": (size, 0.0), "B": (0.5 * size, height)}
    elements: dict[str, fx.Element] = {
        "half": planar.Beam("L", "M", section),
        "other": planar.Beam("half.q", "R", section),
        "ball": planar.Mass("B", mass),
        "touch": planar.PointContact("half.q", "B", law),
    }
    model = fx.Model(nodes=nodes, elements=elements, fixed=["L", "R.y", "B.x"], gravity=(0, -9.81))
    return f"drop on {size:.3g} m", model, chance.uniform(1.2, 3.0) * (2 * height / 9.81) ** 0.5


def arm(chance: Random) -> Case:
    """Two links in space on hinges, one of them flexible, with a body at the tip."""
    size = 10 ** chance.uniform(-1, 0.7)
    section = _bar(chance, size)
    mass, time = section.rhoA * size, _bending_time(section, size)
    second = chance.choice([True, False])
    model = fx.Model(
        nodes={"O": (0, 0, 0), "A": (size, 0, 0), "B": (1.8 * size, 0.3 * size, 0.1 * size)},
        elements={
            "motor": spatial.Hinge("O", "upper.p", axis=(0, 0, 1)),
            "upper": spatial.Beam("O", "A", section, rigid=second),
            "elbow": spatial.Hinge("upper.q", "fore.p", axis=(0, 1, 0), k=mass * size * 9.81 * chance.uniform(1, 30)),
            "fore": spatial.Beam("A", "B", section, rigid=not second),
            "tool": spatial.Body("fore.q", 0.3 * mass, **{f"J{a}{a}": 0.003 * mass * size**2 for a in "xyz"}),
        },
        fixed=["motor.p"],
        inputs={"motor.rotation": fx.Smoothstep(rise=chance.uniform(0.3, 1.5), duration=chance.uniform(2, 8) * time)},
        gravity=(0, 0, -9.81),
    )
    return f"arm of {size:.3g} m", model, chance.uniform(2.0, 8.0) * time


def rod(chance: Random) -> Case:
    """A clamped rod in space, loaded in two directions and twisted."""
    size = 10 ** chance.uniform(-2, 1)
    section = _bar(chance, size)
    force, time = 0.02 * section.EI / size**2, _bending_time(section, size)
    model = fx.Model(
        nodes={"O": (0, 0, 0), "A": (0.9 * size, 0.2 * size, 0.3 * size)},
        elements={"rod": spatial.Beam("O", "A", section, parts=chance.choice([1, 2]))},
        fixed=["rod.p"],
        loads={"A.y": _load(chance, force, time), "A.z": _load(chance, force * chance.uniform(0, 1), time)},
    )
    return f"rod of {size:.3g} m", model, chance.uniform(0.5, 3.0) * time


KINDS = (frame, linkage, tree, springs, drop, arm, rod)


def generated(seed: int) -> Case:
    """The machine of a seed."""
    chance = Random(seed)
    name, model, until = KINDS[seed % len(KINDS)](chance)
    return f"{seed}: {name}", model, until
