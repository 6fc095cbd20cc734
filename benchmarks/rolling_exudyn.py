"""Exudyn: the models that roll, each in the form that was fastest of those tried (see the README)."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.exudyn_models import Builder, Built, exu, item
from benchmarks.rolling import Array, Bicycle, Part, RollingDisc, Triple

AXLE = (0.0, 1.0, 0.0)


def rolling_disc(case: RollingDisc) -> Built:
    """A body on a node of the Lie group with the ideal rolling joint."""
    build, r, inertia = Builder(), case.radius, (*case.inertia, 0.0)
    part, spin = Part(case.mass, (0.0, 0.0, r), inertia), (case.push, case.speed / r, 0.0)
    node, body = _body(build, part, case.gravity, (case.speed, -case.push * r, 0.0), spin)
    _roll(build, build.marker(item.MarkerBodyRigid(bodyNumber=body)), r)
    return build.done([node], "Position", lambda centre: centre)


def bicycle_bodies(case: Bicycle) -> Built:
    """Four bodies on nodes of the Lie group, three revolute joints and two rolling joints."""
    build = Builder()

    def body(part: Part, spin: float) -> tuple[Any, Any]:
        speed = (case.speed, -case.push * part.centre[2], 0.0)
        return _body(build, part, case.gravity, speed, (case.push, spin, 0.0))

    rear, front = (body(part, case.speed / part.centre[2]) for part in (case.rear, case.front))
    frame, fork = (body(part, 0.0) for part in (case.frame, case.fork))
    _hinge(build, (frame[1], case.frame), (rear[1], case.rear), case.rear.centre, AXLE)
    _hinge(build, (fork[1], case.fork), (front[1], case.front), case.front.centre, AXLE)
    _hinge(build, (frame[1], case.frame), (fork[1], case.fork), case.head, case.axis)
    for (_, wheel), part in ((rear, case.rear), (front, case.front)):
        _roll(build, build.marker(item.MarkerBodyRigid(bodyNumber=wheel)), part.centre[2])
    return build.done([rear[0], front[0], frame[0]], "Position", _sideways)


def bicycle_tree(case: Bicycle) -> Built:
    """A kinematic tree: the frame on three sliders and three hinges at the rear hub, the fork, and the wheels."""
    R, F, S, tilted = (np.array(p) for p in (case.rear.centre, case.front.centre, case.head, _along(case.axis)))
    none = Part(0.0, (0.0, 0.0, 0.0), (0.0,) * 4)
    joints = ["PrismaticX", "PrismaticY", "PrismaticZ", "RevoluteZ", "RevoluteX", "RevoluteY"]
    parts, centres = [none] * 5 + [case.frame], [np.zeros(3)] * 5 + [np.array(case.frame.centre) - R]
    offsets, turned, axes = [np.zeros(3)] * 6, [np.eye(3)] * 6, [np.eye(3)] * 6

    # rear wheel; fork in axes along the head; front wheel in axes as drawn
    joints += ["RevoluteY", "RevoluteZ", "RevoluteY"]
    parts += [case.rear, case.fork, case.front]
    offsets += [np.zeros(3), S - R, tilted.T @ (F - S)]
    turned += [np.eye(3), tilted, tilted.T]
    axes += [np.eye(3), tilted, np.eye(3)]
    centres += [np.zeros(3), tilted.T @ (np.array(case.fork.centre) - S), np.zeros(3)]
    rates = [case.speed, -case.push * R[2], 0, 0, case.push, 0, case.speed / R[2], 0, case.speed / F[2]]

    build, start = Builder(), [0.0] * 9
    node = build.node(
        item.NodeGenericODE2(
            numberOfODE2Coordinates=9,
            referenceCoordinates=start,
            initialCoordinates=start,
            initialCoordinates_t=rates,
        )
    )
    tree = build.object(
        item.ObjectKinematicTree(
            nodeNumber=node,
            jointTypes=[getattr(exu.JointType, joint) for joint in joints],
            linkParents=[-1, 0, 1, 2, 3, 4, 5, 5, 7],
            jointTransformations=exu.Matrix3DList(turned),
            jointOffsets=exu.Vector3DList(offsets),
            linkInertiasCOM=exu.Matrix3DList([A.T @ _tensor(part) @ A for part, A in zip(parts, axes, strict=True)]),
            linkCOMs=exu.Vector3DList(centres),
            linkMasses=[part.mass for part in parts],
            gravity=[0, 0, -case.gravity],
            baseOffset=list(R),
        )
    )
    places = ((6, np.zeros(3)), (8, np.zeros(3)), (5, np.array(case.frame.centre) - R))
    markers = [
        build.marker(item.MarkerKinematicTreeRigid(objectNumber=tree, linkNumber=link, localPosition=place))
        for link, place in places
    ]
    for marker, radius in zip(markers, (R[2], F[2]), strict=False):
        _roll(build, marker, radius)
    sensors = tuple(
        build.system.AddSensor(
            item.SensorKinematicTree(
                objectNumber=tree,
                linkNumber=link,
                localPosition=place,
                outputVariableType=exu.OutputVariableType.Position,
                storeInternal=True,
            )
        )
        for link, place in places
    )
    build.system.Assemble()
    return Built(build.container, build.system, sensors, _sideways)


def _body(build: Builder, part: Part, gravity: float, velocity: Triple, spin: Triple) -> tuple[Any, Any]:
    """A rigid body on its centre, with its weight; node and body."""
    Jxx, Jyy, Jzz, Jxz = part.inertia
    start = {"referenceCoordinates": [*part.centre, 0, 0, 0], "initialVelocities": [*velocity, *spin]}
    node = build.node(item.NodeRigidBodyRotVecLG(**start))
    body = build.object(item.ObjectRigidBody(nodeNumber=node, mass=part.mass, inertia=[Jxx, Jyy, Jzz, 0, Jxz, 0]))
    heavy = build.marker(item.MarkerBodyMass(bodyNumber=body))
    build.system.AddLoad(item.LoadMassProportional(markerNumber=heavy, loadVector=[0, 0, -gravity]))
    return node, body


def _hinge(build: Builder, p: tuple[Any, Part], q: tuple[Any, Part], place: Triple, axis: Triple) -> None:
    """A revolute joint of two bodies at a place, about an axis as drawn."""
    markers = [
        build.marker(item.MarkerBodyRigid(bodyNumber=body, localPosition=np.array(place) - part.centre))
        for body, part in (p, q)
    ]
    turned = _along(axis)
    build.object(item.ObjectJointRevoluteZ(markerNumbers=markers, rotationMarker0=turned, rotationMarker1=turned))


def _roll(build: Builder, marker: Any, radius: float) -> None:
    """The ideal rolling joint with the ground."""
    markers = [build.origin, marker]
    build.object(item.ObjectJointRollingDisc(markerNumbers=markers, discRadius=radius, discAxis=AXLE))


def _along(axis: Triple) -> Array:
    """Axes with z along a direction, and x level or in the plane of drawing."""
    z = np.array(axis)
    y = np.array([0.0, 1.0, 0.0]) if abs(z[1]) < 0.5 else np.array([0.0, 0.0, 1.0])
    return np.stack([np.cross(y, z), y, z], axis=-1)


def _tensor(part: Part) -> Array:
    Jxx, Jyy, Jzz, Jxz = part.inertia
    return np.array([[Jxx, 0.0, Jxz], [0.0, Jyy, 0.0], [Jxz, 0.0, Jzz]])


def _sideways(*centres: Array) -> Array:
    return np.stack([centre[:, 1] for centre in centres], axis=-1)
