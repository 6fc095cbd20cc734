"""An impact in the plane of its impulses [Routh1905]: its path, lines of friction, of no approach and of no slip."""

from __future__ import annotations

from collections.abc import Sequence
from math import copysign
from typing import TYPE_CHECKING

import numpy as np

from flexura.errors import ModelError
from flexura.plotting import style
from flexura.results.events import MotionEvent
from flexura.results.figure_registry import draws

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@draws("impulse plane")
def impulse_plane(title: str, impact: MotionEvent) -> Figure:
    """Normal impulse over tangential impulse, from the start of the impact to its end."""
    if impact.mobility[5]:
        what = "an impact in space has two tangential impulses"
        raise ModelError(f"signal '{impact.signal}'", what, "read its numbers, or draw impacts of a planar model")
    figure = style.figure(height=5.0, width=5.6)
    ax = figure.subplots()
    style.dress(ax)
    ax.set_xlabel("tangential impulse [N·s]", **style.words())
    ax.set_ylabel("normal impulse [N·s]", **style.words())
    style.entitle(figure, title or f"{impact.signal} at {impact.time:.6g} s: {impact.type or 'no friction'}")
    most = 1.15 * impact.impulse
    for way in (-1.0, 1.0):
        ax.plot([0.0, way * impact.friction * most], [0.0, most], color=style.MUTED, lw=style.TRACE, ls=(0, (4, 2)))
    a, b, _, c, _, _ = impact.mobility
    _line(ax, (b, a), -impact.approach, most, "end of approach", 1)
    _line(ax, (c, b), impact.slip[0], most, "no slip", 2)
    q, p = path_of(impact)
    ax.plot(q, p, color=style.colour(0), label="impact")
    end = [np.interp(impact.compression, p, q)], [impact.compression]
    ax.plot(*end, ls="", marker="o", ms=4.0, color=style.colour(0), label="end of compression")
    ax.set_ylim(0.0, most)
    ax.legend(frameon=False)
    return figure


def path_of(impact: MotionEvent) -> tuple[Sequence[float], Sequence[float]]:
    """Tangential and normal impulses at the start, where the slip halts, and at the end."""
    halts = 0.0 < impact.halt < impact.impulse and impact.slip[0] != 0.0
    middle = [-copysign(impact.friction * impact.halt, impact.slip[0])] if halts else []
    return [0.0, *middle, impact.tangential[0]], [0.0, *([impact.halt] if halts else []), impact.impulse]


def _line(ax: Axes, slopes: tuple[float, float], start: float, most: float, label: str, number: int) -> None:
    """Line start + slopes · (q, p) = 0 up to the normal impulse ``most``."""
    across, up = slopes
    width = max(abs(limit) for limit in ax.get_xlim())
    if across:
        p = np.array([0.0, most])
        q = -(start + up * p) / across
    elif up:
        q, p = np.array([-width, width]), np.full(2, -start / up)
    else:
        return
    ax.plot(q, p, color=style.colour(number), lw=style.TRACE, label=label)
