"""Figure of all eigenvalues over a parameter."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from flexura.plotting import style
from flexura.plotting.signal_notation import parameter_label
from flexura.results.figure_registry import draws
from flexura.results.root_locus import RootLocus

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@draws("root_locus")
def root_locus(found: RootLocus, reach: float | None = None) -> Figure:
    """Real parts above, imaginary parts below, with the limits of stability marked; real parts to ``reach``."""
    figure = style.figure(height=5.6)
    above, below = figure.subplots(2, 1, sharex=True)
    size = np.abs(found.eigenvalues)
    moving = np.flatnonzero((size > 1e-6 * size.max()).any(axis=0))
    for number, branch in enumerate(found.eigenvalues[:, moving].T):
        shade = style.colour(number)
        above.plot(found.values, branch.real, color=shade, lw=style.CURVE)
        # where it swings, one of each pair
        swings = np.where(branch.imag > 1e-6 * size.max(), branch.imag, np.nan)
        below.plot(found.values, swings, color=shade, lw=style.CURVE)
    if reach is not None:
        above.set_ylim(-reach, reach)
    below.set_ylim(bottom=0.0)
    for ax, label in ((above, "Re λ [1/s]"), (below, "Im λ [rad/s]")):
        _finish(ax, found)
        ax.set_ylabel(label, **style.words())
    _mark(above, below, found)
    below.set_xlabel(parameter_label(found.parameter, found.parameter_unit), **style.words())
    figure.align_ylabels([above, below])
    style.entitle(figure, found.title)
    return figure


def _finish(ax: Axes, found: RootLocus) -> None:
    """Style axes, with unstable ranges shaded."""
    style.dress(ax)
    ax.set_xlim(found.values[0], found.values[-1])
    ax.axhline(0.0, **style.THIN)
    edges = [float(found.values[0]), *(limit.value for limit in found.limits), float(found.values[-1])]
    for a, b in pairwise(edges):
        inside = (found.values > a) & (found.values < b)
        if inside.any() and not found.stable[inside].all():
            style.shade_unstable(ax, a, b)


def _mark(above: Axes, below: Axes, found: RootLocus) -> None:
    """Mark the limits, with their values."""
    dot: dict[str, Any] = {"marker": "o", "ms": 4.0, "ls": "", **style.MARK}
    for limit in found.limits:
        above.plot(limit.value, 0.0, **dot)
        above.annotate(
            f"{limit.value:.5g}", (limit.value, 0.0), (4, 6), textcoords="offset points", fontsize=style.SMALL
        )
        if limit.oscillates:
            below.plot(limit.value, limit.eigenvalue.imag, **dot)
