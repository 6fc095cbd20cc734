"""Public names, each fetched from its own module.

The import statements of :mod:`flexura.public` say where each name is. They are read and not executed, so that a model
of a few planar elements is not preceded by the import of all analyses, elements and formats.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from flexura.laws.argument_checks import refuse_arguments, refuse_keywords
from flexura.model.model import Model
from flexura.results.result import Result

_HOME = "flexura.public"


@cache
def places() -> dict[str, tuple[str, str]]:
    """Module of each public name, and its name there."""
    spec = find_spec(_HOME)
    source = spec.loader.get_source(_HOME) if spec else None  # type: ignore[union-attr]  # of any file or archive
    imports = [each for each in ast.parse(source or "").body if isinstance(each, ast.ImportFrom)]
    found = {name.asname or name.name: (str(each.module), name.name) for each in imports for name in each.names}
    return {name: place for name, place in found.items() if not name.startswith("_")}


@cache
def fetch(name: str) -> Any:
    """Function, class or module of a public name.

    Constructors of laws, signals, methods and sections, and functions, refuse arguments that are misspelt or left out.
    """
    module, there = places()[name]
    if module == "flexura":
        return import_module(f"{module}.{there}")
    thing = getattr(import_module(module), there)
    if inspect.isclass(thing) and dataclasses.is_dataclass(thing) and not issubclass(thing, Result | Model):
        refuse_keywords(thing, name)
    # analyses check their arguments themselves
    return refuse_arguments(thing) if inspect.isfunction(thing) and "__wrapped__" not in vars(thing) else thing
