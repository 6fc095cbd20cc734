"""Figures of amplitude spectra."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexura.plotting import style
from flexura.plotting.histories import require_names
from flexura.plotting.signal_notation import folded, label
from flexura.results.figure_registry import draws
from flexura.results.spectrum import Spectrum

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DEPTH = 1e-6
"""The least amplitude that is shown, as a part of the largest."""


@draws("spectra")
def spectra(*found: Spectrum, highest: float | None = None) -> Figure:
    """Amplitudes over the angular frequency, one above the other, up to the ``highest`` in rad/s."""
    require_names(tuple(one.signal for one in found), "plot_spectrum", "signals", "B.x")
    figure = style.figure(height=0.75 + 2.3 * len(found))
    column = figure.subplots(len(found), 1, sharex=True, squeeze=False)[:, 0]
    for number, (ax, one) in enumerate(zip(column, found, strict=True)):
        shown = one.frequency <= (np.inf if highest is None else highest)
        frequency, amplitude = one.frequency[shown][1:], one.amplitude[shown][1:]
        style.dress(ax)
        ax.set_yscale("log")
        largest = float(amplitude.max(initial=0.0)) or 1.0
        ax.plot(frequency, np.maximum(amplitude, 1e-3 * _DEPTH * largest), color=style.colour(number), lw=0.7)
        ax.set_ylim(max(_DEPTH * largest, 0.5 * float(amplitude.min(initial=largest))), 2.0 * largest)
        ax.margins(x=0.0)
        ax.set_ylabel(folded(f"amplitude of {label(one.signal, one.unit)}"), **style.words())
    column[-1].set_xlabel("angular frequency [rad/s]", **style.words())
    figure.align_ylabels(list(column))
    style.entitle(figure, found[0].title)
    return figure
