"""Bar charts of sensitivities and gradients, the largest on top."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from flexura.errors import ModelError
from flexura.plotting import style
from flexura.results.figure_registry import draws
from flexura.results.gradient import Gradient
from flexura.results.sensitivity import Sensitivity

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PANELS = 4
"""Eigenvalues that are drawn if none are chosen."""


@draws("sensitivity")
def sensitivity(found: Sensitivity, modes: Sequence[int] | None = None) -> Figure:
    """Relative changes of eigenvalues, a panel for each: of the size |λ|, and of the direction if it varies."""
    total = len(found.eigenvalues)
    chosen = list(range(min(total, _PANELS)) if modes is None else modes)
    if not chosen or any(not 0 <= mode < total for mode in chosen):
        raise ModelError("modes", f"{chosen} are not all eigenvalues", f"they are counted from 0 to {total - 1}")
    relative = np.nan_to_num(found.relative[chosen])
    order = np.argsort(np.abs(relative).max(axis=0), kind="stable")
    turned = bool(np.abs(relative.imag).max() > 1e-6 * np.abs(relative).max())
    figure = style.figure(height=1.3 + 0.36 * len(order))
    panels = figure.subplots(1, len(chosen), sharey=True, squeeze=False)[0]
    places, thick = np.arange(len(order)), 0.36 if turned else 0.6
    for ax, mode, parts in zip(panels, chosen, relative[:, order], strict=True):
        style.dress(ax)
        ax.barh(places + 0.5 * turned * thick, parts.real, thick, color=style.colour(0), label="size |λ|")
        if turned:
            ax.barh(places - 0.5 * thick, parts.imag, thick, color=style.colour(1), label="direction")
        ax.axvline(0.0, **style.THIN)
        ax.set_title(f"{mode}: {abs(found.eigenvalues[mode]):.4g} rad/s", fontsize=style.SMALL, color=style.INK)
    panels[0].set_yticks(places, [style.plain(found.parameters[k]) for k in order])
    figure.supxlabel("relative change of an eigenvalue by that of the parameter", **style.words())
    if turned:
        style.legend(panels[-1])
    style.entitle(figure, found.title)
    return figure


@draws("gradient")
def gradient(found: Gradient) -> Figure:
    """Relative derivatives, a panel for each quantity."""
    relative = np.nan_to_num(found.relative, posinf=0.0, neginf=0.0)
    order = np.argsort(np.abs(relative).max(axis=0), kind="stable")
    figure = style.figure(height=1.3 + 0.36 * len(order))
    shown = found.quantities[:_PANELS]
    panels = figure.subplots(1, len(shown), sharey=True, squeeze=False)[0]
    for ax, quantity, parts in zip(panels, shown, relative[:, order], strict=False):
        style.dress(ax)
        ax.barh(np.arange(len(order)), parts, 0.6, color=style.colour(0))
        ax.axvline(0.0, **style.THIN)
        ax.set_title(style.plain(quantity), fontsize=style.SMALL, color=style.INK)
    panels[0].set_yticks(np.arange(len(order)), [style.plain(found.parameters[k]) for k in order])
    figure.supxlabel("relative change of a quantity by that of the parameter", **style.words())
    style.entitle(figure, found.title)
    return figure
