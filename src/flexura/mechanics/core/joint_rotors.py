"""Rotors that are geared across the hinges of a tree: additional columns of ``JointTree.constant``.

With the spin s of the parent about the axis of the hinge and the rate of its angle φ, their kinetic energy is
½αs² + βsφ̇ + ½γφ̇².
"""

from __future__ import annotations

from flexura.mechanics.core.joint_tree import CONSTANTS

ALPHA, BETA, GAMMA = CONSTANTS, CONSTANTS + 1, CONSTANTS + 2
GEARED = CONSTANTS + 3
"""Number of columns including those of rotors."""
