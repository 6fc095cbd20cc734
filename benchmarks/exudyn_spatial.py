"""Exudyn: the spatial models, each in the form that was fastest of those tried (see the README)."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.cases import Array
from benchmarks.exudyn_models import Builder, Built, exu, item
from benchmarks.robot_arm import RobotArm
from benchmarks.spatial import HingedChain, SpatialArm, SpatialPendulum, SpatialSliderCrank

GUIDE = 7e8


def spatial_pendulum(case: SpatialPendulum) -> Built:
    """A kinematic tree; a ball is two revolute joints with a massless link between them."""
    l, (along, across) = case.length, case.inertia
    bar, none, build = (case.mass, 0.5 * l, across), (0.0, 0.0, 0.0), Builder()
    if case.hinged:
        joints, offsets, links, turned = ["RevoluteZ"] * 2, [0.0, l], [bar] * 2, [np.eye(3), _about_x(case.tilt)]
    else:
        joints, offsets, links = ["RevoluteZ", "RevoluteY"] * 2, [0.0, 0.0, l, 0.0], [none, bar] * 2
        turned = [np.eye(3)] * 4
    gravity = (0.0, -case.gravity, 0.0)
    build.tree([0.0] * len(joints), case.rates, joints, offsets, links, gravity, turned, along)
    return build.done([build.nodes[0]], "Coordinates", case.tip)


def hinged_chain(case: HingedChain) -> Built:
    """A kinematic tree; joints are drawn turned from the last."""
    n, (along, across), build = case.bodies, case.inertia, Builder()
    turned = [np.eye(3), *(_about_x(case.tilt if k % 2 else -case.tilt) for k in range(1, n))]
    offsets, link = [0.0] + [case.length] * (n - 1), (case.mass, 0.5 * case.length, across)
    build.tree([0.0] * n, [0.0] * n, ["RevoluteZ"] * n, offsets, [link] * n, (0.0, -case.gravity, 0.0), turned, along)
    return build.done([build.nodes[0]], "Coordinates", case.tip)


def spatial_slider_crank_tree(case: SpatialSliderCrank) -> Built:
    """Crank and rod as a kinematic tree, the slider as a mass at the rod's end, the guide as stiff springs."""
    a, b, mc, mr, ms = case.crank, case.rod, case.rhoA * case.crank, case.rhoA * case.rod, case.slider
    centre = (0.5 * mr + ms) * b / (mr + ms)
    inertia = mr * b**2 / 12 + mr * (centre - 0.5 * b) ** 2 + ms * (b - centre) ** 2
    links = [(mc, 0.5 * a, mc * a**2 / 12), (0.0, 0.0, 0.0), (mr + ms, centre, inertia)]

    # the crank starts along y; the rod does not turn at first
    A, B = (np.array(point) for point in case.points)
    x, y, z = (B - A) / b
    angles, rates = [0.5 * np.pi, np.arctan2(-x, y), -np.arcsin(z)], [case.speed, -case.speed, 0.0]
    build = Builder()
    tree = build.tree(angles, rates, ["RevoluteZ", "RevoluteZ", "RevoluteY"], [0.0, a, 0.0], links, (0.0, 0.0, 0.0))
    end = build.marker(item.MarkerKinematicTreeRigid(objectNumber=tree, linkNumber=2, localPosition=[b, 0, 0]))
    ground = build.object(item.ObjectGround(referencePosition=[0.0, *case.guide]))
    beside = build.marker(item.MarkerBodyRigid(bodyNumber=ground))
    guide = {"stiffness": [0, GUIDE, GUIDE], "damping": [0, 0, 0]}
    build.object(item.ObjectConnectorCartesianSpringDamper(markerNumbers=[beside, end], **guide))

    def slider(q: Array) -> Array:
        return (a * np.cos(q[:, 0]) + b * np.cos(q[:, 0] + q[:, 1]) * np.cos(q[:, 2]))[:, None]

    return build.done([build.nodes[0]], "Coordinates", slider)


def spatial_slider_crank_points(case: SpatialSliderCrank) -> Built:
    """A in its plane and B on its line, with the masses of crank and rod consistent on them, and two distances."""
    mc, mr, speed = case.rhoA * case.crank, case.rhoA * case.rod, -case.speed * case.crank
    build, ((x, y, _), (start, *beside)) = Builder(), case.points
    A = build.node(item.NodePoint2D(referenceCoordinates=[x, y], initialVelocities=[speed, 0]))
    B = build.node(item.Node1D(referenceCoordinates=[start], initialVelocities=[speed]))
    slider = item.ObjectMass1D(physicsMass=case.slider + mr / 3, nodeNumber=B, referencePosition=[0, *beside])
    end = build.marker(item.MarkerBodyPosition(bodyNumber=build.object(slider)))
    at_A, shared = mr / 3 + mc / 3, mr / 6
    mass = np.array([[at_A, 0, shared], [0, at_A, 0], [shared, 0, 0]])
    build.object(item.ObjectGenericODE2(nodeNumbers=[A, B], massMatrix=mass))
    build.distance(build.origin, build.position(A), case.crank)
    build.distance(build.position(A), end, case.rod)
    return build.done([B], "Coordinates", lambda q: q + start)


