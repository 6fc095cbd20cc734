"""An element of a model on dual numbers: its strains, stresses and forces as plain functions of its coordinates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.algebra import sqrt
from flexura.battery.specimen import Specimen
from flexura.derive.duals import along, jacobian

Array = NDArray[np.float64]
Values = list[Any]
Law = Callable[[Any, Any, float], Any]
"""σ(ε, ε̇, t)"""


@dataclass(frozen=True)
class Part:
    """One element of a model: its functions, where its coordinates and strains are, and what acts on it."""

    specimen: Specimen
    coordinates: list[int]
    start: int
    stiffness: Array
    damping: Array
    stress: Array
    """preload less loads on the strains"""
    lawful: list[bool]
    """whether each strain has a stress of its own"""
    laws: Mapping[int, Law]
    body: Array
    t: float

    @property
    def rows(self) -> int:
        """Strains and slips."""
        return len(self.specimen.element.rows())

    def rates(self, x: Values, v: Values) -> Values:
        """ε̇, and the slips."""
        return [*along(self.specimen.strain, x, v), *self.specimen.slip(x, v)]

    def seconds(self, x: Values, v: Values, a: Values) -> Values:
        """The time derivatives of the rates."""
        width = len(x)
        return along(lambda both: self.rates(both[:width], both[width:]), [*x, *v], [*v, *a])

    def slopes(self, x: Values) -> list[Values]:
        """D′, of slips ∂(slip)/∂ẋ."""
        still = [0.0] * len(x)
        own = jacobian(lambda rates: self.specimen.slip(x, rates), still) if self.specimen.element.slips else []
        return [*jacobian(self.specimen.strain, x), *own]

    def law(self, strain: Values, rate: Values) -> Values:
        """σ(ε, ε̇) of laws and loads."""
        found: Values = list(self.stress)
        for i in range(self.rows):
            for j in range(self.rows if self.lawful[i] else 0):
                found[i] = found[i] + self.stiffness[i, j] * strain[j] + self.damping[i, j] * rate[j]
            if i in self.laws:
                found[i] = found[i] + self.laws[i](strain[i], rate[i], self.t)
        # laws of the element itself; those of held strains do no work
        own = self.specimen.stress(strain[: len(self.specimen.element.deformations())], rate)
        own += [0.0] * (self.rows - len(own))
        return [a + b + c for a, b, c in zip(found, own, self.contact_law(strain, rate), strict=True)]

    def contact_law(self, strain: Values, rate: Values) -> Values:
        """σ of contacts: the push on the gap, the drag on its slips."""
        element = self.specimen.placed
        names, found = element.rows(), [0.0] * self.rows
        for contact in element.contacts:
            k, slips = names.index(contact.name), [names.index(slip) for slip in contact.slips]
            push = getattr(element, contact.law).force(-strain[k], -rate[k], getattr(element, contact.memory))
            friction = getattr(element, contact.friction) if slips else None
            found[k] = found[k] - push
            if friction is not None and len(slips) == 1:
                found[slips[0]] = friction.drag(rate[slips[0]], push)
            elif friction is not None:
                speed = sqrt(sum(rate[s] * rate[s] for s in slips) + 1e-60)
                for s in slips:
                    found[s] = friction.drag(speed, push) * rate[s] / speed
        return found

    def strains(self, x: Values) -> Values:
        """ε; slips have no value."""
        return [*self.specimen.strain(x), *[0.0] * len(self.specimen.element.slips)]

    def stresses(self, x: Values, v: Values) -> Values:
        """The stresses of laws and loads."""
        return self.law(self.strains(x), self.rates(x, v))

    def inertia(self, x: Values, v: Values, a: Values) -> Values:
        """M ẍ + h."""
        return self.specimen.inertia(x, v, a)

    def pull(self, x: Values, stresses: Values) -> Values:
        """D′ᵀσ."""
        total: Values = [0.0] * len(x)
        for row, stress in zip(self.slopes(x), stresses, strict=True):
            total = [f + g * stress for f, g in zip(total, row, strict=True)]
        return total

    def force(self, x: Values, v: Values, a: Values) -> Values:
        """What the element puts into the balance of forces."""
        parts = self.inertia(x, v, a), self.specimen.body_force(x, self.body), self.pull(x, self.stresses(x, v))
        return [m - b + p for m, b, p in zip(*parts, strict=True)]
