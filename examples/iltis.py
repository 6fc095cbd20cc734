"""Steering manoeuvre of a cross-country car.

The Bombardier Iltis is a benchmark of vehicle dynamics [Kortum1993], [Schwab2002]. Each wheel is suspended by a lower
arm, a rod with a leaf spring above it, a shock absorber and a track rod. While the car coasts at 30 m/s, its steering
rack moves by 2 mm within half a second. The reference value is the largest yaw rate on Calspan tyres, from a public
Robotran model.
"""

from dataclasses import replace
from math import hypot

import matplotlib.pyplot as plt

import flexura as fx
from flexura.spatial import Bearing, Body, Hinge, Slider, Truss, Tyre

SOURCE = 0.103026

SPEED, HEIGHT = 30.0, 0.57
CORNERS = {"fl": (0.97, 1, 1), "fr": (0.97, -1, 1), "rl": (-1.047, 1, -1), "rr": (-1.047, -1, -1)}
"""Where each axle is, its side, and whether it points forwards: the rear suspension is a mirror image."""
RADIUS = {"fl": 0.364325, "fr": 0.364325, "rl": 0.363812, "rr": 0.363812}
POINTS = {
    "A": (0.0, 0.259, -0.268),  # lower arm: hinge, and joint with the carrier of the wheel
    "L": (0.0, 0.572, -0.341),
    "I": (0.0, 0.1585, 0.03),  # rod of the leaf spring, inside and outside
    "U": (0.0, 0.488, -0.039),
    "J": (-0.14, 0.07, 0.03),  # track rod, inside and outside
    "K": (-0.14, 0.448, -0.039),
    "T": (0.075, 0.297, 0.062),  # shock absorber, above on the cabin and below on the arm
    "B": (0.075, 0.5, -0.329),
    "W": (0.0, 0.615, -0.214),  # hub
}
CALSPAN = fx.Calspan(2625.0, 14.47, 12930.0, 2.29, 18175.0, -0.464e-4, 1.216, 2.18e-11, 1.0274, -0.171e-4, 0.171e-4)
LEAF = "35906*min(e + 0.076, 0.146) + 1e7*max(e - 0.07, 0)"
SHOCK = (
    "-4.0092e6 + 2.8397e7*(e + 0.44055647) - 6.7061e7*(e + 0.44055647)^2 + 5.2796e7*(e + 0.44055647)^3"
    " + step(-0.2 - v)*(-416.42 + 1844.3*v) + step(v - 0.21)*(1919.1638 + 1634.727*v)"
    " + step(v + 0.2)*step(0.21 - v)*(9945.627*v + 33955.72*v^2 - 59832.25*v^3 - 395651*v^4)"
)
AT_REST = {"C.x": 0.0, "C.y": 0.0, "C.z": 0.562916796, "cabin.p": fx.Rotation(vector=(0.0, 0.002557478, 0.0))}
AT_REST |= {f"leaf_{c}.across_z": 0.009462457 if c[0] == "f" else 0.004362822 for c in CORNERS}
"""The equilibrium with the load below the centres of the wheels, as the benchmark has it at rest."""
RATES = ["C.y'", "C.z'", *(f"cabin.p.about_{axis}'" for axis in "xyz"), *(f"leaf_{c}.across_z'" for c in CORNERS)]
STRAIGHT = dict.fromkeys(RATES, 0.0)
"""Rates of straight motion, but that ahead."""


def suspension(corner: str) -> dict[str, object]:
    """The elements of a wheel and its suspension."""
    _, side, _ = CORNERS[corner]
    a, b, i, j, k, l, t, u, w = (f"{point}_{corner}" for point in "ABIJKLTUW")
    # the arm's inertia, turned from its own axes to those of space
    c, s = 0.313 / hypot(0.313, 0.073), side * -0.073 / hypot(0.313, 0.073)
    along, across = 0.023235, 0.068864
    tensor = {
        "Jyy": round(along * c * c + across * s * s, 9),
        "Jzz": round(along * s * s + across * c * c, 9),
        "Jyz": round((along - across) * c * s, 9),
    }
    middle = (0.0, side * 0.1565, -0.0365)
    return {
        f"arm_{corner}": Body(a, 6.0, Jxx=0.052099, **tensor, centre=middle, points=(l, b)),
        f"hinge_{corner}": Hinge("cabin.p", f"arm_{corner}.p", axis=(1, 0, 0)),
        f"carrier_{corner}": Body(u, 0.0, points=(l, k, w)),
        f"rod_{corner}": Truss(i, u, fx.Section(), rigid=True),
        f"leaf_{corner}": Bearing("cabin.p", f"carrier_{corner}.p", y_axis=(0, 1, 0), ky=0.0, kz=0.0),
        f"track_{corner}": Truss(j, k, fx.Section(), rigid=True),
        f"shock_{corner}": Truss(t, b, fx.Section(EA=0.0)),
        f"wheel_{corner}": Body(w, 57.35, Jxx=1.2402, Jyy=1.908, Jzz=1.2402),
        f"axle_{corner}": Hinge(f"carrier_{corner}.p", f"wheel_{corner}.p", axis=(0, 1, 0)),
        f"tyre_{corner}": Tyre(f"wheel_{corner}.p", "road", RADIUS[corner], 460000.0, CALSPAN),
    }


