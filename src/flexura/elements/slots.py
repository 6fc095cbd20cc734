"""Slots of an element: the fields that attach it to nodes, and the names of its attachments."""

from __future__ import annotations

from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

from flexura.attachment import Slot
from flexura.elements.element import Element
from flexura.nodes import Own, Point, Several, SpatialPoint


def slots(cls: type) -> dict[str, Slot]:
    """The fields that attach to nodes, with the kinds of node they take."""
    return dict(_slots(cls))


@cache
def _slots(cls: Any) -> dict[str, Slot]:
    found = {}
    for name, hint in get_type_hints(cls, include_extras=True).items():
        several = get_origin(hint) is tuple
        member = get_args(hint)[0] if several else hint
        for mark in getattr(member, "__metadata__", ()):
            if isinstance(mark, Slot):
                found[name] = Slot(_in_space(mark.kinds) if cls.space == "spatial" else mark.kinds, several)
    return found


def _in_space(kinds: tuple[type, ...]) -> tuple[type, ...]:
    """A point of a spatial element has three coordinates."""
    return tuple(SpatialPoint if kind is Point else kind for kind in kinds)


def targets(element: Element) -> dict[str, str]:
    """The nodes and ends that an element is attached to, by the names of its attachments.

    A field of one node gives its own name. A field ``nodes`` of several gives ``node_1``, ``node_2`` and so on.
    """
    found: dict[str, str] = {}
    for name, slot in slots(type(element)).items():
        value = getattr(element, name)
        if slot.several:
            found |= {f"{name.removesuffix('s')}_{i}": target for i, target in enumerate(value, start=1)}
        else:
            found[name] = value
    return found


def accepted(element: Element) -> dict[str, tuple[type, ...]]:
    """The kinds of node that each attachment of an element takes."""
    kinds = [
        slot.kinds
        for name, slot in slots(type(element)).items()
        for _ in (getattr(element, name) if slot.several else (name,))
    ]
    return dict(zip(targets(element), kinds, strict=True))


def arguments(element: Element, kinds: list[Any]) -> dict[str, Any]:
    """The kinds of the arguments of an element's functions, of the kinds of its nodes: those of one field together."""
    left, found = iter(kinds), dict[str, Any]()
    for name, slot in slots(type(element)).items():
        found[name] = Several(tuple(next(left) for _ in getattr(element, name))) if slot.several else next(left)
    if element.coordinates:
        found["coordinates"] = Own(element.coordinates)
    return found


def words(attachment: str) -> str:
    """An attachment as errors call it: ``end q``, ``node 3``."""
    word, _, number = attachment.rpartition("_")
    return f"{word} {number}" if word and number.isdigit() else f"end {attachment}"
