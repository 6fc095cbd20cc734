"""Initial state of a model: the consistent values and rates nearest to the given ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.sparse import block_array, coo_array, csr_array, diags_array, vstack

from flexura.derive.records import Floats
from flexura.elements.element import Element
from flexura.errors import ModelError
from flexura.laws.rotation import Rotation
from flexura.mechanics.core.constitution import ELASTIC
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.layout_facts import fact
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.sparse_equations import Sparse, dense_mass, dense_slopes, sparse_mass, sparse_slopes
from flexura.mechanics.preparation.minimal_coordinates import Transfer
from flexura.mechanics.preparation.mobility import Mobility, mobility
from flexura.mechanics.preparation.signal_slopes import known_index
from flexura.mechanics.preparation.sparse_solution import LARGE, solved
from flexura.model.addresses import AXES, TURNS, Address

Matrix = Floats | Sparse
"""Plain array for small models, for which it is faster."""

_LARGE = 1e-6
"""Change of given values that is reported, relative to the size of the model or of the rates."""

_JUMP = 1e-3
"""Displacement of a driven position at the start, relative to the size of the model, that is reported."""

_NOTHING = 1e-12
"""Rates, relative to the largest, that count as zero in the solution of least kinetic energy."""


class Start:
    """Start of a model, as given.

    In the plane all given values must be independent, unless they are a whole state. In space orientations and angular
    velocities are given as a whole; components that the joints do not admit are removed, those of rates with least
    kinetic energy.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.values: dict[Address, float] = {}
        self.rates: dict[Address, float] = {}
        for name, value in layout.model.start.items():
            if isinstance(value, Rotation):
                turned = [address for address in layout.names.expand(name) if address.turns]
                self.values |= dict(zip(turned, value.euler_parameters, strict=True))
            else:
                address = layout.names.resolve(name.rstrip("'"))
                (self.rates if name.endswith("'") or address.integral else self.values)[address] = value
        free = _free_coordinates(layout)
        self.complete = bool(free) and all(address in self.values and address in self.rates for address in free)
        """true if all coordinates and rates are given, as for a state"""
        self.in_space = layout.model.dimension == 3

    def guess(self) -> Floats:
        """Initial guess: the drawn position with orientations as given, or a whole state as given."""
        x = self.layout.drawn.copy()
        for address, value in self.values.items():
            if (self.complete and address in self.layout.coordinate_index) or (address.turns and self.in_space):
                x[self.layout.coordinate_index[address]] = value
        return x

    def mobilities(self, system: System, x: Floats) -> tuple[Mobility, Mobility]:
        """Mobility of rates and of positions, with the given signals as independent coordinates."""
        layout = self.layout
        independent = [layout.names.resolve(name) for name in layout.model.independent]
        given = [*self.rates, *self.values] if layout.rolling else [*self.values, *self.rates]
        found = mobility(layout, system, x, list(dict.fromkeys([*given, *independent])), about=False)
        # with rolling constraints, rates have fewer degrees of freedom than positions
        preferences = [*self.values, *found.independent]
        places = mobility(layout, system, x, preferences, rolling=False, about=False) if layout.rolling else found
        if left_out := layout.redundancy.left_out:
            excess = found.excess + len(left_out)
            found = replace(found, excess=excess, redundant=layout.redundancy.group, surplus=left_out)
        return found, places

    def refuse_dependent(self, places: Mobility, found: Mobility, independent: Sequence[Address]) -> None:
        """Raise an error if given values or rates are determined by the constraints."""
        values, rates = ((), ()) if self.in_space or self.complete else (self.values, self.rates)
        for where, addresses, free in (
            ("start", values, places),
            ("start", rates, found),
            ("independent", independent, found),
        ):
            for address in addresses:
                if address not in free.independent:
                    others = ", ".join(map(str, free.independent)) or "none: all motion is prescribed"
                    raise ModelError(
                        f"{where}.{address}",
                        "this signal depends on constraints, inputs or other given values",
                        f"signals that can be given together are, for example, {others}",
                    )

    def coordinates(self, transfer: Transfer, x: Floats) -> Floats:
        """Values of the independent coordinates, as given or as drawn."""
        drawn = transfer.values(x, transfer.independent)
        return np.array([self.values.get(a, value) for a, value in zip(transfer.independent, drawn, strict=True)])

    def velocity(self, transfer: Transfer, t: float, x: Floats) -> Floats:
        """Consistent rates: the given ones if they are consistent, else the nearest in kinetic energy.

        Rates that are not given are zero, or as small as the others permit: a spin about one axis causes none about
        others. Flexible links initially do not deform if that is consistent, so that their inner nodes move along; in
        a vehicle that rolls, the springs do not deform either. Rolling bodies have least kinetic energy for any choice
        of independent coordinates: a bicycle goes straight ahead.
        """
        independent, rolls = transfer.independent, bool(self.layout.rolling)
        if self.kinematic(transfer):
            return transfer.velocity(np.array([self.rates.get(a, 0.0) for a in independent]), t, x)
        driven = self.layout.driven_strain or any(signal is not None for signal in self.layout.known.values())
        v = transfer.velocity(np.zeros(len(independent)), t, x) if driven else np.zeros_like(x)
        free = self.layout.free
        rows = transfer.rows(x, list(self.rates))
        wanted = np.array(list(self.rates.values())) - transfer.rates_of(x, v, list(self.rates))
        push = np.zeros(len(free)) if rolls else np.asarray(np.linalg.lstsq(rows, wanted, rcond=1e-12)[0])
        system = transfer.system
        call_level(system, system.motion, x, v)
        small = len(free) + system.rows.strain.size + len(rows) <= LARGE
        mass = (dense_mass if small else sparse_mass)(system)[free][:, free]
        slope = (dense_slopes if small else sparse_slopes)(system)[system.rows.strain][:, free]
        both = _below(slope, rows if small else csr_array(rows))
        zero = np.zeros(slope.shape[0])
        deformation, none = self._deformation(transfer, x, v)
        for conditions, values in (
            (_below(both, deformation), np.concatenate([zero, wanted, none])),
            (both, np.concatenate([zero, wanted])),
            (slope, zero),
        ):
            change, fits = _nearest(mass, push, conditions, values)
            if fits:
                break
        v[free] += change
        if rolls:
            # rates that are rounding become exactly zero
            rates = transfer.rates_of(x, v, independent)
            least = _NOTHING * np.abs(rates).max(initial=0.0)
            v = transfer.velocity(np.where(np.abs(rates) > least, rates, 0.0), t, x)
        return v

    def _deformation(self, transfer: Transfer, x: Floats, v: Floats) -> tuple[Matrix, Floats]:
        """Slopes of the strains that do not deform initially, and the changes of rates that leave them undeformed."""
        parts = _elastic_strains if self.layout.rolling else _strains_of_flexible_links
        index = known_index(self.layout, parts(self.layout))
        slopes = transfer.slopes_at(x)
        return slopes.matrix(index), -slopes.rates(v, index)

    def kinematic(self, transfer: Transfer) -> bool:
        """True if the consistent rates do not depend on masses: all given ones are independent."""
        given = (address in transfer.independent and not address.internal for address in self.rates)
        return not self.layout.rolling and all(given)

    def note(self, transfer: Transfer, x: Floats, v: Floats) -> str:
        """Note on the changes that made the initial state consistent, if they are large."""
        said = []
        slopes = transfer.slopes_at(x) if self.values or self.rates else None
        values = slopes.values(x, known_index(self.layout, tuple(self.values))) if slopes and self.values else ()
        rates = slopes.rates(v, known_index(self.layout, tuple(self.rates))) if slopes and self.rates else ()
        for given, found, prime in ((self.values, values, ""), (self.rates, rates, "'")):
            largest = max(map(abs, given.values()), default=0.0)
            for (address, wanted), value in zip(given.items(), found, strict=True):
                if abs(value - wanted) > _LARGE * max(largest, 1e-3):
                    said.append(f"{address}{prime} starts with {value:.6g}, {wanted:.6g} does not fit the joints")
        assumed = self._assumed(transfer, x, v)
        if assumed:
            names = " and ".join(f"{address}' = 0" for address in assumed[:2])
            more = f" and {len(assumed) - 2} more" if len(assumed) > 2 else ""
            verb = "is" if len(assumed) == 1 else "are"
            said.append(
                f"the rates of start leave the initial velocity open, {names}{more} {verb} assumed: give all rates"
            )
        return "; ".join(said)

    def _assumed(self, transfer: Transfer, x: Floats, v: Floats) -> list[Address]:
        """Positions and springs whose rates were assumed zero, although other rates would give another motion.

        Strains of springs and hinges count if rates of points or ends are given: bodies with a spring between them may
        begin with one velocity, or one of them may begin at rest.
        """
        if not any(self.rates.values()) or not self.kinematic(transfer):
            return []
        springs = _strains_without_material(self.layout) if all(a.kind != "strain" for a in self.rates) else ()
        free = [(a.component in AXES or a in springs) and a not in self.rates for a in transfer.independent]
        if not any(free):
            return []
        # a coordinate that moves, and would move differently if the rates that are not given were not zero
        rates = np.where(free, np.sqrt(np.arange(2.0, len(free) + 2.0)), 0.0)
        other, rest = (transfer.velocity(r, 0.0, x) for r in (rates, np.zeros_like(rates)))
        places = [i for i, address in enumerate(self.layout.coordinates) if address.component in {*AXES, *TURNS}]
        changed = np.abs(other - rest)[places] > _LARGE * np.abs(other - rest)[places].max(initial=0.0)
        moving = np.abs(v)[places] > _LARGE * np.abs(v)[places].max(initial=0.0)
        return [a for a, is_free in zip(transfer.independent, free, strict=True) if is_free and any(changed & moving)]

    def jumps(self, x: Floats) -> str:
        """Note on inputs of positions that do not start at the drawn position."""
        layout, said = self.layout, []
        for c, signal in layout.known.items():
            address, jump = layout.coordinates[c], x[c] - layout.drawn[c]
            if signal is not None and address.component in AXES and abs(jump) > _JUMP * layout.size:
                said.append(
                    f"{address} is drawn at {layout.drawn[c]:.6g} and its input begins at {x[c]:.6g}: "
                    "inputs of positions are absolute, add the drawn value to the input if it should not jump"
                )
        return "; ".join(said)


