"""Drawings of models, as ``model.plot()`` and notebooks show them."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING, Any

from flexura.model.model import Model
from flexura.model.model_methods import offers
from flexura.model.names import Names
from flexura.plotting.scenes import draw
from flexura.results import figure_registry
from flexura.results.scene import drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@offers("plot")
def plot_model(model: Model, path: str | None = None, **options: Any) -> Figure:
    """Drawing of a model with its names; written to ``path`` if given."""
    figure: Figure = figure_registry.finish(draw(drawn(Names(model), points=33), **options), path)
    return figure


@offers("svg")
def model_svg(model: Model) -> str:
    """Drawing of a model as the text of an SVG image."""
    page = StringIO()
    draw(drawn(Names(model), points=33)).savefig(page, format="svg")
    return page.getvalue()
