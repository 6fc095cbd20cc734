"""Fast slider-crank with impacts in the gudgeon pin.

The pin has a radial clearance of half a millimetre in the slider, and a coefficient of restitution of 0.95. When its
rebound becomes negligible it stays in contact until the contact force vanishes. The case is that of [Schwab2002,
section 5.4.2], after Ravn; the reference value is the impulse of the first impact in N·s, from an independent
computation. Impacts are instantaneous and have no finite force: the peak acceleration of the slider and the peak
torque on the crank are estimated from the stiffness of the surfaces and drawn as lines. The last figure is a
bifurcation diagram over sixty values of the clearance.
"""

import numpy as np

import flexura as fx
from flexura.planar import Beam, Clearance, Mass
from flexura.plotting import curves

SOURCE = 1.241092
SPEED = 523.6
UNTIL = 4 * np.pi / SPEED
METHOD = fx.DormandPrince(tolerance=1e-10)

model = fx.Model(
    title="Impacts in the gudgeon pin",
    nodes={"O": (0, 0), "A": (0.05, 0), "B": (0.17, 0), "C": (0.17, 0)},
    elements={
        "crank": Beam("O", "A", fx.Section(), rigid=True),
        "rod": Beam("A", "B", fx.Section(rhoA=0.145 / 0.12), rigid=True),
        "pin": Clearance("C", "rod.q", clearance=0.5e-3, contact=fx.Restitution(0.95, k=65.8e9)),
        "slider": Mass("C", 0.145),
    },
    fixed=["O", "C.y"],
    inputs={"crank.p.phi": fx.Ramp(rate=SPEED)},
    start={"pin.along'": 0.0, "pin.across'": 0.0},
)


def compute() -> tuple[fx.Motion, float]:
    """Two revolutions, and the impulse of the first impact."""
    motion = fx.simulate(model, until=UNTIL, samples=4001, method=METHOD)
    return motion, motion.impacts[0].impulse


def peaks(motion: fx.Motion) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """When impacts are, and what the contact force at its greatest adds to the slider's acceleration and the torque.

    Forces in an impact are to each other as their impulses. The impulse of the slider is in the step of its velocity,
    that of the crank in its work, which is impulse times speed.
    """
    at = np.array([impact.time for impact in motion.impacts])
    near = fx.simulate(model, times=np.sort([*at, *(at + 1e-13)]).tolist(), method=METHOD)
    force = np.array([impact.force / impact.impulse for impact in near.impacts])
    before, after = slice(0, None, 2), slice(1, None, 2)
    velocity, work = near["C.x'"], near.energy["work"]
    return at, force * (velocity[after] - velocity[before]), force * (work[after] - work[before]) / SPEED


def lines(at: np.ndarray, height: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Upright lines, with nothing between them."""
    gone = np.full(at.size, np.nan)
    return np.column_stack([at, at, gone]).ravel(), np.column_stack([0.0 * at, height, gone]).ravel()


if __name__ == "__main__":
    motion, impulse = compute()
    print(f"first impulse: {impulse:.6f} N·s (source {SOURCE})")
    print(f"first force, estimated: {motion.impacts[0].force:.0f} N")
    motion.plot("C.x'", "C.x''", "crank.p.phi.force", path="ravn_impact.png")
    motion.plot_journal("pin", marks=400, path="ravn_impact_path.png")

    # effects of the impacts, the motion between them, and the ideal joint
    tight = model.with_parameter("elements.pin.contact", fx.KelvinVoigt(1e9))
    tight = tight.replace(fixed=[*model.fixed, "pin.along", "pin.across"], start={})
    ideal, turn = fx.kinematics(tight, motion.t), SPEED / (2 * np.pi)
    at, acceleration, torque = peaks(motion)
    for signal, height, unit, words, path in (
        ("C.x''", acceleration, 1e-3, "acceleration of the slider [km/s²]", "ravn_impact_acceleration.png"),
        ("crank.p.phi.force", torque, 1e-3, "torque on the crank [kN·m]", "ravn_impact_torque.png"),
    ):
        curves(
            {
                "between impacts": (turn * motion.t, unit * motion[signal]),
                "in impacts, estimated": lines(turn * at, unit * height),
                "ideal joint": (turn * motion.t, unit * ideal[signal]),
            },
            "turns of the crank",
            words,
            model.title,
            guides=["ideal joint"],
            path=path,
        )

    diagram = fx.bifurcation(
        model,
        "elements.pin.clearance",
        np.linspace(2e-5, 1e-3, 60),
        period=2 * np.pi / SPEED,
        skip=10,
        periods=15,
        method=fx.DormandPrince(tolerance=1e-6),
        workers=2,
    )
    diagram.plot("C.x'", path="ravn_impact_clearances.png")
