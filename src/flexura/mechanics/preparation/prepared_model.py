"""Prepared model: a model with indices, assembled arrays and its initial state.

It connects a model with the compiled code. It is built once in time proportional to the size of the model, and
used again for every analysis of the model and for models that differ only in their start.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from typing import Any, TypeVar

import numpy as np

from flexura.derive.records import Floats
from flexura.mechanics.core.changed_elements import Changes, Difference, changed_layout
from flexura.mechanics.core.condensed_coordinates import shared_coordinates
from flexura.mechanics.core.element_numbers import Place, tracked, tracked_places
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.redundancy import NO_REDUNDANCY, Redundancy
from flexura.mechanics.core.straight_line_factors import write_out
from flexura.mechanics.core.structure import structure_of
from flexura.mechanics.core.system import System
from flexura.mechanics.preparation.assembled_form import AssembledForm
from flexura.mechanics.preparation.distance_from_origin import refuse_distant
from flexura.mechanics.preparation.independent_set import find_redundancy, refuse_contradiction, stronger_set
from flexura.mechanics.preparation.initial_positions import (
    InitialPosition,
    Kinematics,
    Position,
    add_to,
    driven_at,
    once,
    renumber_positions,
)
from flexura.mechanics.preparation.initial_state import Start
from flexura.mechanics.preparation.input_path import follow_inputs
from flexura.mechanics.preparation.minimal_coordinates import Transfer
from flexura.mechanics.preparation.mobility import Mobility, mobility, refuse_redundant
from flexura.mechanics.preparation.signal_programs import Formulas
from flexura.mechanics.preparation.singular_start import STARTED, Opening, leaves_position, left_position
from flexura.mechanics.preparation.tree_assembly import JointForm, joint_form
from flexura.model.model import Model
from flexura.model.names import Address

T = TypeVar("T")
Near = Mapping[Address, float]


class PreparedModel:
    """Model in all forms on which compiled code runs, each assembled once, and its initial state.

    With ``about`` orientations in space have their rotations about the axes as coordinates. Only one analysis may use a
    prepared model at a time: it borrows the model from a cache, or prepares one of its own.
    """

    layout: Layout
    mobility: Mobility
    system: System
    """whole system at the start; augmented if it is dynamic"""
    x: Floats
    """consistent position at the start"""
    v: Floats
    note: str
    """remarks on the start"""
    opening: Opening | None = None
    """motion from a singular position; the state x, v is the one at its end"""

    def __init__(
        self, model: Model, about: bool = False, layout: Layout | None = None, redundancy: Redundancy | None = None
    ) -> None:
        self.layout = layout or Layout(model, about=about, redundancy=redundancy or NO_REDUNDANCY)
        self._forms: dict[tuple[bool, bool, bool], AssembledForm] = {}
        self._variants: dict[tuple[Address, ...], PreparedModel] = {}
        """prepared models with other independent sets of constraints"""
        if redundancy is None:
            found = self._redundancy()
            if found.left_out:
                self.layout = Layout(model, about=self.layout.about, names=self.layout.names, redundancy=found)
                self._forms.clear()
        self.structure = structure_of(self.layout)
        self._positions: dict[Position, InitialPosition] = {}
        self._mobilities: dict[tuple[object, ...], tuple[Mobility, Mobility]] = {}
        self._position: InitialPosition | None = None
        self._systems: dict[tuple[bool, bool, bool], System] = {}
        self._seen: Kinematics | None = None
        """strains and slopes after the last change of elements"""
        self.remembered: dict[object, Any] = {}

    def renumber(self, layout: Layout) -> bool:
        """Replace the model by one with the same structure and other numbers, given by its layout.

        False if the structure turns out to differ: this prepared model is then invalid.
        """
        self.layout, self._seen = layout, None
        self._positions, self._mobilities = {}, {}
        for (condensed, _, _), form in self._forms.items():
            own = Layout(layout.model, condensed=True, names=layout.names) if condensed else layout
            if not form.renumber(own, self.formulas if form is not self.whole else None):
                return False
        # with other numbers constraints may become redundant
        return not self._redundancy().left_out

    def with_values(self, model: Model, changed: Difference) -> bool:
        """Replace the model by one with other values of elements, inputs and loads; false if its structure differs.
        It is then invalid. Initial positions are kept if strains and slopes do not change.
        """
        own, fixed = self.layout, self.layout.redundancy.left_out or self._variants
        renewed = own.names.renewed(model, changed.elements) if not fixed else None
        if renewed is None:
            return False
        names, parts = renewed
        changes = Changes.of(own, names, parts, changed.signals)
        layouts = {key: changed_layout(form.layout, changes) for key, form in self._forms.items()}
        if None in layouts.values():
            return False
        before = self._seen or Kinematics.of(self.whole.plain.restored(), own.drawn, own.size)
        structure, self.structure = self.structure, ()
        driven = driven_at(self._positions, self.whole.plain.restored()) if changed.signals else {}
        for key, form in self._forms.items():
            layout = layouts[key]
            if layout is None or not form.with_values(layout, changes):
                return False
        self.layout, self.structure = self.whole.layout, structure
        after = before
        if changes.constitutions:
            after = Kinematics.of(self.whole.plain.restored(), self.layout.drawn, self.layout.size)
        self._seen = after
        if after.held != before.held:
            self._positions, self._mobilities = {}, {}
            return not self._redundancy().left_out
        following, shifted = any(names.elements[name].following() for name in parts), after.other != before.other
        renumber_positions(self._positions, self.whole.plain.restored, following, shifted, driven)
        return True

    def _redundancy(self) -> Redundancy:
        """Redundant constraints of the layout."""
        return find_redundancy(self.layout, self.whole.plain.restored(), self.layout.drawn.copy())

    def start(
        self,
        model: Model,
        t: float = 0.0,
        *,
        redundant_allowed: bool = False,
        dynamic: bool = True,
        near: Near | None = None,
        moving: bool = False,
    ) -> PreparedModel:
        """Analyse the mobility and find a consistent state, for a model that differs at most in its start.

        A model that is not ``dynamic`` may lack inertia, one with redundant constraints may be inspected, and one that
        is ``moving`` may start in a singular position. A position ``near`` is kept without closing the constraints.
        """
        self.layout = layout = copy(self.layout)
        layout.model = model
        self.note, self._position, self._systems, self.opening = "", None, {}, None
        self.system = self.whole.plain.restored()
        refuse_distant(layout)
        start = Start(layout)
        key = (t, *start.values.items(), *start.rates)
        position = self._positions.get(key) if near is None else None
        if position is None:
            x = start.guess()
            at = (x.tobytes(), *start.values, None, *start.rates)
            if at not in self._mobilities:
                add_to(self._mobilities, at, start.mobilities(self.system, x))
            found, places = self._mobilities[at]
            singular = found.excess > len(layout.redundancy.left_out)
            if singular and (stronger := self.with_better_constraints(x)) is not None:
                given = {"redundant_allowed": redundant_allowed, "dynamic": dynamic, "moving": moving}
                return stronger.start(model, t, near=near, **given)
            if singular and moving and leaves_position(layout, found, start):
                return self._leave(start, t, x)
            if singular and not redundant_allowed:
                refuse_redundant(found)
            start.refuse_dependent(places, found, [layout.names.resolve(name) for name in model.independent])
            if singular or near is not None:
                x = x if near is None or singular else np.array([near[a] for a in layout.coordinates])
                self.mobility, self.x, self.v = found, x, np.zeros_like(x)
                return self
            placing = Transfer(layout, self.system, places.independent, rolling=False)
            guess, x = x, follow_inputs(placing, start.coordinates(placing, x), t, x)
            refuse_contradiction(layout, self.system, x)
            fits = np.array_equal(guess, x)
            position = InitialPosition(found, x, self.system.number.copy(), fits, fits and not start.values)
            add_to(self._positions, key, position)
        self._begin(start, position, t, dynamic)
        return self

    def restart(self, model: Model) -> PreparedModel:
        """Begin another run from the current start of this prepared model, for a model that is moving."""
        if self._position is None or self.opening is not None or self.layout.model is not model:
            return self.start(model, moving=True)
        self._systems, self.x, self.v = {}, self._position.x.copy(), self._initial_rates.copy()
        self.system = self._at_start((False, False, False))
        return self

    def _leave(self, start: Start, t: float, x: Floats) -> PreparedModel:
        """Begin on a branch that leaves a singular position; the state is that at the end of the first moments."""
        self.opening, self._position, self.v = left_position(self.layout, self.system, start, t, x)
        self.mobility, self.x, self.note = self._position.mobility, self._position.x, STARTED
        self.system = self._at_start((False, False, False))
        return self

    def with_better_constraints(self, x: Floats) -> PreparedModel | None:
        """Prepared model with the best independent set of constraints at a position, if the current one is weak."""
        redundancy = stronger_set(self.layout, self.system, x) if self.layout.redundancy.left_out else None
        if redundancy is None:
            return None
        if redundancy.left_out not in self._variants:
            other = PreparedModel(self.layout.model, self.layout.about, redundancy=redundancy)
            other._variants = self._variants
            self._variants[redundancy.left_out] = other
        return self._variants[redundancy.left_out]

    def resume_from(self, x: Floats, v: Floats, numbers: dict[Place, float]) -> PreparedModel:
        """Continue from a state of the whole model, with its tracked numbers."""
        self.system = self.whole.plain.restored()
        self.note, self._position, self._systems = "", None, {}
        self.system.number[self.system.track_target] = [numbers[place] for place in tracked_places(self.layout)]
        self.mobility = mobility(self.layout, self.system, x, about=False)
        self.x, self.v = x.copy(), v.copy()
        self.system = self._at_start((False, False, False))
        return self

    def _begin(self, start: Start, position: InitialPosition, t: float, dynamic: bool) -> None:
        """Take over a consistent position, with consistent rates."""
        system, x = self.system, position.x.copy()
        system.number[:] = position.numbers
        v, self.note, _ = position.velocity(start, system, t)
        self.mobility, self.x, self.v, self._position = position.mobility, x, v.copy(), position
        self._initial_rates = v
        if dynamic:
            self.system = self._at_start((False, False, False))

    def remember(self, key: object, compute: Callable[[], T], kinematic: bool = False) -> T:
        """Cached result that depends on the initial position; if ``kinematic``, only on strains and slopes."""
        if self._position is None:
            return compute()
        return once(self._position.kinematic if kinematic else self._position.remembered, key, compute)

    def keep(self, key: object, compute: Callable[[], T]) -> T:
        """Cached result that depends only on the structure of the model."""
        return once(self.remembered, key, compute)

    @property
    def whole(self) -> AssembledForm:
        """Form with all orientations, without stiffness and switchable rows."""
        return self.form()

    @property
    def formulas(self) -> Formulas:
        """The programs of signals and laws."""
        return self.whole.assembler.formulas

    def form(self, condensed: bool = False, stiff: bool = False, switched: bool = False) -> AssembledForm:
        """Form with one orientation for each rigid link, room for stiffness, and switchable rows, as requested."""
        key = (condensed, stiff, switched)
        if key not in self._forms:
            layout = self.layout
            if condensed:
                layout = Layout(layout.model, condensed=True, names=layout.names, redundancy=layout.redundancy)
            formulas = self.formulas if any(key) else None
            self._forms[key] = AssembledForm(layout, stiff, switched, formulas)
        return self._forms[key]

    def _at_start(self, key: tuple[bool, bool, bool]) -> System:
        """System of a form in the initial state."""
        if key in self._systems:
            return self._systems[key]
        form = self.form(*key)
        found = self._position.snapshots.get(key) if self._position else None
        if found is None:
            x, v = self.narrow(form.layout, self.x), self.narrow(form.layout, self.v)
            system = form.at(x, v, self._tracked())
            if key != (False, False, False):
                write_out(system.factors)
            found = form.snapshot(system)
            if self._position:
                self._position.snapshots[key] = found
        self._systems[key] = found.restored()
        return self._systems[key]

    def _tracked(self) -> dict[Place, float]:
        """Tracked numbers at the start."""
        system = self.whole.plain.system
        numbers = self._position.numbers if self._position else system.number
        return dict(zip(tracked_places(self.layout), numbers[system.track_target].tolist(), strict=True))

    @property
    def condensed(self) -> tuple[Layout, System]:
        """Layout and system with one orientation for each rigid link, for motions."""
        if self.layout.condensable or self.layout.switched:
            return self.form(condensed=True, switched=True).layout, self._at_start((True, False, True))
        write_out(self.system.factors)
        return self.layout, self.system

    @property
    def joints(self) -> JointForm | None:
        """Condensed model in joint coordinates, if it is a tree of rigid bodies."""
        layout, system = self.condensed
        return self.remember("joints", lambda: joint_form(layout, system, self.narrow(layout, self.x)))

    @property
    def touching(self) -> System:
        """Whole system with switchable rows, for the observation of a motion."""
        return self._at_start((False, False, True)) if self.layout.switched else self.system

    @property
    def stiff(self) -> System:
        """Condensed system with room for stiffness, for implicit methods."""
        layout = self.condensed[0]
        return self._at_start((layout.condensed, True, bool(layout.switched)))

    def choose(self, x: Floats, preferred: tuple[Address, ...]) -> tuple[Address, ...]:
        """Independent coordinates at a position of the condensed model."""
        layout, system = self.condensed

        def chosen() -> tuple[Address, ...]:
            return mobility(layout, system, x.copy(), preferred, about=False).independent

        first = np.array_equal(x, self.narrow(layout, self.x))
        return self.remember(("independent", preferred), chosen, kinematic=True) if first else chosen()

    def kinematic(self, x: Floats, v: Floats, independent: tuple[Address, ...]) -> System:
        """Condensed system with the independent coordinates held too."""
        own = self.layout
        layout = Layout(own.model, condensed=True, held=independent, names=own.names, redundancy=own.redundancy)
        # angles over many turns are tracked by the moving system
        moving = self.condensed
        form = AssembledForm(layout, formulas=self.formulas)
        system: System = form.at(x, v, tracked(*moving)).replaced(number=moving[1].number)
        return system

    def narrow(self, condensed: Layout, full: Floats) -> Floats:
        """Values of the whole model on the coordinates of the condensed one."""
        return np.take(full, shared_coordinates(self.layout, condensed)[0], axis=-1)

    def widen(self, condensed: Layout, narrow: Floats) -> Floats:
        """Values of the condensed model on all coordinates."""
        return np.take(narrow, shared_coordinates(self.layout, condensed)[1], axis=-1)


def prepare(
    model: Model, t: float = 0.0, *, redundant_allowed: bool = False, dynamic: bool = True, near: Near | None = None
) -> PreparedModel:
    """Prepare a model and bring it to its initial state."""
    return PreparedModel(model).start(model, t, redundant_allowed=redundant_allowed, dynamic=dynamic, near=near)
