"""Table of a motion: signals that vary, without rounding."""

import flexura as fx
from flexura.results.motion_summary import _effort
from flexura.spatial import Beam, Hinge, Mass


def test_rounding_is_neither_listed_nor_printed():
    """An arm that is driven in the plane of x and y bends in it: rounding moves its tip out of the plane by 1e-17 m."""
    arm = fx.Model(
        nodes={"O": (0, 0, 0), "A": (0.6, 0, 0)},
        elements={
            "hinge": Hinge("O", "arm.p", axis=(0, 0, 1)),
            "arm": Beam("O", "A", fx.Section(EIy=20.0, EIz=30.0, rhoA=0.3)),
            "tip": Mass("A", 0.5),
        },
        fixed=["hinge.p"],
        inputs={"hinge.rotation": fx.Ramp(rate=12.0)},
    )
    motion = fx.simulate(arm, until=0.1, samples=11)
    assert [row[0] for row in motion.summary().rows] == ["A.x", "A.y"]
    height = motion["A.z"].copy()
    assert abs(height).max() < 1e-14
    assert motion.summary(["A.z"]).rows == (("A.z", "m", "0", "0", "0", "0"),)
    (row,) = motion.summary(["A.y'"]).rows
    assert float(row[-1]) > 6.0


def test_large_counts_have_all_digits():
    motion = fx.Motion.__new__(fx.Motion)
    object.__setattr__(motion, "statistics", {"steps": 213114.0, "rejected": 27.0, "evaluations": 2557690.0})
    assert _effort(motion) == "213114 steps, 27 rejected, 2557690 evaluations"
    assert _effort(motion, ("steps", "evaluations")) == "213114 steps, 2557690 evaluations"
