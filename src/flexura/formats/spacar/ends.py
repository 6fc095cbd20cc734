"""Ends of elements: where the orientation nodes of SPACAR are in a model.

In SPACAR positions and orientations are nodes of their own. In a model an orientation belongs to the end of an element.
The first element that has an orientation node together with a position node owns the end; other elements with the same
two nodes are attached to it. Ends at other positions with the same orientation node are welded by a rigid hinge.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import Any

from flexura.formats.spacar.case import Case
from flexura.planar import Hinge as PlanarHinge
from flexura.spatial import Hinge


@dataclass
class Ends:
    """Owners of orientation nodes."""

    owners: dict[tuple[int, int], str] = field(default_factory=dict)
    """position and orientation node → end, such as ``e1.q``"""
    places: dict[int, list[tuple[int, str]]] = field(default_factory=dict)
    """orientation node → its ends: position node and name, the first owner first"""
    hinged: dict[int, tuple[str, int]] = field(default_factory=dict)
    """orientation node of hinges only → end, and the position node where it is put"""
    welds: dict[str, Any] = field(default_factory=dict)
    """rigid hinges between ends that share an orientation node"""

    def add(self, x: int, r: int, name: str) -> None:
        """Let an end own a position and an orientation, unless another one does."""
        if (x, r) not in self.owners:
            self.owners[x, r] = name
            self.places.setdefault(r, []).append((x, name))

    def end(self, orientation: int) -> str:
        """Name of the first end with an orientation."""
        return self.places[orientation][0][1]

    def target(self, name: str, x: int, r: int) -> str:
        """Name that the slot ``name`` of an element is attached to: its node, or the end that it is welded to."""
        owner = self.owners[x, r]
        return f"n{x}" if owner == name else owner

    def hinge_target(self, name: str, orientation: int) -> str:
        """Name that the slot ``name`` of a hinge is attached to."""
        if orientation in self.hinged and self.hinged[orientation][0] == name:
            return f"n{self.hinged[orientation][1]}"
        return self.end(orientation)


def find_ends(case: Case, rigid: set[int]) -> Ends:
    """Owners of all orientation nodes; ``rigid`` are the numbers of elements without deformation."""
    ends = Ends()
    for each in case.elements.values():
        for slot, x, r in each.ends:
            if "x" in each.form.nodes:
                ends.add(x, r, f"{each.name}.{slot}")
    _place_hinges(case, ends)
    joined = _rigidly_joined(case, rigid)
    for r, places in ends.places.items():
        for x, name in places[1:]:
            if joined.get((x, r), (x, r)) != joined.get((places[0][0], r), (places[0][0], r)):
                kind: dict[str, Any] = {} if case.planar else {"axis": (1.0, 0.0, 0.0)}
                ends.welds[f"r{r}_{x}"] = (PlanarHinge if case.planar else Hinge)(places[0][1], name, k=inf, **kind)
    return ends


def _rigidly_joined(case: Case, rigid: set[int]) -> dict[tuple[int, int], tuple[int, int]]:
    """Position and orientation node → representative of those that rigid elements with one orientation join."""
    root: dict[tuple[int, int], tuple[int, int]] = {}

    def top(pair: tuple[int, int]) -> tuple[int, int]:
        while root.setdefault(pair, pair) != pair:
            root[pair] = root[root[pair]]
            pair = root[pair]
        return pair

    for number in rigid:
        each = case.elements[number]
        if each.form.nodes == "xrxr" and len(set(each.of_kind("r"))) == 1:
            (a, b), r = each.of_kind("x"), each.of_kind("r")[0]
            root[top((b, r))] = top((a, r))
    return {pair: top(pair) for pair in list(root)}


def _place_hinges(case: Case, ends: Ends) -> None:
    """Put the orientation nodes that only hinges have at the position of the other side of the hinge."""
    known = {r: x for x, r in reversed(ends.owners)}
    hinges = [each for each in case.elements.values() if each.form.nodes == "rr"]
    waiting = [each for each in hinges if any(r not in known for r in each.nodes)]
    while waiting:
        ready = [each for each in waiting if any(r in known for r in each.nodes)]
        if not ready:
            each = waiting[0]
            what = f"{each.keyword} joins orientations that no element with a position has"
            raise each.line.error(what, "attach a beam or a body to one of them")
        for each in ready:
            for slot, r, other in zip("pq", each.nodes, each.nodes[::-1], strict=True):
                if r not in known:
                    known[r] = known[other]
                    ends.hinged[r] = (f"{each.name}.{slot}", known[r])
                    ends.places[r] = [(known[r], f"{each.name}.{slot}")]
        waiting = [each for each in waiting if any(r not in known for r in each.nodes)]