nodes = {"C": (0.0, 0.0, HEIGHT), "R": (0.83, 0.0, 0.6), "road": (0.0, 0.0, 0.0)}
for corner, (x, side, fore) in CORNERS.items():
    nodes |= {
        f"{point}_{corner}": (round(x + fore * along, 6), side * across, round(HEIGHT + up, 6))
        for point, (along, across, up) in POINTS.items()
    }
inside = tuple(f"{point}_{corner}" for corner in CORNERS for point in ("AIT" if corner[0] == "f" else "AITJ"))

model = fx.Model(
    title="Iltis",
    nodes=nodes,
    elements={
        "cabin": Body("C", 1260.0, Jxx=130.0, Jyy=1620.0, Jzz=1670.0, points=inside),
        "rack": Body("R", 0.0, points=("J_fl", "J_fr")),
        "guide": Slider("cabin.p", "rack.p", direction=(0, 1, 0)),
        **{name: element for corner in CORNERS for name, element in suspension(corner).items()},
    },
    laws={f"leaf_{corner}.across_z": LEAF for corner in CORNERS}
    | {f"shock_{corner}.elongation": SHOCK for corner in CORNERS},
    fixed=[f"tyre_{corner}.g" for corner in CORNERS],
    # the benchmark lets the wheels turn steadily, and no force act along
    released=[f"tyre_{corner}.along" for corner in CORNERS],
    inputs={"guide.travel": "min(0.004*t, 0.002)"}
    | {f"axle_{corner}.rotation": fx.Ramp(round(SPEED / RADIUS[corner], 9)) for corner in CORNERS},
    start={**AT_REST, "C.x'": SPEED, **STRAIGHT},
    gravity=(0, 0, -9.81),
)


def standing() -> fx.Model:
    """At rest, with the load straight below the centres of the wheels: what rolls may still roll."""
    changed = model.replace(fixed=[*model.fixed, "C.x", "C.y", "R.y", "guide.travel"], released=(), inputs={}, start={})
    for corner, radius in RADIUS.items():
        changed = changed.with_parameter(f"elements.tyre_{corner}.crown", radius)
    return changed


def simplified() -> fx.Model:
    """With tyres that neither camber nor align, as in the source's simplified model."""
    changed = model
    for corner in CORNERS:
        changed = changed.with_parameter(f"elements.tyre_{corner}.law", replace(CALSPAN, A3=0.0, AF1=0.0, AF2=0.0))
    return changed


def without_slip() -> fx.Model:
    """Without side slip of a wheel in front and one at the rear; the others make no side force.

    Where all four are held, the wheels of an axle that do not head alike have to work against each other.
    """
    changed = model.replace(fixed=[*model.fixed, "tyre_fl.across", "tyre_rl.across"], start={"C.x'": SPEED, **STRAIGHT})
    for corner in CORNERS:
        changed = changed.with_parameter(f"elements.tyre_{corner}.law", fx.Cornering(0.0))
    return changed


def compute() -> tuple[fx.Motion, float]:
    """The car as it is steered, and its largest yaw rate."""
    motion = fx.simulate(model, until=1.0, samples=201)
    return motion, float(abs(motion["cabin.p.about_z'"]).max())


if __name__ == "__main__":
    motion, rate = compute()
    print(f"largest yaw rate: {rate:.6f} rad/s (source {SOURCE:.6f})")
    figure, ax = plt.subplots(figsize=(7.0, 4.0), layout="constrained")
    cases = {"Calspan tyres": model, "no camber, no moment": simplified(), "no side slip": without_slip()}
    for (name, case), style in zip(cases.items(), ("-", "-.", "--"), strict=True):
        ride = fx.simulate(case, until=5.0, samples=251)
        ax.plot(ride.t, -ride["cabin.p.about_z'"], style, color="#0a6ab4", label=name)
    ax.set(xlabel="t [s]", ylabel="yaw rate to the right [rad/s]", xlim=(0, 5), title="Iltis at 30 m/s")
    ax.legend(frameon=False)
    figure.savefig("iltis.png", dpi=150)
    fx.equilibrium(standing()).plot(path="iltis_car.png", names=False)
