"""Findings about a result: doubts of its audit, and notes on its computation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from flexura.laws.units import Unit


@dataclass(frozen=True)
class Finding:
    """Doubt about a result, or a note on it, as plain data.

    A ``doubt`` makes the outcome of a run ``DOUBTFUL``; a ``note`` does not change it.
    """

    what: str
    """a short phrase, equal for all findings of a kind"""
    severity: Literal["note", "doubt"] = "note"
    time: Annotated[float | None, Unit("s")] = None
    where: str = ""
    """the element, contact or signal"""
    value: float | None = None
    """value found, in the unit that ``what`` names"""
    allowed: float | None = None
    """largest acceptable value"""
    advice: str = ""

    @property
    def doubtful(self) -> bool:
        """True if the result should not be trusted."""
        return self.severity == "doubt"

    def __str__(self) -> str:
        place = f" ({self.where})" if self.where else ""
        moment = "" if self.time is None else f" at {self.time:.9g} s"
        value = "" if self.value is None else f": {self.value:.3g}"
        allowed = "" if self.allowed is None else f", allowed {self.allowed:.3g}"
        return f"{self.what}{place}{moment}{value}{allowed}" + (f"; {self.advice}" if self.advice else "")


def noted(*texts: str) -> tuple[Finding, ...]:
    """Notes with these texts, without empty ones."""
    return tuple(Finding(text) for text in texts if text)
