"""Models with many beams: chains clamped at one end, and a frame that is a grid."""

from __future__ import annotations

from math import pi

import flexura as fx
from flexura import planar, spatial

STEEL = fx.Material(E=2.1e11, rho=7850.0)
LENGTH, DIAMETER = 1.0, 0.01
EI = STEEL.E * pi * DIAMETER**4 / 64


def chain(space: str, count: int, loads: dict[str, float], section: fx.Circle | fx.Rectangle | None = None) -> fx.Model:
    """Beams welded to each other in a row along x, clamped at x = 0; ``loads`` by what they act on at the tip."""
    beam, rest = (planar.Beam, (0.0,)) if space == "planar" else (spatial.Beam, (0.0, 0.0))
    nodes = {f"n{i}": (i * LENGTH / count, *rest) for i in range(count + 1)}
    section = section or fx.Circle(DIAMETER)
    elements = {f"b{i}": beam(f"b{i - 1}.q" if i else "n0", f"n{i + 1}", section, STEEL) for i in range(count)}
    acting = {what.format(node=f"n{count}", end=f"b{count - 1}.q"): force for what, force in loads.items()}
    return fx.Model(nodes=nodes, elements=elements, fixed=["n0", "b0.p"], loads=acting)


def half_circle(count: int) -> fx.Model:
    """Planar cantilever that a moment at its tip bends to a half circle."""
    return chain("planar", count, {"{end}.phi": pi * EI / LENGTH})


def bent_and_twisted(count: int) -> fx.Model:
    """Spatial cantilever of a flat section with forces along both axes of the section at its tip."""
    width, height = 0.02, 0.01
    stiff, soft = (STEEL.E * a * b**3 / 12 for a, b in ((height, width), (width, height)))
    forces = {"{node}.y": 1.0 * stiff / LENGTH**2, "{node}.z": 3.0 * soft / LENGTH**2}
    return chain("spatial", count, forces, fx.Rectangle(width, height))


def swinging(space: str, count: int) -> fx.Model:
    """Cantilever at rest with a load at its tip."""
    return chain(space, count, {"{node}.y": -1.0})


def grid(space: str, side: int) -> fx.Model:
    """Square frame of side × side nodes 0.1 m apart, 2 side (side - 1) beams, one edge clamped, a load in a corner."""
    beam, rest, across = (planar.Beam, (), "y") if space == "planar" else (spatial.Beam, (0.0,), "z")
    ends: dict[tuple[int, int], str] = {}
    elements = {}

    def end(i: int, j: int, own: str) -> str:
        # the first beam at a node makes its orientation, the others are welded to it
        if (i, j) in ends:
            return ends[i, j]
        ends[i, j] = own
        return f"n{i}_{j}"

    for i in range(side):
        for j in range(side):
            for name, k, l in ((f"x{i}_{j}", i + 1, j), (f"y{i}_{j}", i, j + 1)):
                if max(k, l) < side:
                    p, q = end(i, j, f"{name}.p"), end(k, l, f"{name}.q")
                    elements[name] = beam(p, q, fx.Circle(DIAMETER), STEEL)
    return fx.Model(
        nodes={f"n{i}_{j}": (0.1 * i, 0.1 * j, *rest) for i in range(side) for j in range(side)},
        elements=elements,
        fixed=[name for i in range(side) for name in (f"n{i}_0", ends[i, 0])],
        loads={f"n{side - 1}_{side - 1}.{across}": -10.0},
    )
