"""Spatial slider-crank with clearance in its ball joint and in its guide, at 200 rpm.

The rod has a ball in a socket at the crank and a yoke with two hinges at the slider, which slides on a square rod on
eight tips. This is the machine of [Deck1992] in its planar setting, with clearances of ±0.0025 in. The source finds
peaks of 2.4 lbf in the guide and 4.4 lbf in the ball joint and no impacts; its structural damping is not stated. The
machine rattles for two to five revolutions, as rounding decides, and then settles.
"""

from math import pi

import numpy as np

import flexura as fx
from flexura.spatial import BallSocket, Beam, Body, Guide, Hinge, Mass

INCH, POUND = 0.0254, 4.4482216
CRANK, ROD, YOKE, PLAY = 2 * INCH, 9 * INCH, 2.45 * INCH, 0.0025 * INCH
SPEED = 200 * pi / 30
SOURCE = 4.4
stiffness, mass, inertia = POUND / INCH, POUND / INCH, POUND * INCH  # lbf/in, lbf·s²/in, lbf·s²·in
ahead, tip, turning = CRANK + ROD, SPEED * CRANK, -SPEED * CRANK / ROD

rod = fx.Section(EI=2.068e11 * pi * (0.25 * INCH) ** 4 / 64, rhoA=7833 * pi * (0.25 * INCH) ** 2 / 4, damping=2e-4)
model = fx.Model(
    title="Slider-crank with clearances",
    nodes={
        "O": (0, 0, 0),
        "A": (CRANK, 0, 0),
        "R": (CRANK, 0, 0),
        "B": (ahead, 0, 0),
        "C": (ahead, -YOKE, 0),
        "G": (ahead, -YOKE, 0),
    },
    elements={
        "motor": Hinge("O", "crank.p", axis=(0, 0, 1)),
        "crank": Beam("O", "A", fx.Section(rhoA=0.1), rigid=True),
        "socket": BallSocket("A", "R", PLAY, fx.KelvinVoigt(1.6e5 * stiffness, 0.25 * stiffness)),
        "housing": Mass("R", 4.0e-4 * mass),
        "rod": Beam("R", "B", rod),
        "pin": Hinge("rod.q", "yoke.p", axis=(0, 1, 0)),
        "yoke": Body(
            "B",
            2.205e-3 * mass,
            3.209e-3 * inertia,
            2.230e-3 * inertia,
            1.430e-3 * inertia,
            centre=(0, -1.594 * INCH, 0),
            points=("C",),
        ),
        "cross_pin": Hinge("yoke.p", "slider.p", axis=(0, 0, 1)),
        "slider": Body("C", 6.38e-4 * mass, 3.45e-4 * inertia, 2.77e-4 * inertia, 2.77e-4 * inertia),
        "bench": Body("G", 1.0),
        "guide": Guide(
            "bench.p",
            "slider.p",
            width=0.5 * INCH,
            span=0.65 * INCH,
            clearance=PLAY,
            contact=fx.KelvinVoigt(8.2e4 * stiffness, 0.29 * stiffness),
            friction=fx.Friction(0.1, 0.1 * INCH, form="ramp"),
            offset=0.15 * INCH,
            y_axis=(0, 1, 0),
        ),
    },
    fixed=["motor.p", "G", "bench.p"],
    inputs={"motor.rotation": fx.Ramp(rate=SPEED)},
    start={
        # as without clearance, and in contact: the rod pulls at the crank, the slider rests on the guide
        "R.y'": tip,
        "C.x'": -tip * YOKE / ROD,
        "rod.p.about_z'": turning,
        "rod.q.about_z'": turning,
        "yoke.p.about_z'": turning,
        "R.x": CRANK + PLAY,
        "B.x": ahead + PLAY,
        "B.y": -PLAY,
        "C.x": ahead + PLAY,
        "C.y": -YOKE - PLAY,
    },
    gravity=(0, -386.1 * INCH, 0),
)


def compute() -> tuple[fx.Motion, float]:
    """Eight revolutions, and the peak force in the ball joint in the last of them, lbf."""
    turn = 2 * pi / SPEED
    motion = fx.simulate(model, 8 * turn, samples=8001, method=fx.DormandPrince(tolerance=1e-5))
    return motion, fx.contact_phases(motion, "socket.gap", after=7 * turn).peak / POUND


if __name__ == "__main__":
    motion, peak = compute()
    ends = ("far", "near")
    weight = sum(motion.force(f"guide.top_{end}") - motion.force(f"guide.bottom_{end}") for end in ends)
    settled = motion.t >= 14 * pi / SPEED
    print(f"peak force in the ball joint: {peak:.3f} lbf (source {SOURCE})")
    print(f"peak force in the guide: {np.abs(weight[settled]).max() / POUND:.3f} lbf (source 2.4)")
    motion.plot("socket.gap.force", "guide.top_far.force", "C.x'", path="slider_crank_loose.png")
