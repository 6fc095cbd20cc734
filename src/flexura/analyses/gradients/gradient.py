"""Derivatives of any quantity of a run with respect to any numbers of a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import numpy as np

from flexura.analyses.arguments import Samples, Time, Times, Until
from flexura.analyses.declaration import FileForm, analysis
from flexura.analyses.gradients.sloped_analyses import Wanted
from flexura.analyses.gradients.sloped_quantities import Sloped
from flexura.analyses.gradients.sloped_results import ChosenMethod, Differentiated, ResultKind, Scales, Watched, Way
from flexura.analyses.gradients.total_mass import MASS
from flexura.analyses.studies.job import RUN, START, parameter_unit
from flexura.analyses.studies.quantity_expressions import Term, read
from flexura.errors import AnalysisError, ModelError
from flexura.laws.units import Unit
from flexura.model.mentions import SIGNAL, refuse_unknown
from flexura.model.model import Model
from flexura.model.revised_models import names_of
from flexura.results.gradient import Gradient

Quantities = Annotated[
    str | Sequence[str] | Mapping[str, str | Callable[[Any], float]],
    Unit("", "quantities such as final(B.x) or max(abs(pin.gap.force))"),
    FileForm(Sequence[str]),
]
Parameters = Annotated[
    str | Sequence[str],
    Unit("", "paths of numbers of the model, or initial values such as start.B.x'"),
    FileForm(Sequence[str]),
]


@analysis
def gradient(
    model: Model,
    of: Quantities,
    by: Parameters,
    until: Until = None,
    *,
    samples: Samples = None,
    times: Times = None,
    method: ChosenMethod = None,
    events: Watched = (),
    result: ResultKind = "motion",
    at: Time = 0.0,
    scale: Scales = None,
    way: Way = None,
) -> Gradient:
    """Derivatives of quantities of a result with respect to numbers of the model.

    ``of`` names quantities as the ``keep`` of a study does: ``final(B.x)``, ``max(abs(pin.gap.force))``,
    ``integral(energy.kinetic)``, ``final(events(stop.gap, 3))`` for the time of the third impact. ``by`` names numbers
    by their paths in the model, as in ``elements.rod.section.EI``, or starts such as ``start.B.x'``.

    The quantities are those of the motion until a time, with the arguments of ``simulate``. With ``result`` they are
    those of the ``equilibrium``, or of ``vibrations`` about the start (``balanced vibrations`` are about the
    equilibrium): ``frequency.1`` and ``growth.1`` are the imaginary and real parts of the slowest eigenvalue. The
    ``mass`` of the model is a quantity of all of them. ``result`` may also be an analysis of the model, such as
    ``partial(fx.periodic, period=0.1)`` or a function of your own that finds a critical speed or a limit of stability
    to all digits; then ``of`` may map names to functions of its result.

    Derivatives follow the motion through touches, impacts, stick and slip, and discontinuous inputs. What has no
    derivative, such as a grazing touch, is an error. ``scale`` is a change of a parameter that counts as large, by
    default its value, or for a node the distance to its neighbour; give it, for all or by path, if the value is zero.
    Explicit methods are differentiated step by step: forward in time at a cost that grows with the number of
    parameters, or backward (``way="adjoint"``) at one that grows with the number of quantities. ``method`` of the
    result says which way was gone.
    """
    run = Differentiated(result, until, samples, times, method, events, at, scale, way)
    terms, paths = wanted_of(model, of, run), paths_of(model, by)
    evaluated = run.evaluate(model, terms, paths)
    rows = [single(name, one) for name, one in evaluated.found.items()]
    return Gradient(
        title=model.title,
        quantities=tuple(terms),
        parameters=paths,
        values=np.array([float(one.values) for one in rows]),
        numbers=evaluated.numbers,
        derivatives=np.array([one.slopes for one in rows]).reshape(len(rows), len(paths)),
        quantity_units=tuple(one.unit for one in rows),
        parameter_units=tuple(parameter_unit(model, path) for path in paths),
        method=f"gradient of the {evaluated.way}",
        statistics=dict(evaluated.statistics),
    )


def wanted_of(model: Model, of: str | Sequence[str] | Mapping[str, Any], run: Differentiated) -> Wanted:
    """Quantities by their texts, or by names for functions of the result."""
    if not isinstance(of, Mapping):
        return terms_of(model, of, run)
    texts = {name: how for name, how in of.items() if isinstance(how, str)}
    terms = dict(zip(texts, terms_of(model, list(texts.values()), run).values(), strict=True)) if texts else {}
    if not of:
        raise _nothing()
    return {name: terms.get(name, how) for name, how in of.items()}


def _nothing() -> ModelError:
    return ModelError("of", "there is nothing to differentiate", "name a quantity such as 'final(B.x)'")


def terms_of(model: Model, of: str | Sequence[str], run: Differentiated) -> dict[str, Term]:
    """Quantities by their texts; unknown names are refused before the run."""
    texts = (of,) if isinstance(of, str) else tuple(of)
    if not texts:
        raise _nothing()
    terms = {text: read(text) for text in texts}
    names = names_of(model)
    for text, term in terms.items():
        for signal in term.signals() if run.of in ("motion", "equilibrium") else ():
            if signal != MASS and not signal.startswith("energy."):
                try:
                    refuse_unknown(names, SIGNAL, signal)
                except ModelError as error:
                    raise error.within(f"of '{text}'") from None
    return terms


def paths_of(model: Model, by: str | Sequence[str]) -> tuple[str, ...]:
    """Paths of parameters, which must exist."""
    paths = (by,) if isinstance(by, str) else tuple(by)
    if not paths:
        raise ModelError("by", "there is no parameter", "name a number such as 'elements.rod.section.EI'")
    names = names_of(model)
    for path in paths:
        if path.startswith(RUN):
            what = f"'{path}' is an argument of the run, not a number of the model"
            raise ModelError("by", what, "differentiate by numbers of the model and its start")
        if path.startswith(START):
            names.resolve(path.removeprefix(START).rstrip("'"))
        else:
            model.parameter(path)
    return paths


def single(name: str, found: Sloped) -> Sloped:
    """Quantity, which must be one finite number."""
    if found.values.ndim:
        what = f"'{name}' is a history of {found.values.size} values, not a number"
        raise ModelError("of", what, f"reduce it, as in final({name}) or max({name})")
    if not (np.isfinite(found.values) and np.all(np.isfinite(found.slopes))):
        raise AnalysisError(f"'{name}' has no finite derivative: its value is {float(found.values):g}")
    return found
