"""Changes of parameters that count as large: differences are taken over small parts of them."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, isfinite

import numpy as np

from flexura.errors import ModelError
from flexura.model.model import Model

Scale = float | Mapping[str, float] | None
_NODES, _START = "nodes.", "start."
_APART = 1e-9
"""Distance of nodes, against the size of the model, from which on they are not at the same place."""


def scale_of(model: Model, path: str, value: float, scale: Scale) -> float:
    """Change of a parameter that counts as large: as given, or its value.

    The coordinate of a node has the distance to the nearest other node, if that is less: where the origin is says
    nothing about links. So has a coordinate of zero, and a start of zero the size of the model, or one for a rate.
    """
    given = scale.get(path) if isinstance(scale, Mapping) else scale
    size = abs(value if given is None else given)
    if given is None and path.startswith(_NODES):
        size = min(size or inf, _distance(model, path.removeprefix(_NODES).rpartition(".")[0]))
    elif not size and path.startswith(_START):
        size = 1.0 if path.endswith("'") else _extent(model)
    if not size or not isfinite(size):
        what = "it is zero, so its scale is unknown"
        raise ModelError(f"parameter '{path}'", what, f"give scale={{'{path}': …}}, a change that counts as large")
    return size


def _places(model: Model) -> np.ndarray:
    return np.array(list(model.nodes.values()))


def _extent(model: Model) -> float:
    """Size of a model as it is drawn; one without extent."""
    return float(np.ptp(_places(model), axis=0).max()) or 1.0


def _distance(model: Model, node: str) -> float:
    """Distance of a node to the nearest one at another place."""
    size = _extent(model)
    distances = np.linalg.norm(_places(model) - np.array(model.nodes[node]), axis=1)
    return float(np.min(distances[distances > _APART * size], initial=size))
