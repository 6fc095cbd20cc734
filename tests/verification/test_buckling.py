"""Critical loads of columns and strips of eight beams, and limit loads, against closed forms and shooting."""

from functools import cache

import numpy as np
import pytest

import flexura as fx
from flexura import planar, spatial
from references import buckling as known
from references.critical_loads import lee_frame, limit
from references.lee_frame import lee_model

HELD = {
    "pinned": ["A", "B.y"],
    "free": ["A", "column.p.phi"],
    "clamped": ["A", "column.p.phi", "B.y", "column.q.phi"],
    "propped": ["A", "column.p.phi", "B.y"],
}


def column(ends: str, beams: int) -> fx.Model:
    """Pressed along its line; the time is the load."""
    return fx.Model(
        nodes={"A": (0, 0), "B": (2, 0)},
        elements={"column": planar.Beam("A", "B", fx.Section(EI=3.0), parts=beams)},
        fixed=HELD[ends],
        loads={"B.x": fx.Ramp(-1.0)},
    )


def strip(EIy: float, beams: int) -> fx.Model:
    """A cantilever on edge with a force across its tip, EI_z = 2, GJ = 1.5, L = 1.2."""
    section = fx.Section(EIy=EIy, EIz=2.0, GIt=1.5)
    return fx.Model(
        nodes={"A": (0, 0, 0), "B": (1.2, 0, 0)},
        elements={"strip": spatial.Beam("A", "B", section, y_axis=(0, 1, 0), parts=beams)},
        fixed=["strip.p"],
        loads={"B.z": fx.Ramp(-1.0)},
    )


@cache
def tips_over(EIy: float, beams: int) -> float:
    """The error of the force at which the strip tips over."""
    critical = known.strip(EIy, 2.0, 1.5, 1.2)
    found = fx.buckling(strip(EIy, beams), until=1.3 * critical, steps=6)
    assert found.kind == "bifurcation"
    return found.time / critical - 1.0


@pytest.mark.parametrize("ends", HELD)
def test_columns(ends: str) -> None:
    """Euler's four cases: eight beams within 0.1 %, from above, of order four."""
    load = known.euler(ends, 3.0, 2.0)
    errors = []
    for beams in (8, 16):
        found = fx.buckling(column(ends, beams), until=1.5 * load, steps=4)
        assert found.kind == "bifurcation"
        errors.append(found.time / load - 1.0)
    assert 0.0 < errors[0] < 1e-3
    assert np.log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.1)


def test_mode_of_a_column() -> None:
    """The clamped-free column bends as a quarter of a sine: the moment is largest at the clamp and none at the tip."""
    found = fx.buckling(column("free", 8), until=3.0, steps=4)
    curvature = [found.mode[f"column.{k}.bending_p"] + found.mode[f"column.{k}.bending_q"] for k in range(1, 9)]
    middles = np.cos(0.5 * np.pi * (np.arange(8) + 0.5) / 8.0)
    np.testing.assert_allclose(np.array(curvature) / curvature[0], middles / middles[0], atol=1e-3)


@pytest.mark.parametrize("EIy", [50.0, 1e3, 1e5])
def test_strip_tips_over(EIy: float) -> None:
    """Eight beams within 0.1 %; the more a strip bends in its plane first, the later it tips over."""
    assert abs(tips_over(EIy, 8)) < 1e-3


def test_order_of_the_strip() -> None:
    assert np.log2(tips_over(1e3, 4) / tips_over(1e3, 8)) > 3.5


def test_closed_form_of_the_strip() -> None:
    """The reference that bends first comes to that of Michell and Prandtl when it is stiff in its plane."""
    assert known.narrow_strip() == pytest.approx(4.0126, abs=5e-5)
    assert known.strip(1e6) == pytest.approx(known.narrow_strip(), rel=2e-6)
    assert known.strip(1e3) > (1.0 + 1e-3) * known.narrow_strip()


def test_two_bars_snap_through() -> None:
    """A limit, beyond which there is no equilibrium near."""
    bar = fx.Section(EA=5.0)
    model = fx.Model(
        nodes={"A": (-1, 0), "B": (0, 0.2), "C": (1, 0)},
        elements={"left": planar.Truss("A", "B", bar), "right": planar.Truss("B", "C", bar)},
        fixed=["A", "C", "B.x"],
        loads={"B.y": fx.Ramp(-1.0)},
    )
    load = known.two_bars(0.2, 1.0, 5.0)
    found = fx.buckling(model, until=2.0 * load)
    assert found.kind == "limit"
    assert found.time == pytest.approx(load, rel=1e-8)
    assert found.state["B.y"] > 0.0


def test_lees_frame_snaps_through() -> None:
    """A column and a beam bent far before the limit: the force is followed, not the deflection."""
    model = lee_model(fx.Ramp(-1.0))
    load = limit(lee_frame(), np.arange(4.0, 64.0, 4.0)).load
    found = fx.buckling(model, until=1.5 * load)
    assert found.kind == "limit"
    assert found.time == pytest.approx(load, rel=1e-4)
