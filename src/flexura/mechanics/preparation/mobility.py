"""Mobility of a mechanism: degrees of freedom, redundant constraints, independent coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse.linalg import eigsh

from flexura.derive.records import Floats
from flexura.errors import ModelError
from flexura.mechanics.core.constitution import ELASTIC, FREE
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.preparation.independent_set import basis_at
from flexura.mechanics.preparation.signal_slopes import SignalIndex, Slopes, held
from flexura.mechanics.preparation.sparse_solution import LARGE
from flexura.model.names import Address

_LEAST, _WELL = 1e-6, 0.2
"""Sines of the angle to the other rows, above which a signal is independent, and well independent."""


@dataclass(frozen=True)
class Mobility:
    """Degrees of freedom and independent coordinates that the held strains leave in one position."""

    degrees: int
    """degrees of freedom"""
    independent: tuple[Address, ...]
    """strains and coordinates that determine the position, strains preferred; the integrals of states come last"""
    excess: int
    """number of held strains minus that of independent ones"""
    redundant: tuple[Address, ...]
    """held strains that depend on each other"""
    surplus: tuple[Address, ...] = ()
    """redundant strains among them, without which the others are independent"""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the independent coordinates, without the integrals of states."""
        return tuple(str(a) for a in self.independent if not a.integral)


def mobility(
    layout: Layout,
    system: System,
    x: Floats,
    preferred: Sequence[Address] = (),
    in_space: bool = False,
    rolling: bool = True,
    about: bool = True,
) -> Mobility:
    """Analyse one position; the signals in ``preferred`` become independent coordinates if possible.

    Strains come next, or ``in_space`` rotations about the axes and positions. Without ``rolling`` the degrees of
    freedom are those of positions, which slips do not restrict: kinematic coordinates are then independent. Rotations
    about the axes, if a layout has them, are used only for ``about``.
    """
    slopes = Slopes(layout, system, x)
    basis = basis_at(slopes)
    kept = held(layout, rolling)
    excess = len(basis.hold(kept))
    redundant: tuple[Address, ...] = ()
    surplus: tuple[Address, ...] = ()
    if excess:
        redundant = tuple(a for a in basis.dependent(kept) if not a.internal)
        surplus = tuple(basis.surplus(kept, excess))
    degrees = len(layout.free) - (len(kept) - excess)
    elastic, loose = (
        [
            layout.names.own(a)
            for a, c in zip(layout.strains, layout.strain_class, strict=True)
            # nearby surfaces that do not touch start at absolute rest, not at rest relative to each other
            if c == wanted and not layout.names.without_value(a) and not layout.names.between_surfaces(a)
        ]
        for wanted in (ELASTIC, FREE)
    )
    coordinates = [layout.coordinates[c] for c in layout.free if not layout.coordinates[c].integral]
    # no strain depends on the integrals of states
    integrals = [layout.coordinates[c] for c in layout.free if layout.coordinates[c].integral]
    degrees -= len(integrals)
    chosen: list[Address] = []
    # small rotations about the axes are preferred to Euler parameters if possible
    turns = [a for a in layout.strains if a.owner.endswith(":about")] if layout.about and about else []
    places = [a for a in coordinates if not a.turns]
    # elastic strains start undeformed if possible; other nearly dependent strains are chosen last
    viscous = _viscous(layout, system)
    springs, dashpots = ([a for a in elastic if (a in viscous) == wanted] for wanted in (False, True))
    groups = [(springs, _LEAST), (dashpots, _LEAST), (loose, _WELL), (turns, _WELL)]
    if in_space:
        groups = [([*turns, *places], _WELL), *groups]
    preferences = [address for address in preferred if not address.integral]
    turning = [a for a in coordinates if a.turns]
    # an elimination that mixes rotations and positions has much fill
    last = [[*turning, *places]] if len(layout.free) <= LARGE else [turning, places]
    for candidates, least in ((preferences, _LEAST), *groups, *((group, _LEAST) for group in last)):
        if candidates and len(chosen) < degrees:
            chosen += basis.extend(candidates, degrees - len(chosen), least)
    return Mobility(degrees, (*chosen, *integrals), excess, redundant, surplus)


def _viscous(layout: Layout, system: System) -> set[Address]:
    """Strains that are damped and have neither a stiffness nor a law."""
    laws = system.laws
    row, stiff, damped = np.repeat(np.arange(laws.strain.size), np.diff(laws.start)), *np.zeros((2, laws.strain.size))
    np.add.at(stiff, row, np.abs(laws.stiffness))
    np.add.at(damped, row, np.abs(laws.damping))
    stiff[laws.program[:, 0]] = np.inf
    return {layout.names.own(layout.strains[laws.strain[k]]) for k in np.flatnonzero((stiff == 0.0) & (damped > 0.0))}


def refuse_redundant(found: Mobility) -> None:
    """Raise an error that names the redundant constraints, and a set that can be released."""
    names = ", ".join(map(str, found.redundant))
    surplus = ", ".join(f'"{address}"' for address in found.surplus)
    raise ModelError(
        "model",
        f"{found.excess} of these constraints {'is' if found.excess == 1 else 'are'} redundant: {names}",
        f"release as many, for example released=[{surplus}] (their forces are then zero), give them a stiffness, "
        "remove inputs that depend on each other, or draw the model in another position if this one is a dead point",
    )


def singular_signals(layout: Layout, system: System, x: Floats) -> str:
    """Names of the held strains that become dependent near a singular position, and of coordinates that move there."""
    left, direction = _least_singular(Slopes(layout, system, x), held(layout))
    dependent = [str(a) for a, part in zip(held(layout), left, strict=True) if abs(part) > 0.1]
    moving = [str(layout.coordinates[c]) for c, part in zip(layout.free, direction, strict=True) if abs(part) > 0.1]
    return f"{', '.join(dependent)} become dependent, and {', '.join(moving)} can move in more than one way"


def _least_singular(slopes: Slopes, signals: list[Address]) -> tuple[Floats, Floats]:
    """Left and right singular vectors of the smallest singular value."""
    if slopes.scale.size <= LARGE:
        left, _, right = np.linalg.svd(slopes.of(signals))
        return left[:, -1], right[len(signals) - 1]
    rows = slopes.sparse(SignalIndex.of(slopes.layout, signals))
    # a shift below zero keeps the matrix regular
    _, vectors = eigsh((rows @ rows.T).tocsc(), k=1, sigma=-1e-12)
    direction = rows.T @ vectors[:, 0]
    return vectors[:, 0], direction / max(float(np.linalg.norm(direction)), 1e-300)
