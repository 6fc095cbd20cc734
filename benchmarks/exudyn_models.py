"""Exudyn: the models, each in the form that was fastest of those tried (see the README).

Where an ideal joint stands in the way of explicit methods it is replaced: a fixed coordinate by a very heavy mass on
it, the guide of the slider by a stiff spring. What that changes counts as error.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from benchmarks.cases import Array, DoublePendulum, SliderCrank, Strip, deflection

# the module without range checks, with AVX2
vars(sys)["exudynFast"] = True

with contextlib.redirect_stdout(io.StringIO()):
    exu: Any = importlib.import_module("exudyn")
    item: Any = importlib.import_module("exudyn.itemInterface")
exu.config.printToConsole = False
exu.config.suppressWarnings = True

HEAVY = 1e7
GUIDE = 4e7


@dataclass(frozen=True)
class Built:
    """An assembled system, its sensors, and the signals as a function of what the sensors stored."""

    container: Any
    system: Any
    sensors: tuple[Any, ...]
    signals: Callable[..., Array]


def double_pendulum(case: DoublePendulum) -> Built:
    """A kinematic tree of two joint angles."""
    l, m, J = case.length, case.mass, case.mass * case.length**2 / 12
    build = Builder()
    build.tree([0.0, 0.0], [0.0, 0.0], ["RevoluteZ"] * 2, [0.0, l], [(m, 0.5 * l, J)] * 2, (0.0, -case.gravity, 0.0))

    def tip(q: Array) -> Array:
        a, b = q[:, 0], q[:, 0] + q[:, 1]
        return l * np.stack([np.cos(a) + np.cos(b), np.sin(a) + np.sin(b)], axis=-1)

    return build.done([build.nodes[0]], "Coordinates", tip)


def slider_crank_tree(case: SliderCrank) -> Built:
    """Crank and rod as a kinematic tree, the slider as a mass at the rod's end, the guide as a stiff spring."""
    a, b, mc, mr, ms = case.crank, case.rod, case.rhoA * case.crank, case.rhoA * case.rod, case.slider
    centre = (0.5 * mr + ms) * b / (mr + ms)
    inertia = mr * b**2 / 12 + mr * (centre - 0.5 * b) ** 2 + ms * (b - centre) ** 2
    build, rate = Builder(), -case.speed * (1.0 + a / b)
    links = [(mc, 0.5 * a, mc * a**2 / 12), (mr + ms, centre, inertia)]
    tree = build.tree([0.0, 0.0], [case.speed, rate], ["RevoluteZ"] * 2, [0.0, a], links, (0.0, 0.0, 0.0))
    end = build.marker(item.MarkerKinematicTreeRigid(objectNumber=tree, linkNumber=1, localPosition=[b, 0, 0]))
    guide = {"stiffness": [0, GUIDE, 0], "damping": [0, 0, 0]}
    build.object(item.ObjectConnectorCartesianSpringDamper(markerNumbers=[build.origin, end], **guide))

    def slider(q: Array) -> Array:
        return (a * np.cos(q[:, 0]) + b * np.cos(q[:, 0] + q[:, 1]))[:, None]

    return build.done([build.nodes[0]], "Coordinates", slider)


def slider_crank_points(case: SliderCrank) -> Built:
    """Two points with the masses of crank and rod consistent on them, two distances and a fixed coordinate."""
    a, b, mc, mr = case.crank, case.rod, case.rhoA * case.crank, case.rhoA * case.rod
    build = Builder()
    A = build.node(item.NodePoint2D(referenceCoordinates=[a, 0], initialVelocities=[0, case.speed * a]))
    B = build.node(item.NodePoint2D(referenceCoordinates=[a + b, 0]))
    mass = np.kron([[mr / 3 + mc / 3, mr / 6], [mr / 6, mr / 3 + case.slider]], np.eye(2))
    build.object(item.ObjectGenericODE2(nodeNumbers=[A, B], massMatrix=mass))
    build.distance(build.origin, build.position(A), a)
    build.distance(build.position(A), build.position(B), b)
    build.hold(B, 1)
    return build.done([B], "Position", lambda r: r[:, :1])


