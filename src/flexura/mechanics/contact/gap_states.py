"""States of a gap, and the columns of the table of gaps."""

from __future__ import annotations

OPEN, CLOSED, PRESSED, DEPENDENT = range(4)
"""apart; touching without a force; held by its row; touching, its row being a combination of rows that are held"""

DISTANCE, RATE, SECOND, SIZE = range(4)
"""the gap, its first and second derivative, and the size of the parts of the first"""
