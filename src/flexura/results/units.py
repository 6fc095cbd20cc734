"""Units of rates and forces from the unit of a signal."""

from __future__ import annotations

from flexura.model.mentions import parse
from flexura.model.names import Names


def rate_unit(unit: str, order: int) -> str:
    """The unit of the rate of a signal."""
    return unit if order == 0 else f"{unit or '1'}/s" if order == 1 else f"{unit or '1'}/s²"


def force_unit(unit: str) -> str:
    """The unit of the force that is dual to a signal."""
    return {"m": "N", "rad": "N·m"}.get(unit, f"J/{unit}" if unit else "J")


def signal_unit(names: Names, signal: str) -> str:
    """The unit of a signal, its rate or its force."""
    plain, order, force = parse(signal)
    base = names.unit(names.resolve(plain))
    return force_unit(base) if force else rate_unit(base, order)
