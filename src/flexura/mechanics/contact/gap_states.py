"""States of a gap, and the columns of the table of gaps."""

from __future__ import annotations

OPEN, CLOSED, PRESSED, DEPENDENT = range(4)
"""open; closed without a force; closed by its active row; closed, with a row that depends on other active rows"""

DISTANCE, RATE, SECOND, SIZE = range(4)
"""the gap, its first and second derivative, and the sum of the absolute terms of the first"""
