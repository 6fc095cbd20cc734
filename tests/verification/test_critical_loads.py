"""Limit loads of a deep arch and of Lee's frame: the largest force that holds the loaded point on its way down."""

from functools import cache

import numpy as np
import pytest

import flexura as fx
from flexura import planar, spatial
from references.critical_loads import Frame, Piece, deep_arch, lee_frame, limit

HALF = np.radians(107.5)


def element(space: str, p: str, q: str, EA: float, EI: float, parts: int = 1) -> planar.Beam | spatial.Beam:
    if space == "planar":
        return planar.Beam(p, q, fx.Section(EA=EA, EI=EI), parts=parts)
    return spatial.Beam(p, q, fx.Section(EA=EA, EI=EI, GIt=EI), parts=parts)


def pieces(beams: int) -> tuple[np.ndarray, float]:
    """Lengths of straight pieces, together as long as the arc and tangent to it at both ends, and the turn between."""
    turn = 2.0 * HALF / (beams - 1)
    lengths = np.full(beams, 100.0 * turn)
    lengths[[0, -1]] *= 0.5
    return lengths, turn


def arch(beams: int, space: str) -> fx.Model:
    """Straight pieces for the arc, the left end clamped, the right one free to turn; the crown is N."""
    zero = () if space == "planar" else (0.0,)
    lengths, turn = pieces(beams)
    along = -HALF + turn * np.arange(beams)
    start = 100.0 * np.array([np.sin(-HALF), np.cos(HALF)])
    steps = lengths[:, None] * np.column_stack([np.cos(along), -np.sin(along)])
    places = np.vstack([start, start + np.cumsum(steps, axis=0)])
    names = [f"N{i}" if i != beams // 2 else "N" for i in range(beams + 1)]
    nodes = {name: (float(x), float(y), *zero) for name, (x, y) in zip(names, places, strict=True)}
    chain = {f"b{i}": element(space, f"b{i - 1}.q" if i > 1 else "N0", names[i], 1e8, 1e6) for i in range(1, beams + 1)}
    return fx.Model(nodes=nodes, elements=chain, fixed=["b1.p", names[-1]])


def frame(beams: int, space: str) -> fx.Model:
    """A column and a beam of equal lengths, in a multiple of ten beams; the load acts at N."""
    zero = () if space == "planar" else (0.0,)
    stiff = {"EA": 4.32e7, "EI": 1.44e7}
    return fx.Model(
        nodes={"O": (0, 0, *zero), "K": (0, 120, *zero), "N": (24, 120, *zero), "E": (120, 120, *zero)},
        elements={
            "column": element(space, "O", "K", parts=beams // 2, **stiff),
            "near": element(space, "column.q", "N", parts=beams // 10, **stiff),
            "far": element(space, "near.q", "E", parts=2 * beams // 5, **stiff),
        },
        fixed=["O", "E"],
    )


def largest_load(model: fx.Model, step: float) -> float:
    """Push N down step by step until the force drops, then find the top of it by parabolas."""
    drawn = model.nodes["N"][1]

    def push(deflection: float, near: fx.State | None) -> fx.State:
        return fx.equilibrium(model.replace(inputs={"N.y": drawn - deflection}), near=near)

    state, at = push(step, None), step
    while (after := push(at + step, state)).force("N.y") < state.force("N.y"):
        state, at = after, at + step
    for _ in range(3):
        a, b, c = (-push(at + part * step, state).force("N.y") for part in (-1.0, 0.0, 1.0))
        at, step = at - 0.5 * step * (c - a) / (a - 2.0 * b + c), 0.2 * step
    return -push(at, state).force("N.y")


@cache
def load_of_arch(beams: int) -> float:
    """Largest load of the planar arch."""
    return largest_load(arch(beams, "planar"), 4.0)


def polygon(beams: int) -> Frame:
    """The arch of straight pieces as it is drawn, for the exact solution."""
    lengths, turn = pieces(beams)
    parts = tuple(Piece(float(length), turn=-turn if i else 0.0) for i, length in enumerate(lengths))
    return Frame(parts, beams // 2 - 1, HALF, clamped=True, EI=1e6, EA=1e8)


def test_arch() -> None:
    """Order two by the pieces drawn for the arc: 0.3 % with 16 beams, 0.07 % with 32."""
    known = limit(deep_arch(), np.arange(4.0, 140.0, 4.0)).load
    errors = np.array([abs(load_of_arch(n) / known - 1.0) for n in (16, 32)])
    assert errors[-1] < 0.001
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.2)


def test_arch_of_pieces() -> None:
    """Against the exact solution of the polygon itself the beams err with order above three, 0.002 % for 32."""
    known = {n: limit(polygon(n), np.arange(4.0, 140.0, 4.0)).load for n in (16, 32)}
    errors = [abs(load_of_arch(n) / known[n] - 1.0) for n in known]
    assert np.log2(errors[0] / errors[1]) > 3.5
    assert errors[1] < 5e-5


def test_frame() -> None:
    """Straight members: order four; 40 beams give six digits."""
    known = limit(lee_frame(), np.arange(2.0, 60.0, 2.0)).load
    errors = np.array([abs(largest_load(frame(n, "planar"), 4.0) / known - 1.0) for n in (10, 20, 40)])
    assert np.log2(errors[:-1] / errors[1:]).min() > 3.8
    assert errors[-1] < 3e-6


@pytest.mark.parametrize(("model", "beams"), [(arch, 8), (frame, 10)])
def test_in_space_as_in_the_plane(model, beams) -> None:
    loads = [largest_load(model(beams, space), 4.0) for space in ("planar", "spatial")]
    assert loads[1] == pytest.approx(loads[0], rel=1e-9)
