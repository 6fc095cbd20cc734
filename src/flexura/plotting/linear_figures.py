"""Figures of linear systems: frequency responses and Campbell diagrams."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from flexura.laws.unit_conversions import unit_and_factor
from flexura.plotting import style
from flexura.plotting.signal_notation import parameter_label
from flexura.results.campbell import Campbell
from flexura.results.figure_registry import draws

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


@draws("bode")
def bode(frequencies: Array, responses: Mapping[str, Complex], title: str = "") -> Figure:
    """Amplitude and phase over the frequency, of one response or of several."""
    figure = style.figure(height=4.2)
    above, below = figure.subplots(2, 1, sharex=True)
    for number, (label, response) in enumerate(responses.items()):
        look: dict[str, Any] = {"color": style.colour(number), "lw": style.CURVE, "label": style.plain(label)}
        above.loglog(frequencies, np.abs(response), **look)
        below.semilogx(frequencies, np.degrees(np.unwrap(np.angle(response))), **look)
    for ax in (above, below):
        style.dress(ax)
        ax.margins(x=0.0)
    above.set_ylabel(f"|{next(iter(responses))}|" if len(responses) == 1 else "amplitude", **style.words())
    below.set_ylabel("phase [°]", **style.words())
    below.set_xlabel("frequency [rad/s]", **style.words())
    if len(responses) > 1:
        style.legend(above)
    figure.align_ylabels([above, below])
    style.entitle(figure, title)
    return figure


@draws("nyquist")
def nyquist(frequencies: Array, responses: Mapping[str, Complex], title: str = "") -> Figure:
    """Responses in the complex plane."""
    figure = style.figure(height=4.2)
    ax = figure.subplots()
    style.dress(ax)
    for number, (label, response) in enumerate(responses.items()):
        look: dict[str, Any] = {"color": style.colour(number), "lw": style.CURVE, "label": style.plain(label)}
        ax.plot(response.real, response.imag, **look)
    ax.set_aspect("equal", adjustable="datalim")
    only = next(iter(responses)) if len(responses) == 1 else "amplitude"
    ax.set_xlabel(f"Re {only}", **style.words())
    ax.set_ylabel(f"Im {only}", **style.words())
    if len(responses) > 1:
        style.legend(ax)
    style.entitle(figure, title)
    return figure


@draws("campbell")
def campbell(found: Campbell, unit: str = "", frequency_unit: str = "") -> Figure:
    """Frequencies over the parameter, with critical values marked; below, the rates of growth or decay.

    ``unit`` is that of the parameter, such as ``"rpm"``; ``frequency_unit`` that of the frequencies, such as ``"Hz"``.
    """
    damped = bool(np.nanmax(np.abs(found.eigenvalues.real)) > 1e-6 * np.nanmax(np.abs(found.eigenvalues)))
    figure = style.figure(height=5.6 if damped else 4.2)
    grid = figure.subplots(1 + damped, 1, sharex=True, squeeze=False, height_ratios=(3, 2)[: 1 + damped])
    panels, asked = list(grid[:, 0]), set(found.labels) != {"neither"}
    own, by = unit_and_factor(found.parameter_unit, unit)
    shown, times = unit_and_factor("rad/s", frequency_unit)
    for k, label in enumerate(found.labels):
        # the first forward and the first backward whirl have one colour, and so on
        shade = style.colour(found.labels[:k].count(label) if asked else k)
        parts = times * found.eigenvalues[:, k].imag, found.eigenvalues[:, k].real
        for ax, part in zip(panels, parts, strict=False):
            ax.plot(by * found.values, part, color=shade, lw=style.CURVE, ls=_LINES[label] if asked else "-")
    above = panels[0]
    above.set_ylim(0.0, 1.05 * times * np.nanmax(found.frequencies))
    for order in found.orders:
        above.plot(by * found.values, times * order * found.values, **style.THIN)
    for c in found.crossings:
        above.plot(by * c.value, times * c.eigenvalue.imag, "o", ms=3.5, **style.MARK)
    for ax, label in zip(panels, (f"frequency [{shown}]", "growth [1/s]"), strict=False):
        _finish(ax, found, label, by)
    panels[-1].set_xlabel(parameter_label(found.parameter, own), **style.words())
    figure.align_ylabels(panels)
    _explain(above, found)
    style.entitle(figure, found.title)
    return figure


_LINES = {"forward": "-", "backward": "--", "neither": ":"}


def _finish(ax: Axes, found: Campbell, label: str, by: float) -> None:
    """Style axes of a Campbell diagram, with unstable ranges shaded."""
    style.dress(ax)
    ax.set_xlim(by * found.values[0], by * found.values[-1] if len(found.values) > 1 else None)
    ax.set_ylabel(label, **style.words())
    if "growth" in label:
        ax.axhline(0.0, **style.THIN)
    edges = [found.values[0], *found.limits, found.values[-1]]
    unstable = found.unstable
    for a, b in pairwise(edges):
        if unstable:
            style.shade_unstable(ax, by * a, by * b)
        unstable = not unstable


def _explain(ax: Axes, found: Campbell) -> None:
    """Add a legend of the kinds of lines and marks."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    marks: list[Line2D | Patch] = [
        Line2D([], [], color=style.INK, lw=style.CURVE, ls=line, label=label)
        for label, line in _LINES.items()
        if label in found.labels and set(found.labels) != {"neither"}
    ]
    if found.orders:
        label = f"order{'s' if len(found.orders) > 1 else ''} {', '.join(f'{order:g}' for order in found.orders)}"
        marks.append(Line2D([], [], **style.THIN, label=label))
    if found.crossings:
        marks.append(Line2D([], [], ls="", marker="o", ms=3.5, **style.MARK, label="critical"))
    if found.unstable or found.limits.size:
        marks.append(Patch(color=style.mix(style.PALETTE[1], style.UNSTABLE), label="unstable"))
    if marks:
        ax.legend(
            handles=marks,
            loc="upper left",
            bbox_to_anchor=(1.0, 1.02),
            frameon=False,
            fontsize=style.SMALL,
            labelcolor=style.INK,
            handlelength=2.2,
        )
