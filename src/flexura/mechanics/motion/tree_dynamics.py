"""Accelerations of a tree of rigid bodies by articulated elimination, with a cost that is linear in their number.

Seen from its joint, a body with all that hangs on it needs the moment and the force

    f = I a + p,    I = I₀ + Σ Xᵀ(I − U D⁻¹Uᵀ)X,    U = I S,    D = SᵀU     [Featherstone2008 (7.1)-(7.4)]

of its acceleration a. S is the motion that the joint leaves free, X moves a reference point from parent to child.
All vectors are in the axes of space, about the reference point of the body, which is on the axis of its joint. Weight
is an acceleration of the ground.
"""

from __future__ import annotations

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats
from flexura.mechanics.core.joint_tree import (
    ACCELERATION,
    BALL,
    BIAS,
    COUPLING,
    DIRECTION,
    EFFORT,
    FREE,
    HINGE,
    INERTIA,
    LEVER,
    MASS,
    MOMENT,
    PIVOT,
    QUOTIENT,
    RELATIVE,
    SHIFTING,
    SPIN,
    TAKEN,
    TURNING,
    WRENCH,
    JointTree,
)
from flexura.mechanics.motion.tree_kinematics import put_cross, rotated


@compiled
def load_bodies(tree: JointTree) -> None:
    """Inertia of every body, and the moment and force that its rotation needs."""
    for n in range(1, tree.kind.size):
        own, fixed = tree.body[n], tree.constant[n]
        xx, xy, xz = fixed[INERTIA], fixed[INERTIA + 1], fixed[INERTIA + 2]
        yy, yz, zz = fixed[INERTIA + 3], fixed[INERTIA + 4], fixed[INERTIA + 5]
        # R J, then (R J) Rᵀ
        r = own
        ax, ay, az = r[0] * xx + r[1] * xy + r[2] * xz, r[0] * xy + r[1] * yy + r[2] * yz, r[0] * xz + r[1] * yz + r[2] * zz
        bx, by, bz = r[3] * xx + r[4] * xy + r[5] * xz, r[3] * xy + r[4] * yy + r[5] * yz, r[3] * xz + r[4] * yz + r[5] * zz
        cx, cy, cz = r[6] * xx + r[7] * xy + r[8] * xz, r[6] * xy + r[7] * yy + r[8] * yz, r[6] * xz + r[7] * yz + r[8] * zz
        xx, xy, xz = rotated(r, ax, ay, az)
        _, yy, yz = rotated(r, bx, by, bz)
        _, _, zz = rotated(r, cx, cy, cz)
        own[TURNING], own[TURNING + 1], own[TURNING + 2] = xx, xy, xz
        own[TURNING + 3], own[TURNING + 4], own[TURNING + 5] = yy, yz, zz
        x, y, z = rotated(r, fixed[MOMENT], fixed[MOMENT + 1], fixed[MOMENT + 2])
        own[COUPLING], own[COUPLING + 1], own[COUPLING + 2] = 0.0, -z, y
        own[COUPLING + 3], own[COUPLING + 4], own[COUPLING + 5] = z, 0.0, -x
        own[COUPLING + 6], own[COUPLING + 7], own[COUPLING + 8] = -y, x, 0.0
        own[SHIFTING] = own[SHIFTING + 3] = own[SHIFTING + 5] = fixed[MASS]
        own[SHIFTING + 1] = own[SHIFTING + 2] = own[SHIFTING + 4] = 0.0
        a, b, c = own[SPIN], own[SPIN + 1], own[SPIN + 2]
        hx, hy, hz = xx * a + xy * b + xz * c, xy * a + yy * b + yz * c, xz * a + yz * b + zz * c
        put_cross(own, WRENCH, a, b, c, hx, hy, hz, 1.0)
        put_cross(own, WRENCH + 3, a, b, c, b * z - c * y, c * x - a * z, a * y - b * x, 1.0)


