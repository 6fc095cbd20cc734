"""Summary of a result: one line for a list of runs, and a table."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from math import pi

MOST_ROWS = 24
"""Maximum number of rows of a table; the result file has all of them."""

ROUNDING = 1e-14
"""Fraction of the size of the machine, and angle [rad], below which values are printed as zero."""


@dataclass(frozen=True)
class Summary:
    """Line and table that the command line prints of a result."""

    text: str = ""
    """a few words"""
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    right: tuple[str, ...] = ()
    """columns of numbers"""
    remarks: tuple[str, ...] = ()
    """lines below the table"""
    outcome: str = "done"
    reached: str = ""
    method: str = ""
    effort: str = ""
    balance: str = ""
    """error of the energy balance"""
    accuracy: str = ""
    """estimated errors"""
    trouble: str = ""
    """a warning, or the reason of a failure"""
    failed: bool = False
    doubtful: bool = False
    """the audit of the run raised a doubt"""
    interrupted: bool = False

    def lines(self) -> list[str]:
        """Lines of the table as plain text, with aligned columns."""
        cells = [self.heads, *self.rows]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        numbers = [head in self.right for head in self.heads]
        return [
            "  ".join(
                cell.rjust(width) if number else cell.ljust(width)
                for cell, width, number in zip(row, widths, numbers, strict=True)
            ).rstrip()
            for row in cells
        ]

    def html(self, title: str) -> str:
        """Table for a notebook."""
        head = "".join(f"<th>{escape(cell)}</th>" for cell in self.heads)
        side = ["right" if cell in self.right else "left" for cell in self.heads]
        rows = "".join(
            "<tr>"
            + "".join(f'<td style="text-align:{s}">{escape(c)}</td>' for c, s in zip(row, side, strict=True))
            + "</tr>"
            for row in self.rows
        )
        said = [
            self.text,
            self.outcome if self.outcome != "done" else "",
            self.reached,
            self.method,
            self.effort,
            self.balance,
        ]
        words = "; ".join(escape(part) for part in said if part)
        remarks = "".join(f"<div>{escape(part)}</div>" for part in (*self.remarks, self.trouble) if part)
        return f"<div><b>{escape(title)}</b>: {words}</div><table><tr>{head}</tr>{rows}</table>{remarks}"


def eigenvalue_cells(root: complex) -> tuple[str, str, str, str]:
    """Growth, frequency twice and damping ratio; rounding is shown as zero."""
    growth, speed = (part if abs(part) > 1e-12 * abs(root) else 0.0 for part in (root.real, root.imag))
    ratio = -growth / (abs(root) or 1.0) + 0.0
    return f"{growth:.6g}", f"{speed:.6g}", f"{speed / (2.0 * pi):.6g}", f"{ratio:.4g}"