def spatial_arm(case: SpatialArm) -> Built:
    """Geometrically exact beams on nodes of the Lie group, with the section's shear stiffness."""
    n, l, roll, section = case.beams, case.length / case.beams, _about_x(case.roll), _section(case)
    build, spin = Builder(), roll.T @ [0.0, 0.0, case.speed]
    nodes = [
        build.node(
            item.NodeRigidBodyRotVecLG(
                referenceCoordinates=[i * l, 0, 0, case.roll, 0, 0],
                initialVelocities=[0, case.speed * i * l, 0, *spin],
            )
        )
        for i in range(n + 1)
    ]
    build.beams(nodes, l, section, [0, 0, -case.gravity])

    # all but the rotation about z is held
    end = build.marker(item.MarkerNodeRigid(nodeNumber=nodes[0]))
    held = {"constrainedAxes": [1, 1, 1, 1, 1, 0], "rotationMarker1": roll.T}
    build.object(item.ObjectJointGeneric(markerNumbers=[build.origin, end], **held))
    return build.done([nodes[n]], "Position", lambda r: r)


def robot_arm(case: RobotArm) -> Built:
    """A kinematic tree with a distance, and exact beams on nodes of the Lie group clamped to its last link."""
    build, parts, numbers = Builder(), case.parts, {part.name: n for n, part in enumerate(case.parts)}
    at = {"": np.zeros(3)} | {part.name: np.array(part.at) for part in parts}
    rates = [case.speed, *[0.0] * (len(parts) - 1)]
    zero = [0.0] * len(parts)
    start = {"referenceCoordinates": zero, "initialCoordinates": zero, "initialCoordinates_t": rates}
    node = build.node(item.NodeGenericODE2(numberOfODE2Coordinates=len(parts), **start))
    tree = build.object(
        item.ObjectKinematicTree(
            nodeNumber=node,
            jointTypes=[getattr(exu.JointType, f"Revolute{part.axis.upper()}") for part in parts],
            linkParents=[numbers.get(part.parent, -1) for part in parts],
            jointTransformations=exu.Matrix3DList([np.eye(3)] * len(parts)),
            jointOffsets=exu.Vector3DList([at[part.name] - at[part.parent] for part in parts]),
            linkInertiasCOM=exu.Matrix3DList([np.diag(part.moments) for part in parts]),
            linkCOMs=exu.Vector3DList([list(part.centre) for part in parts]),
            linkMasses=[part.mass for part in parts],
            gravity=[0, 0, -case.gravity],
            baseOffset=[0, 0, 0],
        )
    )

    def on(part: str, place: Any) -> Any:
        local = list(np.array(place) - at[part])
        return build.marker(
            item.MarkerKinematicTreeRigid(objectNumber=tree, linkNumber=numbers[part], localPosition=local)
        )

    crank, forearm = (np.array(end) for end in case.rod)
    build.distance(on("crank", crank), on("forearm", forearm), float(np.linalg.norm(forearm - crank)))
    first = np.array(parts[-1].at)
    places = [first + np.array([i * case.length / case.beams, 0.0, 0.0]) for i in range(case.beams + 1)]
    nodes = [
        build.node(
            item.NodeRigidBodyRotVecLG(
                referenceCoordinates=[*place, 0, 0, 0],
                initialVelocities=[0, case.speed * place[0], 0, 0, 0, case.speed],
            )
        )
        for place in places
    ]
    build.beams(nodes, case.length / case.beams, _section(case), [0, 0, -case.gravity])
    end = build.marker(item.MarkerNodeRigid(nodeNumber=nodes[0]))
    build.object(item.ObjectJointGeneric(markerNumbers=[on("tool", first), end], constrainedAxes=[1] * 6))
    return build.done([nodes[-1]], "Position", lambda r: r)


def _section(case: SpatialArm | RobotArm) -> Any:
    s, section = case.section, exu.BeamSection()
    shear = s["GA"] * 5 / 6
    section.massPerLength = s["rhoA"]
    section.inertia = np.diag([s["rhoIy"] + s["rhoIz"], s["rhoIy"], s["rhoIz"]])
    section.stiffnessMatrix = np.diag([s["EA"], shear, shear, s["GIt"], s["EIy"], s["EIz"]])
    return section


def _about_x(angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
