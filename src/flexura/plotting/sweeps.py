"""Pictures of periodic motions over a parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexura.plotting import style
from flexura.plotting.histories import some
from flexura.plotting.signal_notation import folded, label, parameter_label
from flexura.results.figure_registry import draws
from flexura.results.sweep import Sweep

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DECADES = 1e3
"""Ratio of the largest to the smallest value shown on a logarithmic axis."""


@draws("sweep")
def sweep(found: Sweep, *signals: str, logarithmic: bool = False) -> Figure:
    """Amplitudes of signals over the parameter, one above the other."""
    some(signals, "plot", "signals", "B.x")
    figure = style.figure(height=0.75 + max(1.6 * len(signals), 2.4))
    column = figure.subplots(len(signals), 1, sharex=True, squeeze=False)[:, 0]
    for number, (ax, signal) in enumerate(zip(column, signals, strict=True)):
        sizes = found.amplitude(signal)
        ax.plot(found.values, sizes, color=style.colour(number), lw=style.CURVE)
        _dress(ax, sizes.max(), logarithmic)
        ax.set_ylabel(f"amplitude of\n{folded(label(signal, found.unit(signal)))}", **style.words())
    column[-1].set_xlabel(parameter_label(found.parameter, found.parameter_unit), **style.words())
    figure.align_ylabels(list(column))
    style.entitle(figure, found.title)
    return figure


@draws("sweep_harmonics")
def sweep_harmonics(found: Sweep, signal: str, highest: int = 5, logarithmic: bool = False) -> Figure:
    """The harmonics of a signal over the parameter, each a curve."""
    figure = style.figure(height=3.6)
    ax = figure.subplots()
    sizes = found.amplitudes(signal, highest)
    for order in range(1, highest + 1):
        # what vanishes by symmetry is only told apart from rounding by its size
        if sizes[:, order].max() > 1e-9 * sizes[:, 1:].max():
            ax.plot(found.values, sizes[:, order], color=style.colour(order - 1), lw=style.CURVE, label=f"{order}ω")
    _dress(ax, sizes[:, 1:].max(), logarithmic)
    style.legend(ax)
    ax.set_xlabel(parameter_label(found.parameter, found.parameter_unit), **style.words())
    ax.set_ylabel(f"harmonics of\n{folded(label(signal, found.unit(signal)))}", **style.words())
    style.entitle(figure, found.title)
    return figure


def _dress(ax: Axes, top: float, logarithmic: bool) -> None:
    style.dress(ax)
    ax.margins(x=0.0)
    if logarithmic and np.isfinite(top) and top > 0.0:
        from matplotlib.ticker import LogFormatterMathtext

        ax.set_yscale("log")
        ax.yaxis.set_major_formatter(LogFormatterMathtext())
        ax.set_ylim(bottom=top / _DECADES)
    else:
        ax.set_ylim(bottom=0.0)
