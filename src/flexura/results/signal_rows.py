"""Rows of signals over the independent coordinates of a linear system, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.model.names import AXES, Address, Names
from flexura.results.orientations import dual

Array = NDArray[np.float64]
Rows = tuple[Array, Array, Array]


class Tables(Protocol):
    """Tables over all strains and coordinates, from which the rows are computed."""

    @property
    def slope(self) -> Array:
        """∂ε/∂x."""

    @property
    def rate_x(self) -> Array:
        """∂ε̇/∂x."""

    @property
    def second_x(self) -> Array:
        """∂ε̈/∂x."""

    @property
    def second_v(self) -> Array:
        """∂ε̈/∂ẋ."""

    @property
    def moduli(self) -> Array:
        """∂σ/∂ε."""

    @property
    def viscosity(self) -> Array:
        """∂σ/∂ε̇."""

    @property
    def mass(self) -> Array:
        """M."""

    @property
    def force_v(self) -> Array:
        """∂R/∂ẋ of the balance of forces R, with constant stresses of held strains."""

    @property
    def force_x(self) -> Array:
        """∂R/∂x of the balance of forces."""

    @property
    def inverse(self) -> Array:
        """D_I⁻¹."""

    @property
    def followers(self) -> Mapping[Address, tuple[Array, Array]]:
        """(∂u/∂x, ∂u/∂ẋ) of the signals with loads u that depend on others."""

    @property
    def unfed(self) -> Tables:
        """Tables without loads that depend on signals."""


@dataclass(frozen=True, eq=False)
class Following:
    """Changes of all coordinates: Δx = F q, Δẋ = H q̇ + P q, Δẍ = H q̈ + T q̇ + Q q; columns: drives, then q.

    H is F and T is 2P, except with rolling constraints: F, P and Q then also have columns of kinematic coordinates.
    """

    names: Names
    coordinate_index: Mapping[Address, int]
    strain_index: Mapping[Address, int]
    position: Array
    F: Array
    P: Array
    Q: Array
    H: Array
    T: Array
    tables: Tables
    columns: NDArray[np.int64]
    """the coordinates that are not fixed"""
    held: Mapping[Address, int]
    """the rows of D_I of held strains and drives"""

    @cached_property
    def unfed(self) -> Following:
        """Rows with loads that do not depend on signals."""
        return replace(self, tables=self.tables.unfed)

    def rows(self, signal: str, order: int, force: bool) -> Rows:
        """(a, b, c) of Δ(signal) = a q + b q̇ + c q̈; a has the kinematic coordinates too."""
        address = self.names.resolve(signal)
        if address.integral:
            order = self._state_order(signal, order, force)
        if force:
            sign = _sign(address)
            zeroth, first, second = self._force(address)
            return sign * zeroth, sign * first, sign * second
        if address.kind == "coordinate":
            k = self.coordinate_index[address]
            F, P, Q, H, T = self.F[k], self.P[k], self.Q[k], self.H[k], self.T[k]
        else:
            if order == 0 and self.names.without_value(address):
                what = "a slip has" if not address.internal else "a rotation about an axis of space has"
                raise ModelError(f"signal '{address}'", f"{what} a rate only", "ask for its rate, with a prime")
            k = self.strain_index[address]
            D, B, second, turn = (
                self.tables.slope[k],
                self.tables.rate_x[k],
                self.tables.second_x[k],
                self.tables.second_v[k],
            )
            F, P, H = D @ self.F, D @ self.P + B @ self.F, D @ self.H
            Q, T = D @ self.Q + turn @ self.P + second @ self.F, D @ self.T + turn @ self.H
        zero = np.zeros_like(H)
        return ((F, zero, zero), (P, H, zero), (Q, T, H))[order]

    def _state_order(self, signal: str, order: int, force: bool) -> int:
        """Order of the rate of a coordinate; a state is itself a rate."""
        if force or order > 1:
            raise ModelError(f"signal '{signal}'", "a state has a value and a rate", "ask for one of them")
        return order + 1

    def _force(self, address: Address) -> Rows:
        """Change of a stress or a reaction, including the loads on the signal."""
        zeroth, first, second = self._plain_force(address)
        known = address.kind == "coordinate" and self.coordinate_index[address] not in self._moving
        if address not in self.tables.followers or known:
            return zeroth, first, second  # a reaction includes the load
        by_x, by_v = self.tables.followers[address]
        sign = _sign(address)
        return zeroth + sign * (by_x @ self.F + by_v @ self.P), first + sign * by_v @ self.H, second

    @property
    def _moving(self) -> set[int]:
        """Coordinates that are neither fixed nor driven."""
        driven = {self.coordinate_index[a] for a in self.held if a.kind == "coordinate"}
        return set(self.columns.tolist()) - driven

    def free(self, signal: str) -> bool:
        """True for a coordinate that is neither fixed nor driven."""
        address = self.names.resolve(signal)
        return address.kind == "coordinate" and self.coordinate_index[address] in self._moving

    def _plain_force(self, address: Address) -> Rows:
        """Change of a stress: by its law, or the reaction that balances it."""
        if address.internal:

            def part(k: int) -> Array:
                return self._torque(address, lambda a: self._force(a)[k])

            return part(0), part(1), part(2)
        if address.kind == "strain" and address not in self.held:
            k = self.strain_index[address]
            strain, rate = self.tables.slope @ self.F, self.tables.slope @ self.P + self.tables.rate_x @ self.F
            zeroth = self.tables.moduli[k] @ strain + self.tables.viscosity[k] @ rate
            first = self.tables.viscosity[k] @ self.tables.slope @ self.H
            return zeroth, first, np.zeros_like(first)
        # R_x Δx + R_ẋ Δẋ + M Δẍ over all coordinates
        zeroth = self.tables.force_x @ self.F + self.tables.force_v @ self.P + self.tables.mass @ self.Q
        first = self.tables.force_v @ self.H + self.tables.mass @ self.T
        second = self.tables.mass @ self.H
        return self._reaction(address, zeroth), self._reaction(address, first), self._reaction(address, second)

    def _torque(self, address: Address, reaction: Callable[[Address], Array]) -> Array:
        """Reaction on an end about or along an axis, from those on its fixed coordinates."""
        orientation, _, _ = address.owner.partition(":")
        end = self.names.expand(orientation)
        e = self.position[[self.coordinate_index[a] for a in end if a.turns]]
        on_place, on_turn = (np.array([reaction(a) for a in end if a.turns is turns]) for turns in (False, True))
        return dual(address, on_place, e.reshape(-1, *[1] * (on_turn.ndim - 1)), on_turn)

    def _reaction(self, address: Address, unbalanced: Array) -> Array:
        """Force on a signal that is held or driven, from the unbalanced forces on each coordinate without it."""
        if address in self.held:
            pulled: Array = self.tables.inverse[:, self.held[address]] @ unbalanced[self.columns]
            return -pulled if address.kind == "strain" else pulled
        k = self.coordinate_index[address]
        if k in self.columns:
            return np.zeros(unbalanced.shape[1:])  # a free coordinate has no force except its loads
        rest: Array = unbalanced[k].copy()
        for other, row in self.held.items():
            if other.kind == "strain":
                rest -= self.tables.slope[self.strain_index[other], k] * (
                    self.tables.inverse[:, row] @ unbalanced[self.columns]
                )
        return rest

    def holding(self, signal: str, stresses: Mapping[Address, float]) -> float:
        """Part of the force on a signal due to the stresses that hold strains constant."""
        address = self.names.resolve(signal)
        if address.internal:
            return float(self._torque(address, lambda a: np.asarray(self._pulled(a, stresses))))
        if address.kind == "strain":
            return -stresses.get(address, 0.0)
        return self._pulled(address, stresses)

    def _pulled(self, address: Address, stresses: Mapping[Address, float]) -> float:
        """Force on a coordinate due to stresses of independent strains, or the force on an independent coordinate."""
        k = self.coordinate_index[address]
        if k in self.columns:
            return -stresses.get(address, 0.0)
        return sum(
            float(self.tables.slope[self.strain_index[a], k]) * value
            for a, value in stresses.items()
            if a.kind == "strain"
        )

    def direct(self, signal: str, load: str, outside: bool = True) -> float:
        """Direct response of a force to a unit load, ``outside`` or of a contact."""
        address, pushed = self.names.resolve(signal), self.names.resolve(load)
        push = np.zeros(len(self.position))
        if pushed.kind == "coordinate":
            push[self.coordinate_index[pushed]] = 1.0
        else:
            push = self.tables.slope[self.strain_index[pushed]]
        if address.internal:
            return float(self._torque(address, lambda a: self._reaction(a, -push))) + (address == pushed)
        if address in self.held or (
            address.kind == "coordinate" and self.coordinate_index[address] not in self.columns
        ):
            # a load on a driven or fixed coordinate is balanced by the drive or the support, and counts there
            counted = outside and address == pushed
            return 0.0 if counted else _sign(address) * float(self._reaction(address, -push))
        return float(address == pushed)

    def load(self, signal: str) -> Array:
        """Work of a unit load on a signal, for a unit of each drive and coordinate."""
        address = self.names.resolve(signal)
        if address.kind == "coordinate":
            row: Array = self.H[self.coordinate_index[address]]
            return row
        if address not in self.strain_index:
            raise ModelError(f"signal '{signal}'", "no load can act here", "load an end of a beam")
        found: Array = self.tables.slope[self.strain_index[address]] @ self.H
        return found

    def translation(self, direction: Sequence[float]) -> Array:
        """Rates of the coordinates for a translation of the whole model in a direction."""
        push = np.zeros(len(self.position))
        for address, k in self.coordinate_index.items():
            if address.component in AXES:
                push[k] = direction[AXES.index(address.component)]
        return push

    def carried(self, shapes: NDArray[Any]) -> NDArray[Any]:
        """Changes of all coordinates for shapes in q, one column each."""
        return np.asarray(self.F[:, self.F.shape[1] - len(shapes) :] @ shapes)


def _sign(address: Address) -> float:
    """Sign of a force relative to the stress or reaction: a stress opposes its strain."""
    return -1.0 if address.kind == "strain" and not address.internal else 1.0
