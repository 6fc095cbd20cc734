"""Steel beam that is shaken between two stops: peak forces by modes below 5 kHz.

The beam hangs on a flexure at one end. A shaker with the mass of its coil and a soft suspension drives it with ±2 lbf
at 5 Hz, and its other end strikes two stops with a clearance of ±0.010 in. This is the impact beam system of [Deck1992]
on a rigid base. The source finds a peak of 11.1 lbf, and 8 and 14.6 lbf for ±0.005 and ±0.020 in. Its structural
damping is not stated: the beam is damped in proportion to its stiffness, 2e-5 s, and by dashpots in proportion to the
mass, 10/s. The peak is that of the third period.
"""

from math import pi

import numpy as np

import flexura as fx
from flexura.planar import Beam, Bearing, Mass, PinSlot
from flexura.results.small_motion import SmallMotion

INCH, POUND = 0.0254, 4.4482216
STIFFNESS = POUND / INCH  # lbf/in, and lbf·s²/in as a mass
PERIOD, CLEARANCE, SOURCE = 0.2, 0.010 * INCH, 11.1
ALPHA, BETA = 10.0, 2e-5
PLACES = (0.155, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10.75, 11.155)
SHAKER, TIP = 8, 11

steel = fx.Section(EI=3.0e7 * 9.77e-4 * POUND * INCH**2, rhoA=7.25e-4 * 0.188 * STIFFNESS / INCH, damping=BETA)
coil = 3.71e-4 * STIFFNESS
stop = fx.KelvinVoigt(8.4e4 * STIFFNESS, 0.112 * STIFFNESS)


def end(number: int) -> str:
    """End of a beam at one of the places."""
    return f"beam_{number + 1}.p" if number < len(PLACES) - 1 else f"beam_{number}.q"


def dashpot(number: int) -> Bearing:
    """Damping in proportion to the mass of half of the beams on both sides."""
    around = PLACES[min(number + 1, len(PLACES) - 1)] - PLACES[max(number - 1, 0)]
    return Bearing("mount.p", end(number), kx=0.0, ky=0.0, cy=ALPHA * steel.rhoA * around * INCH / 2)


model = fx.Model(
    title="Impact beam",
    nodes={"O": (PLACES[0] * INCH, 0), "W": (PLACES[TIP] * INCH, 0)}
    | {f"B{k}": (x * INCH, 0) for k, x in enumerate(PLACES)},
    elements={
        "mount": Bearing(
            "O",
            "beam_1.p",
            ky=204 * STIFFNESS,
            kt=1.64 * POUND * INCH,
            cy=BETA * 204 * STIFFNESS,
            ct=BETA * 1.64 * POUND * INCH,
        ),
        **{f"beam_{k}": Beam(f"beam_{k - 1}.q" if k > 1 else "B0", f"B{k}", steel) for k in range(1, len(PLACES))},
        "coil": Mass(f"B{SHAKER}", coil),
        "suspension": Bearing(
            "mount.p", end(SHAKER), kx=0.0, ky=16.3 * STIFFNESS, cy=BETA * 16.3 * STIFFNESS + ALPHA * coil
        ),
        **{f"dashpot_{k}": dashpot(k) for k in range(len(PLACES))},
        "stops": PinSlot("W", f"B{TIP}", 1.0, 2 * CLEARANCE, stop, stop),
    },
    fixed=["O", "mount.p", "W"],
    loads={f"B{SHAKER}.y": fx.Sine(amplitude=2 * POUND, frequency=2 * pi / PERIOD)},
)


def peak(found: SmallMotion | fx.Motion) -> float:
    """The largest force of a stop in the third period, lbf."""
    settled = found.t >= 2 * PERIOD
    return float(np.max([found.force("stops.left")[settled], found.force("stops.right")[settled]]) / POUND)


def compute() -> tuple[SmallMotion, float]:
    """Three periods of the shaker, and the peak force."""
    small = fx.superpose(model, 3 * PERIOD, period=PERIOD, samples=60001, below=5000.0)
    return small, peak(small)


if __name__ == "__main__":
    small, force = compute()
    print(f"peak force at ±0.010 in: {force:.2f} lbf (source {SOURCE})")
    for clearance, source in ((0.005, 8.0), (0.020, 14.6)):
        other = model.with_parameter("elements.stops.slot_width", 2 * clearance * INCH)
        found = fx.superpose(other, 3 * PERIOD, period=PERIOD, samples=60001, below=5000.0)
        print(f"peak force at ±{clearance:.3f} in: {peak(found):.2f} lbf (source {source})")
    small.plot(f"B{TIP}.y", "stops.left.force", "stops.right.force", path="impact_beam.png")
