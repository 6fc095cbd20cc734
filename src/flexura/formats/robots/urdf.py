"""URDF: the robot description of ROS."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from flexura.errors import ModelError, did_you_mean, placed
from flexura.formats.registry import Imported, reads
from flexura.formats.robots.tree import STOP_STIFFNESS, Inertia, Joint, Kind, Link, Tree, build, ordered
from flexura.formats.xml_files import numbers, read_xml
from flexura.model.model import Model

Array = NDArray[np.float64]
ZERO = (0.0, 0.0, 0.0)

KINDS: dict[str, Kind] = {
    "revolute": "hinge", "continuous": "hinge", "prismatic": "slide", "fixed": "fixed", "floating": "free",
}  # fmt: skip


def load_urdf(path: str | os.PathLike[str], *, floating: bool = False, stop_stiffness: float = STOP_STIFFNESS) -> Model:
    """Spatial model of the robot in a URDF file, drawn with all joints at zero.

    Each link is a body of its name, each joint a hinge or a slider of its name, whose value is ``joint.rotation`` or
    ``joint.travel``. The root is fixed to the ground, or free with ``floating``. Limits are stops of the given
    stiffness [N·m/rad, N/m], none where it is zero. Gravity is 9.81 m/s² along -z.
    """
    return read_urdf(path, floating=floating, stop_stiffness=stop_stiffness).warn(path)


def read_urdf(
    path: str | os.PathLike[str], *, floating: bool = False, stop_stiffness: float = STOP_STIFFNESS
) -> Imported:
    """Model of the robot in a URDF file, with notes on what became of its parts."""
    with placed(Path(path).name):
        root = read_xml(path)
        if root.tag != "robot":
            raise ModelError("", f"the root is <{root.tag}>, not <robot>", "give a URDF file")
        return build(_tree(root, floating), stop_stiffness)


@reads(".urdf")
def _read(path: Path) -> Imported:
    return read_urdf(path)


def _tree(root: Any, floating: bool) -> Tree:
    tree = Tree(title=str(root.get("name", ""))[:200])
    links = _by_name(root.findall("link"), "link")
    joints = _by_name(root.findall("joint"), "joint")
    above: dict[str, Any] = {}
    children: dict[str, list[str]] = {}
    for name, joint in joints.items():
        ends = [_attribute(joint.find(word), "link", f"joint '{name}': {word}") for word in ("parent", "child")]
        for end in ends:
            if end not in links:
                raise ModelError(f"joint '{name}'", f"there is no link '{end}'", did_you_mean(end, links))
        if ends[1] in above:
            what = f"the link '{ends[1]}' is the child of two joints"
            raise ModelError(f"joint '{name}'", what, "a URDF file is a tree; close loops in the model")
        above[ends[1]] = joint
        children.setdefault(ends[0], []).append(ends[1])
    roots = [name for name in links if name not in above]
    order = ordered(children, roots)
    if len(order) != len(links):
        raise ModelError("robot", "the joints run in a circle", "a URDF file is a tree")
    places: dict[str, tuple[Array, Array]] = {}
    for name in order:
        joint = above.get(name)
        parent = None if joint is None else str(joint.find("parent").get("link"))
        at, turn = places[parent] if parent is not None else (np.zeros(3), np.eye(3))
        if joint is not None:
            at, turn = _moved(joint, at, turn, f"joint '{joint.get('name')}'")
        places[name] = at, turn
        held = _root_joint(name, floating) if joint is None else _joint(tree, joint, at, turn)
        tree.links[name] = Link(name, parent, held, _inertia(links[name], at, turn))
    _remark(tree, root, joints)
    return tree


def _by_name(elements: list[Any], word: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for element in elements:
        name = _attribute(element, "name", word)
        if name in found:
            raise ModelError(f"{word} '{name}'", "this name is given twice", "give one of them another name")
        found[name] = element
    return found


def _attribute(element: Any, name: str, where: str) -> str:
    value = None if element is None else element.get(name)
    if not value:
        raise ModelError(where, f"it has no '{name}'", f"give {name}=…")
    return str(value)


def _moved(element: Any, at: Array, turn: Array, where: str) -> tuple[Array, Array]:
    """Position and orientation of the ``origin`` of an element, in the world."""
    origin = element.find("origin")
    if origin is None:
        return at, turn
    xyz = np.array(numbers(where, origin.get("xyz"), 3, ZERO))
    rpy = numbers(where, origin.get("rpy"), 3, ZERO)
    return at + turn @ xyz, turn @ scipy.spatial.transform.Rotation.from_euler("xyz", rpy).as_matrix()


def _root_joint(name: str, floating: bool) -> Joint:
    return Joint("free" if floating else "fixed", f"{name}_root", np.zeros(3))


def _joint(tree: Tree, element: Any, at: Array, turn: Array) -> Joint:
    name, kind = str(element.get("name")), str(element.get("type"))
    where = f"joint '{name}'"
    if kind not in KINDS:
        what = f"there is no joint of the type '{kind}' in this importer"
        raise ModelError(where, what, did_you_mean(kind, KINDS))
    axis = element.find("axis")
    along = np.array(numbers(where, None if axis is None else axis.get("xyz"), 3, (1.0, 0.0, 0.0)))
    if kind in {"fixed", "floating"}:
        along = np.array([1.0, 0.0, 0.0])
    if not np.linalg.norm(along) > 0.0:
        raise ModelError(where, "the axis is zero", "give a direction such as 0 0 1")
    found = Joint(KINDS[kind], name, at, turn @ along / np.linalg.norm(along))
    dynamics, limit = element.find("dynamics"), element.find("limit")
    if dynamics is not None:
        found.damping = numbers(where, dynamics.get("damping"), 1, (0.0,))[0]
        if numbers(where, dynamics.get("friction"), 1, (0.0,))[0]:
            tree.note("left out", where, "dry friction")
    if limit is not None and kind in {"revolute", "prismatic"}:
        low, high = (numbers(where, limit.get(word), 1, (0.0,))[0] for word in ("lower", "upper"))
        if low < high:
            found.limits = low, high
    if element.find("mimic") is not None:
        tree.note("left out", where, "mimic: the joint is free of the one that it should follow")
    return found


def _inertia(link: Any, at: Array, turn: Array) -> Inertia:
    element = link.find("inertial")
    if element is None:
        return Inertia(0.0, at)
    where = f"link '{link.get('name')}'"
    place, axes = _moved(element, at, turn, where)
    mass, tensor = element.find("mass"), element.find("inertia")
    m = numbers(where, None if mass is None else mass.get("value"), 1, (0.0,))[0]
    get = (lambda word: None) if tensor is None else tensor.get
    xx, yy, zz, xy, xz, yz = (
        numbers(where, get(f"i{word}"), 1, (0.0,))[0] for word in ("xx", "yy", "zz", "xy", "xz", "yz")
    )
    J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return Inertia(m, place, axes @ J @ axes.T)


def _remark(tree: Tree, root: Any, joints: dict[str, Any]) -> None:
    for word, what in (("visual", "the pictures of {}"), ("collision", "the surfaces of {}: no contacts are made")):
        if count := sum(1 for link in root.findall("link") if link.find(word) is not None):
            tree.note("ignored", word, what.format("1 link" if count == 1 else f"{count} links"))
    for word in ("transmission", "gazebo"):
        if root.find(word) is not None:
            tree.note("ignored", word, "actuators and settings of a simulator")
