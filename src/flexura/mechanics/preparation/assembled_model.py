"""A model numbered and assembled: what does not depend on its start, and can be used for another one."""

from __future__ import annotations

from copy import copy
from typing import NamedTuple

import numpy as np

from flexura.derive.records import Floats
from flexura.errors import AnalysisError
from flexura.mechanics.core.element_numbers import Place, tracked_places
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate
from flexura.mechanics.preparation.assembly import Assembler
from flexura.mechanics.preparation.mobility import Mobility
from flexura.mechanics.preparation.penalty_terms import weights_of
from flexura.mechanics.preparation.signal_programs import Formulas
from flexura.model.model import Model


class Placed(NamedTuple):
    """A position in which the links fit together, with what can move there."""

    found: Mobility
    x: Floats
    numbers: Floats


class Fresh:
    """A system, and all its arrays as they were at first: no run may see what another has left in them."""

    def __init__(self, system: System) -> None:
        self.system = system
        self._first = [(array, array.copy()) for array in system.arrays()]

    def renewed(self) -> System:
        """The system as it was at first."""
        for array, first in self._first:
            array[...] = first
        return self.system


class Assembled:
    """A layout with its arrays."""

    def __init__(
        self, layout: Layout, stiff: bool = False, switched: bool = False, formulas: Formulas | None = None
    ) -> None:
        self.layout = layout
        self.assembler = Assembler(layout, stiff, switched, formulas)
        self.plain = Fresh(self.assembler.system())
        self._augmented: dict[tuple[int, ...], Fresh] = {}
        """by the strains whose squares are added"""

    def at(self, x: Floats, v: Floats, numbers: dict[Place, float]) -> System:
        """The system, augmented where the mass alone is not regular, with the pivots of this position."""
        layout, following = self.layout, [numbers[place] for place in tracked_places(self.layout)]
        system = self.plain.renewed()
        system.number[system.track_target] = following
        weights = weights_of(layout, system, x)
        if weights:
            system = self._squared(weights)
            system.number[system.track_target] = following
        a, stress = np.zeros_like(x), np.zeros(max(len(layout.strains), 1))
        accelerate(system, 0.0, x.copy(), v.copy(), a, stress)
        pivots = system.factors.values[: system.pivot.size]
        if not np.all(np.isfinite(pivots)):
            raise AnalysisError("the equations of motion are singular in the first position")
        system.pivot[:] = pivots
        # a gap that closes changes its pivot for a reason
        system.pivot[system.switches.place] = -1e300
        return system

    def _squared(self, weights: dict[int, float]) -> System:
        key = tuple(weights)
        if key not in self._augmented:
            self._augmented[key] = Fresh(self.assembler.augmented(self.plain.renewed(), weights))
        system = self._augmented[key].renewed()
        system.augmented.weight[:] = list(weights.values())
        return system


class Made:
    """A model in all the forms in which it was assembled, each once."""

    def __init__(self, model: Model) -> None:
        self.layout = Layout(model)
        self.whole = Assembled(self.layout)
        self.placed: dict[tuple[object, ...], Placed] = {}
        """earlier positions, by the initial values of positions"""
        self._forms: dict[tuple[bool, bool, bool], Assembled] = {(False, False, False): self.whole}

    def starting(self, model: Model) -> Layout:
        """The layout for a model that differs in its start alone."""
        layout = copy(self.layout)
        layout.model = model
        return layout

    def form(self, condensed: bool = False, stiff: bool = False, switched: bool = False) -> Assembled:
        """In one form: with one orientation a rigid link, with room for stiffness, with rows that are held at times."""
        key = (condensed, stiff, switched)
        if key not in self._forms:
            layout = self.layout
            if condensed:
                layout = Layout(layout.model, condensed=True, names=layout.names)
            self._forms[key] = Assembled(layout, stiff, switched, self.whole.assembler.formulas)
        return self._forms[key]
