"""The exact linearised equations of motion in independent coordinates, about any state.

With G = D_I⁻¹ the inverse slopes of the held strains and the independent coordinates q, F its columns for q, and the
nominal x, ẋ, ẍ and stresses σ, small changes of the motion are

    Δx = F q,    Δẋ = F q̇ + P q,    Δẍ = F q̈ + 2P q̇ + Q q
    P = -G (D″ẋ) F,    Q = -G [(D″ẍ + D‴ẋẋ) F + 2 (D″ẋ) P]

and the balance of forces R = M ẍ + h + D′ᵀσ - f = 0 changes by

    Fᵀ(M Δẍ + R_ẋ Δẋ + R_x Δx) = 0,

in which the changes of the held stresses drop out. This is the whole list of [Schwab2002 (A.44)-(A.83)] with
its corrections: R_x has the geometric stiffness of all stresses, redundant ones included. Where the nominal motion
keeps the independent coordinates still by force, that force is the stress of q.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.derive.records import Floats, Ints
from flexura.errors import AnalysisError, ModelError
from flexura.mechanics.arrays import floats, ints, pairs, triples
from flexura.mechanics.evaluate import track
from flexura.mechanics.factor import eliminate
from flexura.mechanics.layout import Layout
from flexura.mechanics.outputs import Outputs
from flexura.mechanics.small import Small, Solved, Targets, linearise, look, reach, react, reduce, transfer
from flexura.mechanics.system import System, Triples
from flexura.model.names import Address

Matrix = NDArray[np.float64]

Entry = tuple[int, int, int]
"""Source, row and column."""

QUANTITIES = ("transport", "transport_rate", "rate_x", "second_x", "force_x", "force_v")


@dataclass(frozen=True)
class Nominal:
    """A state of motion, about which small motions are taken."""

    t: float
    x: Floats
    v: Floats
    a: Floats


@dataclass(frozen=True)
class Linear:
    """M q̈ + C q̇ + K q = -force, and how all else follows.

    The columns of the matrices are the drives u first, then the independent coordinates q: a change of what is driven
    is a change like others, whose own equation is left out.
    """

    nominal: Nominal
    drives: int
    mass: Matrix
    damping: Matrix
    stiffness: Matrix
    force: Floats
    """the stresses of the independent coordinates in the nominal motion: zero where it is free"""
    F: Matrix
    P: Matrix
    Q: Matrix
    """Δx = F q, Δẋ = F q̇ + P q, Δẍ = F q̈ + 2P q̇ + Q q, over all coordinates"""
    numbers: Floats
    """what follows the motion"""
    motion: Floats
    linear: Floats
    moduli: Floats
    viscosity: Floats
    """what all this was made of: the outputs of two levels, ∂σ/∂ε and ∂σ/∂ε̇ of the laws"""


class Linearisation:
    """Linearises one layout about any of its states."""

    def __init__(self, layout: Layout, system: System, independent: tuple[Address, ...]) -> None:
        self.layout, self.system, self.independent = layout, system, independent
        self.outputs = Outputs(layout, "linear")
        driven = [c for c, signal in layout.known.items() if signal is not None]
        self.columns = np.array([*layout.free, *driven], dtype=np.int64)
        """the coordinates that are not fixed"""
        rigid = [layout.strains[k] for k in layout.constraints if k not in layout.driven_strain]
        self.drives = tuple(layout.strains[k] for k in layout.driven_strain) + tuple(
            layout.coordinates[c] for c in driven
        )
        self.rows = [*rigid, *self.drives, *independent]
        self.held = len(rigid)
        if len(self.rows) != self.columns.size:
            what = f"{len(self.rows) - self.columns.size} of its constraints are redundant"
            raise ModelError("model", what, "let go of as many: flexura check names them")
        self.places = self._find_places()
        self.small = self._small()

    def _find_places(self) -> dict[str, list[Entry]]:
        """Source, row and column of the outputs of the linear level, by what they are."""
        found: dict[str, list[Entry]] = {name: [] for name in QUANTITIES}
        for group, e, quantity, i, j, source in self.outputs.each():
            column = group.coordinates[e][j]
            if quantity in {"force_x", "force_v"}:
                row = group.coordinates[e][i]
            else:  # slips come after the strains
                slips = len(group.kind.element.strains) if quantity in {"transport", "transport_rate"} else 0
                row = group.strain_start[e] + slips + i
            found[quantity].append((source, row, column))
        return found

    # -- the arrays of compiled code ---------------------------------------------------------------------------

    def _small(self) -> Small:
        s, layout, count = self.system, self.layout, self.columns.size
        column_of = np.full(len(layout.coordinates), -1, dtype=np.int64)
        column_of[self.columns] = np.arange(count)
        self.column_of: Ints = column_of
        # what a row is: a strain, or a coordinate of its own
        strains = [layout.strain_index[a] if a.kind == "strain" else -1 for a in self.rows]
        coordinates = [layout.coordinate_index[a] if a.kind == "coordinate" else -1 for a in self.rows]
        slope = [entry for r, k in enumerate(strains) if k >= 0 for entry in self._slopes(k, r)]
        unit = [(r, int(column_of[c])) for r, c in enumerate(coordinates) if c >= 0]
        # rotations that are coordinates change with the nominal motion, not with themselves
        carried = {k for r, k in enumerate(strains) if r >= self.held and self.rows[r].internal}
        row_of = {k: r for r, k in enumerate(strains) if k >= 0}
        pattern = eliminate(
            2 * count,
            {(count + r, c) for _, r, c in slope} | {(count + r, c) for r, c in unit},
            {
                count + r: sorted({c for _, row, c in slope if row == r} | {c for row, c in unit if row == r})
                for r in range(count)
            },
        )
        sizes = [1.0 if layout.coordinates[c].turns else layout.size for c in self.columns]
        needed = {int(k): n for n, k in enumerate(s.laws.needed)}
        accelerations, weights, stresses = self._extra()
        width, laws = len(self.rows) - self.held, max(len(needed), 1)
        return Small(
            system=s,
            calls=self.outputs.calls(),
            column=self.columns,
            column_of=column_of,
            scale=floats(sizes),
            factors=pattern.factors,
            weight=floats(1.0 / size**2 for size in sizes),
            place=pattern.place,
            slope=triples(slope),
            slope_target=ints(pattern.entries[(count + r, c)] for _, r, c in slope),
            unit=pairs(unit),
            unit_target=ints(pattern.entries[(count + r, c)] for r, c in unit),
            change=self._of_rows("rate_x", "transport", row_of, carried),
            second=self._of_rows("second_x", "transport_rate", row_of, carried),
            mass=triples(list(self._masses())),
            force_v=self._of_coordinates("force_v"),
            force_x=self._of_coordinates("force_x"),
            law_slope=triples([entry for k, n in needed.items() for entry in self._slopes(k, n)]),
            law_rate=triples(
                [
                    (i, needed[k], int(column_of[c]))
                    for i, k, c in self.places["rate_x"]
                    if k in needed and column_of[c] >= 0
                ]
            ),
            law_pair=triples([(e, needed[k], needed[l]) for e, k, l in self.law_pairs()]),
            acceleration=pairs(accelerations),
            body=pairs(weights),
            stresses=pairs(stresses),
            targets=self._targets(strains, coordinates),
            stress=np.zeros(max(len(layout.strains), 1)),
            reaction=np.zeros(count),
            z=np.zeros(2 * count),
            residual=np.zeros(count),
            stiff=np.zeros(s.moduli.size),
            viscous=np.zeros(s.moduli.size),
            drives=ints([self.held, len(self.drives)]),
            solved=_room(count, width, width - len(self.drives), laws),
        )

    def _slopes(self, strain: int, row: int) -> Iterator[Entry]:
        """The slopes of a strain among the outputs of the motion level."""
        slopes = self.system.slopes
        for e in range(slopes.start[strain], slopes.start[strain + 1]):
            column = self.column_of[slopes.column[e]]
            if column >= 0:
                yield int(slopes.source[e]), row, int(column)

    def _of_rows(self, plain: str, carried: str, row_of: dict[int, int], own: set[int]) -> Triples:
        """The changes of the slopes of the rows."""
        entries = [(name, entry) for name in (plain, carried) for entry in self.places[name]]
        return triples(
            [
                (source, row_of[k], int(self.column_of[c]))
                for name, (source, k, c) in entries
                if k in row_of and self.column_of[c] >= 0 and (k in own) is (name == carried)
            ]
        )

    def _of_coordinates(self, name: str) -> Triples:
        found = ((source, self.column_of[i], self.column_of[j]) for source, i, j in self.places[name])
        return triples([(source, int(i), int(j)) for source, i, j in found if i >= 0 and j >= 0])

    def _masses(self) -> Iterator[Entry]:
        table = self.system.mass_all
        for source, i, j in zip(table.source, table.target, table.other, strict=True):
            row, column = int(self.column_of[i]), int(self.column_of[j])
            if row >= 0 and column >= 0:
                yield int(source), row, column
                if row != column:
                    yield int(source), column, row

    def law_pairs(self) -> Iterator[Entry]:
        """The number of a modulus, the strain whose stress it is of, and the strain that this depends on."""
        laws = self.system.laws
        for n, k in enumerate(laws.strain):
            for e in range(laws.start[n], laws.start[n + 1]):
                yield e, int(k), int(laws.other[e])
        for n, row in enumerate(laws.program):
            yield laws.other.size + n, int(laws.strain[row[0]]), int(laws.strain[row[0]])

    def _extra(self) -> tuple[list[tuple[int, int]], ...]:
        """Where the extra inputs of the linear level come from: accelerations, body forces, stresses."""
        accelerations, weights, stresses = [], [], []
        axes, motion = self.layout.model.dimension, dict(Outputs(self.layout, "motion").extra_places())
        for group, level, start in zip(self.layout.groups, self.outputs.levels, self.outputs.extras, strict=True):
            width, rows = group.kind.width, len(group.kind.element.rows())
            for e, name in enumerate(group.names):
                at = start + e * level.extra
                accelerations += [(c, at + i) for i, c in enumerate(group.coordinates[e])]
                weights += [(motion[name] + i, at + width + i) for i in range(axes)]
                stresses += [(group.strain_start[e] + i, at + width + axes + i) for i in range(rows)]
        return accelerations, weights, stresses

    def _targets(self, strains: list[int], coordinates: list[int]) -> Targets:
        row_of = {int(k): r for r, k in enumerate(self.system.rows.strain)}
        driven = [row_of.get(k, -1) if k >= 0 else -1 for k in strains]
        for r in range(self.held, self.held + len(self.drives)):
            if coordinates[r] >= 0:
                driven[r] = -2
        return Targets(
            value=np.zeros(len(strains)),
            rate=np.zeros(len(strains)),
            second=np.zeros(len(strains)),
            strain=ints(strains),
            coordinate=ints(coordinates),
            driven=ints(driven),
        )

    # -- nominal motion ----------------------------------------------------------------------------------------

    def prescribed(self, times: Iterable[float], first: Nominal) -> Iterator[Nominal]:
        """The motion of the inputs from a first state on: the independent coordinates keep their values and rates."""
        goal, slopes = self.small.targets, self.system.slopes
        x, v, a = first.x.copy(), first.v.copy(), first.a.copy()
        react(self.small, first.t, x, v, a)  # fills the outputs of the motion level
        out = self.system.motion.out
        for r, (k, c) in enumerate(zip(goal.strain, goal.coordinate, strict=True)):
            if goal.driven[r] == -1:
                entries = slice(slopes.start[k], slopes.start[k + 1])
                goal.value[r] = out[slopes.strain[k]] if k >= 0 else x[c]
                goal.rate[r] = out[slopes.source[entries]] @ v[slopes.column[entries]] if k >= 0 else v[c]
                goal.second[r] = 0.0
        now = first.t
        for t in times:
            self._reach(now, t, x, v, a)
            now = t
            yield Nominal(t, x.copy(), v.copy(), a.copy())

    def _reach(self, now: float, t: float, x: Floats, v: Floats, a: Floats) -> None:
        """On to another time, in steps that are halved until the links fit together."""
        steps = 1
        while steps < 5000:
            tried = x.copy(), v.copy(), a.copy()
            track(self.system, x, v)
            if all(reach(self.small, now + (t - now) * k / steps, *tried, 20) for k in range(1, steps + 1)):
                for target, value in zip((x, v, a), tried, strict=True):
                    target[:] = value
                return
            steps *= 4
        raise AnalysisError(f"no position is found in which the links fit together at {t:g} s")

    # -- the equations -----------------------------------------------------------------------------------------

    def at(self, nominal: Nominal) -> Linear:
        """The linearised equations about a state."""
        m, s = self.small, self.system
        linearise(m, nominal.t, nominal.x.copy(), nominal.v.copy(), nominal.a.copy())
        found = m.solved
        if not np.all(np.isfinite(found.F)):
            what = "the position does not follow from the independent coordinates"
            raise AnalysisError(f"{what} {', '.join(map(str, self.independent))} at {nominal.t:g} s")
        return Linear(
            nominal=nominal,
            drives=len(self.drives),
            mass=found.mass.copy(),
            damping=found.damping.copy(),
            stiffness=found.stiffness.copy(),
            force=m.reaction[self.held + len(self.drives) :].copy(),
            F=self._widened(found.F),
            P=self._widened(found.P),
            Q=self._widened(found.Q),
            numbers=s.number.copy(),
            motion=s.motion.out.copy(),
            linear=m.calls.out.copy(),
            moduli=m.stiff.copy(),
            viscosity=m.viscous.copy(),
        )

    def contributions(self, linear: Linear) -> dict[str, tuple[Matrix, Matrix]]:
        """What C and K are made of."""
        m, found = self.small, {}
        self.system.number[:] = linear.numbers
        x, v, a = (part.copy() for part in (linear.nominal.x, linear.nominal.v, linear.nominal.a))
        still = np.zeros_like(x)
        react(m, linear.nominal.t, x, v, a)
        look(m, x, v, a, 1.0, 1.0)
        transfer(m, True)

        def part(elastic: float, viscous: float, kernels: float, convective: float) -> tuple[Matrix, Matrix]:
            reduce(m, True, elastic, viscous, kernels, convective)
            return m.solved.damping.copy(), m.solved.stiffness.copy()

        whole = part(0.0, 0.0, 1.0, 0.0)
        found = {"material": part(1.0, 0.0, 0.0, 0.0), "damping": part(0.0, 1.0, 0.0, 0.0)}
        convective = part(0.0, 0.0, 0.0, 1.0)
        look(m, x, still, still, 1.0, 0.0)
        found["geometric"] = part(0.0, 0.0, 1.0, 0.0)
        look(m, x, v, a, 0.0, 0.0)
        inertia = part(0.0, 0.0, 1.0, 0.0)
        weight = (w - i - g for w, i, g in zip(whole, inertia, found["geometric"], strict=True))
        found["weight"] = (next(weight), next(weight))
        return {**found, "inertia": inertia, "convective": convective}

    def _widened(self, matrix: Matrix) -> Matrix:
        """Over all coordinates, zero where they are fixed."""
        wide = np.zeros((len(self.layout.coordinates), matrix.shape[1]))
        wide[self.columns] = matrix
        return wide


def _room(count: int, width: int, own: int, laws: int) -> Solved:
    """Empty tables of the right sizes."""
    heights = {
        **dict.fromkeys(("F", "P", "Q", "right", "on_mass", "on_rate", "on_place"), count),
        **dict.fromkeys(("strain", "rate", "stress"), laws),
        **dict.fromkeys(("mass", "damping", "stiffness"), own),
        "z": 2 * count,
    }
    return Solved(**{name: np.zeros((height, width)) for name, height in heights.items()})
