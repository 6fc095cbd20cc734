"""Models of the SPACAR files of this folder, written directly."""

from math import inf
from pathlib import Path

import flexura as fx
from flexura import planar, spatial

FOLDER = Path(__file__).parent / "spacar"


def slider_crank() -> fx.Model:
    """Planar slider-crank with a rod of two beams that bend."""
    rod = fx.Section(EI=12.0, rhoA=0.3)
    return fx.Model(
        nodes={"n1": (0, 0), "n3": (0.1, 0), "n6": (0.3, 0), "n8": (0.5, 0)},
        elements={
            "e1": planar.Beam("n1", "n3", fx.Section(rhoA=0.6), rigid=True),
            "e2": planar.Beam("n3", "n6", rod),
            "e3": planar.Beam("e2.q", "n8", rod),
            "m8": planar.Mass("n8", 0.05),
        },
        fixed=["n1", "n8.y"],
        inputs={"e1.p.phi": fx.Ramp(rate=20.0)},
    )


def cantilever() -> fx.Model:
    """Cantilever in space under a force at its tip."""
    section = fx.Section(EA=4.2e6, GIt=48.0, EIy=35.0, EIz=560.0, rhoA=1.57, rhoIy=1.3e-5, rhoIz=2.1e-4)
    return fx.Model(
        nodes={"n1": (0, 0, 0), "n3": (0.3, 0, 0), "n5": (0.6, 0, 0)},
        elements={
            "e1": spatial.Beam("n1", "n3", section, y_axis=(0, 0, 1)),
            "e2": spatial.Beam("e1.q", "n5", section, y_axis=(0, 0, 1)),
        },
        fixed=["e1.p"],
        loads={"n5.y": 20.0, "n5.z": -20.0},
    )


def two_hinges() -> fx.Model:
    """Arm with two hinges in space: the first driven, the second a damped spring."""
    return fx.Model(
        nodes={"n3": (0, 0, 0), "n4": (0.5, 0, 0), "n7": (0.9, 0, 0)},
        elements={
            "e1": spatial.Hinge("n3", "e2.p", axis=(0, 0, 1)),
            "e2": spatial.Beam("n3", "n4", fx.Section(rhoA=2.0), rigid=True),
            "e3": spatial.Hinge("e2.q", "e4.p", axis=(0, 1, 0), k=40.0, c=0.2),
            "e4": spatial.Beam("n4", "n7", fx.Section(rhoA=1.0), rigid=True),
            "b7": spatial.Body("e4.q", 1.5, Jxx=0.01, Jyy=0.02, Jzz=0.02),
        },
        fixed=["n3", "e1.p"],
        inputs={"e1.rotation": fx.Ramp(rate=1.5)},
        start={"e3.rotation": 0.2},
        gravity=(0, 0, -9.81),
    )


def leaf_springs() -> fx.Model:
    """Parallel guide of two leaf springs with a rigid bridge; the load grows with t from 0 to 1."""
    leaf = fx.Section(EA=4e6, GIt=0.1273, EIy=0.083333, EIz=533.33, rhoA=0.156, rhoIy=3.25e-9, rhoIz=2.08e-5)
    up = (0, 0, 1)
    return fx.Model(
        nodes={"n1": (0, 0, 0), "n4": (0, 0.08, 0), "n7": (0.06, 0.08, 0), "n10": (0.06, 0, 0)},
        elements={
            "e1": spatial.Beam("n1", "n4", leaf, y_axis=up),
            "e3": spatial.Beam("e1.q", "n7", fx.Section(EA=inf, rhoA=1.2), y_axis=up, rigid=True),
            "e2": spatial.Beam("n10", "e3.q", leaf, y_axis=up),
            "m4": spatial.Mass("n4", 0.1),
        },
        fixed=["e1.p", "e2.p"],
        loads={"n7.x": fx.Ramp(rate=5.0)},
    )
