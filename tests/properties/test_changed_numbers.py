"""A prepared model that takes up other numbers is the one that would be prepared anew, to the last bit."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest

import flexura as fx
from flexura.analyses.motion.model_cache import CACHE
from flexura.errors import AnalysisError, ModelError
from flexura.mechanics.core.changed_elements import difference
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.structure import structure_of
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.results.linear_system import LinearSystem
from references.gallery import EXAMPLES, model

GALLERY = sorted(path.stem for path in EXAMPLES.glob("*.py"))
LINEAR = ["bicycle", "caster", "four_bar", "motor_in_series", "ravn_hertz", "slider_crank_flexible", "whirling_shaft"]
FOLLOWED = ["four_bar", "impact_oscillator", "slider_crank_loose", "stick_slip"]
"""with rigid links, an impact, a contact law that takes numbers, and dry friction"""
DRIVEN = ["four_bar", "impact_oscillator", "slider_crank_loose"]
"""with an input, or a load"""
FORMS = [(False, False, False), (True, False, True), (True, True, True), (False, False, True)]


def numbers_in(value: Any, path: str = "") -> Iterator[tuple[str, float]]:
    """Paths of the finite numbers of a model that are not zero, with their values."""
    if isinstance(value, float) and np.isfinite(value) and value:
        yield path, value
    elif dataclasses.is_dataclass(value) or isinstance(value, Mapping):
        parts = (
            value if isinstance(value, Mapping) else {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
        )
        for key, part in parts.items():
            yield from numbers_in(part, f"{path}.{key}" if path else key)
    elif isinstance(value, tuple):
        for i, part in enumerate(value):
            yield from numbers_in(part, f"{path}.{i}")


def changed(original: fx.Model, seed: int, among: str = "") -> fx.Model:
    """The model with three numbers a little different, such as it can be made, ``among`` those of a part of it."""
    chance = random.Random(seed)
    paths, result, left = [found for found in numbers_in(original) if found[0].startswith(among)], original, 3
    chance.shuffle(paths)
    for path, value in paths:
        try:
            result = result.with_parameter(path, value * (1.0 + 1e-3 * chance.random()))
        except ModelError:
            continue
        left -= 1
        if not left:
            break
    return result


def started(prepared: PreparedModel, given: fx.Model) -> list[Any]:
    """The start of a prepared model, and all arrays that runs of its forms begin with."""
    prepared.start(given, redundant_allowed=True, dynamic=False)
    found = [prepared.x, prepared.v, prepared.note, prepared.mobility.independent, prepared.mobility.redundant]
    for form in FORMS:
        try:
            system = prepared._at_start(form)
        except (AnalysisError, ModelError) as error:
            found.append(str(error))
        else:
            found += [array.copy() for array in system.changing()]
    return found


def equal(one: Any, other: Any) -> bool:
    """Equal, arrays to the last bit."""
    if isinstance(one, np.ndarray):
        return one.shape == other.shape and one.tobytes() == other.tobytes()
    return bool(one == other)


@pytest.mark.parametrize("name", GALLERY)
def test_a_prepared_model_takes_up_other_numbers(name):
    """From numbers to other numbers, and back; exponents and equal numbers belong to the structure."""
    given = model(name)
    prepared, taken = PreparedModel(given), 0
    started(prepared, given)
    for seed in (1, 2, 3):
        given = changed(given, seed)
        if structure_of(layout := Layout(given)) == prepared.structure and prepared.renumber(layout):
            found, expected = started(prepared, given), started(PreparedModel(given), given)
            assert len(found) == len(expected)
            assert all(equal(one, other) for one, other in zip(found, expected, strict=True))
            taken += 1
        else:
            prepared = PreparedModel(given)
    assert taken


TAKEN_UP = [
    *((name, "elements") for name in FOLLOWED),
    *((name, part) for name in DRIVEN for part in ("inputs", "loads") if getattr(model(name), part)),
]


@pytest.mark.parametrize(
    ("name", "among"),
    [
        *TAKEN_UP,
        *(pytest.param(n, part, marks=pytest.mark.slow) for n in GALLERY for part in ("elements", "inputs", "loads")),
    ],
)
def test_a_prepared_model_takes_up_other_values(name, among):
    """As it does other numbers, without a new layout."""
    given = model(name)
    prepared, taken = PreparedModel(given), 0
    started(prepared, given)
    for seed in range(4):
        given, before = changed(given, seed, among), given
        if given == before:
            continue
        found = difference(prepared.layout.model, given)
        if found is not None and prepared.with_values(given, found):
            found, expected = started(prepared, given), started(PreparedModel(given), given)
            assert len(found) == len(expected)
            assert all(equal(one, other) for one, other in zip(found, expected, strict=True))
            taken += 1
        else:
            prepared = PreparedModel(given)
            started(prepared, given)
    assert taken or (name, among) not in TAKEN_UP


@pytest.mark.parametrize("name", LINEAR)
def test_linear_equations_follow_other_numbers(name, monkeypatch):
    """Matrices and outputs of changed models by one cache, seen at the end, and of each by an empty one."""
    models = [model(name)]
    for seed in (1, 2, 3, 4):
        models.append(changed(models[-1], seed))

    def matrices(found: LinearSystem) -> list[Any]:
        rates = [f"{name}'" for name in found.coordinates if name not in found.states]
        rows = [part for name in rates for part in found.output(name)]
        return [found.M, found.C, found.K, found.forcing, *found.drive_matrices, *rows]

    monkeypatch.setattr(CACHE, "models", {})
    swept = [fx.linearise(given) for given in models]
    for given, found in zip(models, swept, strict=True):
        CACHE.models.clear()
        expected = matrices(fx.linearise(given))
        assert all(equal(one, other) for one, other in zip(matrices(found), expected, strict=True))
