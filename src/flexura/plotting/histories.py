"""Curves of signals: over time, against each other, and the energies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.laws.unit_conversions import shown_in
from flexura.plotting import style
from flexura.plotting.signal_notation import bracketed, folded, label
from flexura.results.figure_registry import draws
from flexura.results.scene import Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]


class Recorded(Protocol):
    """Interface of a motion that has histories to plot."""

    @property
    def t(self) -> Array: ...
    @property
    def title(self) -> str: ...
    @property
    def energy(self) -> Mapping[str, Array]: ...
    def __getitem__(self, signal: str) -> Array: ...
    def unit(self, signal: str) -> str: ...
    def scene(self, points: int) -> Scene: ...


@draws("histories")
def histories(
    motion: Recorded, *signals: str, overlay: bool = False, unit: str | tuple[str, ...] = (), labels: Any = ()
) -> Figure:
    """Signals over time, one above the other; with ``overlay`` those of one unit share their axes.

    ``unit`` names units to show them in, such as ``"rpm"`` or ``("mm", "rpm")``; ``labels`` are words for the signals.
    """
    require_names(signals, "plot", "signals", "B.x")
    groups: dict[str, list[str]] = {}
    for signal in signals:
        groups.setdefault(motion.unit(signal) if overlay else signal, []).append(signal)
    shown = _shown(motion, signals, unit)
    words = dict(zip(signals, labels, strict=False)) if labels else {}

    # stacked axes on one time axis, labelled below the last
    figure = style.figure(height=0.75 + max(1.35 * len(groups), 1.9))
    column = figure.subplots(len(groups), 1, sharex=True, squeeze=False)[:, 0]
    number = 0
    for ax, group in zip(column, groups.values(), strict=True):
        for signal in group:
            _, factor = shown[motion.unit(signal)]
            said = style.plain(words[signal]) if signal in words else label(signal)
            ax.plot(motion.t, factor * motion[signal], color=style.colour(number), lw=style.CURVE, label=said)
            number += 1
        _explain(ax, group, shown[motion.unit(group[0])][0], [words.get(signal, "") for signal in group])
        ax.margins(x=0.0)
    column[-1].set_xlabel("time [s]", **style.words())
    figure.align_ylabels(list(column))
    style.entitle(figure, motion.title)
    return figure


def _shown(motion: Recorded, signals: Sequence[str], unit: str | tuple[str, ...]) -> dict[str, tuple[str, float]]:
    """For the SI unit of each signal the unit of the figure, and the factor."""
    own = dict.fromkeys(motion.unit(signal) for signal in signals)
    asked = shown_in(unit) if unit else {}
    for si, (name, _) in asked.items():
        if si not in own:
            what = f"no signal has a unit that can be shown in '{name}'"
            raise ModelError(f"unit '{name}'", what, f"units of the signals are {', '.join(own)}")
    return {si: asked.get(si, (si, 1.0)) for si in own}


@draws("phase")
def phase(motion: Recorded, signal: str) -> Figure:
    """A signal's rate against the signal; a dot marks the start."""
    rate = f"{signal}'"
    figure = style.figure(height=4.4, width=5.2)
    ax = figure.subplots()
    path(ax, motion[signal], motion[rate], 0, label(signal))
    style.dress(ax)
    ax.set_xlabel(label(signal, motion.unit(signal)), **style.words())
    ax.set_ylabel(label(rate, motion.unit(rate)), **style.words())
    style.entitle(figure, motion.title)
    return figure


@draws("energies")
def energies(motion: Recorded) -> Figure:
    """The energies over time; those that stay zero are left out."""
    told = {name: value for name, value in motion.energy.items() if np.any(value)} or motion.energy
    figure = style.figure(height=3.4)
    ax = figure.subplots()
    for number, (name, value) in enumerate(told.items()):
        ax.plot(motion.t, value, color=style.colour(number), lw=style.CURVE, label=style.plain(name.replace("_", " ")))
    style.dress(ax)
    ax.margins(x=0.0)
    ax.set_xlabel("time [s]", **style.words())
    ax.set_ylabel("energy [J]", **style.words())
    style.legend(ax)
    style.entitle(figure, motion.title)
    return figure


def require_names(names: tuple[str, ...], verb: str, kind: str, example: str) -> None:
    """Require at least one name."""
    if not names:
        raise ModelError(verb, f"no {kind} are named", f'name one or more, such as {verb}("{example}")')


def _explain(ax: Axes, group: list[str], unit: str, words: list[str]) -> None:
    """Name one curve on its axis, or several in a legend with their unit on the axis."""
    style.dress(ax)
    if len(group) == 1:
        said = f"{style.plain(words[0])}{bracketed(unit)}" if words[0] else label(group[0], unit)
        ax.set_ylabel(folded(said), **style.words())
    else:
        ax.set_ylabel(bracketed(unit).strip(), **style.words())
        style.legend(ax)


def path(ax: Axes, x: Array, y: Array, number: int, name: str) -> None:
    settings: dict[str, Any] = {"color": style.colour(number)}
    ax.plot(x, y, lw=style.CURVE, label=name, **settings)
    ax.plot(x[:1], y[:1], "o", ms=5.0, mec=style.PAPER, mew=1.0, zorder=3, **settings)
