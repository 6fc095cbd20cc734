"""Articulated elimination of the joints of a tree, from its tips to the ground, with a cost linear in their number.

A body together with all its descendants needs at its joint the moment and the force

    f = I a + p,    I = I₀ + Σ Xᵀ(I − U D⁻¹Uᵀ)X,    U = I S,    D = SᵀU     [Featherstone2008, 7.2]

for its acceleration a. The sum is over its children. S is the free motion of the joint, X moves a reference
point from parent to child. All vectors are in global axes, about the reference point of the body, which is on the
axis of its joint. Weight is an acceleration of the ground.
"""

from __future__ import annotations

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats
from flexura.mechanics.core.joint_tree import (
    ALPHA,
    BALL,
    BETA,
    BIAS,
    COUPLING,
    DIRECTION,
    EFFORT,
    FREE,
    GAMMA,
    HINGE,
    INERTIA,
    LEVER,
    MASS,
    MOMENT,
    PIVOT,
    QUOTIENT,
    SHIFTING,
    SPIN,
    TAKEN,
    TURNING,
    WRENCH,
    JointTree,
)
from flexura.mechanics.motion.tree_kinematics import put_cross, rotated
from flexura.mechanics.motion.tree_matrices import coupled, coupled_back, solved, times


@compiled
def load_bodies(tree: JointTree) -> None:
    """Inertia of each body, and the moment and force required for its rotation."""
    for n in range(1, tree.kind.size):
        own, fixed = tree.body[n], tree.constant[n]
        # rows of R J, then (R J) Rᵀ
        r = own
        ax, ay, az = times(fixed, INERTIA, r[0], r[1], r[2])
        bx, by, bz = times(fixed, INERTIA, r[3], r[4], r[5])
        cx, cy, cz = times(fixed, INERTIA, r[6], r[7], r[8])
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
def _find_motion(own: Floats, kind: int, effort: float, rotor: float) -> None:
    """Inertia along the free motion of a hinge or a slider, including a rotor, and the remaining force along it."""
    x, y, z = own[DIRECTION], own[DIRECTION + 1], own[DIRECTION + 2]
    k, w = TAKEN, WRENCH
    if kind == HINGE:
        ax, ay, az = times(own, TURNING, x, y, z)
        fx, fy, fz = coupled_back(own, x, y, z)
        own[PIVOT] = 1.0 / (x * ax + y * ay + z * az + rotor)
        own[EFFORT] = effort - (x * own[w] + y * own[w + 1] + z * own[w + 2])
    else:
        ax, ay, az = coupled(own, x, y, z)
        fx, fy, fz = times(own, SHIFTING, x, y, z)
        own[PIVOT] = 1.0 / (x * fx + y * fy + z * fz)
        own[EFFORT] = effort - (x * own[w + 3] + y * own[w + 4] + z * own[w + 5])
    own[k], own[k + 1], own[k + 2], own[k + 3], own[k + 4], own[k + 5] = ax, ay, az, fx, fy, fz


@compiled
def _take_motion(
    own: Floats, ax: float, ay: float, az: float, fx: float, fy: float, fz: float, pivot: float, effort: float
) -> None:
    """Remove a free motion from the inertia of a body."""
    t, c, s, w = TURNING, COUPLING, SHIFTING, WRENCH
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
def _add_rotor(own: Floats, p: Floats, fixed: Floats, driven: bool, rate: float) -> None:
    """Add a geared rotor across the hinge of a body to the parent, whose inertia is without the motion of the hinge.

    ``rate`` is the second derivative of the angle if it is ``driven``.
    """
    x, y, z, t, w, b, k = own[DIRECTION], own[DIRECTION + 1], own[DIRECTION + 2], TURNING, WRENCH, BIAS, TAKEN
    px, py, pz = p[SPIN], p[SPIN + 1], p[SPIN + 2]
    spin, turned = x * px + y * py + z * pz, x * own[SPIN] + y * own[SPIN + 1] + z * own[SPIN + 2]
    momentum = fixed[ALPHA] * spin + fixed[BETA] * (turned - spin)
    push = fixed[BETA] * rate if driven else 0.0
    p[w] += momentum * (py * z - pz * y) + push * x
    p[w + 1] += momentum * (pz * x - px * z) + push * y
    p[w + 2] += momentum * (px * y - py * x) + push * z
    p[t] += fixed[ALPHA] * x * x
    p[t + 1] += fixed[ALPHA] * x * y
    p[t + 2] += fixed[ALPHA] * x * z
    p[t + 3] += fixed[ALPHA] * y * y
    p[t + 4] += fixed[ALPHA] * y * z
    p[t + 5] += fixed[ALPHA] * z * z
    if driven:
        return
    effort = own[EFFORT]
    for i in range(6):
        effort -= own[k + i] * own[b + i]
    fx, fy, fz, lx, ly, lz = own[k + 3], own[k + 4], own[k + 5], own[LEVER], own[LEVER + 1], own[LEVER + 2]
    ax = own[k] + ly * fz - lz * fy + fixed[BETA] * x
    ay = own[k + 1] + lz * fx - lx * fz + fixed[BETA] * y
    az = own[k + 2] + lx * fy - ly * fx + fixed[BETA] * z
    _take_motion(p, ax, ay, az, fx, fy, fz, own[PIVOT], effort)


