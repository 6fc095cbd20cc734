"""Figures of periodic motions: harmonics, sweeps over a parameter, exponents, zones of instability."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexura.plotting import style
from flexura.plotting.histories import require_names
from flexura.plotting.signal_notation import folded, label, parameter_label
from flexura.results.cycle import Cycle
from flexura.results.figure_registry import draws
from flexura.results.floquet import Floquet
from flexura.results.periodic_motion import PeriodicMotion
from flexura.results.stability import Stability, StabilityChart
from flexura.results.sweep import Sweep

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MARKS = {"fold": "o", "flip": "s", "Neimark–Sacker": "D"}
"""The mark of each kind of limit."""
_DECADES = 1e3
"""Ratio of the largest to the smallest value shown on a logarithmic axis."""


@draws("harmonics")
def harmonics(motion: PeriodicMotion | Cycle, *signals: str) -> Figure:
    """Bars for the harmonics of signals; of small vibrations, with a tick where the mean stiffness alone has them."""
    require_names(signals, "plot_harmonics", "signals", "B.x")
    figure = style.figure(height=0.75 + max(1.5 * len(signals), 1.9))
    column = figure.subplots(len(signals), 1, sharex=True, squeeze=False)[:, 0]
    for number, (ax, signal) in enumerate(zip(column, signals, strict=True)):
        sizes = motion.amplitudes(signal)
        # as many as can be seen
        last = max(int(np.flatnonzero(sizes > 1e-3 * sizes.max()).max(initial=4)), 4) + 1
        orders = np.arange(last)
        ax.bar(orders, sizes[:last], width=0.62, color=style.colour(number))
        if isinstance(motion, PeriodicMotion):
            still = motion.amplitudes(signal, quasistatic=True)[:last]
            ax.hlines(still, orders - 0.42, orders + 0.42, color=style.INK, lw=style.TRACE)
        style.dress(ax)
        ax.grid(False, axis="x")
        ax.set_xticks(orders[:: max(last // 12, 1)])
        ax.set_ylabel(folded(label(signal, motion.unit(signal))), **style.words())
    explained = " (line: quasi-static)" if isinstance(motion, PeriodicMotion) else ""
    column[-1].set_xlabel(f"harmonic{explained}", **style.words())
    figure.align_ylabels(list(column))
    style.entitle(figure, motion.title)
    return figure


@draws("sweep")
def sweep(found: Sweep, *signals: str, logarithmic: bool = False) -> Figure:
    """Amplitudes of signals over the parameter, one above the other."""
    require_names(signals, "plot", "signals", "B.x")
    figure = style.figure(height=0.75 + max(1.6 * len(signals), 2.4))
    column = figure.subplots(len(signals), 1, sharex=True, squeeze=False)[:, 0]
    for number, (ax, signal) in enumerate(zip(column, signals, strict=True)):
        sizes = found.amplitude(signal)
        ax.plot(found.values, sizes, color=style.colour(number), lw=style.CURVE)
        _scale(ax, sizes.max(), logarithmic)
        ax.set_ylabel(f"amplitude of\n{folded(label(signal, found.unit(signal)))}", **style.words())
    column[-1].set_xlabel(parameter_label(found.parameter, found.parameter_unit), **style.words())
    figure.align_ylabels(list(column))
    style.entitle(figure, found.title)
    return figure


@draws("sweep_harmonics")
def sweep_harmonics(found: Sweep, signal: str, highest: int = 5, logarithmic: bool = False) -> Figure:
    """Harmonics of a signal over the parameter, a curve for each."""
    figure = style.figure(height=3.6)
    ax = figure.subplots()
    sizes = found.amplitudes(signal, highest)
    for order in range(1, highest + 1):
        # a harmonic that vanishes by symmetry differs from rounding by its size only
        if sizes[:, order].max() > 1e-9 * sizes[:, 1:].max():
            ax.plot(found.values, sizes[:, order], color=style.colour(order - 1), lw=style.CURVE, label=f"{order}ω")
    _scale(ax, sizes[:, 1:].max(), logarithmic)
    style.legend(ax)
    ax.set_xlabel(parameter_label(found.parameter, found.parameter_unit), **style.words())
    ax.set_ylabel(f"harmonics of\n{folded(label(signal, found.unit(signal)))}", **style.words())
    style.entitle(figure, found.title)
    return figure


def _scale(ax: Axes, top: float, logarithmic: bool) -> None:
    """Style axes of amplitudes up to ``top``, from zero or over a few decades."""
    style.dress(ax)
    ax.margins(x=0.0)
    if logarithmic and np.isfinite(top) and top > 0.0:
        from matplotlib.ticker import LogFormatterMathtext

        ax.set_yscale("log")
        ax.yaxis.set_major_formatter(LogFormatterMathtext())
        ax.set_ylim(bottom=top / _DECADES)
    else:
        ax.set_ylim(bottom=0.0)


@draws("exponents")
def exponents(found: Floquet, title: str = "") -> Figure:
    """Exponents in the complex plane, and multipliers in the unit circle."""
    figure = style.figure(height=3.6)
    plane, circle = figure.subplots(1, 2)
    width = np.pi / found.period
    grows = found.exponents.real > found.neutral
    for ax, points in ((plane, found.exponents), (circle, found.multipliers)):
        style.dress(ax)
        for part, shade in ((~grows, style.PALETTE[0]), (grows, style.PALETTE[1])):
            ax.plot(points[part].real, points[part].imag, "o", ms=4.5, mfc=shade, mec=style.PAPER, mew=0.6)
    plane.axvline(0.0, **style.THIN)
    plane.set_ylim(-1.05 * width, 1.05 * width)
    plane.set_xlabel("Re λ [1/s]", **style.words())
    plane.set_ylabel("Im λ [rad/s]", **style.words())
    angle = np.linspace(0.0, 2.0 * np.pi, 181)
    circle.plot(np.cos(angle), np.sin(angle), **style.THIN)
    circle.set_aspect("equal", adjustable="datalim")
    circle.set_xlabel("Re multiplier", **style.words())
    circle.set_ylabel("Im multiplier", **style.words())
    style.entitle(figure, title)
    return figure


@draws("stability")
def stability(found: Stability) -> Figure:
    """The largest growth over the parameter, shaded where the motion is unstable, its limits marked by their kind."""
    figure = style.figure(height=3.6)
    ax = figure.subplots()
    style.dress(ax)
    for start, end in found.zones:
        style.shade_unstable(ax, start, end)
    ax.axhline(0.0, **style.THIN)
    # the curve goes through the limits, where it is zero
    at = np.concatenate([found.values, [limit.value for limit in found.limits]])
    growth = np.concatenate([found.growth, np.zeros(len(found.limits))])
    order = np.argsort(at)
    ax.plot(at[order], growth[order], color=style.colour(0), lw=style.CURVE)
    _mark_limits(ax, found)
    ax.margins(x=0.0)
    ax.set_xlabel(parameter_label(found.parameter, found.parameter_unit), **style.words())
    ax.set_ylabel("growth [1/s]", **style.words())
    style.entitle(figure, found.title)
    return figure


def _mark_limits(ax: Axes, found: Stability) -> None:
    for kind, mark in _MARKS.items():
        places = [limit.value for limit in found.limits if limit.kind == kind]
        if places:
            ax.plot(places, np.zeros(len(places)), mark, ms=4.5, **style.MARK, label=kind, zorder=4)
    if found.limits:
        style.legend(ax)


@draws("exponents_over")
def exponents_over(found: Stability, view: tuple[float, float] = (-66.0, 24.0), lowest: float | None = None) -> Figure:
    """Exponents in space over the parameter; unstable ones are on stems above zero.

    Exponents below ``lowest`` are left out; by default those that decay faster than twice the largest growth or decay
    of the least stable one.
    """
    from matplotlib import rc_context

    figure = style.figure(height=4.8)
    # axes in space take the colour of their grid from nowhere else
    with rc_context({"grid.color": style.GRID}):
        ax = figure.add_subplot(projection="3d")
    for axis in (ax.xaxis, ax.yaxis, ax.zaxis):
        axis.set_pane_color(style.PAPER)
        axis.line.set_color(style.FAINT)
    least = -2.0 * float(np.abs(found.growth).max()) if lowest is None else lowest
    at = np.repeat(found.values[:, None], found.exponents.shape[1], axis=1)
    real, imaginary = found.exponents.real, found.exponents.imag
    grows = real > 0.0
    for part, shade, size in ((~grows & (real >= least), style.PALETTE[0], 4.0), (grows, style.PALETTE[1], 9.0)):
        ax.scatter(at[part], imaginary[part], real[part], s=size, c=shade, depthshade=False)
    for x, y, z in zip(at[grows], imaginary[grows], real[grows], strict=True):
        ax.plot([x, x], [y, y], [0.0, z], color=style.mix(style.PALETTE[1], 0.35), lw=0.7)
    ax.set_xlabel(parameter_label(found.parameter, found.parameter_unit), **style.words())
    ax.set_ylabel("Im λ [rad/s]", **style.words())
    ax.set_zlabel("Re λ [1/s]", **style.words())
    ax.tick_params(colors=style.MUTED, labelsize=style.SMALL)
    ax.set_box_aspect((1.9, 1.0, 0.8), zoom=1.15)
    ax.view_init(elev=view[1], azim=view[0])
    style.entitle(figure, found.title)
    return figure


@draws("stability_chart")
def stability_chart(found: StabilityChart) -> Figure:
    """The growth over two parameters where it is positive, and the limits, marked by their kind."""
    from matplotlib.colors import LinearSegmentedColormap

    figure = style.figure(height=4.2)
    ax = figure.subplots()
    style.dress(ax)
    shades = LinearSegmentedColormap.from_list("growth", [style.mix(style.PALETTE[1], s) for s in (0.12, 0.9)])
    first, second = found.values
    top = float(found.growth.max())
    if top > 0.0 and len(first) > 1 and len(second) > 1:
        filled = ax.contourf(first, second, found.growth, levels=np.linspace(0.0, top, 9), cmap=shades)
        bar = figure.colorbar(filled, ax=ax)
        bar.set_label("growth [1/s]", **style.words())
        bar.ax.tick_params(colors=style.FAINT, labelcolor=style.MUTED, labelsize=style.SMALL)
    for kind, mark in _MARKS.items():
        places = [
            (limit.value, y) for y, row in zip(second, found.limits, strict=True) for limit in row if limit.kind == kind
        ]
        if places:
            x, y = np.array(places).T
            ax.plot(x, y, mark, ms=2.8, color=style.INK, label=kind)
    if any(found.limits):
        ax.legend(loc="upper right", fontsize=style.SMALL, labelcolor=style.INK, framealpha=0.85, edgecolor=style.FAINT)
    ax.set_xlabel(parameter_label(found.parameters[0], found.parameter_units[0]), **style.words())
    ax.set_ylabel(parameter_label(found.parameters[1], found.parameter_units[1]), **style.words())
    style.entitle(figure, found.title)
    return figure
