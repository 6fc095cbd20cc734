"""Figures of studies: curves with bands, maps, scatter, parallel coordinates, histograms, exceedance, basins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError, did_you_mean
from flexura.plotting import style
from flexura.results import figure_registry
from flexura.results.figure_registry import draws

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from xarray import DataArray, Dataset

Array = NDArray[np.float64]

_RUNS = ("sample", "case")
"""dimensions along which runs have no order"""
_OWN = ("time", "frequency", "event")
_BANDS = ((0.05, 0.95), (0.25, 0.75))
"""quantiles between which bands are drawn"""


@draws("study")
def plot_study(data: Dataset, quantity: str, *, kind: str = "automatic", path: str | None = None) -> Figure:
    """Figure of a quantity of a study; written to ``path`` if given.

    ``kind`` is ``curves`` over the first list of values, ``bands`` of quantiles over time or over a list of values,
    ``heat_map`` or ``surface`` over two lists, ``scatter`` against each parameter, ``parallel`` coordinates,
    ``histogram``, ``exceedance`` probability, or ``basins`` (a map in which each distinct value has a colour).
    """
    if quantity not in data.data_vars or data[quantity].dtype.kind not in "fiu":
        known = [str(name) for name in data.data_vars if data[name].dtype.kind in "fiu"]
        raise ModelError("plot", f"there is no quantity '{quantity}'", did_you_mean(quantity, known))
    found = data[quantity]
    if kind == "automatic":
        kind = _suited(found)
    if kind not in _KINDS:
        raise ModelError("plot", f"there is no kind '{kind}'", did_you_mean(kind, [*_KINDS, "automatic"]))
    figure = style.figure(height=4.2)
    _KINDS[kind](figure, data, found)
    style.entitle(figure, str(data.attrs.get("title", "")))
    figure_registry.finish(figure, path)
    return figure


def _suited(found: DataArray) -> str:
    """Kind of figure that suits the dimensions of a quantity."""
    lists = [dim for dim in found.dims if dim not in (*_RUNS, *_OWN)]
    if any(dim in _OWN for dim in found.dims):
        return "bands" if found.ndim > 1 else "curves"
    if len(lists) >= 2:
        return "heat_map"
    if lists:
        return "bands" if len(found.dims) > 1 else "curves"
    return "histogram"


def _label(data: Dataset, name: str) -> str:
    unit = data[name].attrs.get("units", "") if name in data.variables else ""
    if not unit and name == "time":
        unit = "s"
    return style.plain(f"{name} [{unit}]" if unit else name)


def _values(data: Dataset, dim: str) -> Array:
    return data[dim].values if dim in data.coords else np.arange(data.sizes[dim], dtype=float)


def _dressed(figure: Figure, data: Dataset, across: str, up: str) -> Axes:
    ax: Axes = figure.subplots()
    style.dress(ax)
    ax.set_xlabel(_label(data, across), **style.words())
    ax.set_ylabel(_label(data, up), **style.words())
    return ax


def _across(found: DataArray) -> str:
    """Dimension along which curves are drawn: time or frequency, or the first list."""
    own = [str(dim) for dim in found.dims if dim in _OWN]
    lists = [str(dim) for dim in found.dims if dim not in (*_RUNS, *_OWN)]
    chosen = [*own, *lists]
    if not chosen:
        raise ModelError("plot", "there is neither time nor a list of values to draw over", "choose a histogram")
    return chosen[0]


def _rows(found: DataArray, across: str) -> Array:
    """Curves along a dimension, one per row."""
    moved = found.transpose(..., across).values
    return np.reshape(moved, (-1, moved.shape[-1]))


def _curves(figure: Figure, data: Dataset, found: DataArray) -> None:
    across = _across(found)
    ax = _dressed(figure, data, across, str(found.name))
    rows = _rows(found, across)
    for number, row in enumerate(rows[:50]):
        ax.plot(_values(data, across), row, color=style.colour(number), lw=style.CURVE)


def _bands(figure: Figure, data: Dataset, found: DataArray) -> None:
    across = _across(found)
    ax = _dressed(figure, data, across, str(found.name))
    x, rows = _values(data, across), _rows(found, across)
    with np.errstate(all="ignore"):
        for strength, (low, high) in zip((0.25, 0.5), _BANDS, strict=True):
            edges = np.nanquantile(rows, (low, high), axis=0)
            shade = style.mix(style.colour(0), strength)
            ax.fill_between(x, *edges, color=shade, lw=0.0, label=f"{100 * (high - low):.0f} % of the runs")
        ax.plot(x, np.nanmedian(rows, axis=0), color=style.colour(0), lw=style.CURVE, label="median")
    style.legend(ax)


def _lists(found: DataArray, count: int) -> list[str]:
    lists = [str(dim) for dim in found.dims if dim not in (*_RUNS, *_OWN)]
    if len(lists) < count or any(dim in _OWN for dim in found.dims):
        raise ModelError("plot", f"{found.name} is not a number over {count} lists of values", "choose another kind")
    return lists[:count]


def _plane(found: DataArray) -> tuple[str, str, Array]:
    """Two lists of values, and the mean over all other dimensions."""
    across, up = _lists(found, 2)
    others = [dim for dim in found.dims if dim not in (across, up)]
    return across, up, found.mean(others).transpose(up, across).values


def _heat_map(figure: Figure, data: Dataset, found: DataArray) -> None:
    across, up, values = _plane(found)
    ax = _dressed(figure, data, across, up)
    mesh = ax.pcolormesh(_values(data, across), _values(data, up), values, cmap="viridis", shading="nearest")
    bar = figure.colorbar(mesh, ax=ax)
    bar.set_label(_label(data, str(found.name)), **style.words())
    bar.outline.set_visible(False)


def _basins(figure: Figure, data: Dataset, found: DataArray) -> None:
    from matplotlib.colors import ListedColormap

    across, up, values = _plane(found)
    ax = _dressed(figure, data, across, up)
    size = np.nanmax(np.abs(values), initial=1e-300)
    kinds, place = np.unique(np.round(values / size, 3), return_inverse=True)
    colours = ListedColormap([style.colour(i) for i in range(len(kinds))])
    x, y = _values(data, across), _values(data, up)
    ax.pcolormesh(x, y, place.reshape(values.shape), cmap=colours, shading="nearest")
    for number, kind in enumerate(kinds[:8]):
        ax.plot([], [], "s", color=style.colour(number), label=f"{kind * size:.3g}")
    style.legend(ax)


def _surface(figure: Figure, data: Dataset, found: DataArray) -> None:
    across, up, values = _plane(found)
    ax: Any = figure.add_subplot(projection="3d")
    x, y = np.meshgrid(_values(data, across), _values(data, up))
    ax.plot_surface(x, y, values, cmap="viridis", linewidth=0.0, antialiased=True)
    for name, place in ((across, ax.set_xlabel), (up, ax.set_ylabel), (str(found.name), ax.set_zlabel)):
        place(_label(data, name), **style.words())


def _parameters(data: Dataset, found: DataArray) -> dict[str, Array]:
    """Values of the varied parameters in every run, in the order of the runs."""
    if any(dim in _OWN for dim in found.dims):
        raise ModelError("plot", f"{found.name} is not one number per run", "keep a reduction such as max(…)")
    names = [str(name) for name in data.coords if set(data[name].dims) <= set(found.dims)]
    return {name: data[name].broadcast_like(found).transpose(*found.dims).values.ravel() for name in names}


def _scatter(figure: Figure, data: Dataset, found: DataArray) -> None:
    parameters = _parameters(data, found)
    axes = np.atleast_1d(figure.subplots(1, len(parameters), sharey=True))
    for ax, (name, values) in zip(axes, parameters.items(), strict=True):
        style.dress(ax)
        ax.plot(values, found.values.ravel(), ".", ms=3.0, color=style.colour(0))
        ax.set_xlabel(_label(data, name), **style.words())
    axes[0].set_ylabel(_label(data, str(found.name)), **style.words())


def _parallel(figure: Figure, data: Dataset, found: DataArray) -> None:
    from matplotlib import colormaps

    columns = {**_parameters(data, found), str(found.name): found.values.ravel()}
    ax = figure.subplots()
    style.dress(ax)
    scaled = np.array(
        [(each - np.nanmin(each)) / (np.ptp(each[np.isfinite(each)]) or 1.0) for each in columns.values()]
    )
    order = np.argsort(scaled[-1], kind="stable")
    for run in order[np.isfinite(scaled[-1][order])]:
        ax.plot(range(len(columns)), scaled[:, run], lw=0.6, color=colormaps["viridis"](scaled[-1, run]))
    ax.set_xticks(range(len(columns)), [_label(data, name) for name in columns])
    ax.set_yticks([0.0, 1.0], ["least", "greatest"])


def _finite(found: DataArray) -> Array:
    values = np.ravel(found.values)
    kept: Array = values[np.isfinite(values)]
    if kept.size == 0:
        raise ModelError("plot", f"no run has a finite {found.name}", "look at the reason of each run")
    return kept


def _histogram(figure: Figure, data: Dataset, found: DataArray) -> None:
    ax = _dressed(figure, data, str(found.name), "runs")
    ax.hist(_finite(found), bins="auto", color=style.mix(style.colour(0), 0.7), edgecolor=style.PAPER)


def _exceedance(figure: Figure, data: Dataset, found: DataArray) -> None:
    ax = _dressed(figure, data, str(found.name), "probability of exceedance")
    values = np.sort(_finite(found))
    ax.step(values, 1.0 - np.arange(values.size) / values.size, where="post", color=style.colour(0), lw=style.CURVE)
    ax.set_yscale("log")


_KINDS = {
    "curves": _curves,
    "bands": _bands,
    "heat_map": _heat_map,
    "surface": _surface,
    "scatter": _scatter,
    "parallel": _parallel,
    "histogram": _histogram,
    "exceedance": _exceedance,
    "basins": _basins,
}
