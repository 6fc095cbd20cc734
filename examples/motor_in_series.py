"""Slider-crank driven by a motor with its own characteristic.

The speed of a real motor varies with its load. Two hinges in series describe this [Schwab2002, section 2.3]: the
first rotates at the constant synchronous speed, which is the nominal motion; the rotation of the second is the lag of
the rotor, an additional coordinate, with the torque of the motor as a load given by a formula. The motor is a
synchronous motor with two pairs of poles: its torque is proportional to the sine of twice the lag and decreases with
the speed. The plunger works against friction. The speed of the crank varies by 7.4 % of its mean; the small vibration
about the steady motion predicts this within a hundredth. The reference value is from the single equation of motion of
the crank, integrated independently.
"""

from math import pi

import numpy as np

import flexura as fx
from flexura.planar import Beam, Hinge, Mass
from flexura.plotting import curves
from flexura.results.cycle import Cycle

SPEED = 100.0
TURN = 2 * pi / SPEED
SOURCE = 0.0744882794

bar = fx.Section()

model = fx.Model(
    title="Motor in series",
    nodes={"O": (0, 0), "A": (0.1, 0), "B": (0.4, 0)},
    elements={
        "drive": Hinge("O", "motor.p"),
        "motor": Hinge("O", "crank.p"),
        "crank": Beam("O", "A", bar, rigid=True),
        "flywheel": Mass("crank.p", 0.0, inertia=0.2),
        "rod": Beam("A", "B", fx.Section(rhoA=1.0 / 0.3), rigid=True),
        "plunger": Mass("B", 2.0),
    },
    fixed=["O", "drive.p.phi", "B.y"],
    inputs={"drive.rotation": fx.Ramp(rate=SPEED)},
    loads={"motor.rotation": "-200*sin(2*motor.rotation) - 3*motor.rotation'", "B.x": "-40*B.x'"},
    independent=["motor.rotation"],
)


def compute() -> tuple[Cycle, float]:
    """The periodic motion of the full equations, and the relative variation of the speed of the crank."""
    cycle = fx.periodic(model, TURN, method=fx.FullBalance())
    least, most = cycle.extremes("motor.rotation'")
    return cycle, (most - least) / SPEED


if __name__ == "__main__":
    cycle, fluctuation = compute()
    print(f"fluctuation of the speed: {fluctuation:.9f} (source {SOURCE})")
    small = fx.periodic(model, TURN)
    least, most = small.extremes("motor.rotation'")
    print(f"by small vibrations: {(most - least) / SPEED:.6f}")
    run_up = fx.simulate(model.replace(start={"motor.rotation": -0.5}), until=12 * TURN, samples=1201)
    angle = np.linspace(0.0, 360.0, 361)
    turn = small.at(TURN * angle / 360.0)
    curves(
        {
            "small vibration": (angle, SPEED + turn["motor.rotation'"]),
            "full equations": (np.linspace(0.0, 360.0, len(cycle.t)), cycle["crank.p.phi'"]),
            "grid": (angle[[0, -1]], [SPEED, SPEED]),
        },
        "nominal crank angle [°]",
        "speed of the crank [rad/s]",
        model.title,
        guides=["grid"],
        path="motor_in_series.png",
    )
    small.plot_harmonics("motor.rotation", "motor.rotation'", path="motor_in_series_harmonics.png")
    run_up.plot("motor.rotation", "crank.p.phi'", "drive.rotation.force", path="motor_in_series_run_up.png")
