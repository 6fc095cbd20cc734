"""Andrews' squeezing mechanism.

A constant moment of 0.033 N·m drives seven links that compress a stiff spring. The mechanism is a test of integrators
of differential-algebraic equations [HairerWanner1996 (VII.7)]. The reference value, the rotation of the crank after
0.03 s, follows from the solution that is published with the problem [MazziaMagherini2008 (II-10)].
"""

from math import cos, sin

import flexura as fx
from flexura.planar import Body, Spring

BETA, GAMMA, PHI = -0.0617138900142764496, 0.455279819163070380, 0.222668390165885885
DELTA, EPSILON = 0.487364979543842550, 1.23054744454982119
SOURCE = 15.81077119629904 - BETA

Place = tuple[float, float]


def along(angle: float, x: float, y: float = 0.0, origin: Place = (0.0, 0.0)) -> Place:
    """The vector (x, y) in the axes of a link at an angle, from an origin."""
    return origin[0] + x * cos(angle) - y * sin(angle), origin[1] + x * sin(angle) + y * cos(angle)


A, B, C = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)
D, F = along(GAMMA, 0.02, -0.018, B), along(BETA, 0.007)
E = along(BETA, -0.028, origin=F)
G, H = along(DELTA, 0.04, origin=A), along(EPSILON, 0.0, -0.04, A)

model = fx.Model(
    title="Andrews' squeezing mechanism",
    nodes={"O": (0, 0), "A": A, "B": B, "C": C, "D": D, "E": E, "F": F, "G": G, "H": H},
    elements={
        "crank": Body("O", 0.04325, 2.194e-6, along(BETA, 0.00092), points=("F",)),
        "coupler": Body("F", 0.00365, 4.410e-7, along(BETA, -0.0115), points=("E",)),
        "squeezer": Body("B", 0.02373, 5.255e-6, along(GAMMA, 0.01043, -0.01874), points=("D", "E")),
        "upper_link": Body("G", 0.00706, 5.667e-7, along(PHI + DELTA, 0.0, -0.00579), points=("E",)),
        "upper_rocker": Body("A", 0.07050, 1.169e-5, along(DELTA, 0.02308, 0.00916), points=("G",)),
        "lower_link": Body("H", 0.00706, 5.667e-7, along(EPSILON - PHI, 0.00579), points=("E",)),
        "lower_rocker": Body("A", 0.05498, 1.912e-5, along(EPSILON, -0.00449, -0.01228), points=("H",)),
        "spring": Spring("C", "D", k=4530.0, free_length=0.07785),
    },
    fixed=["O", "A", "B", "C"],
    loads={"crank.p.phi": 0.033},
)


def compute() -> tuple[fx.Motion, float]:
    """Motion of 0.03 s, and the rotation of the crank at its end."""
    motion = fx.simulate(model, until=0.03)
    return motion, motion["crank.p.phi"][-1]


if __name__ == "__main__":
    motion, rotation = compute()
    print(f"rotation of the crank after 0.03 s: {rotation:.8f} rad (source {SOURCE:.8f})")
    motion.plot("crank.p.phi'", "spring.elongation.force", path="squeezing_mechanism.png")
    motion.plot_poses(8, path="squeezing_mechanism_poses.png")
