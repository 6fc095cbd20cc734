"""Pictures of branches of periodic motions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from flexura.plotting import style
from flexura.plotting.names import folded, label
from flexura.results.branch import Branch

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MARKS = {"fold": "o", "crossing": "^", "flip": "s", "Neimark–Sacker": "D"}
"""The mark of each kind of special point."""


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
    ax.set_xlabel(style.plain(found.parameter), **style.words())
    unit = found.cycles[0].unit(signal)
    ax.set_ylabel(folded(label(f"amplitude of {signal}", unit)), **style.words())
    style.entitle(figure, found.title)
    return figure


def _draw(ax: Axes, found: Branch, signal: str, number: int) -> None:
    """Stable parts full, unstable parts dashed; neighbours join."""
    sizes, stable = found.amplitude(signal), found.stable
    for steady, part in groupby(range(len(found)), key=lambda k: bool(stable[k])):
        places = list(part)
        places = places if places[0] == 0 else [places[0] - 1, *places]
        line = "-" if steady else (0, (4, 2))
        mark = "." if len(found) == 1 else None
        ax.plot(found.values[places], sizes[places], marker=mark, ls=line, color=style.colour(number), lw=style.CURVE)
