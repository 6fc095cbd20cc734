"""Mark on annotations that validation and file forms read without the algebra of nodes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Slot:
    """The mark of a field that attaches an element to a node of the given kinds, or to several nodes."""

    kinds: tuple[type, ...]
    several: bool = False
