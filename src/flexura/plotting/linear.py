"""Pictures of linear systems: frequency responses and Campbell diagrams."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from flexura.plotting import style
from flexura.results.campbell import Campbell

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


def bode(frequencies: Array, response: Complex, label: str) -> Figure:
    """Amplitude and phase over the frequency."""
    figure = style.figure(height=4.2)
    above, below = figure.subplots(2, 1, sharex=True)
    above.loglog(frequencies, np.abs(response), color=style.colour(0), lw=style.CURVE)
    below.semilogx(frequencies, np.degrees(np.unwrap(np.angle(response))), color=style.colour(0), lw=style.CURVE)
    for ax in (above, below):
        style.dress(ax)
        ax.margins(x=0.0)
    above.set_ylabel(f"|{label}|", **style.words())
    below.set_ylabel("phase [°]", **style.words())
    below.set_xlabel("frequency [rad/s]", **style.words())
    figure.align_ylabels([above, below])
    return figure


def nyquist(frequencies: Array, response: Complex, label: str) -> Figure:
    """The response in the complex plane."""
    figure = style.figure(height=4.2)
    ax = figure.subplots()
    style.dress(ax)
    ax.plot(response.real, response.imag, color=style.colour(0), lw=style.CURVE)
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_xlabel(f"Re {label}", **style.words())
    ax.set_ylabel(f"Im {label}", **style.words())
    return figure


def campbell(found: Campbell, orders: tuple[float, ...] = (1.0,)) -> Figure:
    """Frequencies over the parameter; forward whirl full, backward dashed; unstable parts marked."""
    figure = style.figure(height=4.2)
    ax = figure.subplots()
    style.dress(ax)
    for k, branch in enumerate(found.frequencies.T):
        backward = np.nanmedian(found.whirl[:, k]) < 0.0
        ax.plot(found.values, branch, color=style.colour(k), lw=style.CURVE, ls="--" if backward else "-")
        unstable = found.eigenvalues[:, k].real > 1e-9 * np.nanmax(np.abs(found.eigenvalues))
        ax.plot(found.values[unstable], branch[unstable], ".", color=style.colour(k))
    for order in orders:
        ax.plot(found.values, order * found.values, color=style.FAINT, lw=style.TRACE)
    ax.set_ylim(0.0, 1.05 * np.nanmax(found.frequencies))
    ax.margins(x=0.0)
    ax.set_xlabel(f"{found.parameter}", **style.words())
    ax.set_ylabel("frequency [rad/s]", **style.words())
    style.entitle(figure, found.title)
    return figure
