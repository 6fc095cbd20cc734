"""Orientations over time: angular velocities, accelerations and torques."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flexura.algebra import cross
from flexura.errors import ModelError
from flexura.model.names import Address
from flexura.rotations import conjugate, hamilton, own_spin, spin, turn

Array = NDArray[np.float64]


def carried(
    address: Address, order: int, place: tuple[Array, Array, Array], euler: tuple[Array, Array, Array]
) -> Array:
    """Rate or acceleration of an orientation, from position and Euler parameters with their rates."""
    if order == 0:
        what = "a rotation in space has no angle about an axis, only a rate"
        remedy = f"ask for the rate {address}', for the orientation of the end, or put a Hinge there"
        raise ModelError(f"signal '{address}'", what, remedy)
    (_, v, a), (e, de, dde) = place, euler
    _, _, carrier = address.owner.partition(":")
    if carrier == "about":
        found = spin(e, de if order == 1 else dde)
    elif carrier == "about_own":
        found = own_spin(e, de if order == 1 else dde)
    else:
        own = turn(conjugate(e), v)
        if order == 2:
            w, push = own_spin(e, de), turn(conjugate(e), a)
            own = push - cross(w, own)
        found = own
    return np.asarray(found["xyz".index(address.component)])


def dual(address: Address, force: Array, e: Array, torque: Array) -> Array:
    """Force or torque dual to such a rate, from the forces on the coordinates."""
    _, _, carrier = address.owner.partition(":")
    # f·δe with δe = ½ (0, δθ)∘e gives the torque about the global axes, ½ f∘ē
    moment = [0.5 * part for part in hamilton(torque, conjugate(e)).components[1:]]
    if carrier == "about":
        found = moment
    else:
        found = list(turn(conjugate(e), moment if carrier == "about_own" else force))
    return np.asarray(found["xyz".index(address.component)])
