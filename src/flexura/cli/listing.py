"""A table to print."""

from __future__ import annotations

from dataclasses import dataclass

MOST_ROWS = 24
"""Rows of a table; all are in the result file."""


@dataclass(frozen=True)
class Listing:
    """A table to print, and what it says in a few words."""

    summary: str
    heads: list[str]
    rows: list[list[str]]
    right: list[str]
