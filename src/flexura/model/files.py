"""TOML ⇄ Model, key for key: a file is the constructor of :class:`~flexura.model.model.Model`, written down.

Beside the model's own keys a file may hold ``[materials]`` and ``[sections]``, named values that elements refer to,
``[runs.NAME]``, what to do with the model, and ``[studies.NAME]``, over which parameters to do it. A file is data:
reading it never runs anything.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flexura.atomic_files import whole
from flexura.errors import ModelError, did_you_mean, placed
from flexura.laws.familiar_words import NO_KEYS, familiar
from flexura.laws.materials import Material
from flexura.laws.sections import AnySection
from flexura.model import toml
from flexura.model.addresses import DIMENSIONS
from flexura.model.annotations import Hint, allowed, fields
from flexura.model.conversion import Definitions, build, make, plain, shown, table
from flexura.model.model import Model
from flexura.model.plausibility import refuse_scalar_gravity
from flexura.model.toml_slips import refuse_misplaced, syntax_error
from flexura.substructures.substructure import UNSAVED, Substructure, beside

DEFINABLE: dict[str, Hint] = {"materials": Material, "sections": AnySection}
"""The tables of named values, and what they hold."""

MOST_BYTES = 10_000_000
MOST_DEEP = 20

_KEY = r"(?:[\w-]++|\"[^\"\n]*+\"|'[^'\n]*+')"
_DEEP_KEY = re.compile(rf"(?<![\w\-.\"']){_KEY}(?:[ \t]*+\.[ \t]*+{_KEY}){{{MOST_DEEP},}}+[ \t]*+[=\]]")
"""A dotted key of more parts than a model is deep. A parser takes time that grows with the square of their number."""

Runs = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class ModelFile:
    """Content of a file: the model, and the runs by name."""

    model: Model
    runs: dict[str, dict[str, Any]] = field(default_factory=dict)
    studies: dict[str, dict[str, Any]] = field(default_factory=dict)


# ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def load_file(path: str | os.PathLike[str]) -> ModelFile:
    """The model and the runs in a file."""
    with beside(Path(path).parent):
        return loads(_read(Path(path)), where=Path(path).name or str(path))


def loads(text: str, where: str = "model") -> ModelFile:
    """The model and the runs in a text; ``where`` names the text in errors."""
    try:
        data = _parse(text)
        runs, studies = (_tables(group, data.pop(group, {})) for group in ("runs", "studies"))
        return ModelFile(_model(data), runs, studies)
    except ModelError as error:
        raise error.within(where) from None


def read_bytes(path: Path, most: int | None = None) -> bytes:
    """Content of a file, which the caller names in errors; one that is larger than ``most`` bytes is not read."""
    most = MOST_BYTES if most is None else most
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)
    except (OSError, ValueError) as error:  # a name with the character NUL is a ValueError
        if path.is_dir():
            raise ModelError("", "this is a folder", f"name a file in '{path}'") from None
        reason = getattr(error, "strerror", "") or "it cannot be opened"
        raise ModelError("", f"the file cannot be read: {reason.lower()}", f"is '{path}' its path?") from None
    if len(content) > most:
        raise ModelError("", f"the file is larger than {most // 10**6} MB", "give a model file")
    return content


def _read(path: Path) -> str:
    with placed(path.name):
        content = read_bytes(path)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise ModelError(path.name, f"line {line} is not text", "a model is a TOML file in UTF-8") from None


def _parse(text: str) -> dict[str, Any]:
    if len(text) > MOST_BYTES:
        raise ModelError("", f"the text is longer than {MOST_BYTES // 10**6} MB", "give a model file")
    too_deep = ModelError("", f"tables and lists are nested more than {MOST_DEEP} deep", "a model needs about five")
    if _DEEP_KEY.search(text):
        raise too_deep
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise too_deep from None
    except ValueError as error:
        raise syntax_error(text, error) from None
    level: list[Any] = [data]
    for _ in range(MOST_DEEP):
        level = [inner for outer in level for inner in (outer.values() if isinstance(outer, dict) else outer)]
        level = [inner for inner in level if isinstance(inner, dict | list)]
    if level:
        raise too_deep
    return data


def _tables(group: str, data: Any) -> dict[str, dict[str, Any]]:
    """Tables of runs or studies, without interpretation."""
    if not isinstance(data, dict):
        raise ModelError(group, f"{shown(data)} is not a table of {group}", f"write [{group}.NAME]")
    for name, inner in data.items():
        if not isinstance(inner, dict):
            what = f"{shown(inner)} is not a table"
            raise ModelError(f"{group}.{name}", what, f"write [{group}.NAME] above it, with a name of your choice")
    return data


def _model(data: dict[str, Any]) -> Model:
    options = [*fields(Model), *DEFINABLE, "runs", "studies"]
    for key in data:
        if key not in options:
            remedy = NO_KEYS.get(key) or familiar(key, options) or did_you_mean(key, options)
            raise ModelError("", f"a model has no '{key}'", remedy)
    refuse_misplaced(data)
    space = data.get("space", "planar")
    if not isinstance(space, str) or space not in DIMENSIONS:
        raise ModelError("space", f"there is no space {shown(space)}", did_you_mean(str(space), DIMENSIONS))
    _refuse_other_space(space, data.get("nodes"))
    refuse_scalar_gravity(data.get("gravity"), "[", "]")
    named = {group: _named(group, data.pop(group, {})) for group in DEFINABLE}
    model: Model = make(Model, data, "", Definitions(space, named))
    return model


def _refuse_other_space(space: str, nodes: Any) -> None:
    """Refuse a model whose nodes all have as many coordinates as in the other space, before errors of its elements."""
    given = list(nodes.values()) if isinstance(nodes, dict) else []
    for other, dimension in DIMENSIONS.items():
        if other != space and given and all(isinstance(at, list) and len(at) == dimension for at in given):
            what = f"the nodes have {dimension} numbers each, but the model is {space}"
            raise ModelError("nodes", what, f'write space = "{other}", or give {DIMENSIONS[space]} numbers')


def _named(group: str, data: Any) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise ModelError(group, f"{shown(data)} is not a table", f"write [{group}]")
    return {name: build(DEFINABLE[group], value, f"{group}.{name}", key=_single(group)) for name, value in data.items()}


def _single(group: str) -> str:
    """Singular of the name of a table of definitions."""
    return group.removesuffix("s")


# ── writing ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def save_file(model: Model, path: str | os.PathLike[str], runs: Runs | None = None) -> None:
    """Write a model to a file, whole or not at all; substructures that are in no file are saved beside it."""
    if (ending := Path(path).suffix) != ".toml":
        raise ModelError(str(path), f"a model is written in TOML, not as '{ending}'", "let the name end in .toml")
    text = dumps(_with_saved_parts(model, Path(path)), runs)
    with whole(Path(path)) as draft:
        draft.write_text(text, encoding="utf-8", newline="\n")


def _with_saved_parts(model: Model, path: Path) -> Model:
    """The model with its unsaved substructures in files named after the model and the element."""
    elements = dict(model.elements)
    for name, element in model.elements.items():
        for field_ in fields(type(element)):
            part = getattr(element, field_)
            if isinstance(part, Substructure) and part.file.startswith(UNSAVED):
                file = f"{path.stem}_{name}.npz"
                saved = part.save(path.with_name(file)).named(file)
                elements[name] = type(element)(**(vars(element) | {field_: saved}))
    return model.replace(elements=elements)


def dumps(model: Model, runs: Runs | None = None) -> str:
    """The text of a file with this model and these runs."""
    defined = Definitions(model.space, _shared(model))
    keys = {key: value for key, value in table(model, defined).items() if key != "gravity" or any(value)}
    shelves = {
        key: {name: plain(DEFINABLE[key], value, key=_single(key)) for name, value in named.items()}
        for key, named in defined.named.items()
    }
    # the order in which one reads: what it is, where the nodes are, what the elements are made of
    first = {key: value for key, value in keys.items() if key in {"title", "space", "nodes"}}
    return toml.dumps({**first, **shelves, **keys, "runs": runs or {}}, nested=("runs",))


def _shared(model: Model) -> dict[str, dict[str, Any]]:
    """Names of the values that several elements share."""
    found: dict[str, dict[str, Any]] = {}
    for group, hint in DEFINABLE.items():
        classes = allowed(hint).classes
        used = Counter(
            value
            for element in model.elements.values()
            for value in (getattr(element, name) for name in fields(type(element)))
            if isinstance(value, classes)
        )
        shared = [value for value, times in used.items() if times > 1]
        if shared:
            found[group] = {f"{_single(group)}_{i}": value for i, value in enumerate(shared, start=1)}
    return found