@fact
def _free_coordinates(layout: Layout) -> list[Address]:
    """Coordinates that a whole state must contain."""
    return [a for a in (layout.coordinates[c] for c in layout.free) if not a.integral]


@fact
def _elastic_strains(layout: Layout) -> tuple[Address, ...]:
    """Strains with a stiffness or a law."""
    strains = zip(layout.strains, layout.strain_class, strict=True)
    return tuple(address for address, kind in strains if kind == ELASTIC)


@fact
def _strains_of_flexible_links(layout: Layout) -> tuple[Address, ...]:
    """Elastic strains of elements with material."""
    springs = _strains_without_material(layout)
    return tuple(address for address in _elastic_strains(layout) if address not in springs)


@fact
def _strains_without_material(layout: Layout) -> frozenset[Address]:
    """Strains of elements without material, such as springs and hinges."""
    elements = layout.names.elements
    springs = {name for name, element in elements.items() if type(element).shape is Element.shape}
    return frozenset(address for address in layout.strains if address.owner in springs)


def _below(first: Matrix, second: Matrix) -> Matrix:
    """Rows of one matrix followed by those of another."""
    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        return np.vstack([first, second])
    return vstack([csr_array(first), csr_array(second)])


def _nearest(mass: Matrix, wish: Floats, rows: Matrix, values: Floats) -> tuple[Floats, bool]:
    """Rates nearest to a wish in kinetic energy with rows @ rates = values; true if they satisfy this."""
    if isinstance(mass, np.ndarray):
        matrix = np.block([[mass, rows.T], [rows, np.zeros((len(rows), len(rows)))]])
    else:
        matrix = block_array([[mass, rows.T], [rows, coo_array((rows.shape[0], rows.shape[0]))]], format="csr")
    scale = _equilibration(matrix)
    right = scale * np.concatenate([mass @ wish, values])
    found = (scale * solved(_scaled(matrix, scale), right))[: wish.size]
    size = np.abs(values).max(initial=0.0) + np.abs(rows @ wish).max(initial=0.0)
    return found, bool(np.abs(rows @ found - values).max(initial=0.0) <= 1e-9 * size)


def _scaled(matrix: Matrix, scale: Floats) -> Matrix:
    """Matrix with scaled rows and columns."""
    if isinstance(matrix, np.ndarray):
        return scale[:, None] * matrix * scale
    return diags_array(scale) @ matrix @ diags_array(scale)


def _equilibration(matrix: Matrix) -> Floats:
    """Scale factors of the rows and columns of a symmetric matrix that make the largest entries about one.

    Inertias, masses and slopes differ by powers of the size of the model. The factors are powers of two, which do not
    cause rounding.
    """
    power = np.zeros(matrix.shape[0])
    for _ in range(3):
        found = abs(_scaled(matrix, np.exp2(power))).max(axis=1)
        largest = found if isinstance(found, np.ndarray) else found.toarray().ravel()
        power -= np.round(0.5 * np.log2(np.where(largest > 0.0, largest, 1.0)))
    return np.asarray(np.exp2(power))
