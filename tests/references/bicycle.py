"""The benchmark bicycle of [Meijaard2007], built of bodies, hinges and wheels; its exact eigenvalues."""

from math import cos, pi, sin

import numpy as np

import flexura as fx
from flexura.spatial import Body, Hinge, Wheel

WHEELBASE, TRAIL, TILT, REAR, FRONT = 1.02, 0.08, pi / 10, 0.3, 0.35

EXACT = {
    0.0: (-5.53094371765393464, -3.13164324790655567, 3.13164324790655567, 5.53094371765393464),
    1.0: (-7.11008014637440773, -3.13423125066578423, 3.52696170990069417 + 0.807740275199310045j),
    2.0: (-8.67387984831737163, -3.07158645641514251, 2.68234517512745345 + 1.68066296590675776j),
    3.0: (-10.3510146724592282, -2.63366137253665296, 1.70675605663973515 + 2.31582447384324357j),
    4.0: (-12.1586142657644397, -1.42944427361325745, 0.413253315211241321 + 3.07910818603205363j),
    5.0: (-14.0783896927982472, -0.322866429004087078, -0.775341882195841925 + 4.46486771378822514j),
    6.0: (-16.085371230980284, -0.00406690076970336242, -1.52644486584141715 + 5.87673060598708403j),
    7.0: (-18.1578846612520209, 0.102681705747664159, -2.13875644258363428 + 7.19525913329804255j),
    8.0: (-20.279408943945663, 0.143278797657129498, -2.69348683581094772 + 8.4603797139693359j),
    9.0: (-22.4378855904085906, 0.157901840309172982, -3.21675402252490747 + 9.69377351531782195j),
    10.0: (-24.6245963501740002, 0.161053386531715542, -3.72016840437287573 + 10.906811394762882j),
}
"""By speed: castering, capsize, weave; 40 digits from the paper's formulas."""

WEAVE, CAPSIZE = 4.29238253634110396, 6.02426201538835889
"""The speeds between which it rides by itself, from the same formulas."""

MATRICES = {
    "M": np.array([[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]]),
    "C1": np.array([[0.0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]]),
    "K0": np.array([[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]]),
    "K2": np.array([[0.0, 76.59734589573222], [0.0, 2.65431523794604]]),
}
"""M q̈ + v C₁ q̇ + (g K₀ + v² K₂) q = f of lean and steer [Meijaard2007, table 2]; z is down there."""


def with_angles(model: fx.Model) -> fx.Model:
    """The same with hinges that show heading, lean and pitch of the frame."""
    return model.replace(
        elements={
            **model.elements,
            "yaw": Hinge("ground", "lean.p", axis=(0, 0, 1)),
            "lean": Hinge("ground", "pitch.p", axis=(1, 0, 0)),
            "pitch": Hinge("ground", "frame.p", axis=(0, 1, 0)),
        },
        fixed=[*model.fixed, *(f"yaw.p.e{i}" for i in range(4))],
    )


def bicycle(speed: float, **given: object) -> fx.Model:
    """Upright and straight ahead along x, with z up: the paper has z down."""
    up = np.array([-sin(TILT), 0.0, cos(TILT)])
    foot, centre = np.array([WHEELBASE + TRAIL, 0.0, 0.0]), np.array([WHEELBASE, 0.0, FRONT])
    head = foot + ((centre - foot) @ up) * up
    return fx.Model(
        nodes={
            "ground": (0, 0, 0),
            "R": (0, 0, REAR),
            "P": (0, 0, 0),
            "F": (WHEELBASE, 0, FRONT),
            "Q": (WHEELBASE, 0, 0),
            "B": (0.3, 0, 0.9),
            "H": (0.9, 0, 0.7),
            "S": tuple(head.tolist()),
        },
        elements={
            "rear": Body("R", 2.0, Jxx=0.0603, Jyy=0.12, Jzz=0.0603),
            "frame": Body("B", 85.0, Jxx=9.2, Jyy=11.0, Jzz=2.8, Jxz=-2.4, points=("R", "S")),
            "fork": Body("H", 4.0, Jxx=0.05892, Jyy=0.06, Jzz=0.00708, Jxz=0.00756, points=("S", "F")),
            "front": Body("F", 3.0, Jxx=0.1405, Jyy=0.28, Jzz=0.1405),
            "rear_axle": Hinge("frame.p", "rear.p", axis=(0, 1, 0)),
            "front_axle": Hinge("fork.p", "front.p", axis=(0, 1, 0)),
            "steer": Hinge("frame.p", "fork.p", axis=tuple(up.tolist())),
            "rear_wheel": Wheel("rear.p", "P", "ground"),
            "front_wheel": Wheel("front.p", "Q", "rear_wheel.g"),
        },
        fixed=["rear_wheel.g"],
        gravity=(0, 0, -9.81),
        start={"rear_axle.rotation'": speed / REAR, **given},
    )
