"""Waves in a bar that a mass strikes, and the mobility at the end of a rod of finite elements."""

import numpy as np


def struck_bar(time, speed=0.1, wave=100.0, length=10.0, impedance=1.0):
    """Velocity of a mass as heavy as the bar, and the contact force, at times after the contact; by d'Alembert.

    The wave returns after 2ℓ/c and the mass leaves when 1 + e⁻² = 2(s - 2) with s = ct/ℓ, s = 3.0677.
    """
    s = wave * np.asarray(time) / length
    first, second = np.exp(-s), np.where(s < 2.0, 0.0, 2.0 * np.exp(2.0 - s))
    free, end = 1.0 + 0.5 * np.exp(-2.0), 2.0 + 1.0 + 0.5 * np.exp(-2.0)
    final = np.exp(-end) - 2.0 * free * np.exp(-free)
    velocity = np.where(s < end, first - (s - 2.0) * second, final)
    force = np.where(s < end, first + second * (3.0 - s), 0.0)
    return speed * velocity, impedance * speed * force


def rod_mobility(parts, angle=np.pi / 4, mass=1.0, length=1.0, gyration=0.0, axial="linear"):
    """W of the normal and the slip at the end of a rod, from its consistent mass matrix.

    Beams of Bernoulli and Euler with rotary inertia, and linear or cubic interpolation along the rod
    [Elkaranshawy1995 (A.25), (A.26)]; the floor is level and the rod at an angle to it.
    """
    m, l = mass / parts, length / parts
    along = np.array([[2.0, 1.0], [1.0, 2.0]]) / 6.0
    if axial == "cubic":
        along = np.array([[26.0, 9.0], [9.0, 26.0]]) / 70.0
    across = np.array([
        [156.0, 22.0 * l, 54.0, -13.0 * l], [22.0 * l, 4.0 * l * l, 13.0 * l, -3.0 * l * l],
        [54.0, 13.0 * l, 156.0, -22.0 * l], [-13.0 * l, -3.0 * l * l, -22.0 * l, 4.0 * l * l],
    ]) / 420.0  # fmt: skip
    turning = np.array([
        [36.0, 3.0 * l, -36.0, 3.0 * l], [3.0 * l, 4.0 * l * l, -3.0 * l, -l * l],
        [-36.0, -3.0 * l, 36.0, -3.0 * l], [3.0 * l, -l * l, -3.0 * l, 4.0 * l * l],
    ]) / (30.0 * l * l)  # fmt: skip
    M = np.zeros((3 * parts + 3, 3 * parts + 3))
    for k in range(0, 3 * parts, 3):
        M[np.ix_([k, k + 3], [k, k + 3])] += m * along
        ends = [k + 1, k + 2, k + 4, k + 5]
        M[np.ix_(ends, ends)] += m * (across + gyration**2 * turning)
    rows = np.zeros((2, M.shape[0]))
    rows[:, :2] = [[np.sin(angle), np.cos(angle)], [np.cos(angle), -np.sin(angle)]]
    return rows @ np.linalg.solve(M, rows.T)
