"""An impact in the plane of its impulses."""

import pytest

import flexura as fx
from flexura.results.events import MotionEvent

HALTS = MotionEvent(
    0.1, "floor.gap", "impact", impulse=0.9018, approach=1.0, type="slip-compression-stick", tangential=(0.341, 0.0),
    slip=(0.5, 0.0), compression=0.4375, halt=0.129, friction=0.95, mobility=(2.5, -1.5, 0.0, 2.5, 0.0, 0.0),
)  # fmt: skip


def test_path_bends_where_the_slip_halts():
    from flexura.plotting.impulse_plane import impulse_plane

    (ax,) = impulse_plane("", HALTS).axes
    lines = {line.get_label(): line.get_xydata() for line in ax.lines}
    path, stick = lines["impact"], lines["no slip"]
    assert path[1] == pytest.approx([-0.95 * 0.129, 0.129])
    # the halt lies on the line of no slip, 0.5 - 1.5 p + 2.5 q = 0
    assert 0.5 - 1.5 * path[1][1] + 2.5 * path[1][0] == pytest.approx(0.0, abs=1e-3)
    assert 0.5 - 1.5 * stick[:, 1] + 2.5 * stick[:, 0] == pytest.approx([0.0, 0.0], abs=1e-12)
    assert lines["end of compression"][0][1] == pytest.approx(0.4375)


def test_what_cannot_be_drawn_is_said():
    from dataclasses import replace

    from flexura.plotting.impulse_plane import impulse_plane

    with pytest.raises(fx.ModelError, match="two tangential impulses"):
        impulse_plane("", replace(HALTS, mobility=(1.0, 0.0, 0.0, 1.0, 0.0, 1.0)))
