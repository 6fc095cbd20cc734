"""Dry friction as elements tell of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Grip:
    """Slips that dry friction holds at zero until it is overcome; then it resists them with μ times what presses.

    What presses is the force on the strain ``by``, negative where it presses, or the ``load`` that is given.
    """

    slips: tuple[str, ...]
    mu: float
    static: float
    """while it sticks; not less than mu"""
    by: str = ""
    load: float = 0.0
