"""Curves of given data, in the style of all figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from flexura.plotting import style
from flexura.results import figure_registry
from flexura.results.figure_registry import draws

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@draws("curves")
def curves(
    lines: Mapping[str, tuple[ArrayLike, ArrayLike]],
    across: str = "",
    up: str = "",
    title: str = "",
    *,
    guides: Sequence[str] = (),
    equal: bool = False,
    logarithmic: bool = False,
    path: str | None = None,
) -> Figure:
    """Curves by name, each (x, y), with labels of both axes; written to ``path`` if given.

    Curves named in ``guides`` are for comparison, and drawn thin and dashed. With ``equal`` scales circles are
    round; ``logarithmic`` is the scale of x.
    """
    figure = style.figure(height=4.6 if equal else 3.4, width=5.6 if equal else style.WIDTH)
    ax = figure.subplots()
    style.dress(ax)
    number = 0
    for name, (x, y) in lines.items():
        if name in guides:
            ax.plot(x, y, color=style.MUTED, lw=style.TRACE, ls=(0, (4, 2)), label=style.plain(name))
        else:
            ax.plot(x, y, color=style.colour(number), lw=style.CURVE, label=style.plain(name))
            number += 1
    if equal:
        ax.set_aspect("equal", adjustable="datalim")
    else:
        ax.margins(x=0.0)
    if logarithmic:
        ax.set_xscale("log")
    ax.set_xlabel(style.plain(across), **style.words())
    ax.set_ylabel(style.plain(up), **style.words())
    if len(lines) > 1:
        style.legend(ax)
    style.entitle(figure, title)
    figure_registry.finish(figure, path)
    return figure
