"""A motion: named signals over time."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.laws.rotation import forms
from flexura.laws.units import Unit
from flexura.model.mentions import parse
from flexura.model.model import Model
from flexura.model.names import Address, Names
from flexura.results.accuracy import Accuracy, Errors
from flexura.results.events import MotionEvent
from flexura.results.figures import TABLE, figure
from flexura.results.findings import Finding
from flexura.results.force_arrows import force_arrows
from flexura.results.marks import Axes, Labels, Named, UnitsOf
from flexura.results.motion_figures import MotionFigures
from flexura.results.motion_summary import description_of, summary_of
from flexura.results.named_values import Energies
from flexura.results.orientations import carried, dual
from flexura.results.outcome import Outcome
from flexura.results.part_motion import PartMotion
from flexura.results.providers import provider
from flexura.results.scene import Scene, build_scene, with_forces
from flexura.results.section_forces import SectionForces
from flexura.results.spectrum import Spectrum, Window, measured
from flexura.results.summary import Summary
from flexura.results.units import signal_unit

if TYPE_CHECKING:
    from flexura.results.state import State

Array = NDArray[np.float64]
Histories = tuple[Array, Array, Array]

MOMENTA = {3: ("x", "y", "angular"), 6: ("x", "y", "z", "angular x", "angular y", "angular z")}
"""Names of momenta, in the plane and in space."""


class Motion(MotionFigures):
    """Named signals at the times ``t``: ``motion["B.x'"]``, ``motion.force("rod.elongation")``.

    The arrays have one row per time and one column per nodal coordinate or strain, in the order of
    ``nodal_coordinates`` and ``strains``.
    """

    model: Model
    t: Annotated[Array, Labels("time"), Unit("s")]
    nodal_coordinates: Annotated[tuple[Address, ...], Labels("coordinate")]
    strains: Annotated[tuple[Address, ...], Labels("deformation")]
    position: Annotated[
        Histories,
        Axes("time", "coordinate"),
        Named("position", "velocity", "acceleration"),
        UnitsOf("nodal_coordinates"),
    ]
    """values, rates and accelerations of the coordinates"""
    strain: Annotated[
        Histories,
        Axes("time", "deformation"),
        Named("strain", "strain_rate", "strain_acceleration"),
        UnitsOf("strains"),
    ]
    """values, rates and second derivatives of the strains"""
    coordinate_force: Annotated[
        Array, Axes("time", "coordinate"), Named("force"), UnitsOf("nodal_coordinates", ".force")
    ]
    stress: Annotated[Array, Axes("time", "deformation"), UnitsOf("strains", ".force")]
    """generalised stresses, which oppose their strains: the negative of the forces"""
    energy: Annotated[Mapping[str, Array], Axes("form", "time"), Unit("J")]
    momentum: Annotated[Array, Axes("time", "axis"), Unit("kg·m/s, kg·m²/s")]
    """along the axes, and angular about the origin (in space about each axis)"""
    outcome: Outcome
    states: Annotated[Mapping[str, tuple[Array, Array]], Axes("state", "time"), Named("state_value", "state_rate")] = (
        field(default_factory=dict)
    )
    """values and rates of the states, by name"""
    method: str = ""
    """the method of computation, as text"""
    statistics: Annotated[Mapping[str, float], Axes("statistic")] = field(default_factory=dict)
    events: Annotated[tuple[MotionEvent, ...], Axes("event"), Named("event")] = ()
    coordinates: Annotated[tuple[str, ...], Axes("freedom"), Named("independent_coordinates")] = ()
    """names of the independent coordinates at the start"""
    errors: Annotated[Errors | None, Named("")] = None
    """estimated errors, if any; ``accuracy`` gives them by the names of signals"""
    findings: Annotated[tuple[Finding, ...], Axes("finding"), Named("finding")] = ()
    """doubts of the audit, and notes such as the signals of a singular position"""
    balanced: Annotated[
        Array | None, Axes("time", "coordinate"), Named("balanced_acceleration"), UnitsOf("nodal_coordinates", "''")
    ] = None
    """accelerations with which all forces are in equilibrium, where those of ``position`` are interpolated"""

    def __post_init__(self) -> None:
        object.__setattr__(self, "energy", Energies(self.energy))

    @property
    def momenta(self) -> Annotated[tuple[str, ...], Labels("axis")]:
        """Names of the columns of ``momentum``."""
        return MOMENTA[self.momentum.shape[1]]

    @property
    def coordinate_units(self) -> Annotated[tuple[str, ...], Axes("coordinate"), Named("coordinate_unit")]:
        """Units of the coordinates."""
        return self.names.units(self.nodal_coordinates)

    @property
    def strain_units(self) -> Annotated[tuple[str, ...], Axes("deformation"), Named("deformation_unit")]:
        """Units of the strains."""
        return self.names.units(self.strains)

    @cached_property
    def names(self) -> Names:
        """The resolved names of the model."""
        return Names(self.model)

    @cached_property
    def _columns(self) -> dict[Address, int]:
        return {a: i for group in (self.nodal_coordinates, self.strains) for i, a in enumerate(group)}

    def column(self, address: Address) -> int:
        """Column of a coordinate or strain in the arrays."""
        return self._columns[address]

    @property
    def accuracy(self) -> Accuracy | None:
        """Estimated error of every signal and force; None if it is unknown."""
        return None if self.errors is None else Accuracy(self, self.errors)

    @property
    def title(self) -> str:
        """The title of the model."""
        return self.model.title

    @property
    def note(self) -> str:
        """Text of the findings that are notes."""
        return "; ".join(str(finding) for finding in self.findings if not finding.doubtful)

    @property
    def doubts(self) -> tuple[Finding, ...]:
        """Findings that make the result doubtful."""
        return tuple(finding for finding in self.findings if finding.doubtful)

    def with_findings(self, *findings: Finding) -> Motion:
        """Motion with additional findings; a doubt among them changes a good outcome to ``DOUBTFUL``."""
        if not findings:
            return self
        doubtful = self.outcome.good and any(finding.doubtful for finding in findings)
        outcome = Outcome.DOUBTFUL if doubtful else self.outcome
        return self.replaced(findings=(*self.findings, *findings), outcome=outcome)

    def replaced(self, **fields: Any) -> Motion:
        """Motion of the same model with other fields; its resolved names are reused."""
        known = {name: self.__dict__[name] for name in ("names", "_columns") if name in self.__dict__}
        return replace(self, **fields).prefilled(**known)

    def after_first(self) -> Motion:
        """Motion without its first time, if there are more."""
        return self.only(slice(1, None)) if len(self.t) > 1 else self

    def only(self, rows: slice | NDArray[np.int64]) -> Motion:
        """Motion at some of its times, by index in increasing order."""
        if isinstance(rows, np.ndarray) and rows.size == self.t.size:
            return self
        return self.replaced(
            t=self.t[rows],
            position=(self.position[0][rows], self.position[1][rows], self.position[2][rows]),
            strain=(self.strain[0][rows], self.strain[1][rows], self.strain[2][rows]),
            coordinate_force=self.coordinate_force[rows],
            stress=self.stress[rows],
            energy={name: values[rows] for name, values in self.energy.items()},
            momentum=self.momentum[rows],
            states={name: (values[rows], rates[rows]) for name, (values, rates) in self.states.items()},
            balanced=None if self.balanced is None else self.balanced[rows],
        )

    # -- signals -----------------------------------------------------------------------------------------------

    def __getitem__(self, signal: str) -> Array:
        plain, order, force = parse(signal)
        if force:
            return self.force(plain)
        address = self.names.resolve(plain)
        if address.integral:
            return self._state(plain, order)
        if address.internal:
            histories = self._histories(address)
            return carried(address, order, histories[0], histories[1])
        table = self.position if address.kind == "coordinate" else self.strain
        return table[order][:, self._columns[address]]

    def _state(self, name: str, order: int) -> Array:
        if order > 1:
            raise ModelError(f"signal '{name}'", "a state has a value and a rate", "remove a prime")
        return self.states[name][order]

    def orientation(self, end: str, form: str = "parameters", order: str = "ZXZ") -> Array:
        """Rotation of an end from the drawn position, over time.

        As Euler ``parameters``, rotation ``vector``, direction ``cosines``, or ``angles`` about the axes of ``order``.
        """
        _, (parameters, _, _) = self._histories(self.names.resolve(f"{end}.about_x"))
        return forms(parameters.T, form, order)

    def _histories(self, address: Address) -> tuple[Histories, Histories]:
        """Position and Euler parameters, with their rates, of the end that carries a signal."""
        orientation, _, _ = address.owner.partition(":")
        end = self.names.expand(orientation)
        columns = [[self._columns[a] for a in end if a.turns is turns] for turns in (False, True)]
        place, euler = ([values[:, own].T for values in self.position] for own in columns)
        return (place[0], place[1], place[2]), (euler[0], euler[1], euler[2])

    def force(self, signal: str) -> Array:
        """The force that is dual to a signal: times its rate, the power that a drive, load or law puts in.

        On a coordinate it is the reaction or drive where it is fixed or driven, else the load; on a strain it is all
        that acts across it, which :meth:`force_parts` tells apart. The amplitude of a mode is a coordinate; its elastic
        force is the part ``law``.
        """
        address = self.names.resolve(signal)
        if address.integral:
            raise ModelError(f"signal '{signal}'", "a state has no force", f"its rate is {signal}'")
        if address.internal:
            orientation, _, _ = address.owner.partition(":")
            end = self.names.expand(orientation)
            on_place, on_turn = (
                self.coordinate_force[:, [self._columns[a] for a in end if a.turns is turns]].T
                for turns in (False, True)
            )
            reaction = dual(address, on_place, self._histories(address)[1][0], on_turn)
            # a load on a free strain is the stress that it applies
            return reaction - self.stress[:, self._columns[address]] if address in self._columns else reaction
        column = self._columns[address]
        # a stress opposes its strain; zero has no sign
        return self.coordinate_force[:, column] if address.kind == "coordinate" else 0.0 - self.stress[:, column]

    def force_parts(self, signal: str) -> dict[str, Array]:
        """Parts of the force on a signal, as far as it has them: ``drive`` or ``reaction``, ``law``, ``load``."""
        parts: dict[str, Array] = provider("force parts")(self, signal)
        return parts

    def section(self, element: str, s: float | Sequence[float] | None = None) -> SectionForces:
        """Section forces and stresses of a slender link, at places ``s`` from 0 (end p) to 1 (end q), or all along."""
        found: SectionForces = provider("section forces")(self, element, s)
        return found

    def part(self, element: str, nodes: Sequence[str | int] | None = None) -> PartMotion:
        """Motion of the nodes inside a superelement, of all if none are named, and its stresses."""
        found: PartMotion = provider("part motion")(self, element, nodes)
        return found

    def unit(self, signal: str) -> str:
        """The unit of a signal."""
        return signal_unit(self.names, signal)

    def spectrum(self, signal: str, *, after: float = 0.0, window: Window = "hann") -> Spectrum:
        """The amplitudes of the frequencies that a signal is made of, from a time on."""
        rows = self.t >= after
        return measured(self.t[rows], self[signal][rows], signal, self.unit(signal), self.title, window)

    @cached_property
    def signals(self) -> tuple[str, ...]:
        """The names of all coordinates, strains and states."""
        # the coordinates that elements own are strains too
        names = dict.fromkeys(str(a) for a in (*self.nodal_coordinates, *self.strains) if not a.internal)
        return (*names, *self.states)

    @property
    def impacts(self) -> tuple[MotionEvent, ...]:
        """The events that are impacts, with their impulses, types, approach velocities, estimated forces and losses."""
        return tuple(event for event in self.events if event.kind == "impact")

    @property
    def imbalance(self) -> float | None:
        """Largest error of the energy balance, relative to the turnover of energy; None if it was not recorded.

        The turnover is the greatest kinetic energy, strain energy, work, loss and fall of the weight, added up.
        """
        if "balance" not in self.energy:
            return None
        turnover = sum(np.abs(self.energy[form]).max() for form in ("kinetic", "strain", "work", "dissipated"))
        return float(np.abs(self.energy["balance"]).max() / max(turnover + np.ptp(self.energy["gravity"]), 1e-300))

    @property
    def end(self) -> State:
        """Last state, for a continuation."""
        from flexura.results.state import State  # imported here because a state contains a motion

        return State(self.only(slice(-1, None)))

    def _ipython_key_completions_(self) -> list[str]:
        """Names that complete ``motion["``: signals, their rates, accelerations and forces."""
        return [f"{name}{ending}" for ending in ("", "'", "''", ".force") for name in self.signals]

    # -- files and other programs ------------------------------------------------------------------------------

    @figure("csv", TABLE, ".csv")
    def write_csv(self, *signals: str, path: str | os.PathLike[str]) -> None:
        """Write signals (all coordinates and strains, if none are named) as columns under their names and units."""
        provider("csv")(self, path, *(signals or self.signals))

    def to_csv(self, path: str | os.PathLike[str], *signals: str) -> None:
        """Write signals (all coordinates and strains, if none are named) as columns under their names and units."""
        self.write_csv(*signals, path=path)

    def to_pandas(self, *signals: str) -> Any:
        """Signals (all coordinates and strains, if none are named) as a frame of pandas over the time."""
        return provider("pandas")(self, *signals)

    # -- pictures and words ---------------------------------------------------------------------------------------

    def scene(self, points: int = 17, forces: bool | float = False) -> Scene:
        """The shapes of the elements over time, ready to be drawn; with ``forces`` also these as arrows.

        A number of ``forces`` is the length of the arrows [m/N]; otherwise it follows from the size of the scene.
        """
        values = {a: self.position[0][:, i] for i, a in enumerate(self.nodal_coordinates)}
        pressed = {
            name: np.stack([self.force(f"{name}.{gap}") != 0.0 for gap in element.gaps], axis=1)
            for name, element in self.names.elements.items()
            if element.contacts
        }
        scene = build_scene(self.names, self.t, values, points, pressed)
        return with_forces(scene, force_arrows(self, values), forces) if forces else scene

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """Ranges of signals, the events and the findings."""
        return summary_of(self, signals)

    def __repr__(self) -> str:
        return f"<Motion: {len(self.t)} times, {self.t[0]:g} to {self.t[-1]:g} s, {self.outcome.name.lower()}>"

    def __str__(self) -> str:
        return description_of(self)
