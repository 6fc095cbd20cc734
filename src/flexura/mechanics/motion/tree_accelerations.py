"""Accelerations of the bodies and joints of a tree, from the ground to its tips, after the elimination."""

from __future__ import annotations

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats
from flexura.mechanics.core.joint_tree import (
    ACCELERATION,
    BALL,
    BETA,
    BIAS,
    DIRECTION,
    EFFORT,
    FREE,
    GAMMA,
    HINGE,
    LEVER,
    PIVOT,
    QUOTIENT,
    RELATIVE,
    SHIFTING,
    TAKEN,
    TURNING,
    WRENCH,
    JointTree,
)
from flexura.mechanics.motion.tree_matrices import coupled, coupled_back, solved, times


@compiled
def _turn_about(own: Floats, ax: float, ay: float, az: float) -> None:
    """Angular acceleration of a body on a ball, from that of its reference point."""
    for k in range(3):
        q = QUOTIENT + 3 * k
        own[ACCELERATION + k] = -(own[TAKEN + k] + own[q] * ax + own[q + 1] * ay + own[q + 2] * az)


@compiled
def _needed(own: Floats, turns: bool, fx: float, fy: float, fz: float) -> float:
    """Moment or force of a driven joint, along its direction."""
    ax, ay, az = own[ACCELERATION], own[ACCELERATION + 1], own[ACCELERATION + 2]
    if turns:
        x, y, z = times(own, TURNING, ax, ay, az)
        a, b, c = coupled(own, fx, fy, fz)
        w = WRENCH
    else:
        x, y, z = coupled_back(own, ax, ay, az)
        a, b, c = times(own, SHIFTING, fx, fy, fz)
        w = WRENCH + 3
    x, y, z = x + a + own[w], y + b + own[w + 1], z + c + own[w + 2]
    return x * own[DIRECTION] + y * own[DIRECTION + 1] + z * own[DIRECTION + 2]


@compiled
def _second_rates(own: Floats, p: Floats, q: Floats, a: Floats, i: int) -> None:
    """Second derivatives of the Euler parameters of a joint [Schwab2002 (B.16)]."""
    g = ACCELERATION
    x, y, z = own[g] - p[g] - own[BIAS], own[g + 1] - p[g + 1] - own[BIAS + 1], own[g + 2] - p[g + 2] - own[BIAS + 2]
    # in the axes of the parent
    x, y, z = (
        0.5 * (p[0] * x + p[3] * y + p[6] * z),
        0.5 * (p[1] * x + p[4] * y + p[7] * z),
        0.5 * (p[2] * x + p[5] * y + p[8] * z),
    )
    wx, wy, wz = own[RELATIVE], own[RELATIVE + 1], own[RELATIVE + 2]
    square = 0.25 * (wx * wx + wy * wy + wz * wz)
    q0, q1, q2, q3 = q[i], q[i + 1], q[i + 2], q[i + 3]
    a[i] = -x * q1 - y * q2 - z * q3 - square * q0
    a[i + 1] = x * q0 + y * q3 - z * q2 - square * q1
    a[i + 2] = y * q0 + z * q1 - x * q3 - square * q2
    a[i + 3] = z * q0 + x * q2 - y * q1 - square * q3


@compiled
def accelerate_joints(tree: JointTree, q: Floats, a: Floats) -> None:
    """Accelerations of bodies and joints, from the ground to the tips; efforts of drives."""
    ground, g = tree.body[0], ACCELERATION
    for k in range(3):
        ground[g + k], ground[g + 3 + k] = 0.0, -tree.gravity[k]
    for n in range(1, tree.kind.size):
        own, p, kind, i = tree.body[n], tree.body[tree.parent[n]], tree.kind[n], tree.first[n]
        if kind == FREE:
            fx, fy, fz = solved(own, SHIFTING, -own[WRENCH + 3], -own[WRENCH + 4], -own[WRENCH + 5])
            own[g + 3], own[g + 4], own[g + 5] = fx, fy, fz
            _turn_about(own, fx, fy, fz)
            for k in range(3):
                a[i + k] = own[g + 3 + k] + tree.gravity[k]
            _second_rates(own, p, q, a, i + 3)
            continue
        x, y, z = own[LEVER], own[LEVER + 1], own[LEVER + 2]
        ax, ay, az = p[g], p[g + 1], p[g + 2]
        fx = p[g + 3] + ay * z - az * y + own[BIAS + 3]
        fy = p[g + 4] + az * x - ax * z + own[BIAS + 4]
        fz = p[g + 5] + ax * y - ay * x + own[BIAS + 5]
        ax, ay, az = ax + own[BIAS], ay + own[BIAS + 1], az + own[BIAS + 2]
        if kind == BALL:
            _turn_about(own, fx, fy, fz)
            _second_rates(own, p, q, a, i)
        else:
            ux, uy, uz = own[DIRECTION], own[DIRECTION + 1], own[DIRECTION + 2]
            rate = 0.0
            rotor = tree.constant[n, BETA] * (ux * p[g] + uy * p[g + 1] + uz * p[g + 2])
            if tree.row[n] < 0:
                k = TAKEN
                taken = rotor + own[k] * ax + own[k + 1] * ay + own[k + 2] * az
                taken += own[k + 3] * fx + own[k + 4] * fy + own[k + 5] * fz
                rate = a[i] = own[PIVOT] * (own[EFFORT] - taken)
            if kind == HINGE:
                ax, ay, az = ax + rate * ux, ay + rate * uy, az + rate * uz
            else:
                fx, fy, fz = fx + rate * ux, fy + rate * uy, fz + rate * uz
            own[g], own[g + 1], own[g + 2] = ax, ay, az
            if tree.row[n] >= 0:
                tree.effort[i] = _needed(own, kind == HINGE, fx, fy, fz) + rotor + tree.constant[n, GAMMA] * a[i]
        own[g + 3], own[g + 4], own[g + 5] = fx, fy, fz
