"""Cross-country car that is steered.

The Bombardier Iltis, benchmark of the vehicle dynamicists [Kortum1993]: a cabin on four wheels with independent suspension by
lower arms, upper leaf springs with rods, shock absorbers and track rods, on Calspan tyres. At 30 m/s the steering rack is moved
2 mm aside within half a second.
"""

import numpy as np

import flexura as fx
from flexura.spatial import Bearing, Body, Hinge, Slider, Truss, Tyre

SOURCE = 0.1030

rigid, spring = fx.Section(), fx.Section(EA=0.0)
calspan = fx.Calspan(
    A0=2625.0,
    A1=14.47,
    A2=12930.0,
    A3=2.29,
    A4=18175.0,
    B1=-0.464e-4,
    B3=1.216,
    B4=2.18e-11,
    SN=1.0274,
    AF1=-0.171e-4,
    AF2=0.171e-4,
)
leaf = "35906*min(e + 0.076, 0.146) + 1e7*max(e - 0.07, 0)"
shock = (
    "-4.0092e6 + 2.8397e7*(e + 0.4405564663014266) - 6.7061e7*(e + 0.4405564663014266)^2"
    " + 5.2796e7*(e + 0.4405564663014266)^3"
    " + step(-0.2 - v)*(-416.42 + 1844.3*v) + step(v - 0.21)*(1919.1638 + 1634.727*v)"
    " + (1 - step(-0.2 - v))*(1 - step(v - 0.21))*(9945.627*v + 33955.72*v^2 - 59832.25*v^3 - 395651*v^4)"
)
HEIGHT = 0.57


def corner(name, x, side, fore, radius, tie):
    """Nodes, elements and laws of a wheel and its suspension; ``fore`` is -1 at the rear, the mirror image."""

    def at(along, across, up):
        return (x + fore * along, side * across, HEIGHT + up)

    nodes = {
        "A": at(0, 0.259, -0.268),
        "L": at(0, 0.572, -0.341),
        "I": at(0, 0.1585, 0.03),
        "U": at(0, 0.488, -0.039),
        "J": at(-0.14, 0.07, 0.03),
        "K": at(-0.14, 0.448, -0.039),
        "T": at(0.075, 0.297, 0.062),
        "B": at(0.075, 0.500, -0.329),
        "W": at(0, 0.615, -0.214),
    }
    n = {key: f"{key}_{name}" for key in nodes}
    # the inertia of the arm along its own axes, turned to those of space
    y, z = 0.313, -0.073
    length = np.hypot(y, z)
    c, s = y / length, side * z / length
    Jyy, Jzz, Jyz = (
        0.023235 * c * c + 0.068864 * s * s,
        0.023235 * s * s + 0.068864 * c * c,
        (0.023235 - 0.068864) * c * s,
    )
    elements = {
        "arm": Body(n["A"], 6.0, Jxx=0.052099, Jyy=float(Jyy), Jzz=float(Jzz), Jyz=float(Jyz),
                    centre=(0, side * 0.1565, -0.0365), points=(n["L"], n["B"])),
        "hinge": Hinge("cabin.p", f"arm_{name}.p", axis=(1, 0, 0)),
        "carrier": Body(n["U"], 0.0, points=(n["L"], n["K"], n["W"])),
        "rod": Truss(n["I"], n["U"], rigid, rigid=True),
        "leaf": Bearing("cabin.p", f"carrier_{name}.p", axis=(1, 0, 0), across=(0, 1, 0), ky=0.0, kz=0.0),
        "tie": Truss(n["J"], n["K"], rigid, rigid=True),
        "shock": Truss(n["T"], n["B"], spring),
        "wheel": Body(n["W"], 57.35, Jxx=1.2402, Jyy=1.908, Jzz=1.2402),
        "axle": Hinge(f"carrier_{name}.p", f"wheel_{name}.p", axis=(0, 1, 0)),
        "tyre": Tyre(f"wheel_{name}.p", "G" if name == "fl" else "tyre_fl.g", radius, 460000.0, calspan),
    }
    laws = {f"leaf_{name}.across_z": leaf, f"shock_{name}.elongation": shock}
    return {n[k]: v for k, v in nodes.items()}, {f"{k}_{name}": v for k, v in elements.items()}, laws


def car():
    nodes, elements, laws = {"C": (0, 0, HEIGHT), "R": (0.83, 0, HEIGHT+0.03), "G": (0, 0, 0)}, {}, {}
    fixed_to = []
    for name, x, side, fore, radius in (
        ("fl", 0.97, 1, 1, 0.364325), ("fr", 0.97, -1, 1, 0.364325), ("rl", -1.047, 1, -1, 0.363812), ("rr", -1.047, -1, -1, 0.363812)
    ):
        a, b, c = corner(name, x, side, fore, radius, None)
        nodes |= a
        elements |= b
        laws |= c
        fixed_to += [f"A_{name}", f"I_{name}", f"T_{name}"] + ([f"J_{name}"] if fore < 0 else [])
    elements = {
        "cabin": Body("C", 1260.0, Jxx=130.0, Jyy=1620.0, Jzz=1670.0, points=tuple(fixed_to)),
        "rack": Body("R", 0.0, points=("J_fl", "J_fr")),
        "guide": Slider("cabin.p", "rack.p", direction=(0, 1, 0)),
    } | elements
    return fx.Model(title="Iltis", nodes=nodes, elements=elements, laws=laws, gravity=(0, 0, -9.81), fixed=["tyre_fl.g"],
      inputs={"guide.travel": "min(0.004*t, 0.002)"}, start={"C.x'": 30.0})

model = car()
if __name__ == "__main__":
    print(model)
