"""The parts of which results become labelled variables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from flexura.model.files import dumps
from flexura.model.model import Model

Variables = dict[str, Any]
Described = tuple[Variables, Variables, dict[str, Any]]
"""Variables, labels of their dimensions, and what is said besides."""


def described_model(model: Model) -> dict[str, str]:
    """The model, as it would stand in a file of its own."""
    return {"title": model.title, "model": dumps(model)}


def complex_parts(dimensions: tuple[str, ...], values: Any, unit: str = "") -> tuple[Any, ...]:
    """Complex numbers with a last dimension of real and imaginary part."""
    return (*dimensions, "part"), np.stack([values.real, values.imag], axis=-1), {"units": unit} if unit else {}


def words(texts: Iterable[str]) -> Any:
    """Texts as an array."""
    return np.array(list(texts), dtype=np.str_)
