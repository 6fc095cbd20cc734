"""Drawn distances, refused where an element needs one and there is none."""

from __future__ import annotations

from typing import Any

from flexura.algebra import norm
from flexura.errors import ModelError


def drawn_length(p: Any, q: Any) -> float:
    """The distance of two drawn nodes, which may not coincide."""
    length = float(norm(q.r - p.r))
    if length == 0.0:
        raise ModelError("", "its two ends coincide, so it has no length", "move one of the nodes")
    return length
