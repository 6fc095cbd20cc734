"""What rolls without slip: the swivel wheel, the disc and the caster of the sources, as models."""

from math import inf

import flexura as fx
from flexura.planar import Beam, Mass
from flexura.planar import Wheel as Runner
from flexura.spatial import Beam as Spar
from flexura.spatial import Body, Hinge, Wheel


def swivel(
    place: float,
    gyration: float = 0.21**0.5,
    *,
    length: float = 1.0,
    mass: float = 1.0,
    stiffness: float = 1.0,
    speed: float = 1.0,
) -> fx.Model:
    """A trailer drawn along x by a pin that is held aside by a spring [Schwab2002 (3.44)].

    The centre of mass is so far ahead of the wheel; the radius of gyration is about it.
    """
    drawbar = Beam("C", "A", fx.Section(), rigid=True)
    ahead = {"arm": Beam("bar.p", "G", fx.Section(), rigid=True)} if place else {}
    return fx.Model(
        nodes={"C": (-length, 0), "A": (0, 0), **({"G": (place - length, 0)} if place else {})},
        elements={
            "bar": drawbar,
            **ahead,
            "mass": Mass("arm.q" if place else "bar.p", mass, inertia=mass * gyration**2),
            "wheel": Runner("bar.p", "bar.p"),
        },
        released=["wheel.along"],
        inputs={"A.x": fx.Ramp(rate=speed)},
        loads={"A.y": f"-{float(stiffness)!r}*A.y"},
        independent=["A.y"],
    )


def disc(**given) -> fx.Model:
    """A thin disc of unit mass and radius, upright on the ground, weight one."""
    return fx.Model(
        nodes={"W": (0, 0, 1), "C": (0, 0, 0), "G": (0, 0, 0)},
        elements={
            "disc": Body("W", 1.0, Jxx=0.25, Jyy=0.5, Jzz=0.25),
            "wheel": Wheel("disc.p", "C", "G"),
            **given.pop("elements", {}),
        },
        fixed=["wheel.g", *given.pop("fixed", [])],
        gravity=(0, 0, -1),
        **given,
    )


def caster(EI: float, mass: float) -> fx.Model:
    """A wheel without trail in a fork that bends sideways; it neither slips nor spins [SchwabMeijaard2003]."""
    return fx.Model(
        nodes={"A": (0, 0, 2), "W": (0, 0, 1), "C": (0, 0, 0), "G": (0, 0, 0)},
        elements={
            "yaw": Hinge("A", "fork.p", axis=(0, 0, 1)),
            "fork": Spar("A", "W", fx.Section(EIz=EI, EIy=inf, GIt=inf, EA=inf), y_axis=(0, 1, 0)),
            "pitch": Hinge("fork.q", "disc.p", axis=(0, 1, 0)),
            "disc": Body("W", mass, Jxx=0.25 * mass, Jyy=0.5 * mass, Jzz=0.25 * mass),
            "wheel": Wheel("disc.p", "C", "G"),
        },
        fixed=["A.y", "A.z", *(f"yaw.p.e{i}" for i in range(4)), "wheel.g", "wheel.spin"],
        released=["wheel.radial"],
        inputs={"A.x": fx.Ramp(rate=1.0)},
    )
