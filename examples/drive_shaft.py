"""Drive shaft between two Cardan joints.

Input and output rotate at the same constant speed, but the speed of the shaft between them, at 30°, varies. The
joints twist and bend the shaft twice per revolution, and the torque bends it too. In some ranges of speed the
vibrations are unstable: between 0.6465 and 0.6799 of the first bending frequency with twice the period of half a
revolution (a fold over a full revolution), and between 0.7849 and 0.9194 with an independent frequency
(Neimark–Sacker). The case is that of [Schwab2002, section 4.4.4]: 1 % of critical damping in bending and in torsion.
"""

from math import pi, sqrt

import numpy as np

import flexura as fx
from flexura.results.stability import Stability
from flexura.spatial import Beam, Body, Hinge

BENDING = 765.712653
RATE = "inputs.drive.rotation.rate"
SOURCE = 0.646509

c, s = sqrt(0.75), 0.5
steel = fx.Section(
    EI=133596.2276,
    GIt=102766.3289,
    rhoA=22.1953521,
    rhoIy=0.004993954222,
    rhoIz=0.004993954222,
    damping=2.611945869e-05,
)
twist = fx.LinearLaw(k=822130.6313, c=30.36826634)
options = {"y_axis": (-s, c, 0.0), "rotary": "lumped", "second_order": False}

model = fx.Model(
    title="Drive shaft",
    nodes={"A": (0, 0, 0), "M": (c / 2, s / 2, 0), "B": (c, s, 0), "ground": (c, s, 0)},
    elements={
        "drive": Hinge("A", "pin_1.p", axis=(1, 0, 0)),
        "pin_1": Hinge("A", "pin_2.p", axis=(0, 0, 1)),
        "pin_2": Hinge("A", "left.p", axis=(-s, c, 0)),
        "left": Beam("A", "M", steel, **options),
        "right": Beam("left.q", "B", steel, **options),
        "pin_3": Hinge("right.q", "pin_4.p", axis=(-s, c, 0)),
        "pin_4": Hinge("B", "flywheel.p", axis=(0, 0, 1)),
        "flywheel": Body("B", 0.0, Jxx=0.345555, Jyy=0.2, Jzz=0.2),
        "output": Hinge("ground", "flywheel.p", axis=(1, 0, 0)),
    },
    fixed=["drive.p", "output.p", "B.y", "B.z"],
    inputs={"drive.rotation": fx.Ramp(rate=382.8563)},
    loads={"flywheel.p.about_x": -1060.288},
    laws={"left.torsion": twist, "right.torsion": twist},
)


def compute() -> tuple[Stability, float]:
    """The growth of vibrations over the speed, and the speed above which they grow first."""
    found = fx.stability(model, RATE, np.linspace(0.6, 0.96, 31) * BENDING, positions=64)
    return found, found.limits[0].value / BENDING


if __name__ == "__main__":
    found, limit = compute()
    print(f"first limit of stability: {limit:.6f} of the bending frequency (source {SOURCE})")
    found.plot(path="drive_shaft.png")
    found.plot_exponents(path="drive_shaft_exponents.png")
    swept = fx.sweep(model, RATE, np.linspace(0.2, 0.98, 79) * BENDING)
    swept.plot("left.bending_z_q", "left.torsion", logarithmic=True, path="drive_shaft_amplitude.png")
    swept.plot_harmonics("left.bending_z_q", 7, logarithmic=True, path="drive_shaft_harmonics.png")
    swept.plot_harmonics("left.torsion", 6, logarithmic=True, path="drive_shaft_harmonics_of_twist.png")
    vibration = fx.periodic(model, period=4 * pi / BENDING)
    vibration.plot("left.bending_z_q", "left.torsion", "drive.rotation.force", path="drive_shaft_period.png")
