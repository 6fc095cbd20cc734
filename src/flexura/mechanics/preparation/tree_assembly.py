"""Model in joint coordinates, if it is a tree: the arrays of its bodies, and its system."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexura.algebra import Vector
from flexura.derive.records import Floats, Ints
from flexura.mechanics.core.index_arrays import ints
from flexura.mechanics.core.joint_tree import (
    ACCELERATION,
    ALPHA,
    BETA,
    COLUMNS,
    COUNTS,
    EULER,
    FREE,
    GAMMA,
    GEARED,
    HINGE,
    INERTIA,
    MASS,
    MOMENT,
    OFFSET,
    ROTATION,
    SLIDER,
    SPIN,
    JointTree,
)
from flexura.mechanics.core.joint_tree import AXIS as DIRECTION
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.kernel_outputs import Outputs
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import Calls, System
from flexura.mechanics.motion.equations_of_motion import accelerate
from flexura.mechanics.motion.tree_equations import tree_entries
from flexura.mechanics.motion.tree_kinematics import collect, place
from flexura.mechanics.preparation.tree_structure import Limb, limbs_of
from flexura.model.names import Address
from flexura.nodes import AXIS
from flexura.rotations import triad

_AGREEMENT = 1e-8
"""Relative difference of accelerations in joint coordinates from those in all coordinates."""


@dataclass(frozen=True)
class JointForm:
    """A model in joint coordinates."""

    system: System
    scale: Floats
    """length or angle that counts as one for each coordinate"""


def joint_form(layout: Layout, system: System, x: Floats) -> JointForm | None:
    """Model in joint coordinates; None if it is not a tree of rigid bodies, or if its forces need more."""
    limbs = limbs_of(layout)
    if not limbs or system.driven.body.shape[0] or system.touch.strain.size:
        return None
    first = np.cumsum([0] + [COUNTS[limb.kind] for limb in limbs])
    constant = _constants(layout, system, limbs)
    if constant is None:
        return None
    tree = _tree(layout, system, limbs, first, constant)
    held = {int(i) for i, row in zip(first, tree.row[1:], strict=False) if row >= 0}
    scale = np.ones(tree.effort.size)
    for limb, i in zip(limbs, first, strict=False):
        scale[i : i + {SLIDER: 1, FREE: 3}.get(limb.kind, 0)] = layout.size
    joints: System = system.replaced(
        entry=tree_entries(),
        motion=_calls(layout, system, tree),
        rows=system.rows.replaced(place=np.zeros(0, dtype=np.uint32)),
        free=ints(i for i in range(tree.effort.size) if i not in held),
        tree=tree,
    )
    return JointForm(joints, scale) if _agrees(system, joints, x) else None


# -- inertia ---------------------------------------------------------------------------------------------------


def _constants(layout: Layout, system: System, limbs: list[Limb]) -> Floats | None:
    """Levers, axes and inertia of all bodies; None if the mass of an element is not that of one rigid body."""
    drawn = layout.drawn
    constant = np.zeros((len(limbs) + 1, GEARED))
    for n, limb in enumerate(limbs, start=1):
        origin = drawn[_point(limbs[limb.parent].reference)] if limb.parent >= 0 else np.zeros(3)
        constant[n, OFFSET : OFFSET + 3] = drawn[_point(limb.reference)] - origin
        if limb.joint:
            axis = triad(Vector(*(layout.element_numbers[limb.joint][name] for name in AXIS)))[0]
            constant[n, DIRECTION : DIRECTION + 3] = limb.sign * np.array([float(c) for c in axis])
    inertia = _inertias(layout, system, limbs, constant)
    if inertia is None:
        return None
    for n, six in enumerate(inertia, start=1):
        turning, coupling, shifting = six[:3, :3], six[:3, 3:], six[3:, 3:]
        mass = float(np.trace(shifting)) / 3.0
        moment = 0.5 * np.array(
            [coupling[2, 1] - coupling[1, 2], coupling[0, 2] - coupling[2, 0], coupling[1, 0] - coupling[0, 1]]
        )
        size = 1e-9 * (mass * layout.size + np.abs(moment).max())
        if np.abs(shifting - mass * np.eye(3)).max() > 1e-9 * mass or np.abs(coupling + coupling.T).max() > size:
            return None
        constant[n, MASS], constant[n, MOMENT : MOMENT + 3] = mass, moment
        constant[n, INERTIA : INERTIA + 6] = turning[np.triu_indices(3)]
    return constant


def _point(first: int) -> slice:
    """Coordinates of a point."""
    return slice(first, first + 3)


def _inertias(layout: Layout, system: System, limbs: list[Limb], constant: Floats) -> list[Floats] | None:
    """Kinetic energy of each body as a 6×6 matrix of its twist about the reference point, in the drawn position.

    The energy of rotors across hinges is added to the constants of their bodies.
    """
    call_level(system, system.motion, layout.drawn.copy(), np.zeros_like(layout.drawn))
    out = system.motion.out
    found, carriers = [np.zeros((6, 6)) for _ in limbs], _Carriers(layout, limbs)
    for group, sources, i, j in Outputs(layout, "motion").entries("mass"):
        for row, source in zip(group.table, sources, strict=True):
            if all(c in layout.known or layout.coordinates[c].integral for c in row.tolist()):
                continue
            n = carriers.find(row)
            mass = np.zeros((row.size, row.size))
            mass[i, j] = mass[j, i] = out[source]
            if n is None:
                if not _add_rotor(layout, limbs, row, mass, constant):
                    return None
                continue
            twist = _twists(layout, limbs[n], row)
            found[n] += twist.T @ mass @ twist
    return found


def _add_rotor(layout: Layout, limbs: list[Limb], coordinates: Ints, mass: Floats, constant: Floats) -> bool:
    """Add the inertia of an element that turns with a body and its parent about the hinge between them."""
    frames = [c for c in coordinates.tolist() if layout.coordinates[c].component == "e0"]
    moving = {n for n, limb in enumerate(limbs) if limb.frame in frames}
    child = max(moving, default=-1)
    if child < 0 or limbs[child].kind != HINGE or not moving <= {child, limbs[child].parent}:
        return False
    spins = np.zeros((coordinates.size, 6))
    for n, c in enumerate(coordinates.tolist()):
        address = layout.coordinates[c]
        if address.turns and c not in layout.known and address.component != "e0":
            part = int(address.component[1:])
            spins[n, part - 1 + (3 if c - part == limbs[child].frame else 0)] = 0.5
    six, axis = spins.T @ mass @ spins, constant[child + 1, DIRECTION : DIRECTION + 3]
    blocks = [axis @ six[k : k + 3, l : l + 3] @ axis for k, l in ((0, 0), (0, 3), (3, 3))]
    own, across, other = blocks
    expected = np.kron(np.array([[own, across], [across, other]]), np.outer(axis, axis))
    points = [n for n, c in enumerate(coordinates.tolist()) if not layout.coordinates[c].turns]
    if np.any(mass[points]) or np.abs(six - expected).max() > 1e-9 * max(np.abs(six).max(), 1e-300):
        return False
    constant[child + 1, [ALPHA, BETA, GAMMA]] += own + 2.0 * across + other, across + other, other
    return True


class _Carriers:
    """Search for the body that an element belongs to, by its coordinates."""

    def __init__(self, layout: Layout, limbs: list[Limb]) -> None:
        self._layout, self._limbs = layout, limbs
        self._at: dict[int, list[int]] = {}
        for n, limb in enumerate(limbs):
            for c in (limb.frame, *limb.points):
                self._at.setdefault(c, []).append(n)

    def find(self, coordinates: Ints) -> int | None:
        """Index of the body among the limbs; None if no body has all these coordinates."""
        first = [c for c in coordinates.tolist() if self._layout.coordinates[c].component in {"e0", "x"}]
        common = set(self._at.get(first[0], ())).intersection(*(self._at.get(c, ()) for c in first)) if first else ()
        return min(common, default=None)


def _twists(layout: Layout, limb: Limb, coordinates: Ints) -> Floats:
    """Rates of coordinates due to the angular velocity and the velocity of a body in the drawn position."""
    rows = np.zeros((coordinates.size, 6))
    for n, c in enumerate(coordinates.tolist()):
        address = layout.coordinates[c]
        if address.turns:
            part = int(address.component[1:])
            if part:
                rows[n, part - 1] = 0.5
            continue
        part = "xyz".index(address.component)
        x, y, z = layout.drawn[_point(c - part)] - layout.drawn[_point(limb.reference)]
        rows[n, 3 + part] = 1.0
        rows[n, :3] = ((0.0, z, -y), (-z, 0.0, x), (y, -x, 0.0))[part]
    return rows


# -- arrays ----------------------------------------------------------------------------------------------------


def _tree(layout: Layout, system: System, limbs: list[Limb], first: Ints, constant: Floats) -> JointTree:
    states, count = layout.integral_index, int(first[-1]) + len(layout.integral_index)
    strains = [
        layout.strain_index[Address("strain", limb.joint, _motion(layout, limb))] if limb.joint else -1
        for limb in limbs
    ]
    row_of = {int(k): r for r, k in enumerate(system.rows.strain)}
    joint_of = np.full(max(len(layout.strains), 1), -1, dtype=np.int64)
    for k, i in zip(strains, first, strict=False):
        if k >= 0:
            joint_of[k] = i
    body = np.zeros((len(limbs) + 1, COLUMNS))
    body[:, [ROTATION, ROTATION + 4, ROTATION + 8, EULER]] = 1.0
    placed = _placed_points(layout, limbs)
    loaded = _loaded(system, joint_of)
    points = [c for c, _, _ in placed]
    return JointTree(
        kind=ints([-1, *(limb.kind for limb in limbs)]),
        parent=ints([0, *(limb.parent + 1 for limb in limbs)]),
        first=ints([-1, *first[:-1]]),
        strain=ints([-1, *strains]),
        row=ints([-1, *(row_of.get(k, -1) for k in strains)]),
        constant=constant,
        body=body,
        gravity=np.array(layout.gravity, dtype=float),
        point=ints(points),
        point_body=ints(n for _, n, _ in placed),
        point_offset=np.array([offset for _, _, offset in placed]).reshape(-1, 3),
        frame=ints([-1, *(limb.frame for limb in limbs)]),
        reference=ints([-1, *(limb.reference for limb in limbs)]),
        state=ints(states),
        state_joint=ints(range(int(first[-1]), count)),
        joint_of=joint_of,
        loaded_point=ints(n for n, c in enumerate(points) if loaded & {c, c + 1, c + 2}),
        loaded_body=ints(n for n, limb in enumerate(limbs, start=1) if loaded & set(range(limb.frame, limb.frame + 4))),
        placed=ints([bool(loaded or states or system.feedback.signal.shape[0])]),
        effort=np.zeros(count),
        force=np.zeros(layout.drawn.size),
        x=layout.drawn.copy(),
        v=np.zeros(layout.drawn.size),
    )


def _motion(layout: Layout, limb: Limb) -> str:
    """Name of the strain that a joint leaves free."""
    joint = layout.names.elements[limb.joint].joint
    return joint.strain if joint else ""


def _placed_points(layout: Layout, limbs: list[Limb]) -> list[tuple[int, int, Floats]]:
    """(first coordinate, body, place in it) of each moving point; a point at a joint belongs to the parent."""
    found: dict[int, tuple[int, int, Floats]] = {}
    for n, limb in enumerate(limbs, start=1):
        for point in limb.points:
            if point not in layout.known and point not in found:
                found[point] = (point, n, layout.drawn[_point(point)] - layout.drawn[_point(limb.reference)])
    for point in (c for c in layout.free if layout.coordinates[c].component == "x" and c not in found):
        found[point] = (point, 0, layout.drawn[_point(point)])
    return list(found.values())


def _loaded(system: System, joint_of: Ints) -> set[int]:
    """Coordinates of the layout on which loads, and laws other than those of joints, act."""
    slopes, acting = system.slopes, [int(k) for k in system.laws.strain if joint_of[k] < 0]
    columns = [int(c) for k in acting for c in slopes.column[slopes.start[k] : slopes.start[k + 1]]]
    return {*columns, *system.driven.load_coordinate.tolist()}


def _calls(layout: Layout, system: System, tree: JointTree) -> Calls:
    """Kernels of the motion level that laws and controllers need."""
    signal = system.feedback.signal
    needed = {int(k) for k in system.laws.needed if tree.joint_of[k] < 0} | {
        int(k) for k in signal[signal[:, 0] == 1, 1]
    }
    outputs, calls = Outputs(layout, "motion"), system.motion
    owners = {layout.strains[k].owner for k in needed}
    starts = {outputs.starts[g] for g, group in enumerate(layout.groups) if not owners.isdisjoint(group.names)}
    kept = ints(n for n, start in enumerate(calls.out_start) if int(start) in starts)
    parts = ("address", "count", "index_start", "number_start", "extra_start", "out_start", "step")
    chosen: Calls = calls.replaced(**{name: getattr(calls, name)[kept] for name in parts})
    return chosen


# -- check -----------------------------------------------------------------------------------------------------


def _agrees(system: System, joints: System, x: Floats) -> bool:
    """True if held strains and accelerations of a random state agree with the equations in all coordinates."""
    tree, random = joints.tree, np.random.default_rng(1)
    count = tree.effort.size
    q, u, a = np.zeros(count), np.zeros(count), np.zeros(count)
    stress = np.zeros(max(system.strain.size, 1))
    collect(system, tree, x, np.zeros_like(x), q, u)
    q += 0.1 * random.standard_normal(count)
    u += random.standard_normal(count)
    accelerate(joints, 0.0, q, u, a, stress)
    found = np.zeros_like(x)
    own_x, own_v = x.copy(), np.zeros_like(x)
    place(tree, q, u, own_x, own_v)
    _second(tree, a, found)
    expected = np.zeros_like(x)
    accelerate(system, 0.0, own_x, own_v, expected, stress)
    rows = system.rows
    if not np.all(
        np.abs(system.motion.out[system.slopes.strain[rows.strain]] - rows.position) <= _AGREEMENT * rows.scale
    ):
        return False
    size = np.abs(expected).max(initial=0.0) + np.abs(own_v).max(initial=0.0) ** 2
    return bool(np.abs(found - expected).max(initial=0.0) <= _AGREEMENT * max(size, 1e-300))


def _second(tree: JointTree, a: Floats, result: Floats) -> None:
    """Accelerations of the coordinates of the layout from those of the bodies."""
    own = tree.body[tree.point_body]
    spin, turning = own[:, SPIN : SPIN + 3], own[:, ACCELERATION : ACCELERATION + 3]
    lever = np.einsum("nij,nj->ni", own[:, ROTATION : ROTATION + 9].reshape(-1, 3, 3), tree.point_offset)
    shift = own[:, ACCELERATION + 3 : ACCELERATION + 6] + tree.gravity
    shift += np.cross(turning, lever) + np.cross(spin, np.cross(spin, lever))
    result[tree.point[:, None] + np.arange(3)] = shift
    own = tree.body[1:]
    x, y, z = own[:, ACCELERATION : ACCELERATION + 3].T
    e0, e1, e2, e3 = e = own[:, EULER : EULER + 4].T
    product = np.array(
        [
            -x * e1 - y * e2 - z * e3,
            x * e0 + y * e3 - z * e2,
            y * e0 + z * e1 - x * e3,
            z * e0 + x * e2 - y * e1,
        ]
    )
    square = (own[:, SPIN : SPIN + 3] ** 2).sum(axis=1)
    result[tree.frame[1:, None] + np.arange(4)] = (0.5 * product - 0.25 * square * e).T
    result[tree.state] = a[tree.state_joint]
