"""Sections of an MJCF file: included files, repeated sections, and notes on those that are left out."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

from flexura.errors import ModelError, placed
from flexura.formats.registry import Severity
from flexura.formats.robots.tree import Tree
from flexura.formats.xml_files import MOST_ELEMENTS, read_xml

MOST_FILES = 100
"""included files"""

_LEFT_OUT = {
    "actuator": "actuators have no signal",
    "tendon": "tendons",
    "deformable": "flexible bodies",
    "extension": "plugins",
}
_IGNORED = {"sensor": "sensors", "keyframe": "states", "contact": "pairs of surfaces", "custom": "numbers of users"}
_COMPILER = {
    "inertiagrouprange": "all geoms have mass",
    "boundmass": "masses have no lower bound",
    "boundinertia": "inertias have no lower bound",
}
_MEDIUM = ("density", "viscosity", "wind")


def merged(root: Any, folder: Path) -> Any:
    """The root with the contents of included files, and with one section of each kind."""
    root = deepcopy(root)
    _include(root, folder.resolve(), [], [MOST_ELEMENTS])
    for tag in dict.fromkeys(section.tag for section in root):
        first, *others = root.findall(tag)
        if tag == "default":
            continue  # classes of several sections are known together
        for other in others:
            first.attrib.update(other.attrib)
            first.extend(list(other))
            root.remove(other)
    return root


def _include(parent: Any, folder: Path, read: list[Path], room: list[int]) -> None:
    """Put the contents of other files in the place of each <include>; they are in the folder of the first file.

    ``read`` are the files that were included, ``room`` the number of elements that may still come.
    """
    for child in list(parent):
        if child.tag != "include":
            _include(child, folder, read, room)
            continue
        name = child.get("file", "")
        path = (folder / name).resolve()
        with placed(f"<include file='{name[:80]}'>"):
            if not path.is_relative_to(folder):
                raise ModelError("", "the file is outside the folder of the model", "copy it into that folder")
            if path in read or len(read) >= MOST_FILES:
                raise ModelError("", "the file is included twice", "include each file once")
            read.append(path)
            content = read_xml(path)
            room[0] -= sum(1 for _ in content.iter())
            if room[0] < 0:
                raise ModelError("", f"the files have more than {MOST_ELEMENTS} elements", "give the file of a robot")
        _include(content, folder, read, room)
        place = list(parent).index(child)
        parent[place : place + 1] = list(content)


def remark(tree: Tree, root: Any) -> None:
    """Notes on sections and settings that have no counterpart."""
    listed: list[tuple[Severity, dict[str, str]]] = [("left out", _LEFT_OUT), ("ignored", _IGNORED)]
    for severity, sections in listed:
        for word, said in sections.items():
            if (found := root.find(word)) is not None and len(found):
                tree.note(severity, word, f"{len(found)} of them: {said}")
    for word, said in _COMPILER.items():
        if any(each.get(word) is not None for each in root.findall("compiler")):
            tree.note("left out", f"compiler: {word}", said)
    for word in _MEDIUM:
        given = [value for each in root.findall("option") for value in each.get(word, "0").split()]
        if any(value.strip("+-0.") for value in given):
            tree.note("left out", f"option: {word}", "the medium exerts no forces")
    if any(each.get("shellinertia") == "true" for each in root.iter("geom")):
        tree.note("left out", "geom: shellinertia", "geoms are solid")
    if root.find(".//geom") is not None:
        tree.note("ignored", "geom", "surfaces give inertia only: no contacts are made")
