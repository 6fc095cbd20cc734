"""Forty machines on which the accuracy of default settings is measured.

Flexible, stiff, spatial and in contact; lengths from millimetres to metres, with and without damping. Each has a name,
a model and the time until which it runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin, sqrt

import flexura as fx
from flexura import planar, spatial
from references.round_bars import round_bar

Case = tuple[str, fx.Model, float]

STEEL = fx.Material(E=2.1e11, rho=7850.0)


def slider_crank(section: fx.Section, parts: int, speed: float, size: float = 1.0) -> fx.Model:
    """A driven crank, a flexible rod and a slider."""
    crank, rod = 0.15 * size, 0.45 * size
    return fx.Model(
        nodes={"O": (0, 0), "A": (crank, 0), "B": (crank + rod, 0)},
        elements={
            "crank": planar.Beam("O", "A", section, rigid=True),
            "rod": planar.Beam("A", "B", section, parts=parts),
            "slider": planar.Mass("B", 0.5 * size**3),
        },
        fixed=["O", "B.y"],
        inputs={"crank.p.phi": fx.Ramp(rate=speed)},
    )


def cantilever(section: fx.Section, parts: int, length: float, load: object) -> fx.Model:
    """A clamped beam with a load across its tip."""
    return fx.Model(
        nodes={"O": (0, 0), "A": (length, 0)},
        elements={"beam": planar.Beam("O", "A", section, parts=parts)},
        fixed=["O", "beam.p.phi"],
        loads={"A.y": load},
    )


def strip(axial: float, bending: float, parts: int, damping: float = 0.0) -> fx.Model:
    """A strip on a pin that falls from the horizontal."""
    section = fx.Section(EA=axial, EI=bending, rhoA=0.157, damping=damping)
    return fx.Model(
        nodes={"O": (0, 0), "B": (1, 0)},
        elements={"strip": planar.Beam("O", "B", section, parts=parts)},
        fixed=["O"],
        gravity=(0, -9.81),
    )


def chain(stiffnesses: tuple[float, ...], damping: float) -> fx.Model:
    """Masses between springs in a row, the first mass loaded."""
    count = len(stiffnesses)
    nodes = {f"N{i}": (float(i), 0.0) for i in range(count + 1)}
    elements: dict[str, fx.Element] = {}
    for i, stiffness in enumerate(stiffnesses):
        elements[f"spring{i}"] = planar.Truss(f"N{i}", f"N{i + 1}", fx.Section(EA=stiffness, damping=damping))
        elements[f"mass{i}"] = planar.Mass(f"N{i + 1}", 1.0)
    fixed = ["N0", *(f"N{i}.y" for i in range(1, count + 1))]
    return fx.Model(nodes=nodes, elements=elements, fixed=fixed, loads={"N1.x": fx.Sine(amplitude=10.0, frequency=5.0)})


def drive_line(stiffness: float, damping: float, count: int) -> fx.Model:
    """Discs on a shaft, driven at one end."""
    elements: dict[str, fx.Element] = {}
    for i in range(count):
        elements[f"disc{i}"] = planar.Mass(f"arm{i}.p", 1.0, inertia=0.01)
        elements[f"arm{i}"] = planar.Beam("O", f"R{i}", fx.Section(rhoA=0.1), rigid=True)
        if i:
            elements[f"shaft{i}"] = planar.Hinge(f"arm{i - 1}.p", f"arm{i}.p", k=stiffness, c=damping)
    nodes = {"O": (0.0, 0.0), **{f"R{i}": (0.1, 0.0) for i in range(count)}}
    drive = fx.Smoothstep(rise=3.0, duration=0.5)
    return fx.Model(nodes=nodes, elements=elements, fixed=["O"], inputs={"arm0.p.phi": drive})


def four_bar(section: fx.Section, parts: int, speed: float) -> fx.Model:
    """A four-bar with a flexible coupler."""
    return fx.Model(
        nodes={"O": (0, 0), "A": (0.1, 0), "B": (0.35, 0.25), "C": (0.4, 0)},
        elements={
            "crank": planar.Beam("O", "A", section, rigid=True),
            "coupler": planar.Beam("A", "B", section, parts=parts),
            "rocker": planar.Beam("C", "B", section, rigid=True),
        },
        fixed=["O", "C"],
        inputs={"crank.p.phi": fx.Ramp(rate=speed)},
    )


def falling_ball(contact: object, height: float, beam: fx.Section | None = None) -> fx.Model:
    """A mass that falls on a floor, or on the tip of a beam."""
    nodes = {"G": (0.0, 0.0), "B": (0.0, height)}
    elements: dict[str, fx.Element] = {"ball": planar.Mass("B", 1.0)}
    fixed = ["B.x"]
    if beam is None:
        elements["floor"] = planar.PointContact("G", "B", contact)
        fixed.append("G")
    else:
        nodes["W"] = (-0.5, 0.0)
        elements["beam"] = planar.Beam("W", "G", beam, parts=2)
        elements["floor"] = planar.PointContact("beam.q", "B", contact)
        fixed += ["W", "beam.p.phi"]
    return fx.Model(nodes=nodes, elements=elements, fixed=fixed, gravity=(0, -9.81))


def pendulum(hinge_stiffness: float, links: int) -> fx.Model:
    """Rigid bars in a row that fall from the horizontal, with springs between them."""
    nodes = {f"N{i}": (0.5 * i, 0.0) for i in range(links + 1)}
    elements: dict[str, fx.Element] = {
        f"bar{i}": planar.Beam(f"N{i}", f"N{i + 1}", fx.Section(rhoA=2.0), rigid=True) for i in range(links)
    }
    if hinge_stiffness:
        for i in range(1, links):
            elements[f"joint{i}"] = planar.Hinge(f"bar{i - 1}.q", f"bar{i}.p", k=hinge_stiffness)
    return fx.Model(nodes=nodes, elements=elements, fixed=["N0"], gravity=(0, -9.81))


def spatial_arm(section: fx.Section, parts: int, duration: float) -> fx.Model:
    """A flexible arm with a body at its tip that is swung about a vertical axis, under gravity."""
    return fx.Model(
        nodes={"O": (0, 0, 0), "A": (0.8, 0, 0)},
        elements={
            "motor": spatial.Hinge("O", "arm.p", axis=(0, 0, 1)),
            "arm": spatial.Beam("O", "A", section, parts=parts),
            "tool": spatial.Body("arm.q", 0.3, Jxx=1e-3, Jyy=2e-3, Jzz=2e-3),
        },
        fixed=["motor.p"],
        inputs={"motor.rotation": fx.Smoothstep(rise=1.5, duration=duration)},
        gravity=(0, 0, -9.81),
    )


def spatial_slider_crank(section: fx.Section, parts: int, speed: float) -> fx.Model:
    """A crank, a flexible rod with a ball joint, a yoke, and a slider on a guide at 25° to the crank's plane."""
    inch = 0.0254
    crank, rod, yoke = 2 * inch, 9 * inch, 2.45 * inch
    c, s = cos(25 * pi / 180), sin(25 * pi / 180)
    ahead = c * crank + sqrt((c * crank) ** 2 + rod**2 - crank**2)
    link = fx.Section(rhoA=0.25)
    return fx.Model(
        nodes={
            "O": (0, 0, 0),
            "A": (crank, 0, 0),
            "B": (c * ahead, 0, s * ahead),
            "C": (c * ahead, -yoke, s * ahead),
            "G": (0, -yoke, 0),
        },
        elements={
            "motor": spatial.Hinge("O", "crank.p", axis=(0, 0, 1)),
            "crank": spatial.Beam("O", "A", link, rigid=True),
            "rod": spatial.Beam("A", "B", section, parts=parts),
            "pin": spatial.Hinge("rod.q", "yoke.p", axis=(0, 1, 0)),
            "yoke": spatial.Beam("B", "C", link, rigid=True),
            "cross_pin": spatial.Hinge("yoke.q", "slider.p", axis=(-s, 0, c)),
            "slider": spatial.Body("C", 0.1117, Jxx=3e-5, Jyy=4e-5, Jzz=3e-5),
            "guide": spatial.Slider("G", "slider.p", direction=(c, 0, s)),
        },
        fixed=["motor.p", "guide.p"],
        inputs={"motor.rotation": fx.Ramp(rate=speed)},
        gravity=(0, -9.81, 0),
    )


