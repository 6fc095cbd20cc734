"""Positions and rates of a tree of rigid bodies from its joint coordinates, one pass from the ground."""

from __future__ import annotations

from math import cos, sin, sqrt

from flexura.derive.compiled import clear, compiled
from flexura.derive.records import Floats
from flexura.mechanics.core.joint_tree import (
    AXIS,
    BALL,
    BIAS,
    DIRECTION,
    EULER,
    FREE,
    LEVER,
    OFFSET,
    PLACE,
    RELATIVE,
    SLIDER,
    SPIN,
    VELOCITY,
    JointTree,
)
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.system import System


@compiled
def put_cross(
    to: Floats, at: int, ax: float, ay: float, az: float, bx: float, by: float, bz: float, factor: float
) -> None:
    """Write factor·(a × b)."""
    to[at] = factor * (ay * bz - az * by)
    to[at + 1] = factor * (az * bx - ax * bz)
    to[at + 2] = factor * (ax * by - ay * bx)


@compiled
def rotated(r: Floats, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Rotate a vector of the drawn position with a body, whose row begins with its rotation."""
    return (
        r[0] * x + r[1] * y + r[2] * z,
        r[3] * x + r[4] * y + r[5] * z,
        r[6] * x + r[7] * y + r[8] * z,
    )


@compiled
def _orient(own: Floats, p: Floats, a: float, b: float, c: float, d: float) -> None:
    """Euler parameters and rotation matrix of a body that is rotated by (a, b, c, d) in its parent."""
    p0, p1, p2, p3 = p[EULER], p[EULER + 1], p[EULER + 2], p[EULER + 3]
    e0 = p0 * a - p1 * b - p2 * c - p3 * d
    e1 = p0 * b + p1 * a + p2 * d - p3 * c
    e2 = p0 * c - p1 * d + p2 * a + p3 * b
    e3 = p0 * d + p1 * c - p2 * b + p3 * a
    own[EULER], own[EULER + 1], own[EULER + 2], own[EULER + 3] = e0, e1, e2, e3
    x, y, z = 2.0 * e1, 2.0 * e2, 2.0 * e3
    own[0], own[1], own[2] = 1.0 - y * e2 - z * e3, x * e2 - z * e0, x * e3 + y * e0
    own[3], own[4], own[5] = x * e2 + z * e0, 1.0 - x * e1 - z * e3, y * e3 - x * e0
    own[6], own[7], own[8] = x * e3 - y * e0, y * e3 + x * e0, 1.0 - x * e1 - y * e2


@compiled
def _turn_freely(own: Floats, p: Floats, q: Floats, u: Floats, i: int) -> None:
    """Orientation and spin of a body by the Euler parameters of its joint, of any length."""
    a, b, c, d = q[i], q[i + 1], q[i + 2], q[i + 3]
    da, db, dc, dd = u[i], u[i + 1], u[i + 2], u[i + 3]
    square = a * a + b * b + c * c + d * d
    length = sqrt(square)
    _orient(own, p, a / length, b / length, c / length, d / length)
    factor = 2.0 / square
    x = factor * (-da * b + db * a - dc * d + dd * c)
    y = factor * (-da * c + db * d + dc * a - dd * b)
    z = factor * (-da * d - db * c + dc * b + dd * a)
    own[RELATIVE], own[RELATIVE + 1], own[RELATIVE + 2] = x, y, z
    x, y, z = rotated(p, x, y, z)
    put_cross(own, BIAS, p[SPIN], p[SPIN + 1], p[SPIN + 2], x, y, z, 1.0)
    own[SPIN], own[SPIN + 1], own[SPIN + 2] = p[SPIN] + x, p[SPIN + 1] + y, p[SPIN + 2] + z


@compiled
def _hang(own: Floats, p: Floats, x: float, y: float, z: float, speed: float) -> None:
    """Place a body at a lever from its parent, along which it slides at a given speed."""
    px, py, pz = p[SPIN], p[SPIN + 1], p[SPIN + 2]
    dx, dy, dz = speed * own[DIRECTION], speed * own[DIRECTION + 1], speed * own[DIRECTION + 2]
    own[LEVER], own[LEVER + 1], own[LEVER + 2] = x, y, z
    own[PLACE], own[PLACE + 1], own[PLACE + 2] = p[PLACE] + x, p[PLACE + 1] + y, p[PLACE + 2] + z
    # with the lever, and relative to the guide twice
    vx, vy, vz = py * z - pz * y, pz * x - px * z, px * y - py * x
    own[VELOCITY], own[VELOCITY + 1] = p[VELOCITY] + vx + dx, p[VELOCITY + 1] + vy + dy
    own[VELOCITY + 2] = p[VELOCITY + 2] + vz + dz
    put_cross(own, BIAS + 3, px, py, pz, vx + 2.0 * dx, vy + 2.0 * dy, vz + 2.0 * dz, 1.0)


@compiled
def move(tree: JointTree, q: Floats, u: Floats) -> None:
    """Place all bodies, with their velocities, by joint coordinates and their rates."""
    for n in range(1, tree.kind.size):
        kind, i, fixed = tree.kind[n], tree.first[n], tree.constant[n]
        own, p = tree.body[n], tree.body[tree.parent[n]]
        if kind == FREE:
            for k in range(3):
                own[PLACE + k], own[VELOCITY + k], own[BIAS + 3 + k] = q[i + k], u[i + k], 0.0
            _turn_freely(own, p, q, u, i + 3)
            continue
        x, y, z = rotated(p, fixed[OFFSET], fixed[OFFSET + 1], fixed[OFFSET + 2])
        if kind == BALL:
            _hang(own, p, x, y, z, 0.0)
            _turn_freely(own, p, q, u, i)
            continue
        a, b, c = fixed[AXIS], fixed[AXIS + 1], fixed[AXIS + 2]
        ux, uy, uz = rotated(p, a, b, c)
        own[DIRECTION], own[DIRECTION + 1], own[DIRECTION + 2] = ux, uy, uz
        if kind == SLIDER:
            _hang(own, p, x + q[i] * ux, y + q[i] * uy, z + q[i] * uz, u[i])
            for k in range(EULER + 4):
                own[k] = p[k]
            for k in range(3):
                own[SPIN + k], own[BIAS + k] = p[SPIN + k], 0.0
        else:
            _hang(own, p, x, y, z, 0.0)
            half = 0.5 * q[i]
            along = sin(half)
            _orient(own, p, cos(half), a * along, b * along, c * along)
            px, py, pz, rate = p[SPIN], p[SPIN + 1], p[SPIN + 2], u[i]
            put_cross(own, BIAS, px, py, pz, ux, uy, uz, rate)
            own[SPIN], own[SPIN + 1], own[SPIN + 2] = px + rate * ux, py + rate * uy, pz + rate * uz


@compiled
def spread(tree: JointTree, q: Floats, u: Floats, x: Floats, v: Floats) -> None:
    """Coordinates of the layout and their rates, from placed bodies; known coordinates are left unchanged."""
    for n in range(tree.point.size):
        i, own, offset = tree.point[n], tree.body[tree.point_body[n]], tree.point_offset[n]
        dx, dy, dz = rotated(own, offset[0], offset[1], offset[2])
        wx, wy, wz = own[SPIN], own[SPIN + 1], own[SPIN + 2]
        x[i], x[i + 1], x[i + 2] = own[PLACE] + dx, own[PLACE + 1] + dy, own[PLACE + 2] + dz
        v[i] = own[VELOCITY] + wy * dz - wz * dy
        v[i + 1] = own[VELOCITY + 1] + wz * dx - wx * dz
        v[i + 2] = own[VELOCITY + 2] + wx * dy - wy * dx
    for n in range(1, tree.kind.size):
        i, own = tree.frame[n], tree.body[n]
        e0, e1, e2, e3 = own[EULER], own[EULER + 1], own[EULER + 2], own[EULER + 3]
        wx, wy, wz = 0.5 * own[SPIN], 0.5 * own[SPIN + 1], 0.5 * own[SPIN + 2]
        x[i], x[i + 1], x[i + 2], x[i + 3] = e0, e1, e2, e3
        v[i] = -wx * e1 - wy * e2 - wz * e3
        v[i + 1] = wx * e0 + wy * e3 - wz * e2
        v[i + 2] = wy * e0 + wz * e1 - wx * e3
        v[i + 3] = wz * e0 + wx * e2 - wy * e1
    for n in range(tree.state.size):
        x[tree.state[n]], v[tree.state[n]] = q[tree.state_joint[n]], u[tree.state_joint[n]]


@compiled
def place(tree: JointTree, q: Floats, u: Floats, x: Floats, v: Floats) -> None:
    """Coordinates of the layout and their rates from joint coordinates."""
    move(tree, q, u)
    spread(tree, q, u, x, v)


@compiled
def normalise(tree: JointTree, q: Floats, u: Floats) -> None:
    """Normalise the Euler parameters of joints, and make their rates orthogonal to them."""
    for n in range(1, tree.kind.size):
        if tree.kind[n] in (BALL, FREE):
            i = tree.first[n] + (3 if tree.kind[n] == FREE else 0)
            square = along = 0.0
            for k in range(i, i + 4):
                square += q[k] * q[k]
                along += q[k] * u[k]
            length = sqrt(square)
            for k in range(i, i + 4):
                u[k] = (u[k] - q[k] * along / square) / length
                q[k] /= length


@compiled
def _add_product(to: Floats, i: int, a: float, b: float, c: float, d: float, values: Floats, e: int) -> None:
    """Add the product of Euler parameters (a, -b, -c, -d) with those that begin at a place."""
    e0, e1, e2, e3 = values[e], values[e + 1], values[e + 2], values[e + 3]
    to[i] += a * e0 + b * e1 + c * e2 + d * e3
    to[i + 1] += a * e1 - b * e0 - c * e3 + d * e2
    to[i + 2] += a * e2 + b * e3 - c * e0 - d * e1
    to[i + 3] += a * e3 - b * e2 + c * e1 - d * e0


@compiled
def _collect_rotation(tree: JointTree, n: int, x: Floats, v: Floats, q: Floats, u: Floats, i: int) -> None:
    """Euler parameters of a body in its parent, and their rates."""
    e, p = tree.frame[n], tree.frame[tree.parent[n]]
    clear(q[i : i + 4])
    clear(u[i : i + 4])
    if p < 0:
        _add_product(q, i, 1.0, 0.0, 0.0, 0.0, x, e)
        _add_product(u, i, 1.0, 0.0, 0.0, 0.0, v, e)
        return
    _add_product(q, i, x[p], x[p + 1], x[p + 2], x[p + 3], x, e)
    _add_product(u, i, x[p], x[p + 1], x[p + 2], x[p + 3], v, e)
    _add_product(u, i, v[p], v[p + 1], v[p + 2], v[p + 3], x, e)


@compiled
def collect(s: System, tree: JointTree, x: Floats, v: Floats, q: Floats, u: Floats) -> None:
    """Joint coordinates and their rates from consistent coordinates of the layout."""
    call_level(s, s.shape, x, v)
    out, slopes = s.shape.out, s.shape_slopes
    for n in range(1, tree.kind.size):
        i, k = tree.first[n], tree.strain[n]
        if k >= 0:
            q[i], u[i] = out[slopes.strain[k]], 0.0
            for e in range(slopes.start[k], slopes.start[k + 1]):
                u[i] += out[slopes.source[e]] * v[slopes.column[e]]
        elif tree.kind[n] == BALL:
            _collect_rotation(tree, n, x, v, q, u, i)
        else:
            for c in range(3):
                q[i + c], u[i + c] = x[tree.reference[n] + c], v[tree.reference[n] + c]
            _collect_rotation(tree, n, x, v, q, u, i + 3)
    for n in range(tree.state.size):
        q[tree.state_joint[n]], u[tree.state_joint[n]] = x[tree.state[n]], v[tree.state[n]]
    normalise(tree, q, u)