@compiled
def _take_rotation(own: Floats) -> None:
    """Remove all rotations of a ball joint from the inertia of a body: no moment is left."""
    t, c, s, w = TURNING, COUPLING, SHIFTING, WRENCH
    for k in range(3):
        x, y, z = solved(own, t, own[c + k], own[c + 3 + k], own[c + 6 + k])
        own[QUOTIENT + k], own[QUOTIENT + 3 + k], own[QUOTIENT + 6 + k] = x, y, z
    x, y, z = solved(own, t, own[w], own[w + 1], own[w + 2])
    own[TAKEN], own[TAKEN + 1], own[TAKEN + 2] = x, y, z
    fx, fy, fz = coupled_back(own, x, y, z)
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
def _add_force(p: Floats, x: float, y: float, z: float, fx: float, fy: float, fz: float) -> None:
    """Add a force at a lever to those of a body."""
    w = WRENCH
    p[w] += y * fz - z * fy
    p[w + 1] += z * fx - x * fz
    p[w + 2] += x * fy - y * fx
    p[w + 3] += fx
    p[w + 4] += fy
    p[w + 5] += fz


@compiled
def _pass_on(own: Floats, p: Floats, turns: bool) -> None:
    """Add the remaining inertia of a body, and its moment and force, to those of its parent.

    A body on a ball joint, which ``turns``, passes on a force only.
    """
    t, c, s, w, b = TURNING, COUPLING, SHIFTING, WRENCH, BIAS
    x, y, z = own[LEVER], own[LEVER + 1], own[LEVER + 2]
    fx, fy, fz = times(own, s, own[b + 3], own[b + 4], own[b + 5])
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
        gx, gy, gz = times(own, t, own[b], own[b + 1], own[b + 2])
        hx, hy, hz = coupled(own, own[b + 3], own[b + 4], own[b + 5])
        p[w] += gx + hx + own[w]
        p[w + 1] += gy + hy + own[w + 1]
        p[w + 2] += gz + hz + own[w + 2]
        gx, gy, gz = coupled_back(own, own[b], own[b + 1], own[b + 2])
        fx, fy, fz = fx + gx, fy + gy, fz + gz
        c0, c1, c2 = own[c], own[c + 1], own[c + 2]
        c3, c4, c5 = own[c + 3], own[c + 4], own[c + 5]
        c6, c7, c8 = own[c + 6], own[c + 7], own[c + 8]
        b0, b1, b2, b3, b4, b5, b6, b7, b8 = (
            b0 + c0,
            b1 + c1,
            b2 + c2,
            b3 + c3,
            b4 + c4,
            b5 + c5,
            b6 + c6,
            b7 + c7,
            b8 + c8,
        )
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
    _add_force(p, x, y, z, fx, fy, fz)


@compiled
def eliminate_joints(tree: JointTree, a: Floats) -> None:
    """Articulated inertias and forces from the tips to the ground; ``a`` contains the driven accelerations."""
    for n in range(tree.kind.size - 1, 0, -1):
        own, p, kind, i, fixed = tree.body[n], tree.parent[n], tree.kind[n], tree.first[n], tree.constant[n]
        geared, driven = fixed[ALPHA] > 0.0, tree.row[n] >= 0
        if driven:
            at = BIAS if kind == HINGE else BIAS + 3
            for k in range(3):
                own[at + k] += own[DIRECTION + k] * a[i]
        elif kind in (BALL, FREE):
            _take_rotation(own)
        else:
            _find_motion(own, kind, tree.effort[i], fixed[GAMMA])
            if not geared:
                k = TAKEN
                ax, ay, az, fx, fy, fz = own[k], own[k + 1], own[k + 2], own[k + 3], own[k + 4], own[k + 5]
                _take_motion(own, ax, ay, az, fx, fy, fz, own[PIVOT], own[EFFORT])
        if p > 0:
            _pass_on(own, tree.body[p], kind == BALL)
            if geared:
                _add_rotor(own, tree.body[p], fixed, driven, a[i])