def slider_crank_beams(case: SliderCrank) -> Built:
    """The rod of cable elements; the crank as a distance with a third of its mass at A, which is exact for a bar."""
    a, n, l = case.crank, case.beams, case.rod / case.beams
    build, spin = Builder(), -case.speed * case.crank / case.rod
    nodes = [build.slope_node(a + i * l, (0, case.speed * a * (1 - i / n), 0, spin)) for i in range(n + 1)]
    build.cables(nodes, l, case.rhoA, case.EI, case.EA, case.damping)
    third = case.rhoA * a / 3
    build.object(item.ObjectGenericODE2(nodeNumbers=[nodes[0]], massMatrix=np.diag([third, third, 0, 0])))
    build.object(item.ObjectGenericODE2(nodeNumbers=[nodes[n]], massMatrix=np.diag([case.slider, case.slider, 0, 0])))
    build.distance(build.origin, build.position(nodes[0]), a)
    build.hold(nodes[n], 1)

    def signals(A: Array, middle: Array, B: Array) -> Array:
        return np.stack([B[:, 0], deflection(A[:, :2], middle[:, :2], B[:, :2])], axis=-1)

    return build.done([nodes[0], nodes[n // 2], nodes[n]], "Position", signals)


def strip(case: Strip, heavy: bool) -> Built:
    """A row of cable elements with consistent weights, pinned by constraints or by a heavy mass."""
    n, l, w = case.beams, case.length / case.beams, case.rhoA * case.gravity * case.length / case.beams
    build = Builder()
    nodes = [build.slope_node(i * l, (0, 0, 0, 0)) for i in range(n + 1)]
    build.cables(nodes, l, case.rhoA, case.EI, case.EA, 0.0)
    for i, node in enumerate(nodes):
        build.load(node, 1, -w if 0 < i < n else -0.5 * w)
    build.load(nodes[0], 3, -w * l / 12)
    build.load(nodes[n], 3, w * l / 12)
    if heavy:
        build.object(item.ObjectGenericODE2(nodeNumbers=[nodes[0]], massMatrix=np.diag([HEAVY, HEAVY, 0, 0])))
    else:
        build.hold(nodes[0], 0)
        build.hold(nodes[0], 1)
    return build.done([nodes[n]], "Position", lambda r: r[:, :2])


class Builder:
    """A system in the making."""

    def __init__(self) -> None:
        self.container = exu.SystemContainer()
        self.system = self.container.AddSystem()
        self.nodes: list[Any] = []
        self.origin = self.marker(item.MarkerBodyRigid(bodyNumber=self.object(item.ObjectGround())))
        ground = self.system.AddNode(item.NodePointGround())
        self.zero = self.marker(item.MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))

    def node(self, node: Any) -> Any:
        self.nodes.append(self.system.AddNode(node))
        return self.nodes[-1]

    def object(self, thing: Any) -> Any:
        return self.system.AddObject(thing)

    def marker(self, marker: Any) -> Any:
        return self.system.AddMarker(marker)

    def position(self, node: Any) -> Any:
        return self.marker(item.MarkerNodePosition(nodeNumber=node))

    def coordinate(self, node: Any, coordinate: int) -> Any:
        return self.marker(item.MarkerNodeCoordinate(nodeNumber=node, coordinate=coordinate))

    def slope_node(self, x: float, velocities: tuple[float, ...]) -> Any:
        return self.node(item.NodePoint2DSlope1(referenceCoordinates=[x, 0, 1, 0], initialVelocities=list(velocities)))

    def distance(self, p: Any, q: Any, length: float) -> None:
        self.object(item.ObjectConnectorDistance(markerNumbers=[p, q], distance=length))

    def hold(self, node: Any, coordinate: int) -> None:
        markers = [self.zero, self.coordinate(node, coordinate)]
        self.object(item.ObjectConnectorCoordinate(markerNumbers=markers))

    def load(self, node: Any, coordinate: int, force: float) -> None:
        self.system.AddLoad(item.LoadCoordinate(markerNumber=self.coordinate(node, coordinate), load=force))

    def cables(self, nodes: list[Any], l: float, rhoA: float, EI: float, EA: float, damping: float) -> None:
        section = {"massPerLength": rhoA, "bendingStiffness": EI, "axialStiffness": EA}
        section |= {"bendingDamping": EI * damping, "axialDamping": EA * damping}
        for p, q in pairwise(nodes):
            cable = item.ObjectANCFCable2D(length=l, nodeNumbers=[p, q], useReducedOrderIntegration=1, **section)
            self.object(cable)

    def beams(self, nodes: list[Any], length: float, section: Any, gravity: list[float]) -> None:
        """Geometrically exact beams of a length, with their weight."""
        for p, q in pairwise(nodes):
            beam = item.ObjectBeamGeometricallyExact(nodeNumbers=[p, q], length=length, sectionData=section)
            body = self.marker(item.MarkerBodyMass(bodyNumber=self.object(beam)))
            self.system.AddLoad(item.LoadMassProportional(markerNumber=body, loadVector=gravity))

    def tree(
        self,
        angles: list[float],
        rates: list[float],
        joints: list[str],
        offsets: list[float],
        links: list[tuple[float, float, float]],
        gravity: tuple[float, float, float],
        turned: list[Array] | None = None,
        along: float = 0.0,
    ) -> Any:
        """A chain of links along x, each with mass, centre and inertia across (that `along` it where there is mass).

        The axes of a joint are drawn `turned` from those of the last.
        """
        n = len(joints)
        start = {"referenceCoordinates": [0.0] * n, "initialCoordinates": angles, "initialCoordinates_t": rates}
        node = self.node(item.NodeGenericODE2(numberOfODE2Coordinates=n, **start))
        return self.object(
            item.ObjectKinematicTree(
                nodeNumber=node,
                jointTypes=[getattr(exu.JointType, joint) for joint in joints],
                linkParents=list(range(-1, n - 1)),
                jointTransformations=exu.Matrix3DList(turned or [np.eye(3)] * n),
                jointOffsets=exu.Vector3DList([[x, 0, 0] for x in offsets]),
                linkInertiasCOM=exu.Matrix3DList([np.diag([along if m else 0, J, J]) for m, _, J in links]),
                linkCOMs=exu.Vector3DList([[x, 0, 0] for _, x, _ in links]),
                linkMasses=[m for m, _, _ in links],
                gravity=list(gravity),
                baseOffset=[0, 0, 0],
            )
        )

    def done(self, nodes: list[Any], what: str, signals: Callable[..., Array]) -> Built:
        """Assemble, with a sensor on each of the nodes that stores in memory."""
        kind = getattr(exu.OutputVariableType, what)
        sensors = tuple(
            self.system.AddSensor(item.SensorNode(nodeNumber=node, outputVariableType=kind, storeInternal=True))
            for node in nodes
        )
        self.system.Assemble()
        return Built(self.container, self.system, sensors, signals)
