"""The thin disc of unit mass and radius on the ground, weight one: its equations in axes that lean and head with it."""

import numpy as np

INERTIA = np.diag([0.25, 0.25, 0.5])
"""about the heading, the line to the centre, and the axle"""


def rates(state):
    """d/dt of lean, and of the spins about the heading h, the line t from the contact to the centre, and the axle e.

    With sin(lean) = n·e the normal is n = cos(lean) t + sin(lean) e. The axes turn with ω_h h + Ω n, the contact moves
    with the material of the disc at rest there, and Euler's equations about the centre hold with the contact's force.
    """
    lean, wh, wt, we = state
    n = np.array([0.0, np.cos(lean), np.sin(lean)])
    spin = np.array([wh, wt, we])
    # the axes have the same spins but about the axle, where the heading stays level
    axes = np.array([wh, wt, wt * np.tan(lean)])
    arm = np.array([0.0, 1.0, 0.0])
    # force = d/dt(ω × arm) + weight, and I ω̇ + axes × I ω = -arm × force, which is linear in ω̇
    moved = np.cross(axes, np.cross(spin, arm))

    def left(change):
        return INERTIA @ change + np.cross(arm, np.cross(change, arm))

    matrix = np.array([left(unit) for unit in np.eye(3)]).T
    right = -np.cross(axes, INERTIA @ spin) - np.cross(arm, moved + n)
    return np.concatenate([[wh_to_lean(wh)], np.linalg.solve(matrix, right)])


def wh_to_lean(wh):
    """The rate of the lean: about the heading h = t × e, which turns t towards e."""
    return -wh


def steady_turning(lean, spin):
    """The two rates of turning Ω about the normal, of circles with a lean and a spin ω_e about the axle.

    sin(lean) + 1.5 ω_e Ω cos(lean) - 0.25 Ω² sin(lean) cos(lean) = 0.
    """
    return np.roots([-0.25 * np.sin(lean) * np.cos(lean), 1.5 * spin * np.cos(lean), np.sin(lean)])


def roots(lean, turning, spin, step=1e-30):
    """Eigenvalues of small motions about such a circle, by complex steps."""
    state = np.array([lean, 0.0, turning * np.cos(lean), spin], dtype=complex)
    slopes = []
    for k in range(4):
        moved = state.copy()
        moved[k] += 1j * step
        slopes.append(rates(moved).imag / step)
    return np.linalg.eigvals(np.array(slopes).T)
