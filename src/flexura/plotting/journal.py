"""Path of the journal in a joint with clearance, and the contact force on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from flexura.plotting import style
from flexura.plotting.histories import Recorded
from flexura.results.figure_registry import draws

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]


@draws("journal")
def journal(motion: Recorded, joint: str, *, marks: int = 72) -> Figure:
    """Path of the centre of a journal relative to the clearance, with the contact circle; markers at equal times."""
    x, y = (np.asarray(motion[f"{joint}.{part}"]) for part in ("along", "across"))
    clearance = float(motion[f"{joint}.gap"][0] + np.hypot(x[0], y[0]))
    figure, ax = _square(motion.title, f"{joint}.along / clearance", f"{joint}.across / clearance")
    angle = np.linspace(0.0, 2.0 * np.pi, 361)
    ax.plot(np.cos(angle), np.sin(angle), color=style.MUTED, lw=style.TRACE, ls=(0, (4, 2)))
    _dotted(ax, motion.t, x / clearance, y / clearance, marks)
    return figure


@draws("locus")
def locus(motion: Recorded, joint: str, *, marks: int = 72) -> Figure:
    """Polar diagram of the force on the journal; dots mark equal times."""
    x, y = (np.asarray(motion[f"{joint}.{part}.force"]) for part in ("along", "across"))
    figure, ax = _square(motion.title, f"force on {joint}, along [N]", f"force on {joint}, across [N]")
    ax.axhline(0.0, color=style.FAINT, lw=style.TRACE)
    ax.axvline(0.0, color=style.FAINT, lw=style.TRACE)
    _dotted(ax, motion.t, x, y, marks)
    return figure


def _square(title: str, across: str, up: str) -> tuple[Figure, Axes]:
    figure = style.figure(height=5.0, width=5.6)
    ax = figure.subplots()
    style.dress(ax)
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_xlabel(style.plain(across), **style.words())
    ax.set_ylabel(style.plain(up), **style.words())
    style.entitle(figure, title)
    return figure, ax


def _dotted(ax: Axes, t: Array, x: Array, y: Array, marks: int) -> None:
    """Thin line with a number of dots at equal times."""
    ax.plot(x, y, color=style.mix(style.colour(0), 0.6), lw=style.TRACE)
    at = np.linspace(t[0], t[-1], marks + 1)
    ax.plot(np.interp(at, t, x), np.interp(at, t, y), ls="", marker="o", ms=2.4, color=style.colour(0))
