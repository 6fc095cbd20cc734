"""Report on a model: its mobility, and its doubtful features."""

from __future__ import annotations

from dataclasses import dataclass

MOST_NAMES = 12
"""Names that a line of the report lists."""


@dataclass(frozen=True)
class ModelReport:
    """Findings about a model, as ``model.check()`` returns them."""

    model: str
    """the model in words"""
    degrees: int
    """degrees of freedom"""
    coordinates: tuple[str, ...]
    """independent coordinates"""
    states: tuple[str, ...]
    redundant: tuple[str, ...]
    """constraints whose forces are not unique"""
    excess: int
    """number of redundant constraints"""
    errors: tuple[str, ...]
    """mistakes that prevent the computation"""
    remarks: tuple[str, ...]
    """remarks on what is likely not meant"""

    def __bool__(self) -> bool:
        return not self.errors

    def mobility(self) -> str:
        """Lines about the mobility."""
        ways = f"{self.degrees} degree{'' if self.degrees == 1 else 's'} of freedom"
        lines = [f"{ways}: {_listed(self.coordinates) or 'all motion is prescribed'}"]
        if self.states:
            lines.append(f"{len(self.states)} state{'' if len(self.states) == 1 else 's'}: {_listed(self.states)}")
        forces = f", whose forces are not unique: {', '.join(self.redundant)}" if self.excess else ""
        lines.append(f"{self.excess} redundant constraint{'' if self.excess == 1 else 's'}{forces}")
        return "\n".join(lines)

    def __str__(self) -> str:
        found = [f"error: {error}" for error in self.errors] + [f"remark: {remark}" for remark in self.remarks]
        return "\n".join([self.model, "", *([self.mobility()] if self.degrees >= 0 else []), *found])


def _listed(names: tuple[str, ...]) -> str:
    """The first names, and the number of the others."""
    more = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")
