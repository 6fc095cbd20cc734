"""Redundant constraints of a model, and an independent set of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from flexura.model.names import Address


@dataclass(frozen=True)
class Redundancy:
    """Constraints that are dependent in all positions, of which an independent set is held.

    The members of a dependent group keep their own coordinates, so that sets can be exchanged without new coordinates.
    """

    group: tuple[Address, ...] = ()
    """held strains that depend on each other"""
    left_out: tuple[Address, ...] = ()
    """redundant strains of the group, which the remaining ones imply"""

    @cached_property
    def members(self) -> frozenset[str]:
        """Elements in the group."""
        return frozenset(address.owner for address in self.group)


NO_REDUNDANCY = Redundancy()
