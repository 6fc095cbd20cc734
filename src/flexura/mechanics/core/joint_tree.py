"""Tree of rigid bodies with joints, in the form that compiled code uses.

Body 0 is the ground. Every other body has a parent with a smaller number, and a joint that connects it with its parent.
Vectors of a body are those of the drawn position, in which the axes of all bodies are the global ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flexura.derive.records import Floats, FloatTable, Ints, Record

HINGE, SLIDER, BALL, FREE = range(4)
"""Kinds of joints: one angle, one distance, four Euler parameters, a position and four Euler parameters."""
COUNTS = (1, 1, 4, 7)
"""Numbers of coordinates of each kind."""

# columns of ``constant``: from the reference point of the parent to its own, axis of the joint, mass, first moment of
# the mass about the reference point, and moments of inertia about it (xx, xy, xz, yy, yz, zz)
OFFSET, AXIS, MASS, MOMENT, INERTIA, CONSTANTS = 0, 3, 6, 7, 10, 16
# further columns if rotors are geared across hinges: with the spin s of the parent about the axis of the hinge and the
# rate of its angle φ, their kinetic energy is ½αs² + βsφ̇ + ½γφ̇²
ALPHA, BETA, GAMMA, GEARED = 16, 17, 18, 19

# columns of ``body``, vectors in global axes: rotation, Euler parameters, reference point, angular velocity and
# velocity, lever from the parent's reference point, axis of the joint, accelerations without those of the joint
ROTATION, EULER, PLACE, SPIN, VELOCITY, LEVER, DIRECTION, BIAS = 0, 9, 13, 16, 19, 22, 25, 28
# articulated inertia (rotation, coupling, translation), moment and force at rest, force of the joint motion, inverse
# pivot, force of the joint, accelerations, quotients of a ball, spin in the parent
TURNING, COUPLING, SHIFTING, WRENCH, TAKEN, PIVOT, EFFORT, ACCELERATION = 34, 40, 49, 55, 61, 67, 68, 69
QUOTIENT, RELATIVE, COLUMNS = 75, 84, 88


class JointTree(Record, scratch=("body", "effort", "force", "x", "v")):
    """Tree of rigid bodies; empty if a model is not a tree."""

    kind: Ints
    parent: Ints
    first: Ints
    """first coordinate of the joint of each body"""
    strain: Ints
    """strain of a hinge or a slider, -1 for the others"""
    row: Ints
    """row of this strain if it is held, else -1"""
    constant: FloatTable
    body: FloatTable
    gravity: Floats
    # the layout of the model
    point: Ints
    point_body: Ints
    point_offset: FloatTable
    """first coordinate of each point, its body, and its place in it"""
    frame: Ints
    """first coordinate of the orientation of each body, -1 for the ground"""
    reference: Ints
    """first coordinate of the reference point of each body, -1 for the ground"""
    state: Ints
    state_joint: Ints
    """coordinates that are states, and their indices among those of the joints"""
    # forces
    joint_of: Ints
    """joint coordinate of each strain, -1 if it is none"""
    loaded_point: Ints
    loaded_body: Ints
    """points, and bodies with orientations, on which forces act"""
    placed: Ints
    """1 if forces need the coordinates of the layout"""
    effort: Floats
    """forces on the joint coordinates"""
    force: Floats
    x: Floats
    v: Floats
    """forces, positions and rates on the coordinates of the layout"""


def no_tree() -> JointTree:
    """Empty tree, for models that are not trees."""
    none: dict[str, Any] = {
        name: np.zeros((0,) * dimensions, dtype=number) for name, (number, dimensions) in JointTree.record_forms.items()
    }
    return JointTree(**none)
