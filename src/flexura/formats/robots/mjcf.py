"""MJCF: the models of MuJoCo."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError, did_you_mean, placed
from flexura.formats.registry import Imported, reads
from flexura.formats.robots.mjcf_defaults import Settings, settings
from flexura.formats.robots.mjcf_geoms import geom_inertia
from flexura.formats.robots.mjcf_sections import merged, remark
from flexura.formats.robots.tree import STOP_STIFFNESS, Inertia, Joint, Kind, Link, Tree, build
from flexura.formats.xml_files import numbers, read_xml
from flexura.model.model import Model

Array = NDArray[np.float64]
ZERO = (0.0, 0.0, 0.0)
KINDS: dict[str, Kind] = {"hinge": "hinge", "slide": "slide", "ball": "ball", "free": "free"}


def load_mjcf(path: str | os.PathLike[str], *, stop_stiffness: float = STOP_STIFFNESS) -> Model:
    """Spatial model of the bodies in an MJCF file, drawn in its reference configuration.

    Each body has its name, each joint is a hinge or a slider of its name, whose value is ``joint.rotation`` or
    ``joint.travel``. Limits are stops of the given stiffness [N·m/rad, N/m], none where it is zero. Contacts and
    actuators are left out.
    """
    return read_mjcf(path, stop_stiffness=stop_stiffness).warn(path)


def read_mjcf(path: str | os.PathLike[str], *, stop_stiffness: float = STOP_STIFFNESS) -> Imported:
    """Model of the bodies in an MJCF file, with notes on what became of its parts."""
    with placed(Path(path).name):
        root = read_xml(path)
        if root.tag != "mujoco":
            raise ModelError("", f"the root is <{root.tag}>, not <mujoco>", "give an MJCF file")
        return build(_tree(merged(root, Path(path).parent)), stop_stiffness)


@reads(".xml", ".mjcf")
def _read(path: Path) -> Imported:
    return read_mjcf(path)


def _tree(root: Any) -> Tree:
    for word in ("composite", "replicate", "flexcomp", "attach"):
        if root.find(f".//{word}") is not None:
            raise ModelError(f"<{word}>", "this importer does not read it", "save the compiled model from MuJoCo")
    tree = Tree(title=str(root.get("model", ""))[:200])
    option = root.find("option")
    gravity = numbers("option: gravity", None if option is None else option.get("gravity"), 3, (0.0, 0.0, -9.81))
    weightless = any(flag.get("gravity") == "disable" for flag in root.findall("option/flag"))
    tree.gravity = ZERO if weightless else (gravity[0], gravity[1], gravity[2])
    known = settings(root)
    world = root.find("worldbody")
    if world is None:
        raise ModelError("worldbody", "the file has no <worldbody>", "give an MJCF file with bodies")
    places: dict[str, tuple[Array, Array]] = {"": (np.zeros(3), np.eye(3))}
    waiting = [(each, "") for each in _members(known, world, np.zeros(3), np.eye(3), "") if each.element.tag == "body"]
    while waiting:
        member, parent = waiting.pop(0)
        body = member.element
        name = _unique(body.get("name") or "body", places)
        with placed(f"body '{name}'"):
            at, turn = known.placed(body, member.at, member.turn)
            places[name] = at, turn
            inside = list(_members(known, body, at, turn, body.get("childclass", member.style)))
            _add(tree, known, body, name, parent, inside, at)
        waiting += [(each, name) for each in inside if each.element.tag == "body"]
    if not tree.links:
        raise ModelError("worldbody", "the file has no bodies", "give an MJCF file with bodies")
    _scale_masses(tree, known)
    _loops(tree, root, known, places)
    remark(tree, root)
    return tree


def _scale_masses(tree: Tree, known: Settings) -> None:
    """Masses and inertias in proportion, so that the total is that which the compiler is asked for."""
    wanted = numbers("compiler: settotalmass", known.compiler.get("settotalmass"), 1, (-1.0,))[0]
    total = sum(link.inertia.mass for link in tree.links.values())
    if wanted <= 0.0 or not total:
        return
    for link in tree.links.values():
        link.inertia.mass *= wanted / total
        link.inertia.tensor = link.inertia.tensor * (wanted / total)


class _Member(NamedTuple):
    """Child of a body, with the position and axes that it is given in, and the class of its defaults."""

    element: Any
    at: Array
    turn: Array
    style: str


def _members(known: Settings, element: Any, at: Array, turn: Array, style: str) -> Iterator[_Member]:
    """Children of a body; those of a frame are placed in the frame."""
    for child in element:
        if child.tag == "frame":
            yield from _members(known, child, *known.placed(child, at, turn), child.get("childclass", style))
        else:
            yield _Member(child, at, turn, style)


def _unique(name: str, taken: dict[str, Any]) -> str:
    found, i = name, 2
    while found in taken:
        found, i = f"{name}_{i}", i + 1
    return found


def _add(tree: Tree, known: Settings, body: Any, name: str, parent: str, inside: list[_Member], at: Array) -> None:
    """Add a body; between several joints there are bodies without mass."""
    joints = [_joint(tree, known, each, name, at) for each in inside if each.element.tag in {"joint", "freejoint"}]
    inertia = _inertia(known, inside, at)
    if body.get("mocap") == "true" or numbers("gravcomp", body.get("gravcomp"), 1, (0.0,))[0]:
        tree.note("left out", f"body '{name}'", "mocap and gravcomp: the body has its weight, and is moved by nothing")
    above = parent or None
    for i, joint in enumerate(joints[:-1], start=1):
        between = _unique(f"{name}_{i}", tree.links)
        tree.links[between] = Link(between, above, joint, Inertia(0.0, joint.origin))
        above = between
    last = joints[-1] if joints else Joint("fixed", f"{name}_weld", at)
    tree.links[name] = Link(name, above, last, inertia)


def _joint(tree: Tree, known: Settings, member: _Member, body: str, place: Array) -> Joint:
    element, at, turn, style = member
    given = known.attributes("joint", element, style) if element.tag == "joint" else {"type": "free"}
    name, kind = given.get("name") or element.get("name") or f"{body}_joint", given.get("type", "hinge")
    where = f"joint '{name}'"
    if kind not in KINDS:
        raise ModelError(where, f"there is no joint of the type '{kind}'", did_you_mean(kind, KINDS))
    axis = np.array(numbers(where, given.get("axis"), 3, (0.0, 0.0, 1.0)))
    if not np.linalg.norm(axis) > 0.0:
        raise ModelError(where, "the axis is zero", "give a direction such as 0 0 1")
    origin = at + turn @ np.array(numbers(where, given.get("pos"), 3, ZERO)) if kind != "free" else place

    def number(word: str) -> float:
        return numbers(where, given.get(word), 1, (0.0,))[0]

    scale = known.radians if kind == "hinge" else 1.0
    found = Joint(KINDS[kind], name, origin, turn @ axis / np.linalg.norm(axis), number("damping"), number("stiffness"))
    reference = scale * number("ref")
    found.rest = scale * number("springref") - reference
    if given.get("range") is not None and given.get("limited", "auto") != "false" and kind in {"hinge", "slide"}:
        low, high = numbers(where, given["range"], 2, (0.0, 0.0))
        if low < high:
            found.limits = scale * low - reference, scale * high - reference
    for word, said in (("armature", "the inertia of the rotor"), ("frictionloss", "dry friction")):
        if number(word):
            tree.note("left out", where, f"{word} = {number(word):g}: {said}")
    if "springdamper" in given:
        tree.note("left out", where, "springdamper: give stiffness and damping")
    return found


def _inertia(known: Settings, inside: list[_Member], at: Array) -> Inertia:
    given = [each for each in inside if each.element.tag == "inertial"]
    if given and known.compiler.get("inertiafromgeom", "auto") != "true":
        element = given[0].element
        place, axes = known.placed(element, given[0].at, given[0].turn)
        mass = numbers("inertial", element.get("mass"), 1, (0.0,))[0]
        if element.get("fullinertia") is not None:
            xx, yy, zz, xy, xz, yz = numbers("inertial", element.get("fullinertia"), 6, (0.0,) * 6)
            J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        else:
            J = np.diag(numbers("inertial", element.get("diaginertia"), 3, ZERO))
        return Inertia(mass, place, axes @ J @ axes.T)
    total = Inertia(0.0, at)
    for each in inside:
        if each.element.tag == "geom":
            total = total + geom_inertia(known, known.attributes("geom", each.element, each.style), each.at, each.turn)
    return total


def _loops(tree: Tree, root: Any, known: Settings, places: dict[str, tuple[Array, Array]]) -> None:
    equality = root.find("equality")
    for i, each in enumerate(() if equality is None else equality, start=1):
        name = each.get("name") or f"loop_{i}"
        if each.tag != "connect" or each.get("anchor") is None or each.get("active") == "false":
            tree.note("left out", f"equality '{name}'", f"<{each.tag}>: only <connect> with an anchor is read")
            continue
        first, second = each.get("body1", ""), each.get("body2", "")
        for body in (first, second):
            if body not in places:
                raise ModelError(f"equality '{name}'", f"there is no body '{body}'", did_you_mean(body, places))
        at, turn = places[first]
        point = at + turn @ np.array(numbers(f"equality '{name}'", each.get("anchor"), 3, ZERO))
        tree.loops.append((name, first, second, point))
