"""Pictures of what is left of motions over a parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flexura.plotting import style
from flexura.plotting.histories import some
from flexura.plotting.signal_notation import folded, label, parameter_label
from flexura.results.bifurcation import Bifurcation
from flexura.results.figure_registry import draws

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@draws("bifurcation")
def bifurcation(found: Bifurcation, *signals: str) -> Figure:
    """Signals over the parameter, a dot a period, one above the other."""
    some(signals, "plot", "signals", "B.x")
    figure = style.figure(height=0.75 + 2.6 * len(signals))
    column = figure.subplots(len(signals), 1, sharex=True, squeeze=False)[:, 0]
    for number, (ax, signal) in enumerate(zip(column, signals, strict=True)):
        values, seen = found.points(signal)
        ax.plot(values, seen, ".", ms=2.0, mew=0.0, color=style.colour(number))
        style.dress(ax)
        ax.set_ylabel(folded(label(signal, found.unit(signal))), **style.words())
    column[-1].set_xlabel(parameter_label(found.parameter, found.parameter_unit), **style.words())
    figure.align_ylabels(list(column))
    style.entitle(figure, found.title)
    return figure
