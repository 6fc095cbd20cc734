"""Redundant constraints of a model, and an independent set of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from flexura.model.names import Address


@dataclass(frozen=True)
class Redundancy:
    """Constraints that depend on each other wherever the mechanism goes, of which an independent set is held.

    The members of a dependent group keep their own coordinates, so that another set needs no others.
    """

    group: tuple[Address, ...] = ()
    """the held strains that depend on each other"""
    left_out: tuple[Address, ...] = ()
    """as many of them as are redundant; those that remain imply them"""

    @cached_property
    def members(self) -> frozenset[str]:
        """The elements in the group."""
        return frozenset(address.owner for address in self.group)


NO_REDUNDANCY = Redundancy()
