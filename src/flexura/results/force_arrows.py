"""Forces of a motion as arrows: reactions, loads and contact forces with their places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from flexura.model.names import Address, Names

Array = NDArray[np.float64]

LENGTH = 0.25
"""Length of the arrow of the reference force, relative to the size of the scene."""
_SPIKE = 4.0
"""Maximum ratio of the reference force to the median, so that an impact does not hide all other arrows."""

Kind = Literal["reaction", "load", "contact"]


class ForceArrow(NamedTuple):
    """A force over n times, in d dimensions."""

    name: str
    kind: Kind
    place: Array
    """places of its tail [m], (n, d)"""
    force: Array
    """components along the global axes [N], (n, d)"""


class Forced(Protocol):
    """Part of a motion that is needed to draw its forces."""

    @property
    def names(self) -> Names: ...

    def force(self, signal: str) -> Array: ...


def force_arrows(motion: Forced, values: Mapping[Address, Array]) -> tuple[ForceArrow, ...]:
    """Arrows of all forces that are not always zero.

    The reaction or drive of a node and the load on it are forces on the machine. A contact force is the one on the
    second node of the contact element; on a tyre, the one on the wheel. Couples are not drawn.
    """
    found = (*_at_nodes(motion, values), *_at_contacts(motion, values))
    return tuple(arrow for arrow in found if np.any(arrow.force))


def metres_per_newton(arrows: Sequence[ForceArrow], size: float) -> float:
    """Scale at which the reference force is a quarter of the size.

    The reference is the largest force, or four times the median of the largest forces of the frames if that is less.
    """
    if not arrows:
        return 0.0
    each = np.max([np.linalg.norm(arrow.force, axis=1) for arrow in arrows], axis=0)
    return LENGTH * size / min(float(each.max()), _SPIKE * float(np.median(each[each > 0.0])))


def _at_nodes(motion: Forced, values: Mapping[Address, Array]) -> Iterator[ForceArrow]:
    """Reactions and drives of nodes, and loads."""
    names, model = motion.names, motion.names.model
    held = {address for name in (*model.fixed, *model.inputs) for address in names.expand(name)}
    for node in names.positions:
        axes = [Address("coordinate", node, component) for component in names.place_components]
        place = np.stack([values[axis] for axis in axes], axis=-1)
        force = np.stack([motion.force(str(axis)) for axis in axes], axis=-1)
        supported = np.array([axis in held for axis in axes])
        for kind, chosen in (("reaction", supported), ("load", ~supported)):
            yield ForceArrow(node, kind, place, np.where(chosen, force, 0.0))  # type: ignore[arg-type]


def _at_contacts(motion: Forced, values: Mapping[Address, Array]) -> Iterator[ForceArrow]:
    """Forces of the contacts of each element on one of its nodes."""
    for name, element in motion.names.elements.items():
        if not element.contacts or element.coordinates or len(motion.names.attachments[name]) != 2:
            continue
        surfaces = motion.names.drawing.surfaces(name, values)
        first, *others = element.contacts
        if first.of_strains or not any(contact.slips for contact in element.contacts):
            groups = [(surfaces.places[:, 0], tuple(surfaces.directions))]
            if others:
                groups = [(surfaces.places[:, i], (c.name,)) for i, c in enumerate(element.contacts)]
        else:
            groups = [(surfaces.places[:, i], (c.name, *c.slips)) for i, c in enumerate(element.contacts)]
        for place, signals in groups:
            parts = [motion.force(f"{name}.{signal}")[:, None] * surfaces.directions[signal] for signal in signals]
            yield ForceArrow(name, "contact", place, np.nan_to_num(np.sum(parts, axis=0)))
