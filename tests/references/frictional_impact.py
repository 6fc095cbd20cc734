"""End states of a blow in the plane by the formulas of the source [Elkaranshawy1995 (3.42)-(3.74)], and mobilities."""

from math import copysign, inf, sqrt

import numpy as np


def end_state(W, mu, e, u, slip, law="energetic"):
    """Normal and tangential impulse, and the energy that is made, for a contact that slides at first."""
    a, b, c = W[0][0], W[0][1], W[1][1]
    way = copysign(1.0, slip)
    b1, drift = a - mu * way * b, b - mu * way * c
    p_d = -abs(slip) / (way * drift) if way * drift < 0.0 else inf
    p_c = -u / b1
    sticks = abs(b) <= mu * c
    drag = -b / c if sticks else -copysign(mu, b)
    b2 = a + drag * b
    if p_d >= (1.0 + e) * p_c:
        p, q = (1.0 + e) * p_c, -mu * way * (1.0 + e) * p_c
    else:
        u_d = u + b1 * p_d
        if p_d > p_c:
            end, rest = sqrt(b2 * ((e**2 * u**2 - u_d**2) / b1 + u_d**2 / b2)), p_c
        else:
            end, rest = e * sqrt(b2 * ((u**2 - u_d**2) / b1 + u_d**2 / b2)), p_d - u_d / b2
        end = {"energetic": end, "newton": -e * u}.get(law, 0.0)
        p = (1.0 + e) * rest if law == "poisson" else p_d + (end - u_d) / b2
        q = -mu * way * p_d + drag * (p - p_d)
    after = np.array([u, slip]) + np.asarray(W) @ [p, q]
    return p, q, 0.5 * p * (u + after[0]) + 0.5 * q * (slip + after[1])


def two_link_mobility(lengths, masses, angles):
    """W of normal (0, 1) and slip (-1, 0) at the tip of two uniform rods from a fixed pin; angles are absolute."""
    (a, b), (m, n) = lengths, masses
    (s1, s2), (c1, c2) = np.sin(angles), np.cos(angles)
    coupled = 0.5 * n * a * b * np.cos(angles[0] - angles[1])
    M = np.array([[m * a**2 / 3 + n * a**2, coupled], [coupled, n * b**2 / 3]])
    J = np.array([[a * c1, b * c2], [a * s1, b * s2]])
    return J @ np.linalg.solve(M, J.T), J


def body_mobility(mass, inertia, arm, rows):
    """W of the directions ``rows`` at a point of a free body, ``arm`` from its centre."""
    x, y, z = arm
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return rows @ (np.eye(3) / mass - cross @ np.linalg.solve(inertia, cross)) @ rows.T
