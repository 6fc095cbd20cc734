"""Pictures of branches of periodic motions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from flexura.plotting import style
from flexura.plotting.signal_notation import folded, label, parameter_label
from flexura.results.branch import Branch
from flexura.results.figure_registry import draws

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MARKS = {"fold": "o", "crossing": "^", "flip": "s", "Neimark–Sacker": "D"}
"""The mark of each kind of special point."""


@draws("branch")
def branch(found: Branch, signal: str, others: Sequence[Branch] = ()) -> Figure:
    """The amplitude of a signal along the parameter; other branches may be drawn with it."""
    figure = style.figure(height=3.8)
    ax = figure.subplots()
    style.dress(ax)
    for number, one in enumerate((found, *others)):
        _draw(ax, one, signal, number)
    for kind, mark in _MARKS.items():
        places = [
            (special.value, special.cycle.amplitude(signal))
            for one in (found, *others)
            for special in one.specials
            if special.kind == kind
        ]
        if places:
            x, y = np.array(places).T
            ax.plot(x, y, mark, ms=4.5, mfc=style.PAPER, mec=style.INK, mew=0.9, label=kind, zorder=4)
    if any(one.specials for one in (found, *others)):
        style.legend(ax)
    ax.set_ylim(bottom=0.0)
    ax.set_xlabel(parameter_label(found.parameter, found.parameter_unit), **style.words())
    unit = found.cycles[0].unit(signal)
    ax.set_ylabel(f"amplitude of\n{folded(label(signal, unit))}", **style.words())
    style.entitle(figure, found.title)
    return figure


def _draw(ax: Axes, found: Branch, signal: str, number: int) -> None:
    """Stable parts full, unstable parts dashed; they change at the special points."""
    for steady, places in _parts(found, signal):
        x, y = np.array(places).T
        mark = "." if len(found) == 1 else None
        ax.plot(x, y, marker=mark, ls="-" if steady else (0, (4, 2)), color=style.colour(number), lw=style.CURVE)


def _parts(found: Branch, signal: str) -> list[tuple[bool, list[tuple[float, float]]]]:
    """The branch in parts that are stable all along, or not; neighbours join."""
    points = list(zip(found.values.tolist(), found.amplitude(signal).tolist(), strict=True))
    stable = found.stable.tolist()
    parts = [(stable[0], points[:1])]
    for k in range(1, len(points)):
        for special in found.specials:
            if special.index == k:
                place = special.value, special.cycle.amplitude(signal)
                parts[-1][1].append(place)
                parts.append((stable[k], [place]))
        if parts[-1][0] != stable[k]:
            parts.append((stable[k], points[k - 1 : k]))
        parts[-1][1].append(points[k])
    return parts
