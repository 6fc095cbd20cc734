"""Pictures of paths of equilibria."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from flexura.plotting import style
from flexura.plotting.signal_notation import folded, label, parameter_label
from flexura.results.equilibria import Equilibria
from flexura.results.figure_registry import draws

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MARKS = {"limit": "o", "branch": "^", "oscillation": "D"}
"""The mark of each kind of critical point."""


@draws("equilibria")
def equilibria(found: Equilibria, signal: str, others: Sequence[Equilibria] = ()) -> Figure:
    """A signal along the parameter; other paths may be drawn with it."""
    figure = style.figure(height=3.8)
    ax = figure.subplots()
    style.dress(ax)
    every = (found, *others)
    for number, path in enumerate(every):
        for stable, places in _parts(path, signal):
            x, y = np.array(places).T
            mark = "." if len(path) == 1 else None
            ax.plot(x, y, marker=mark, ls="-" if stable else (0, (4, 2)), color=style.colour(number), lw=style.CURVE)
    for kind, mark in _MARKS.items():
        marked = [(p.value, p.state[signal]) for path in every for p in path.critical if p.kind == kind]
        if marked:
            x, y = np.array(marked).T
            ax.plot(x, y, mark, ms=4.5, mfc=style.PAPER, mec=style.INK, mew=0.9, label=kind, zorder=4)
    if any(path.critical for path in every):
        style.legend(ax)
    ax.set_xlabel(parameter_label(found.parameter, found.parameter_unit), **style.words())
    ax.set_ylabel(folded(label(signal, found.states[0].unit(signal))), **style.words())
    style.entitle(figure, found.title)
    return figure


def _parts(path: Equilibria, signal: str) -> list[tuple[bool, list[tuple[float, float]]]]:
    """The path in parts that are stable all along, or not; neighbours join at critical points."""
    points = list(zip(path.values.tolist(), path[signal].tolist(), strict=True))
    stable = path.stable.tolist()
    parts = [(stable[0], points[:1])]
    for k in range(1, len(points)):
        for critical in path.critical:
            if critical.index == k:
                place = critical.value, critical.state[signal]
                parts[-1][1].append(place)
                parts.append((stable[k], [place]))
        if parts[-1][0] != stable[k]:
            parts.append((stable[k], points[k - 1 : k]))
        parts[-1][1].append(points[k])
    return parts
