"""Fast slider-crank with clearance in the gudgeon pin.

The pin has a radial clearance of half a millimetre in the slider, with a Hertzian contact of steel surfaces. At 5000
revolutions per minute the velocity of the slider has steps, and the torque that keeps the speed of the crank constant
has peaks of ten times the torque of the ideal mechanism. The data are those of [Schwab2002, section 5.4], after Ravn;
the reference value is the angle of the crank at the first impact, from an independent computation.
"""

from math import degrees, pi

import numpy as np

import flexura as fx
from flexura.planar import Beam, Clearance, Mass
from flexura.plotting import curves

SPEED, CLEARANCE = 523.6, 0.5e-3
TURN = 2 * pi / SPEED
SOURCE = 6.818576

steel = fx.Material(E=2.06e11, rho=7850.0)
contact = fx.Hertz(
    radii=(9.5e-3, -10e-3), materials=(steel, steel), restitution=0.95, dissipation="lankarani_nikravesh"
)

model = fx.Model(
    title="Gudgeon pin with clearance",
    nodes={"O": (0, 0), "A": (0.05, 0), "B": (0.17, 0), "C": (0.17, 0)},
    elements={
        "crank": Beam("O", "A", fx.Section(), rigid=True),
        "rod": Beam("A", "B", fx.Section(rhoA=1.2083333333333333), rigid=True),
        "pin": Clearance("C", "rod.q", clearance=CLEARANCE, contact=contact),
        "slider": Mass("C", 0.145),
    },
    fixed=["O", "C.y"],
    inputs={"crank.p.phi": fx.Ramp(rate=SPEED)},
    # the journal is at rest in the sleeve
    start={"pin.along'": 0.0, "pin.across'": 0.0},
)


def compute() -> tuple[fx.Motion, float]:
    """Two revolutions, and the angle in ° of the first contact."""
    motion = fx.simulate(model, until=2 * TURN, samples=24001, events=[fx.Event("pin.gap", direction=-1)])
    return motion, degrees(SPEED * motion.events[0].time)


if __name__ == "__main__":
    motion, angle = compute()
    print(f"the pin hits its wall first at {angle:.6f}° (source {SOURCE}°)")
    motion.plot("C.x'", "C.x''", "crank.p.phi.force", path="ravn_hertz.png")
    motion.plot_journal("pin", marks=400, path="ravn_hertz_path.png")

    # fifty starts that differ by a micrometre: the peaks are a matter of chance, their spread is not
    random, times = np.random.default_rng(1), [0.0, *np.linspace(4 * TURN, 6 * TURN, 8001)]
    peaks = []
    for _ in range(50):
        x, y = random.uniform(-1e-6, 1e-6, 2)
        begin = {**model.start, "pin.along": float(x), "pin.across": float(y)}
        late = fx.simulate(model.replace(start=begin), times=times)
        peaks.append((np.abs(late["C.x''"][1:]).max(), np.abs(late.force("crank.p.phi")[1:]).max()))
    rank = (np.arange(50) + 0.5) / 50
    acceleration, torque = np.sort(np.array(peaks), axis=0).T
    curves(
        {
            "acceleration / 180 km/s²": (acceleration / 180e3, rank),
            "torque / 1.35 kNm": (torque / 1350.0, rank),
            "the source's": ([1.0, 1.0], [0.0, 1.0]),
        },
        "largest in two turns, by that of the source",
        "part of fifty starts below it",
        model.title,
        guides=["the source's"],
        path="ravn_hertz_spread.png",
    )
