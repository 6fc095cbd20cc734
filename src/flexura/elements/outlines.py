"""Outlines of planar bodies: points, circles, lines and convex polygons by their corners."""

from __future__ import annotations

from itertools import pairwise
from math import atan2, cos, hypot, pi, sin

from flexura.algebra import Vector, norm, vec
from flexura.errors import ModelError

Place = tuple[float, float]
Outline = tuple[Place, ...]


def round_at(centre: Vector, radius: float, begin: Vector, points: int) -> list[Vector]:
    """Circle about a centre, as it is drawn, from the direction of a vector on; without length from that of x on."""
    count, way = max(points, 49), begin + vec(1e-14, 0.0)
    x, y = way[0] * (radius / norm(way)), way[1] * (radius / norm(way))
    turns = ((cos(2.0 * pi * i / (count - 1)), sin(2.0 * pi * i / (count - 1))) for i in range(count))
    return [centre + vec(c * x - s * y, s * x + c * y) for c, s in turns]


def walls_at(origin: Vector, place: Vector, up: Vector, heights: tuple[float, ...], reach: float) -> list[list[Vector]]:
    """Straight walls at heights above an origin, as they are drawn: as far as ``reach`` to both sides of a place."""
    foot, along = place - up * (up @ (place - origin)), Vector(-up[1], up[0])
    return [[foot + up * height - along * reach, foot + up * height + along * reach] for height in heights]


def refuse_outline(where: str, outline: Outline, radius: float) -> None:
    """Refuse outlines that are not convex, or lines without thickness."""
    if not outline:
        raise ModelError(where, "the outline has no corner", "give one corner for a point or a disc, (0, 0)")
    if len(outline) == 2 and not radius:
        raise ModelError(where, "a line without a radius has no inside", "give it the radius of its ends")
    if len(outline) > 2 and radius:
        raise ModelError(where, "the corners of a polygon are sharp", "leave its radius out")
    size = max(hypot(b[0] - a[0], b[1] - a[1]) for a in outline for b in outline)
    for a, b in _sides(outline):
        if hypot(b[0] - a[0], b[1] - a[1]) <= 1e-9 * size:
            raise ModelError(where, f"two corners coincide at ({a[0]:g}, {a[1]:g})", "leave one out")
    if len(outline) < 3:
        return
    corners, turned, remedy = [*outline, *outline[:2]], 0.0, "give the corners of a convex polygon anticlockwise"
    for a, b, c in zip(corners, corners[1:], corners[2:], strict=False):
        left = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
        turned += atan2(left, (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]))
        if left <= 1e-12 * size * size:
            what = f"the outline is not convex, or runs clockwise, at the corner ({b[0]:g}, {b[1]:g})"
            raise ModelError(where, what, f"{remedy}; divide concave bodies")
    if turned > 3.0 * pi:
        raise ModelError(where, "the outline goes round more than once", remedy)


def _sides(outline: Outline) -> list[tuple[Place, Place]]:
    return list(pairwise((*outline, outline[0]))) if len(outline) > 1 else []


def edges_of(outline: Outline) -> list[tuple[float, float, float, float, float, float]]:
    """(n_x, n_y, c, a_x, a_y, length) of each edge: its outer normal, n·u = c on it, where it starts, its length."""
    found = []
    for a, b in _sides(outline):
        long = hypot(b[0] - a[0], b[1] - a[1])
        nx, ny = (b[1] - a[1]) / long, (a[0] - b[0]) / long
        found.append((nx, ny, nx * a[0] + ny * a[1], a[0], a[1], long))
    return found


def cone_of(outline: Outline, k: int) -> tuple[float, float, float, float]:
    """Normals of the edges before and behind corner k of a polygon."""
    edges = edges_of(outline)
    before, behind = edges[k - 1], edges[k]
    return (*before[:2], *behind[:2])


def refuse_points(where: str, outlines: tuple[Outline, Outline], radius: float) -> None:
    """Refuse two points, which have no surface that could be met."""
    if radius == 0.0 and all(len(outline) == 1 for outline in outlines):
        raise ModelError(where, "two points without radius never meet", "give one of them a radius or an outline")
