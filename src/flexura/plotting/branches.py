"""Figures of paths over a parameter: branches of periodic motions, and equilibria."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from flexura.plotting import style
from flexura.plotting.signal_notation import folded, label, parameter_label
from flexura.results.branch import Branch
from flexura.results.equilibria import Equilibria
from flexura.results.figure_registry import draws

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MARKS = {
    "fold": "o",
    "limit": "o",
    "crossing": "^",
    "branch": "^",
    "flip": "s",
    "Neimark–Sacker": "D",
    "oscillation": "D",
}
"""The mark of each kind of special point."""

Place = tuple[float, float]
"""Value of the parameter, and the height above it."""


class _Special(NamedTuple):
    kind: str
    place: Place
    following: int
    """index of the following point of the path"""


class _Path(NamedTuple):
    """Heights over a parameter, with the points at which the stability of the path changes."""

    points: list[Place]
    stable: list[bool]
    specials: list[_Special]

    def parts(self) -> list[tuple[bool, list[Place]]]:
        """Parts of the path that are stable or unstable all along; neighbours join at special points."""
        points, stable = self.points, self.stable
        parts = [(stable[0], points[:1])]
        for k in range(1, len(points)):
            for special in self.specials:
                if special.following == k:
                    parts[-1][1].append(special.place)
                    parts.append((stable[k], [special.place]))
            if parts[-1][0] != stable[k]:
                parts.append((stable[k], points[k - 1 : k]))
            parts[-1][1].append(points[k])
        return parts


@draws("branch")
def branch(found: Branch, signal: str, others: Sequence[Branch] = ()) -> Figure:
    """The amplitude of a signal along the parameter; other branches may be drawn with it."""

    def path(one: Branch) -> _Path:
        points = list(zip(one.values.tolist(), one.amplitude(signal).tolist(), strict=True))
        specials = [_Special(s.kind, (s.value, s.cycle.amplitude(signal)), s.index) for s in one.specials]
        return _Path(points, one.stable.tolist(), specials)

    height = f"amplitude of\n{folded(label(signal, found.cycles[0].unit(signal)))}"
    figure = _draw(found, [path(one) for one in (found, *others)], height)
    figure.axes[0].set_ylim(bottom=0.0)
    return figure


@draws("equilibria")
def equilibria(found: Equilibria, signal: str, others: Sequence[Equilibria] = ()) -> Figure:
    """A signal along the parameter; other paths may be drawn with it."""

    def path(one: Equilibria) -> _Path:
        points = list(zip(one.values.tolist(), one[signal].tolist(), strict=True))
        specials = [_Special(p.kind, (p.value, p.state[signal]), p.index) for p in one.critical]
        return _Path(points, one.stable.tolist(), specials)

    height = folded(label(signal, found.states[0].unit(signal)))
    return _draw(found, [path(one) for one in (found, *others)], height)


def _draw(found: Branch | Equilibria, paths: Sequence[_Path], height: str) -> Figure:
    """Figure of paths: stable parts are full lines, unstable ones dashed; special points have marks."""
    figure = style.figure(height=3.8)
    ax = figure.subplots()
    style.dress(ax)
    for number, path in enumerate(paths):
        for stable, places in path.parts():
            x, y = np.array(places).T
            mark = "." if len(path.points) == 1 else None
            ax.plot(x, y, marker=mark, ls="-" if stable else (0, (4, 2)), color=style.colour(number), lw=style.CURVE)
    _mark(ax, [special for path in paths for special in path.specials])
    ax.set_xlabel(parameter_label(found.parameter, found.parameter_unit), **style.words())
    ax.set_ylabel(height, **style.words())
    style.entitle(figure, found.title)
    return figure


def _mark(ax: Axes, specials: Sequence[_Special]) -> None:
    """Mark special points by their kind."""
    for kind, mark in _MARKS.items():
        places = [special.place for special in specials if special.kind == kind]
        if places:
            x, y = np.array(places).T
            ax.plot(x, y, mark, ms=4.5, **style.MARK, label=kind, zorder=4)
    if specials:
        style.legend(ax)
