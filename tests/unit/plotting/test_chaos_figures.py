"""Pictures of sections."""

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Mass


@pytest.fixture
def found():
    model = fx.Model(
        title="Two frequencies",
        nodes={"B": (0.1, 0)},
        elements={"mass": Mass("B", 1.0)},
        fixed=["B.y"],
        loads={"B.x": "cos(2*t) - 3*B.x"},
    )
    return fx.poincare(model, 40.0 * np.pi, np.pi)


def test_a_section_is_one_signal_against_another(found, tmp_path):
    path = tmp_path / "section.png"
    (ax,) = found.plot("B.x", "B.x'", path=str(path)).axes
    assert path.stat().st_size > 0
    np.testing.assert_array_equal(ax.lines[0].get_xydata(), np.column_stack([found["B.x"], found["B.x'"]]))
    assert ax.get_xlabel() == r"$x_{\mathrm{B}}$ [m]"
    assert ax.get_ylabel() == r"$\dot{x}_{\mathrm{B}}$ [m/s]"
    assert ax.figure.get_suptitle() == "Two frequencies"


def test_what_it_says(found):
    assert repr(found) == "<Poincare: 41 samples, once in 3.14159 s>"
    assert len(found) == 41
    # where in four of its turns: quarters
    assert np.unique(np.round(found.phase(4.0 * np.pi) / (0.5 * np.pi)) % 4).tolist() == [0, 1, 2, 3]
