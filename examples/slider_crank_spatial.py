"""Spatial slider-crank with a guide at 25° to the plane of the crank.

The rod has a ball joint at the crank and a yoke with two hinges at the slider. This is the machine of [Deck1992],
whose appendix E gives its positions in closed form. The yoke extends downwards from the rod to the slider: with the
printed sign the loop does not close. The crank rotates at a constant speed, and kinematics gives all forces.
"""

from math import cos, pi, sin, sqrt

import flexura as fx
from flexura.spatial import Beam, Body, Hinge, Slider

INCH = 0.0254
CRANK, ROD, YOKE = 2 * INCH, 9 * INCH, 2.45 * INCH
c, s = 0.906307787037, 0.422618261741  # cosine and sine of 25°


def travel(angle: float) -> float:
    """The distance of the slider along its guide at an angle of the crank [Deck1992, appendix E]."""
    x, y = CRANK * cos(angle), CRANK * sin(angle)
    return c * x + sqrt((c * x) ** 2 + ROD**2 - CRANK**2 - 2 * YOKE * y)


SOURCE = travel(pi / 3)
ahead = travel(0.0)
link = fx.Section(rhoA=0.25)

model = fx.Model(
    title="Spatial slider-crank",
    nodes={
        "O": (0, 0, 0),
        "A": (CRANK, 0, 0),
        "B": (c * ahead, 0, s * ahead),
        "C": (c * ahead, -YOKE, s * ahead),
        "G": (0, -YOKE, 0),
    },
    elements={
        "motor": Hinge("O", "crank.p", axis=(0, 0, 1)),
        "crank": Beam("O", "A", link, rigid=True),
        "rod": Beam("A", "B", link, rigid=True),
        "pin": Hinge("rod.q", "yoke.p", axis=(0, 1, 0)),
        "yoke": Beam("B", "C", link, rigid=True),
        "cross_pin": Hinge("yoke.q", "slider.p", axis=(-s, 0, c)),
        "slider": Body("C", 0.1117, Jxx=3e-5, Jyy=4e-5, Jzz=3e-5),
        "guide": Slider("G", "slider.p", direction=(c, 0, s)),
    },
    fixed=["motor.p", "guide.p"],
    inputs={"motor.rotation": fx.Ramp(rate=20.0)},
    gravity=(0, -9.81, 0),
)


def compute() -> tuple[fx.Motion, float]:
    """One revolution, and the position of the slider at a crank angle of 60°."""
    motion = fx.kinematics(model, [2 * pi / 20.0 * i / 360 for i in range(361)])
    return motion, ahead + motion["guide.travel"][60]


if __name__ == "__main__":
    motion, place = compute()
    print(f"place of the slider at 60°: {place:.8f} m (source {SOURCE:.8f})")
    motion.plot_poses(6, path="slider_crank_spatial_poses.png")
    motion.plot("guide.travel'", "rod.elongation.force", "motor.rotation.force", path="slider_crank_spatial.png")
