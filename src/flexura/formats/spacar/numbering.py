"""Numbers of nodes and elements for a SPACAR file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from flexura.errors import ModelError
from flexura.model.model import Model
from flexura.model.names import Names


@dataclass(frozen=True)
class Numbering:
    """Numbers of positions, orientations and parts of elements; ``n3`` and ``e2`` keep theirs."""

    names: Names
    positions: dict[str, int]
    orientations: dict[str, int]
    elements: dict[str, int]

    def node(self, name: str, component: str) -> tuple[int, int]:
        """Number of a node and of its coordinate, of the owner and the component of a coordinate's address."""
        if component in "xyz":
            return self.positions[name], "xyz".index(component) + 1
        return self.orientations[name], 1 if component == "phi" else int(component[1:]) + 1


def number(model: Model) -> Numbering:
    """Number a model: names of the forms n3 and e2 keep their numbers, others take free ones."""
    names = Names(model)
    parts = [part for whole in names.parts.values() for part in whole]
    skipped = ground_nodes(names)
    places = _numbered([name for name in names.positions if name not in skipped], "n")
    taken = iter(i for i in range(1, 10**7) if i not in set(places.values()))
    turns = dict(zip((name for name in names.orientations if name not in ground_ends(names)), taken, strict=False))
    return Numbering(names, places, turns, _numbered([part for part in parts if part not in lumped(names)], "e"))


def _numbered(names: Iterable[str], letter: str) -> dict[str, int]:
    own = {name: int(name[1:]) for name in names if re.fullmatch(rf"{letter}[1-9]\d{{0,6}}", name)}
    used = set(own.values())
    free: Iterator[int] = (i for i in range(1, 10**7) if i not in used)
    return {name: own[name] if name in own else next(free) for name in names}


def lumped(names: Names) -> set[str]:
    """Elements that become lumped masses, which have no number."""
    return {name for name, element in names.elements.items() if type(element).__name__ in {"Mass", "Body"}}


def _wheels(names: Names) -> Iterator[str]:
    return (name for name, element in names.elements.items() if "g" in names.attachments[name] and ":" not in name)


def ground_ends(names: Names) -> set[str]:
    """Orientations of the ground of wheels, which SPACAR does not name."""
    return {str(names.attachments[name]["g"].orientation) for name in _wheels(names)}


def ground_nodes(names: Names) -> set[str]:
    """Positions of the ground of wheels, where nothing else is attached."""
    grounds = {names.attachments[name]["g"].position for name in _wheels(names)}
    others = {
        end.position
        for name, ends in names.attachments.items()
        if ":" not in name
        for slot, end in ends.items()
        if not (slot == "g" and end.position in grounds)
    }
    return grounds - others


def unwritable(where: str, what: str) -> ModelError:
    """Error about a feature that SPACAR files cannot represent."""
    return ModelError(where, what, "take it out of the model, or convert to .toml")
