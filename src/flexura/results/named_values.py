"""Tables of a result by name; an unknown name raises an error that lists the known ones."""

from __future__ import annotations

from typing import Any, NoReturn

from flexura.errors import ModelError, did_you_mean
from flexura.model.model import Model, StartState

FORMS = ("kinetic", "strain", "gravity", "total", "work", "dissipated", "balance")
"""Forms of energy that a simulation records."""


class Energies(dict[str, Any]):
    """Energies by form."""

    def __missing__(self, form: str) -> NoReturn:
        if form in FORMS:
            what, remedy = f"'{form}' is not recorded by this analysis", f"options are {', '.join(self)}; simulate adds"
            raise ModelError("energy", what, f"{remedy} {', '.join(FORMS[4:])}")
        raise ModelError("energy", f"there is no '{form}'", did_you_mean(str(form), self))


class StateValues(dict[str, float], StartState):
    """Values of a state by name, from which a model starts in the same way as from the state itself."""

    def __init__(self, values: dict[str, float], state: StartState) -> None:
        dict.__init__(self, values)
        self.state = state

    def start_of(self, model: Model) -> dict[str, float]:
        """The values that a model can start from."""
        return self.state.start_of(model)
