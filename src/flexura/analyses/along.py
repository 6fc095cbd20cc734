"""Linearised equations along the nominal motion: the motion of the inputs with the independent coordinates held."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np

from flexura.analyses.kinematics import kinematics
from flexura.analyses.linearise import _Small, linearise
from flexura.derive.records import Floats
from flexura.errors import AnalysisError, ModelError
from flexura.laws.signals import Constant
from flexura.model.model import Model
from flexura.model.names import Names
from flexura.results.linear_motion import LinearMotion
from flexura.results.linear_system import LinearSystem
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome


def along(model: Model, times: Sequence[float] | Floats) -> LinearMotion:
    """The linearised equations at these times, in the coordinates that are independent at the first of them."""
    at = np.asarray(times, dtype=float)
    coordinates = linearise(model, float(at[0])).coordinates
    if not coordinates:
        what = "its inputs prescribe all of its motion, so that nothing can vibrate"
        raise ModelError("model", what, "make a link flexible, or free a joint; kinematics gives the motion and forces")
    motion = nominal(model, coordinates, at)
    small = _Small(model.replace(independent=coordinates), in_space=False)

    @cache
    def system(number: int) -> LinearSystem:
        found = small.about(small.seen(motion, float(at[number])))
        if set(found.coordinates) != set(coordinates):
            what = f"at {at[number]:g} s the coordinates {', '.join(coordinates)} no longer say where everything is"
            raise AnalysisError(f"{what}; name others in the model's independent=[…]")
        return found

    M, C, K, forcing = [], [], [], []
    for number in range(at.size):
        found = system(number)
        order = [found.coordinates.index(name) for name in coordinates]
        grid = np.ix_(order, order)
        M.append(found.M[grid])
        C.append(found.C[grid])
        K.append(found.K[grid])
        forcing.append(found.forcing[order])
    return LinearMotion(
        model=model,
        t=at,
        coordinates=coordinates,
        M=np.array(M),
        C=np.array(C),
        K=np.array(K),
        forcing=np.array(forcing),
        nominal=motion,
        system=system,
    )


def nominal(model: Model, coordinates: Sequence[str], times: Floats) -> Motion:
    """The motion of the inputs with these coordinates held as they start, at these times."""
    motion = kinematics(held(model, tuple(coordinates)), times.tolist())
    if motion.outcome is not Outcome.DONE:
        advice = f" ({motion.note})" if motion.note else ""
        raise AnalysisError(f"the nominal motion ends at {motion.t[-1]:g} s: {motion.outcome.value}{advice}", motion)
    return motion


@lru_cache(maxsize=8)
def held(model: Model, coordinates: tuple[str, ...]) -> Model:
    """The model with these coordinates held at their values at the start."""
    names = Names(model)
    for name in coordinates:
        if names.resolve(name).internal:
            what = f"'{name}' is a small rotation, which cannot be held over a motion"
            raise ModelError("independent", what, "name strains, hinges or positions as independent=[…]")
        if model.start.get(f"{name}'"):
            what = "a coordinate that moves at the start has no nominal motion"
            raise ModelError(f"start.{name}'", what, "drive it by inputs, or leave its rate out")
    still = {name: Constant(float(model.start[name])) for name in coordinates if name in model.start}  # type: ignore[arg-type]
    return model.replace(
        fixed=[*model.fixed, *(name for name in coordinates if name not in still)],
        inputs={**model.inputs, **still},
        start={name: value for name, value in model.start.items() if name.rstrip("'") not in coordinates},
        laws={name: law for name, law in model.laws.items() if name not in coordinates},
        independent=[],
    )
