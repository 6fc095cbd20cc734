"""A rigid body that rolls without slip on a plane, in Newton's and Euler's equations of the body itself.

In axes of the body: γ is the upward normal of the plane, a(γ) reaches from the centre of mass to the contact, and the
contact is at rest, v = a × ω. The force F on it follows from m v̇ = F - m g γ, and put into J ω̇ + ω × Jω = a × F leaves

    (J + m (a·a 1 - a aᵀ)) ω̇ = -ω × Jω + m a × (ȧ × ω + ω × (a × ω) + g γ), γ̇ = γ × ω .

The orientation turns with ω, the contact moves with ȧ. Nothing of the package is used.
"""

from collections.abc import Callable

import numpy as np
from scipy.integrate import solve_ivp

Contact = Callable[[np.ndarray], np.ndarray]


def ellipsoid(*axes: float, centre: float = 0.0) -> Contact:
    """An ellipsoid with these half axes along those of the body, its middle on z that far above the centre of mass."""
    squares = np.array(axes) ** 2
    return lambda up: np.array([0.0, 0.0, centre]) - squares * up / np.sqrt(squares @ up**2)


def torus(radius: float, crown: float) -> Contact:
    """A wheel about y of this outer radius, whose rim is round with the radius of the crown."""

    def contact(up: np.ndarray) -> np.ndarray:
        level = up * np.array([1.0, 0.0, 1.0])
        return -crown * up - (radius - crown) * level / np.sqrt(level @ level)

    return contact


def rolled(
    contact: Contact,
    mass: float,
    tensor: np.ndarray,
    weight: float,
    omega: np.ndarray,
    times: np.ndarray,
    tolerance: float = 1e-12,
) -> dict[str, np.ndarray]:
    """The motion from an angular velocity, with the axes of the body along those of space at first.

    Gives ``omega`` in body axes, ``axes``, the ``contact`` on the plane from its first place, and the ``energy``.
    """

    def derivative(t: float, y: np.ndarray) -> np.ndarray:
        w, axes = y[:3], y[5:].reshape(3, 3)
        up = axes[2]
        a, da = contact(up), contact(up + 1e-30j * _cross(up, w)).imag / 1e-30
        # v = a × w; v̇ in space is a × ẇ + c
        c = _cross(da, w) + _cross(w, _cross(a, w))
        left = tensor + mass * (a @ a * np.eye(3) - np.outer(a, a))
        right = -_cross(w, tensor @ w) + mass * _cross(a, c + weight * up)
        speed = axes @ da  # of the contact over the plane
        spin = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        return np.concatenate([np.linalg.solve(left, right), speed[:2], (axes @ spin).ravel()])

    start = np.concatenate([omega, [0.0, 0.0], np.eye(3).ravel()])
    found = solve_ivp(derivative, (times[0], times[-1]), start, "DOP853", times, rtol=tolerance, atol=tolerance / 10)
    w, turned = found.y[:3].T, found.y[5:].T.reshape(-1, 3, 3)
    arms = np.array([contact(up) for up in turned[:, 2]])
    v = np.cross(arms, w)
    height = -np.einsum("ni,ni->n", arms, turned[:, 2])
    energy = 0.5 * mass * (v**2).sum(1) + 0.5 * np.einsum("ni,ij,nj->n", w, tensor, w) + mass * weight * height
    return {"omega": w, "axes": turned, "contact": found.y[3:5].T, "energy": energy}


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """As numpy's, which takes ten times as long for a single pair."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