def spatial_cantilever(section: fx.Section, parts: int, load: float) -> fx.Model:
    """A clamped beam in space, loaded in two directions."""
    return fx.Model(
        nodes={"O": (0, 0, 0), "A": (0.6, 0.2, 0)},
        elements={"beam": spatial.Beam("O", "A", section, parts=parts)},
        fixed=["beam.p"],
        loads={"A.y": fx.Smoothstep(rise=load, duration=0.05), "A.z": load},
    )


def cases() -> Iterator[Case]:
    """All of them."""
    turn = 2 * pi
    for diameter, parts, speed, ratio in (
        (3e-3, 2, 20.0, 0.02), (6e-3, 1, 60.0, 0.0), (6e-3, 4, 60.0, 0.02), (12e-3, 2, 60.0, 0.0),
        (12e-3, 4, 60.0, 0.02), (20e-3, 3, 100.0, 0.05), (12e-3, 6, 5.0, 0.02),
    ):  # fmt: skip
        section = round_bar(diameter, damping_ratio=ratio)
        yield f"crank {diameter} {parts} {speed} {ratio}", slider_crank(section, parts, speed), turn / speed
    stiff = round_bar(6e-3, modulus=2.1e13, damping_ratio=0.02)
    yield "crank of stiff rod", slider_crank(stiff, 4, 60.0), turn / 60.0
    yield "small crank", slider_crank(round_bar(6e-5, damping_ratio=0.02), 2, 60.0, 0.01), turn / 60.0
    yield "large crank", slider_crank(round_bar(0.6, damping_ratio=0.02), 2, 2.0, 50.0), turn / 2.0
    slowly = fx.Smoothstep(rise=50.0, duration=0.1)
    yield "cantilever, step", cantilever(round_bar(0.01), 2, 1.0, 10.0), 0.2
    yield "cantilever, damped step", cantilever(round_bar(0.01, damping_ratio=0.02), 4, 1.0, 10.0), 0.3
    yield "cantilever, slow load", cantilever(round_bar(0.02, damping_ratio=0.01), 3, 0.5, slowly), 0.2
    yield "cantilever, undamped slow load", cantilever(round_bar(0.02), 3, 0.5, slowly), 0.2
    yield "small cantilever", cantilever(round_bar(1e-4, damping_ratio=0.02), 2, 0.01, 1e-3), 0.02
    yield "strip, soft", strip(1e4, 5.0, 2), 0.5
    yield "strip, thin", strip(1e6, 0.35, 3), 0.5
    yield "strip, stiff", strip(4e6, 35.0, 4, 1e-5), 0.5
    yield "strip, very stiff", strip(1e9, 3e3, 2), 0.5
    yield "chain, soft", chain((1e2, 1e3, 1e2), 0.0), 2.0
    yield "chain, mixed", chain((1e2, 1e8, 1e3, 1e6), 1e-5), 1.0
    yield "chain, undamped and mixed", chain((1e3, 1e7, 1e3), 0.0), 1.0
    yield "chain, stiff", chain((1e9, 1e9, 1e9), 1e-6), 1.0
    yield "drive line, soft", drive_line(50.0, 0.01, 3), 1.0
    yield "drive line, stiff", drive_line(1e6, 1.0, 4), 1.0
    yield "drive line, stiff and undamped", drive_line(1e5, 0.0, 3), 1.0
    yield "four-bar", four_bar(round_bar(4e-3, damping_ratio=0.02), 3, 50.0), turn / 50.0
    yield "four-bar, undamped", four_bar(round_bar(8e-3), 2, 30.0), turn / 30.0
    yield "pendulum", pendulum(0.0, 1), 2.0
    yield "double pendulum", pendulum(0.0, 2), 1.0
    yield "pendulum with springs", pendulum(200.0, 4), 1.0
    yield "pendulum with stiff springs", pendulum(1e6, 3), 1.0
    yield "ball on a floor", falling_ball(fx.Hertz(k=1e8, restitution=0.7), 0.1), 0.5
    yield "ball on a soft floor", falling_ball(fx.Hertz(k=1e4), 0.1), 0.5
    yield "ball and restitution", falling_ball(fx.Restitution(0.6), 0.1), 0.4
    yield (
        "ball on a beam",
        falling_ball(fx.Hertz(k=1e8, restitution=0.8), 0.05, round_bar(0.02, damping_ratio=0.02)),
        0.15,
    )
    yield "arm in space", spatial_arm(round_bar(0.01, damping_ratio=0.02), 2, 0.4), 0.6
    yield "stiff arm in space", spatial_arm(round_bar(0.03, damping_ratio=0.02), 1, 0.4), 0.6
    yield "slider-crank in space", spatial_slider_crank(round_bar(0.01, damping_ratio=0.02), 2, 20.0), turn / 20.0
    yield "slider-crank in space, undamped", spatial_slider_crank(round_bar(0.02), 1, 20.0), 0.5 * turn / 20.0
    yield "cantilever in space", spatial_cantilever(round_bar(0.01, damping_ratio=0.02), 2, 5.0), 0.15
