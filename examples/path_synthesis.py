"""Four-bar linkage whose coupler point passes five given points.

The points and the crank angles at which they are to be passed are a classical task of path synthesis with prescribed
timing (Kunjur and Krishnamurty 1997, Cabrera et al. 2002). Six lengths are free: those of crank, coupler, rocker and
frame, and the two coordinates of the point on the coupler. The sum of the squares of the distances is least. The
reference value is the length of the crank at the same optimum, computed from the closed loop equation of the linkage
by ``tests/references/four_bar_synthesis.py``.
"""

from math import pi

import flexura as fx
from flexura.planar import Beam
from flexura.results.fit import Fit

SOURCE = 1.997812

ANGLES = [pi / 6, pi / 4, pi / 3, 5 * pi / 12, pi / 2]
POINTS = {"C.x": [3.0, 2.759, 2.372, 1.890, 1.355], "C.y": [3.0, 3.363, 3.663, 3.862, 3.943]}

bar = fx.Section(rhoA=1.0)

model = fx.Model(
    title="Four-bar linkage through five points",
    nodes={"O": (0, 0), "D": (3.7, 0), "A": (2.0, 0), "B": (5.4, 2.2), "C": (2.5, 2.3)},
    elements={
        "crank": Beam("O", "A", bar, rigid=True),
        "coupler": Beam("A", "B", bar, rigid=True),
        "pen": Beam("coupler.q", "C", bar, rigid=True),
        "rocker": Beam("D", "B", bar, rigid=True),
    },
    fixed=["O", "D"],
    inputs={"crank.p.phi": fx.Ramp(rate=1.0)},
)

VARY = {
    "nodes.A.x": (0.5, 5.0),
    "nodes.B.x": (-5.0, 9.0),
    "nodes.B.y": (0.5, 9.0),
    "nodes.C.x": (-5.0, 9.0),
    "nodes.C.y": (-5.0, 9.0),
    "nodes.D.x": (0.5, 9.0),
}


def compute() -> tuple[Fit, float]:
    """The linkage that comes nearest to the points, and the length of its crank."""
    fit = fx.identify(model, POINTS, VARY, times=ANGLES)
    return fit, float(fit.values[0])


if __name__ == "__main__":
    fit, crank = compute()
    print(fit)
    print(f"length of the crank: {crank:.6f} (source {SOURCE:.6f}), after {fit.evaluations} evaluations")
    motion = fx.kinematics(fit.model, [pi / 2 * i / 90 for i in range(91)])
    motion.plot_poses(7, path="path_synthesis.png")
