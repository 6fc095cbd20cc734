"""Two models with everything in them: what linearisation must not forget, in the plane and in space."""

from __future__ import annotations

import flexura as fx
from flexura import planar, spatial
from flexura.algebra import sin

STEEL = fx.Section(EA=4e3, EI=6.0, GIt=4.0, rhoA=0.8, rhoIy=2e-3, rhoIz=3e-3, damping=0.01)
WIRE = fx.Section(rhoA=0.0)


def cubic(e, v, t):
    """A stiffening spring with a quadratic damper and a part that changes in time: CUBIC as a function."""
    return 40.0 * e + 300.0 * e**3 + 2.0 * v + 0.5 * v**3 + 3.0 * e * sin(2.0 * t)


CUBIC = fx.Expression("40*e + 300*e^3 + 2*v + 0.5*v^3 + 3*e*sin(2*t)")

IN_THE_PLANE = fx.Model(
    title="all that there is in the plane",
    nodes={"O": (0, 0), "A": (1, 0), "B": (1.8, 0.6), "C": (2.2, -0.4), "G": (1, -1), "H": (2.4, 1.2), "W": (0.4, 0.9)},
    elements={
        "mast": planar.Beam("O", "A", STEEL, parts=2),
        "jib": planar.Beam("A", "B", fx.Section(rhoA=1.0), rigid=True),
        "whip": planar.Beam("jib.q", "C", STEEL),
        "elbow": planar.Hinge("mast.q", "jib.p", k=3.0, c=0.2),
        "stay": planar.Truss("G", "A", WIRE),
        "guy": planar.Truss("H", "B", WIRE),
        "bar": planar.Truss("G", "C", fx.Section(EA=50.0, rhoA=0.3, damping=0.02)),
        "jack": planar.Truss("W", "A", WIRE),
        "seat": planar.Bearing("mast.p", "whip.q", kx=20.0, ky=30.0, kt=2.0, cx=1.0, cy=0.5, ct=0.1),
        "tip": planar.Mass("whip.q", mass=0.7, inertia=0.05),
    },
    fixed=["O.y", "mast.p.phi", "G", "H", "W"],
    gravity=(0.0, -9.81),
    laws={"stay.elongation": fx.LinearLaw(k=60.0, c=1.5, preload=12.0), "guy.elongation": CUBIC},
    loads={"C.y": fx.Sine(5.0, 3.0), "whip.q.phi": 2.0, "whip": (1.0, -4.0), "elbow.rotation": fx.Sine(1.0, 2.0)},
    inputs={"O.x": fx.Sine(0.1, 4.0), "jack.elongation": fx.Sine(0.08, 3.0)},
)
IN_SPACE = fx.Model(
    title="all that there is in space",
    nodes={
        "O": (0, 0, 0),
        "A": (0.6, 0, 0.1),
        "B": (1.5, 0.3, 0.2),
        "C": (1.9, 0.9, 0.0),
        "E": (1.95, 0.95, 0.0),
        "D": (2.2, 1.0, 0.4),
        "G": (0.7, -0.4, -0.9),
        "H": (1.2, 1.4, 1.0),
    },
    elements={
        "drive": spatial.Hinge("O", "hub.p", axis=(0, 0.2, 1)),
        "hub": spatial.Beam("O", "A", fx.Section(rhoA=1.0), rigid=True),
        "arm": spatial.Beam("hub.q", "B", STEEL),
        "wrist": spatial.Hinge("arm.q", "hand.p", axis=(0, 1, 0.3), k=4.0, c=0.3),
        "hand": spatial.Beam("B", "C", fx.Section(rhoA=0.5), rigid=True),
        "load": spatial.Body("E", mass=1.2, Jxx=0.03, Jyy=0.04, Jzz=0.05, Jxy=0.005, centre=(0, 0.1, 0), points=("D",)),
        "rest": spatial.Bearing("hand.q", "load.p", kx=300.0, ky=200.0, kt=5.0, kby=6.0, kbz=7.0, ct=0.2, cby=0.1),
        "stay": spatial.Truss("G", "B", WIRE),
        "guy": spatial.Truss("H", "D", WIRE),
        "jack": spatial.Truss("G", "A", WIRE),
    },
    fixed=["drive.p", "G.x", "G.y", "H"],
    released=["drive.bending_z"],
    gravity=(0.3, 0.0, -9.81),
    laws={"stay.elongation": fx.LinearLaw(k=50.0, c=1.0, preload=9.0), "guy.elongation": CUBIC},
    loads={
        "D.x": 3.0,
        "load.p.own_x": 4.0,
        "load.p.about_own_z": 0.6,
        "arm.q.about_y": fx.Sine(0.8, 2.0),
        "arm": (0.0, 2.0, -1.0),
        "wrist.rotation": 0.5,
    },
    inputs={
        "drive.rotation": fx.Sine(0.2, 5.0),
        "G.z": fx.Sine(0.05, 3.0, offset=-0.9),
        "jack.elongation": fx.Sine(0.03, 4.0),
    },
)
