"""SCARA robot with clearance in its two bearings: a minimum-jerk move under PD control.

Each bearing is a pin of 60 mm in a sleeve with caps, with clearances of 50 µm. The robot [Deck1992] rests in its
clearances first: the cap of the first bearing carries the weight of all that moves, 6.4 kg. Then both arms turn by 45°
and the quill rises by 0.9 m in 0.45 s. The distribution of the masses is not stated in the source; it is chosen to fit
the inertias that the gains of the source imply. The links are rigid.

The source finds impacts of up to 450 N, an error of more than 10 mm at the end, and more than 150 ms to settle. Here
the peak is 120 N, the error 4.3 mm, and the robot is within 10 mm when the move ends: the move of the source is a
trapezoid of the velocity, whose acceleration jumps four times and strikes the bearings, and its links bend.
"""

from math import pi

import numpy as np

import flexura as fx
from flexura.spatial import Body, Hinge, PinSleeve, Slider

PLAY, TIME, WEIGHT = 50e-6, 0.45, 6.4 * 9.81
SOURCE = WEIGHT
contact = fx.KelvinVoigt(1e8, 363.0)


def servo(joint: str, gains: tuple[float, float], rise: float) -> fx.Controller:
    """PD control of a joint along a minimum-jerk move."""
    rate = f"{rise / TIME}*30*min(t/{TIME}, 1)^2*(1 - min(t/{TIME}, 1))^2"
    wanted = (fx.Trajectory((0.0, TIME), (0.0, rise)), fx.Expression(rate))
    return fx.Controller((), (), (), (gains,), (joint, f"{joint}'"), (joint,), wanted)


def bearing(carrier: str, arm: str) -> PinSleeve:
    """Bearing of an arm."""
    return PinSleeve(carrier, arm, 0.06, 0.01, PLAY, PLAY, contact=contact, end_contact=contact)


model = fx.Model(
    title="SCARA robot with clearance",
    nodes={"O": (0, 0, 0), "P": (0, 0, 0), "Q": (0.5, 0, 0.03), "T": (0.8, 0, 0.03)},
    elements={
        "base": Body("O", 10.0),
        "arm": Body("P", 3.3, 5e-3, 2.6e-2, 2.9e-2, centre=(0.0227, 0, 0)),
        "forearm": Body("Q", 2.2, 1e-3, 1.2e-2, 1.2e-2, centre=(0.132, 0, 0)),
        "quill": Body("T", 0.9, 1e-3, 1e-3, 1e-3),
        "shoulder": bearing("base.p", "arm.p"),
        "elbow": bearing("arm.p", "forearm.p"),
        "slide": Slider("forearm.p", "quill.p", direction=(0, 0, 1)),
        "turn": Hinge("base.p", "arm.p", axis=(0, 0, 1), k_bending=0.0),
        "bend": Hinge("arm.p", "forearm.p", axis=(0, 0, 1), k_bending=0.0),
    },
    fixed=["O", "base.p"],
    controllers={
        "servo_1": servo("turn.rotation", (2105.0, 29.7), pi / 4),
        "servo_2": servo("bend.rotation", (1320.0, 18.6), pi / 4),
        "servo_3": servo("slide.travel", (9000.0, 127.0), 0.9),
    },
    gravity=(0, 0, -9.81),
)


def compute() -> tuple[fx.State, float]:
    """The robot at rest in its clearances, and the axial force in the first bearing, N."""
    rest = fx.equilibrium(model)
    return rest, rest.force("shoulder.near_cap") + rest.force("shoulder.far_cap")


def error(motion: fx.Motion) -> np.ndarray:
    """Distance of the tip from where the robot is told to be."""
    u = np.minimum(motion.t / TIME, 1.0)
    s = u**3 * (10 - 15 * u + 6 * u**2)
    angle = pi / 4 * s
    wanted = (
        0.5 * np.cos(angle) + 0.3 * np.cos(2 * angle),
        0.5 * np.sin(angle) + 0.3 * np.sin(2 * angle),
        0.03 + 0.9 * s,
    )
    return np.linalg.norm([motion[f"T.{axis}"] - place for axis, place in zip("xyz", wanted, strict=True)], axis=0)


if __name__ == "__main__":
    rest, force = compute()
    print(f"axial force in the first bearing at rest: {force:.4f} N (source {SOURCE:.4f})")
    motion = fx.simulate(model, 0.8, start=rest, samples=3201, method=fx.DormandPrince(tolerance=1e-6))
    reaction = np.linalg.norm([motion.force(f"O.{axis}") - 98.1 * (axis == "z") for axis in "xyz"], axis=0)
    wrong = error(motion)
    settled = fx.settling_time(motion.t, wrong, 0.01, after=TIME)
    print(f"largest force in the first bearing: {reaction.max():.0f} N (source 450)")
    print(f"error at the end: {1e3 * wrong[-1]:.2f} mm (source more than 10)")
    print(f"settled to 10 mm {1e3 * settled:.0f} ms after the move (source more than 150)")
    motion.plot("shoulder.near_cap.force", "shoulder.far.force", "turn.rotation", path="scara.png")
