"""Equations of motion in the joint coordinates of a tree, instead of those in all coordinates.

Forces of elements, laws, loads and controllers are those of the layout, from the same kernels and programs. A
law on the strain of a joint is a force on its coordinate; others act on the bodies of the points and orientations they
depend on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flexura.derive.compiled import address_of, as_array, clear, compiled
from flexura.derive.records import Floats, Ints
from flexura.mechanics.core.joint_tree import EULER, PLACE, WRENCH, JointTree
from flexura.mechanics.core.kernel_calls import entry_signature
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import drive, feed_back, law_values
from flexura.mechanics.motion.powers import powers
from flexura.mechanics.motion.tree_accelerations import accelerate_joints
from flexura.mechanics.motion.tree_elimination import eliminate_joints, load_bodies
from flexura.mechanics.motion.tree_kinematics import move, spread


@compiled
def _measure(s: System, tree: JointTree, q: Floats, u: Floats) -> None:
    """Strains and rates that laws depend on: joint coordinates for strains of joints, kernels for others."""
    out, slopes = s.motion.out, s.slopes
    for n in range(s.laws.needed.size):
        k = s.laws.needed[n]
        i = tree.joint_of[k]
        if i >= 0:
            s.strain[k], s.rate[k] = q[i], u[i]
            continue
        s.strain[k], s.rate[k] = out[slopes.strain[k]], 0.0
        for e in range(slopes.start[k], slopes.start[k + 1]):
            s.rate[k] += out[slopes.source[e]] * tree.v[slopes.column[e]]


@compiled
def _collect_forces(s: System, tree: JointTree, stress: Floats) -> None:
    """Forces of laws and loads on joint coordinates and on the coordinates of the layout."""
    out, slopes = s.motion.out, s.slopes
    for n in range(s.laws.strain.size):
        k = s.laws.strain[n]
        i = tree.joint_of[k]
        if i >= 0:
            tree.effort[i] -= stress[k]
            continue
        for e in range(slopes.start[k], slopes.start[k + 1]):
            tree.force[slopes.column[e]] -= out[slopes.source[e]] * stress[k]
    for i in range(s.driven.load_coordinate.size):
        tree.force[s.driven.load_coordinate[i]] += s.program.registers[s.driven.load_register[i]]


@compiled
def _load(tree: JointTree) -> None:
    """Forces on coordinates of the layout as moments and forces on bodies."""
    f, w = tree.force, WRENCH
    for n in range(tree.loaded_point.size):
        point = tree.loaded_point[n]
        i, own = tree.point[point], tree.body[tree.point_body[point]]
        x, y, z = tree.x[i] - own[PLACE], tree.x[i + 1] - own[PLACE + 1], tree.x[i + 2] - own[PLACE + 2]
        fx, fy, fz = f[i], f[i + 1], f[i + 2]
        own[w] -= y * fz - z * fy
        own[w + 1] -= z * fx - x * fz
        own[w + 2] -= x * fy - y * fx
        own[w + 3] -= fx
        own[w + 4] -= fy
        own[w + 5] -= fz
    for n in range(tree.loaded_body.size):
        i, own = tree.frame[tree.loaded_body[n]], tree.body[tree.loaded_body[n]]
        e0, e1, e2, e3 = own[EULER], own[EULER + 1], own[EULER + 2], own[EULER + 3]
        own[w] -= 0.5 * (e0 * f[i + 1] - e1 * f[i] - e3 * f[i + 2] + e2 * f[i + 3])
        own[w + 1] -= 0.5 * (e0 * f[i + 2] - e2 * f[i] + e3 * f[i + 1] - e1 * f[i + 3])
        own[w + 2] -= 0.5 * (e0 * f[i + 3] - e3 * f[i] - e2 * f[i + 1] + e1 * f[i + 2])


@compiled
def _apply_forces(s: System, tree: JointTree, q: Floats, u: Floats, stress: Floats) -> None:
    """Forces of laws, loads and controllers."""
    clear(tree.effort)
    if s.laws.strain.size == 0 and s.driven.load_coordinate.size == 0:
        return
    if tree.placed[0]:
        spread(tree, q, u, tree.x, tree.v)
        clear(tree.force)
    call_level(s, s.motion, tree.x, tree.v)
    feed_back(s, tree.x, tree.v)
    _measure(s, tree, q, u)
    law_values(s, stress)
    _collect_forces(s, tree, stress)
    _load(tree)


@compiled
def follow_drives(s: System, q: Floats, u: Floats, a: Floats) -> None:
    """Set the coordinates of fixed and driven joints."""
    tree = s.tree
    for n in range(1, tree.kind.size):
        r, i = tree.row[n], tree.first[n]
        if r >= 0:
            q[i], u[i], a[i] = s.rows.position[r], s.rows.velocity[r], s.rows.acceleration[r]


def _entry(s: System, t: float, x: Any, v: Any, a: Any, stress: Any) -> None:
    tree, count = s.tree, s.tree.effort.size
    _accelerate(s, tree, t, as_array(x, count), as_array(v, count), as_array(a, count), as_array(stress, s.strain.size))


@compiled
def _accelerate(s: System, tree: JointTree, t: float, q: Floats, u: Floats, a: Floats, stress: Floats) -> None:
    drive(s, t, tree.x, tree.v, tree.force)
    follow_drives(s, q, u, a)
    move(tree, q, u)
    load_bodies(tree)
    _apply_forces(s, tree, q, u, stress)
    eliminate_joints(tree, a)
    accelerate_joints(tree, q, a)
    for n in range(1, tree.kind.size):
        if tree.row[n] >= 0:
            stress[tree.strain[n]] = -tree.effort[tree.first[n]]
    for n in range(tree.state.size):
        a[tree.state_joint[n]] = tree.force[tree.state[n]]
    powers(s, tree.x, tree.v, a, stress, s.power)


def tree_entries() -> Ints:
    """Addresses for ``System.entry`` of a system in joint coordinates."""
    address = address_of(_entry, entry_signature(System.numba_type))
    return np.array([address, 0, 0, 0, 0, address, 0, 0, 0], dtype=np.int64)
