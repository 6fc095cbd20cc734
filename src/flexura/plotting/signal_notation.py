"""Mathematical notation of signals in figures: ``B.x''`` becomes ẍ with index B."""

from __future__ import annotations

import re
import textwrap

from flexura.plotting.style import plain

SYMBOLS = {"x": "x", "y": "y", "z": "z", "phi": r"\varphi"}
ACCENTS = ("{}", r"\dot{{{}}}", r"\ddot{{{}}}")
PRIMES = ("", "′", "″")
FORCE = ".force"


def label(signal: str, unit: str = "") -> str:
    """Name of a signal in mathematical notation, with its unit.

    >>> label("B.x''", "m/s^2")
    '$\\\\ddot{x}_{\\\\mathrm{B}}$ [m/s²]'
    >>> label("rod.elongation.force", "N")
    'rod elongation force [N]'
    """
    stem = signal.removesuffix(FORCE)
    bare = stem.rstrip("'")
    owner, _, quantity = bare.rpartition(".")
    text = _written(owner, quantity, len(stem) - len(bare))
    dual = " moment" if unit.startswith("N·m") else " force"
    return text + (dual if signal.endswith(FORCE) else "") + bracketed(unit)


def parameter_label(parameter: str, unit: str) -> str:
    """The path of a parameter, with its unit."""
    return plain(parameter) + bracketed(unit)


def bracketed(unit: str) -> str:
    """The unit in brackets, with raised powers; nothing for a number without unit."""
    digits = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    raised = re.sub(r"\^(-?\d+)", lambda power: power[1].translate(digits), unit)
    return f" [{raised}]" if unit not in ("", "1") else ""


def folded(text: str, width: int = 16) -> str:
    """A label in words folded to fit beside its axes; a formula is left whole."""
    return text if "$" in text else textwrap.fill(text, width)


def _written(owner: str, quantity: str, order: int) -> str:
    """Coordinates as symbols with an index, other signals in words."""
    if quantity in SYMBOLS and order < len(ACCENTS) and re.fullmatch(r"[A-Za-z0-9_.]+", owner):
        symbol, index = ACCENTS[order].format(SYMBOLS[quantity]), owner.replace("_", r"\_")
        return rf"${symbol}_{{\mathrm{{{index}}}}}$"
    mark = PRIMES[order] if order < len(PRIMES) else f"⁽{order}⁾"
    return plain(f"{owner} {quantity}".strip().replace("_", " ")) + mark
