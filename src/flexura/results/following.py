"""How signals follow the independent coordinates of a linear system: rows by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.model.names import AXES, Address, Names
from flexura.results.orientations import dual

Array = NDArray[np.float64]
Rows = tuple[Array, Array, Array]


@dataclass(frozen=True, eq=False)
class Following:
    """Δx = F q, Δẋ = F q̇ + P q, Δẍ = F q̈ + 2P q̇ + Q q, and what follows from them; columns: drives, then q."""

    names: Names
    coordinate_index: Mapping[Address, int]
    strain_index: Mapping[Address, int]
    position: Array
    F: Array
    P: Array
    Q: Array
    slope: Array
    rate_x: Array
    second_x: Array
    second_v: Array
    moduli: Array
    viscosity: Array
    mass: Array
    force_v: Array
    force_x: Array
    """M, ∂R/∂ẋ and ∂R/∂x of the balance of forces over all coordinates, with the held stresses held"""
    inverse: Array
    columns: NDArray[np.int64]
    held: Mapping[Address, int]
    """the rows of D_I of held strains and drives"""

    def rows(self, signal: str, order: int, force: bool) -> Rows:
        """(a, b, c) of Δ(signal) = a q + b q̇ + c q̈."""
        address = self.names.resolve(signal)
        if force:
            return self._force(address)
        if address.kind == "coordinate":
            k = self.coordinate_index[address]
            F, P, Q = self.F[k], self.P[k], self.Q[k]
        else:
            if address.internal and order == 0:
                what = "a rotation about an axis of space has a rate only"
                raise ModelError(f"signal '{address}'", what, "ask for its rate, with a prime")
            k = self.strain_index[address]
            D, B, second, turn = self.slope[k], self.rate_x[k], self.second_x[k], self.second_v[k]
            F, P = D @ self.F, D @ self.P + B @ self.F
            if order == 2:
                return D @ self.Q + turn @ self.P + second @ self.F, 2.0 * D @ self.P + turn @ self.F, F
            Q = P
        zero = np.zeros_like(F)
        return ((F, zero, zero), (P, F, zero), (Q, 2.0 * P, F))[order]

    def _force(self, address: Address) -> Rows:
        """The change of a stress: by its law, or the reaction that keeps the balance."""
        if address.internal:

            def part(k: int) -> Array:
                return self._torque(address, lambda a: self._force(a)[k])

            return part(0), part(1), part(2)
        if address.kind == "strain" and address not in self.held:
            k = self.strain_index[address]
            strain, rate = self.slope @ self.F, self.slope @ self.P + self.rate_x @ self.F
            zeroth = self.moduli[k] @ strain + self.viscosity[k] @ rate
            return zeroth, self.viscosity[k] @ strain, np.zeros_like(zeroth)
        # R_x Δx + R_ẋ Δẋ + M Δẍ over all coordinates
        zeroth = self.force_x @ self.F + self.force_v @ self.P + self.mass @ self.Q
        first = self.force_v @ self.F + 2.0 * self.mass @ self.P
        second = self.mass @ self.F
        return self._reaction(address, zeroth), self._reaction(address, first), self._reaction(address, second)

    def _torque(self, address: Address, reaction: Callable[[Address], Array]) -> Array:
        """The reaction on an end about or along an axis, from those on its fixed coordinates."""
        orientation, _, _ = address.owner.partition(":")
        end = self.names.expand(orientation)
        e = self.position[[self.coordinate_index[a] for a in end if a.turns]]
        on_place, on_turn = (np.array([reaction(a) for a in end if a.turns is turns]) for turns in (False, True))
        return dual(address, on_place, e.reshape(-1, *[1] * (on_turn.ndim - 1)), on_turn)

    def _reaction(self, address: Address, unbalanced: Array) -> Array:
        """The force on a signal that is held or driven, from what is not in balance in each coordinate without it."""
        if address in self.held:
            pulled: Array = self.inverse[:, self.held[address]] @ unbalanced[self.columns]
            return -pulled if address.kind == "strain" else pulled
        k = self.coordinate_index[address]
        if k in self.columns:
            return np.zeros(unbalanced.shape[1:])  # a free coordinate has no force but its loads
        rest: Array = unbalanced[k].copy()
        for other, row in self.held.items():
            if other.kind == "strain":
                rest -= self.slope[self.strain_index[other], k] * (self.inverse[:, row] @ unbalanced[self.columns])
        return rest

    def direct(self, signal: str, load: str) -> float:
        """The part of a force that answers a unit load at once."""
        address, pushed = self.names.resolve(signal), self.names.resolve(load)
        push = np.zeros(len(self.position))
        if pushed.kind == "coordinate":
            push[self.coordinate_index[pushed]] = 1.0
        else:
            push = self.slope[self.strain_index[pushed]]
        if address.internal:
            return float(self._torque(address, lambda a: self._reaction(a, -push))) + (address == pushed)
        if address in self.held or (
            address.kind == "coordinate" and self.coordinate_index[address] not in self.columns
        ):
            return float(self._reaction(address, -push))
        # the load itself: a stress, or a force from outside
        return 0.0 if address != pushed else -1.0 if address.kind == "strain" else 1.0

    def load(self, signal: str) -> Array:
        """The work of a unit load on a signal, for a unit of each drive and coordinate."""
        address = self.names.resolve(signal)
        if address.kind == "coordinate":
            row: Array = self.F[self.coordinate_index[address]]
            return row
        if address not in self.strain_index:
            raise ModelError(f"signal '{signal}'", "there is nothing that carries a load here", "load an end of a beam")
        found: Array = self.slope[self.strain_index[address]] @ self.F
        return found

    def translation(self, direction: Sequence[float]) -> Array:
        """The coordinates' rates when everything moves in a direction."""
        push = np.zeros(len(self.position))
        for address, k in self.coordinate_index.items():
            if address.component in AXES:
                push[k] = direction[AXES.index(address.component)]
        return push

    def carried(self, shapes: NDArray[Any]) -> NDArray[Any]:
        """The changes of all coordinates with shapes in q, a column each."""
        return np.asarray(self.F[:, self.F.shape[1] - len(shapes) :] @ shapes)
