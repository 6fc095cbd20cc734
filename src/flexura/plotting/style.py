"""Style of all figures: colours, widths, sizes.

The hues are those of Okabe and Ito, told apart by colour-blind readers too. Everything is set on the artists
themselves, so a figure looks the same whatever the user's own settings are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flexura.plotting.shown_figure import figure_class

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5c6b7a")
INK = "#1f2933"
MUTED = "#6b7785"
FAINT = "#c9d0d8"
GRID = "#e9ecf0"
PAPER = "#ffffff"

CURVE = 1.4
LINK = 3.6
TRACE = 1.0

TEXT = 9.0
SMALL = 8.0
TITLE = 10.5

WIDTH = 7.2
DPI = 120

MARK: dict[str, Any] = {"mfc": PAPER, "mec": INK, "mew": 0.9}
"""Settings of the marks of special points: open, in ink."""
THIN: dict[str, Any] = {"color": MUTED, "lw": 0.7 * TRACE}
"""Settings of lines that curves are compared with, such as axes through zero."""
UNSTABLE = 0.12
"""Strength of the colour over ranges in which motions grow."""


def colour(index: int) -> str:
    """Colour of the curve with this number."""
    return PALETTE[index % len(PALETTE)]


def mix(shade: str, strength: float, paper: str = PAPER) -> str:
    """Mixture of a colour and the paper: strength 1 is the colour. It is opaque, so that overlaps stay clean."""
    ink, ground = (tuple(int(text[i : i + 2], 16) for i in (1, 3, 5)) for text in (shade, paper))
    return "#" + "".join(f"{round(strength * a + (1.0 - strength) * b):02x}" for a, b in zip(ink, ground, strict=True))


def figure(height: float, width: float = WIDTH) -> Figure:
    """Empty figure without a window and without global state of Matplotlib."""
    return figure_class()(figsize=(width, height), dpi=DPI, facecolor=PAPER, layout="constrained")


def dress(ax: Axes) -> None:
    """Style axes: two spines, small ticks, a faint grid behind the curves."""
    from matplotlib.ticker import ScalarFormatter

    ax.set_facecolor(PAPER)
    ax.set_axisbelow(True)
    ax.grid(True, color=GRID, linewidth=0.7)
    ax.tick_params(colors=FAINT, labelcolor=MUTED, labelsize=SMALL, width=0.7, length=3.0)
    for side, spine in ax.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set(color=FAINT, linewidth=0.7)

    # the numbers themselves on the axis: powers of ten when needed, never an offset
    for axis in (ax.xaxis, ax.yaxis):
        formatter = ScalarFormatter(useOffset=False, useMathText=True)
        formatter.set_powerlimits((-3, 5))
        axis.set_major_formatter(formatter)
        axis.get_offset_text().set(color=MUTED, fontsize=SMALL)


def shade_unstable(ax: Axes, start: float, end: float) -> None:
    """Shade a range of the parameter in which motions grow."""
    ax.axvspan(start, end, color=mix(PALETTE[1], UNSTABLE), lw=0.0, zorder=0.5)


def words(**more: Any) -> dict[str, Any]:
    """Settings of ordinary text."""
    return {"fontsize": TEXT, "color": INK, **more}


def entitle(figure: Figure, title: str) -> None:
    """Add the title at the left, if there is one."""
    if title:
        figure.suptitle(plain(title), x=0.015, ha="left", fontsize=TITLE, color=INK)


def legend(ax: Axes) -> None:
    """Put the names of the curves beside the axes, where they hide nothing."""
    ax.legend(
        loc="upper left",
        bbox_to_anchor=(1.0, 1.02),
        frameon=False,
        fontsize=SMALL,
        labelcolor=INK,
        handlelength=1.4,
        borderaxespad=0.4,
    )


def plain(text: str) -> str:
    """Text that Matplotlib shows literally, dollar signs included."""
    return text.replace("$", r"\$")