@compiled
def _times(m: Floats, at: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """A symmetric matrix times a vector."""
    return (
        m[at] * x + m[at + 1] * y + m[at + 2] * z,
        m[at + 1] * x + m[at + 3] * y + m[at + 4] * z,
        m[at + 2] * x + m[at + 4] * y + m[at + 5] * z,
    )


@compiled
def _coupled(m: Floats, x: float, y: float, z: float) -> tuple[float, float, float]:
    """The moment of an acceleration of the reference point."""
    b = COUPLING
    return (
        m[b] * x + m[b + 1] * y + m[b + 2] * z,
        m[b + 3] * x + m[b + 4] * y + m[b + 5] * z,
        m[b + 6] * x + m[b + 7] * y + m[b + 8] * z,
    )


@compiled
def _coupled_back(m: Floats, x: float, y: float, z: float) -> tuple[float, float, float]:
    """The force of an angular acceleration."""
    b = COUPLING
    return (
        m[b] * x + m[b + 3] * y + m[b + 6] * z,
        m[b + 1] * x + m[b + 4] * y + m[b + 7] * z,
        m[b + 2] * x + m[b + 5] * y + m[b + 8] * z,
    )


@compiled
def _solved(m: Floats, at: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Solution of a symmetric positive definite system of three equations, by elimination."""
    l1, l2, d1 = m[at + 1] / m[at], m[at + 2] / m[at], m[at + 3] - m[at + 1] * m[at + 1] / m[at]
    coupling = m[at + 4] - l1 * m[at + 2]
    l3 = coupling / d1
    d2 = m[at + 5] - l2 * m[at + 2] - l3 * coupling
    y -= l1 * x
    z = (z - l2 * x - l3 * y) / d2
    y = y / d1 - l3 * z
    return x / m[at] - l1 * y - l2 * z, y, z


@compiled
def _take_one(own: Floats, kind: int, effort: float) -> None:
    """Take the one motion of a hinge or a slider out of the inertia of a body."""
    x, y, z = own[DIRECTION], own[DIRECTION + 1], own[DIRECTION + 2]
    t, c, s, w = TURNING, COUPLING, SHIFTING, WRENCH
    if kind == HINGE:
        ax, ay, az = _times(own, t, x, y, z)
        fx, fy, fz = _coupled_back(own, x, y, z)
        pivot = 1.0 / (x * ax + y * ay + z * az)
        effort -= x * own[w] + y * own[w + 1] + z * own[w + 2]
    else:
        ax, ay, az = _coupled(own, x, y, z)
        fx, fy, fz = _times(own, s, x, y, z)
        pivot = 1.0 / (x * fx + y * fy + z * fz)
        effort -= x * own[w + 3] + y * own[w + 4] + z * own[w + 5]
    k = TAKEN
    own[k], own[k + 1], own[k + 2], own[k + 3], own[k + 4], own[k + 5] = ax, ay, az, fx, fy, fz
    own[PIVOT], own[EFFORT] = pivot, effort
    bx, by, bz, gx, gy, gz = pivot * ax, pivot * ay, pivot * az, pivot * fx, pivot * fy, pivot * fz
    own[t] -= ax * bx
    own[t + 1] -= ax * by
    own[t + 2] -= ax * bz
    own[t + 3] -= ay * by
    own[t + 4] -= ay * bz
    own[t + 5] -= az * bz
    own[c] -= bx * fx
    own[c + 1] -= bx * fy
    own[c + 2] -= bx * fz
    own[c + 3] -= by * fx
    own[c + 4] -= by * fy
    own[c + 5] -= by * fz
    own[c + 6] -= bz * fx
    own[c + 7] -= bz * fy
    own[c + 8] -= bz * fz
    own[s] -= fx * gx
    own[s + 1] -= fx * gy
    own[s + 2] -= fx * gz
    own[s + 3] -= fy * gy
    own[s + 4] -= fy * gz
    own[s + 5] -= fz * gz
    own[w] += bx * effort
    own[w + 1] += by * effort
    own[w + 2] += bz * effort
    own[w + 3] += gx * effort
    own[w + 4] += gy * effort
    own[w + 5] += gz * effort


@compiled
def _take_rotation(own: Floats) -> None:
    """Take all rotations of a ball out of the inertia of a body: no moment is left."""
    t, c, s, w = TURNING, COUPLING, SHIFTING, WRENCH
    for k in range(3):
        x, y, z = _solved(own, t, own[c + k], own[c + 3 + k], own[c + 6 + k])
        own[QUOTIENT + k], own[QUOTIENT + 3 + k], own[QUOTIENT + 6 + k] = x, y, z
    x, y, z = _solved(own, t, own[w], own[w + 1], own[w + 2])
    own[TAKEN], own[TAKEN + 1], own[TAKEN + 2] = x, y, z
    fx, fy, fz = _coupled_back(own, x, y, z)
    own[w + 3] -= fx
    own[w + 4] -= fy
    own[w + 5] -= fz
    place = s
    for i in range(3):
        for k in range(i, 3):
            for l in range(3):
                own[place] -= own[c + 3 * l + i] * own[QUOTIENT + 3 * l + k]
            place += 1


@compiled
def _turn_about(own: Floats, ax: float, ay: float, az: float) -> None:
    """Angular acceleration of a body on a ball, from that of its reference point."""
    for k in range(3):
        q = QUOTIENT + 3 * k
        own[ACCELERATION + k] = -(own[TAKEN + k] + own[q] * ax + own[q + 1] * ay + own[q + 2] * az)


@compiled
def _pass_on(own: Floats, p: Floats, turns: bool) -> None:
    """Add what is left of the inertia of a body, and its moment and force, to those of its parent.

    A body on a ball, which ``turns``, passes on a force alone.
    """
    t, c, s, w, b = TURNING, COUPLING, SHIFTING, WRENCH, BIAS
    x, y, z = own[LEVER], own[LEVER + 1], own[LEVER + 2]
    fx, fy, fz = _times(own, s, own[b + 3], own[b + 4], own[b + 5])
    fx, fy, fz = fx + own[w + 3], fy + own[w + 4], fz + own[w + 5]
    # coupling at the point of the parent: B + r×C; then A - B r× + r×(B + r×C)ᵀ
    xx, xy, xz, yy, yz, zz = own[s], own[s + 1], own[s + 2], own[s + 3], own[s + 4], own[s + 5]
    b0, b1, b2 = y * xz - z * xy, y * yz - z * yy, y * zz - z * yz
    b3, b4, b5 = z * xx - x * xz, z * xy - x * yz, z * xz - x * zz
    b6, b7, b8 = x * xy - y * xx, x * yy - y * xy, x * yz - y * xz
    if turns:
        p[t] += y * b2 - z * b1
        p[t + 1] += y * b5 - z * b4
        p[t + 2] += y * b8 - z * b7
        p[t + 3] += z * b3 - x * b5
        p[t + 4] += z * b6 - x * b8
        p[t + 5] += x * b7 - y * b6
    else:
        gx, gy, gz = _times(own, t, own[b], own[b + 1], own[b + 2])
        hx, hy, hz = _coupled(own, own[b + 3], own[b + 4], own[b + 5])
        p[w] += gx + hx + own[w]
        p[w + 1] += gy + hy + own[w + 1]
        p[w + 2] += gz + hz + own[w + 2]
        gx, gy, gz = _coupled_back(own, own[b], own[b + 1], own[b + 2])
        fx, fy, fz = fx + gx, fy + gy, fz + gz
        c0, c1, c2 = own[c], own[c + 1], own[c + 2]
        c3, c4, c5 = own[c + 3], own[c + 4], own[c + 5]
        c6, c7, c8 = own[c + 6], own[c + 7], own[c + 8]
        b0, b1, b2, b3, b4, b5, b6, b7, b8 = b0 + c0, b1 + c1, b2 + c2, b3 + c3, b4 + c4, b5 + c5, b6 + c6, b7 + c7, b8 + c8
        p[t] += own[t] + y * b2 - z * b1 - (c1 * z - c2 * y)
        p[t + 1] += own[t + 1] + y * b5 - z * b4 - (c2 * x - c0 * z)
        p[t + 2] += own[t + 2] + y * b8 - z * b7 - (c0 * y - c1 * x)
        p[t + 3] += own[t + 3] + z * b3 - x * b5 - (c5 * x - c3 * z)
        p[t + 4] += own[t + 4] + z * b6 - x * b8 - (c3 * y - c4 * x)
        p[t + 5] += own[t + 5] + x * b7 - y * b6 - (c6 * y - c7 * x)
    p[c] += b0
    p[c + 1] += b1
    p[c + 2] += b2
    p[c + 3] += b3
    p[c + 4] += b4
    p[c + 5] += b5
    p[c + 6] += b6
    p[c + 7] += b7
    p[c + 8] += b8
    p[s] += xx
    p[s + 1] += xy
    p[s + 2] += xz
    p[s + 3] += yy
    p[s + 4] += yz
    p[s + 5] += zz
    p[w] += y * fz - z * fy
    p[w + 1] += z * fx - x * fz
    p[w + 2] += x * fy - y * fx
    p[w + 3] += fx
    p[w + 4] += fy
    p[w + 5] += fz


@compiled
def eliminate_joints(tree: JointTree, a: Floats) -> None:
    """From the tips to the ground: what each body with all that hangs on it needs; ``a`` has the driven ones."""
    for n in range(tree.kind.size - 1, 0, -1):
        own, p, kind, i = tree.body[n], tree.parent[n], tree.kind[n], tree.first[n]
        if tree.row[n] >= 0:
            at = BIAS if kind == HINGE else BIAS + 3
            for k in range(3):
                own[at + k] += own[DIRECTION + k] * a[i]
        elif kind == BALL or kind == FREE:
            _take_rotation(own)
        else:
            _take_one(own, kind, tree.effort[i])
        if p > 0:
            _pass_on(own, tree.body[p], kind == BALL)


@compiled
def accelerate_joints(tree: JointTree, q: Floats, a: Floats) -> None:
    """From the ground to the tips: accelerations of bodies and joints; the efforts of drives."""
    ground, g = tree.body[0], ACCELERATION
    for k in range(3):
        ground[g + k], ground[g + 3 + k] = 0.0, -tree.gravity[k]
    for n in range(1, tree.kind.size):
        own, p, kind, i = tree.body[n], tree.body[tree.parent[n]], tree.kind[n], tree.first[n]
        if kind == FREE:
            fx, fy, fz = _solved(own, SHIFTING, -own[WRENCH + 3], -own[WRENCH + 4], -own[WRENCH + 5])
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
            if tree.row[n] < 0:
                k = TAKEN
                taken = own[k] * ax + own[k + 1] * ay + own[k + 2] * az
                taken += own[k + 3] * fx + own[k + 4] * fy + own[k + 5] * fz
                rate = a[i] = own[PIVOT] * (own[EFFORT] - taken)
            if kind == HINGE:
                ax, ay, az = ax + rate * ux, ay + rate * uy, az + rate * uz
            else:
                fx, fy, fz = fx + rate * ux, fy + rate * uy, fz + rate * uz
            own[g], own[g + 1], own[g + 2] = ax, ay, az
            if tree.row[n] >= 0:
                tree.effort[i] = _needed(own, kind == HINGE, fx, fy, fz)
        own[g + 3], own[g + 4], own[g + 5] = fx, fy, fz


@compiled
def _needed(own: Floats, turns: bool, fx: float, fy: float, fz: float) -> float:
    """Moment or force that drives a joint, along its direction."""
    ax, ay, az = own[ACCELERATION], own[ACCELERATION + 1], own[ACCELERATION + 2]
    if turns:
        x, y, z = _times(own, TURNING, ax, ay, az)
        a, b, c = _coupled(own, fx, fy, fz)
        w = WRENCH
    else:
        x, y, z = _coupled_back(own, ax, ay, az)
        a, b, c = _times(own, SHIFTING, fx, fy, fz)
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
