"""Marks on annotations: the unit of a field and the limits of its value.

``E: Annotated[float, Unit("Pa", "Young's modulus"), Positive()]`` contains all that validation, the schema
of files and the manual need.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Unit:
    """Unit of a field ("" for a pure number), and a short description."""

    name: str
    description: str = ""

    def __str__(self) -> str:
        return ", ".join(part for part in (self.description, self.name) if part)


@dataclass(frozen=True)
class Bounds:
    """Limits of a number; ``open`` ends are excluded, and infinity is allowed only if ``infinite``."""

    least: float = -math.inf
    most: float = math.inf
    open: bool = False
    infinite: bool = False

    def allow(self, value: float) -> bool:
        """True if the value lies within these limits."""
        if not math.isfinite(value):
            return self.infinite and self.least <= value <= self.most
        return self.least < value < self.most if self.open else self.least <= value <= self.most

    @property
    def schema(self) -> dict[str, float]:
        """Limits in the terms of JSON Schema."""
        prefix = "exclusiveM" if self.open else "m"
        limits = {f"{prefix}inimum": self.least, f"{prefix}aximum": self.most}
        return {word: limit for word, limit in limits.items() if math.isfinite(limit)}

    def __str__(self) -> str:
        lower = ("greater than" if self.open else "of at least") + f" {self.least:g}"
        upper = ("less than" if self.open else "of at most") + f" {self.most:g}"
        limits = [text for text, limit in ((lower, self.least), (upper, self.most)) if math.isfinite(limit)]
        number = "a number, possibly infinite," if self.infinite else "a finite number"
        return " ".join([number, " and ".join(limits)]).strip(" ,")


@dataclass(frozen=True)
class Formula:
    """The mark of a text that is a formula of these variables."""

    variables: tuple[str, ...]


def Positive(infinite: bool = False) -> Bounds:
    """A number greater than zero."""
    return Bounds(least=0.0, open=True, infinite=infinite)


def NonNegative(infinite: bool = False) -> Bounds:
    """Zero or a number greater than zero."""
    return Bounds(least=0.0, infinite=infinite)
