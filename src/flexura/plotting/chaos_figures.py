"""Figures of bifurcation diagrams, Poincaré sections and Lyapunov exponents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flexura.plotting import style
from flexura.plotting.histories import require_names
from flexura.plotting.signal_notation import folded, label, parameter_label
from flexura.results.bifurcation import Bifurcation
from flexura.results.figure_registry import draws
from flexura.results.lyapunov import Lyapunov
from flexura.results.poincare import Poincare

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MANY = 400
"""Number of points above which dots are small."""


@draws("bifurcation")
def bifurcation(found: Bifurcation, *signals: str) -> Figure:
    """Signals over the parameter, a dot for each period, one above the other."""
    require_names(signals, "plot", "signals", "B.x")
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


@draws("poincare")
def poincare(found: Poincare, x: str, y: str) -> Figure:
    """One signal against another, a dot for each point of the section."""
    figure = style.figure(height=4.6, width=5.6)
    ax = figure.subplots()
    size = 1.8 if len(found) > _MANY else 3.6
    ax.plot(found[x], found[y], ls="", marker="o", ms=size, mew=0.0, color=style.colour(0))
    style.dress(ax)
    ax.set_xlabel(label(x, found.unit(x)), **style.words())
    ax.set_ylabel(label(y, found.unit(y)), **style.words())
    style.entitle(figure, found.title)
    return figure


@draws("lyapunov")
def lyapunov(found: Lyapunov) -> Figure:
    """Estimate of the exponent up to each time, and its standard error at the end."""
    figure = style.figure(height=3.2)
    ax = figure.subplots()
    ax.axhspan(
        found.exponent - found.error, found.exponent + found.error, color=style.mix(style.colour(0), 0.18), lw=0.0
    )
    ax.axhline(0.0, color=style.FAINT, lw=style.TRACE)
    ax.plot(found.t[1:], found.running, color=style.colour(0), lw=style.CURVE)
    style.dress(ax)
    ax.margins(x=0.0)
    # first estimates are far off and would hide the rest; zero is shown if the sign is in doubt
    late = found.running[len(found.running) // 20 :]
    low, high = float(late.min()), float(late.max())
    if not abs(found.exponent) > 10.0 * max(high - low, found.error):
        low, high = min(low, 0.0), max(high, 0.0)
    room = max(0.1 * (high - low), 2.0 * found.error)
    ax.set_ylim(low - room, high + room)
    ax.set_xlabel("time [s]", **style.words())
    ax.set_ylabel(folded("exponent of Lyapunov [1/s]"), **style.words())
    style.entitle(figure, found.title)
    return figure
