"""Check of a model: its mobility, obstacles to computation, and likely mistakes."""

from __future__ import annotations

from flexura.errors import AnalysisError, ModelError, numbers_in_range
from flexura.mechanics.preparation.dead_point import at_dead_point
from flexura.mechanics.preparation.mobility import Mobility
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.model.checks import check
from flexura.model.model import Model
from flexura.model.model_methods import offers
from flexura.model.model_report import ModelReport


@offers("check")
def check_model(model: Model) -> ModelReport:
    """Report on a model."""
    errors, found = list[str](), None
    try:
        with numbers_in_range():
            machine = PreparedModel(model).start(model, redundant_allowed=True)
        found = machine.mobility
        if at_dead_point(machine):
            names = ", ".join(map(str, found.redundant))
            what = f"the drawn position is singular: {names} depend on each other here, but not beside it"
            errors.append(str(ModelError("model", what, "draw the model in another position")))
        else:
            machine.start(model)
    except (ModelError, AnalysisError) as error:
        errors.append(str(error))
    return _report(model, found, tuple(errors))


def _report(model: Model, found: Mobility | None, errors: tuple[str, ...]) -> ModelReport:
    independent = found.independent if found else ()
    return ModelReport(
        model=str(model),
        degrees=found.degrees if found else -1,
        coordinates=tuple(str(a) for a in independent if not a.integral),
        states=tuple(str(a) for a in independent if a.integral),
        redundant=tuple(map(str, found.redundant)) if found else (),
        excess=found.excess if found else 0,
        errors=errors,
        remarks=tuple(remark for remark in map(str, check(model)) if remark not in errors),
    )
