"""Candidates for contact among many planar bodies, by bounding circles in a grid of cells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import floor, hypot
from typing import Any

from flexura.elements.outlines import Outline, refuse_outline
from flexura.elements.planar.body_contact import BodyContact
from flexura.errors import ModelError, did_you_mean
from flexura.laws.friction import Friction

Circles = Sequence[tuple[float, float, float]]
"""(x, y, radius) of bounding circles"""


def close_pairs(circles: Circles, reach: float) -> Iterator[tuple[int, int]]:
    """Pairs of circles that are at most ``reach`` apart, each once; the effort grows with the number of circles.

    Circles lie in the cells of a grid as wide as the largest of them and the reach; those much larger than most, such
    as a floor, are compared with all.
    """
    if not circles:
        return
    middle = sorted(radius for *_, radius in circles)[len(circles) // 2]
    large = [i for i, (*_, radius) in enumerate(circles) if radius > 4.0 * middle]
    small = [i for i, (*_, radius) in enumerate(circles) if radius <= 4.0 * middle]
    width = 2.0 * max((circles[i][2] for i in small), default=0.0) + reach
    cells: dict[tuple[int, int], list[int]] = defaultdict(list)
    for i in small:
        x, y, _ = circles[i]
        cell = floor(x / width), floor(y / width)
        near = (
            other for dx in (-1, 0, 1) for dy in (-1, 0, 1) for other in cells.get((cell[0] + dx, cell[1] + dy), ())
        )
        yield from ((other, i) for other in near if _apart(circles, other, i) <= reach)
        cells[cell].append(i)
    for place, i in enumerate(large):
        yield from ((i, other) for other in (*large[place + 1 :], *small) if _apart(circles, i, other) <= reach)


def _apart(circles: Circles, i: int, j: int) -> float:
    (x, y, a), (u, v, b) = circles[i], circles[j]
    return hypot(x - u, y - v) - a - b


def contact_pairs(
    places: Mapping[str, Sequence[float]],
    outlines: Mapping[str, Outline],
    contact: Any,
    *,
    reach: float,
    friction: Friction | None = None,
    radii: Mapping[str, float] | None = None,
) -> dict[str, BodyContact]:
    """Contacts between all named bodies that can meet: elements by name, for ``Model(elements=…)``.

    ``places`` are the drawn positions of the ends or nodes that carry the bodies, such as ``"block.p"``, and
    ``outlines`` their corners. Pairs whose bounding circles are drawn farther than ``reach`` apart are left out: choose
    it at least as long as the way that the bodies go towards each other.
    """
    names = list(outlines)
    for name in names:
        if name not in places:
            raise ModelError(f"outlines.{name}", "the place of this body is not given", "add it to places")
        refuse_outline(f"outlines.{name}", outlines[name], (radii or {}).get(name, 0.0))
    for name in radii or {}:
        if name not in outlines:
            raise ModelError(f"radii.{name}", "the outline of this body is not given", did_you_mean(name, names))
    if not reach >= 0.0:
        raise ModelError("reach", f"the reach must not be negative, got {reach:g}", "give a distance in metres")
    round_ = radii or {}
    circles = []
    for name in names:
        x, y = map(float, places[name])
        circles.append((x, y, max(hypot(*corner) for corner in outlines[name]) + round_.get(name, 0.0)))
    found = {}
    for i, j in sorted(close_pairs(circles, reach)):
        p, q = names[i], names[j]
        key = f"{p.removesuffix('.p')}_{q.removesuffix('.p')}"
        found[key] = BodyContact(
            p, q, contact, outlines[p], outlines[q], round_.get(p, 0.0), round_.get(q, 0.0), friction=friction
        )
    return found
