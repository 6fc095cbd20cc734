"""A six-joint arm with a parallelogram and a flexible last link: its data, and its model in Flexura."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import flexura as fx
from flexura.spatial import Beam, Body, Hinge, Truss

Point = tuple[float, float, float]


@dataclass(frozen=True)
class Part:
    """A rigid body on a hinge: where it hangs, its axis, mass, centre from the hinge and radii of gyration."""

    name: str
    parent: str
    axis: str
    at: Point
    mass: float
    centre: Point
    gyration: Point

    @property
    def moments(self) -> Point:
        """Moments of inertia about the centre."""
        x, y, z = (self.mass * r**2 for r in self.gyration)
        return x, y, z


@dataclass(frozen=True)
class RobotArm:
    """Turret, upper arm and crank on it, forearm, roll, pitch and flange, and a plastic bar clamped to the flange.

    A rod without mass holds crank and forearm at a distance: the crank moves the forearm as a parallelogram. Drawn with
    the upper arm upright, forearm and bar along x; the turret turns at first, and gravity acts along −z. Signals: x, y
    and z of the bar's tip.
    """

    name: str = "robot arm"
    goal: float = 3.0
    until: float = 0.5
    outputs: int = 100
    beams: int = 4
    length: float = 0.4
    width: float = 0.012
    height: float = 0.008
    E: float = 3.5e9
    nu: float = 0.4
    rho: float = 1300.0
    speed: float = 3.0
    gravity: float = 9.81
    rod: tuple[Point, Point] = ((-0.15, 0.0, 0.4), (-0.15, 0.0, 0.9))
    parts: tuple[Part, ...] = (
        Part("turret", "", "z", (0.0, 0.0, 0.0), 12.0, (0.0, 0.0, 0.3), (0.12, 0.12, 0.1)),
        Part("upper", "turret", "y", (0.0, 0.0, 0.4), 6.0, (0.0, 0.0, 0.22), (0.16, 0.16, 0.04)),
        Part("crank", "turret", "y", (0.0, 0.0, 0.4), 1.0, (-0.06, 0.0, 0.0), (0.02, 0.06, 0.06)),
        Part("forearm", "upper", "y", (0.0, 0.0, 0.9), 4.0, (0.2, 0.0, 0.0), (0.04, 0.2, 0.2)),
        Part("roll", "forearm", "x", (0.6, 0.0, 0.9), 1.0, (0.02, 0.0, 0.0), (0.04, 0.04, 0.04)),
        Part("pitch", "roll", "y", (0.65, 0.0, 0.9), 0.7, (0.02, 0.0, 0.0), (0.03, 0.04, 0.04)),
        Part("tool", "pitch", "x", (0.72, 0.0, 0.9), 0.4, (-0.01, 0.0, 0.0), (0.03, 0.03, 0.03)),
    )

    @property
    def section(self) -> dict[str, float]:
        """Numbers of the bar's section, with y along its broad side; 0.196 is Saint-Venant's factor for 1.5 to 1."""
        w, h, G = self.width, self.height, self.E / (2 + 2 * self.nu)
        area, about_y, about_z = w * h, w * h**3 / 12, h * w**3 / 12
        stiff = {"EA": self.E * area, "EIy": self.E * about_y, "EIz": self.E * about_z, "GIt": G * 0.196 * w * h**3}
        heavy = {"rhoA": self.rho * area, "rhoIy": self.rho * about_y, "rhoIz": self.rho * about_z}
        return stiff | {"GA": G * area} | heavy

    @property
    def tip(self) -> Point:
        """The bar's tip as drawn."""
        x, y, z = self.parts[-1].at
        return x + self.length, y, z


AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def robot_arm(case: RobotArm) -> fx.Model:
    """Flexura: bodies on hinges, a rigid bar without mass, beams."""
    (crank_end, forearm_end), where = case.rod, {part.name: f"at_{part.name}" for part in case.parts}
    # crank and upper arm hang at the same place
    where["crank"] = where["upper"]
    nodes = {where[part.name]: part.at for part in case.parts}
    nodes |= {"C": crank_end, "D": forearm_end, "B": case.tip}
    held: dict[str, list[str]] = {part.name: [] for part in case.parts}
    for part in case.parts:
        if part.parent and where[part.name] not in held[part.parent]:
            held[part.parent].append(where[part.name])
    held["crank"].append("C")
    held["forearm"].append("D")
    elements: dict[str, Any] = {}
    for part in case.parts:
        points = tuple(held[part.name])
        elements[part.name] = Body(where[part.name], part.mass, *part.moments, centre=part.centre, points=points)
    for part in case.parts:
        parent = f"{part.parent}.p" if part.parent else where[part.name]
        elements[f"{part.name}_joint"] = Hinge(parent, f"{part.name}.p", axis=AXES[part.axis])
    elements["rod"] = Truss("C", "D", fx.Section(rhoA=0.0), rigid=True)
    elements["bar"] = Beam("tool.p", "B", fx.Section(**case.section), y_axis=(0.0, 1.0, 0.0), parts=case.beams)
    rates = {f"{part.name}_joint.rotation'": 0.0 for part in case.parts if part.name != "forearm"}
    return fx.Model(
        nodes=nodes,
        elements=elements,
        fixed=["turret_joint.p"],
        gravity=(0, 0, -case.gravity),
        start=rates | {"turret_joint.rotation'": case.speed},
    )
