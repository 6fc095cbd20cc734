"""Free and driven beams with large motions after [SimoVuQuoc1986], by planar and spatial beams."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

import flexura as fx
from flexura import planar, spatial

EXAMPLES = Path(__file__).parents[2] / "examples"


def model(name: str) -> fx.Model:
    found: fx.Model = runpy.run_path(str(EXAMPLES / f"{name}.py"))["model"]
    return found


def test_robot_arm() -> None:
    """Tip at the end of the swing: (-2.60, 9.59) by five and ten elements of an independent program."""
    motion = fx.simulate(model("robot_arm"), times=[0.0, 6.0])
    assert motion["A.x"][1] == pytest.approx(-2.60, rel=5e-3)
    assert motion["A.y"][1] == pytest.approx(9.59, rel=5e-3)


@pytest.mark.parametrize(
    ("force", "place", "energy"), [(8.0, (8.97, 7.53), 190.4), (20.0, (12.01, 8.12), 289.0)], ids=["8 N", "20 N"]
)
def test_flying_beam(force: float, place: tuple[float, float], energy: float) -> None:
    """Loaded end and energy when the loads end, by ten elements of an independent program."""
    thrown = model("flying_beam")
    thrown = thrown.replace(loads={"B.x": f"{force}*step(2.5 - t)", "beam.q.phi": "80*step(2.5 - t)"})
    motion = fx.simulate(thrown, times=[0.0, 2.5, 5.0])
    assert (motion["B.x"][1], motion["B.y"][1]) == pytest.approx(place, rel=5e-3)
    assert motion.energy["total"][2] == pytest.approx(energy, rel=5e-3)
    # nothing acts any more
    assert motion.energy["total"][2] == pytest.approx(motion.energy["total"][1], rel=1e-6)


def test_scissors_converge() -> None:
    """Two beams a link against four: the loaded end after one second."""
    coarse = model("flying_scissors")
    fine = coarse.with_parameter("elements.a.parts", 4).with_parameter("elements.b.parts", 4)
    ends = [fx.simulate(m, times=[0.0, 1.0]) for m in (coarse, fine)]
    for axis in ("x", "y"):
        assert ends[0][f"B.{axis}"][1] == pytest.approx(ends[1][f"B.{axis}"][1], rel=5e-4)


@pytest.mark.slow
def test_planar_and_spatial_beams_agree() -> None:
    """The flying beam of four parts, in the plane and in space."""
    numbers: dict[str, Any] = {"EA": 1e4, "EI": 500.0, "rhoA": 1.0, "rhoIz": 10.0}
    push = {"B.x": "8*step(2.5 - t)"}
    flat = fx.Model(
        nodes={"A": (0, 8), "B": (6, 0)},
        elements={"beam": planar.Beam("A", "B", fx.Section(**numbers), parts=4)},
        loads=push | {"beam.q.phi": "80*step(2.5 - t)"},
    )
    solid = fx.Section(**numbers, rhoIy=1.0, GIt=500.0)
    deep = fx.Model(
        nodes={"A": (0, 8, 0), "B": (6, 0, 0)},
        elements={"beam": spatial.Beam("A", "B", solid, parts=4, y_axis=(8, 6, 0))},
        loads=push | {"beam.q.about_z": "80*step(2.5 - t)"},
    )
    one, two = (fx.simulate(m, times=[0.0, 2.5, 5.0], method=fx.DormandPrince(1e-9)) for m in (flat, deep))
    for signal in ("A.x", "A.y", "B.x", "B.y"):
        assert one[signal] == pytest.approx(two[signal], abs=1e-6)
