"""Execution of Python files that were named on the command line, the only way to run a user's code."""

from __future__ import annotations

import inspect
import sys
import traceback
from collections.abc import Iterable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated

import typer

from flexura.errors import ModelError

if TYPE_CHECKING:
    from flexura.elements.element import Element

Elements = Annotated[
    list[Path] | None,
    typer.Option(
        "--elements", metavar="FILE", help="Python file with your own elements; it is executed. May be repeated."
    ),
]
"""The option of the commands that take a user's elements."""


def load_elements(paths: Iterable[Path] | None) -> dict[str, type[Element]]:
    """Execute Python files, and return the elements that they define."""
    import flexura.planar
    import flexura.spatial  # noqa: F401 - a user's element may not take the name of one of these

    found: dict[str, type[Element]] = {}
    for path in paths or ():
        found |= _elements(path)
    return found


def _elements(path: Path) -> dict[str, type[Element]]:
    from flexura.elements.element import Element, catalogue

    before = {space: catalogue(space) for space in ("planar", "spatial")}
    module = _execute(path)
    mine = [cls for cls in vars(module).values() if inspect.isclass(cls) and cls.__module__ == module.__name__]
    found = {cls.__name__: cls for cls in mine if issubclass(cls, Element)}
    for name, cls in found.items():
        if name in before[cls.space]:
            raise ModelError(path.name, f"there is an element '{name}' already", "give yours another name")
    return found


def _execute(path: Path) -> ModuleType:
    """Run a file as a module of its own."""
    spec = spec_from_file_location(f"elements_of_{path.stem}", path.resolve())
    if not path.is_file() or spec is None or spec.loader is None:
        raise ModelError(path.name, "there is no such Python file", f"is '{path}' its path?")
    module = module_from_spec(spec)
    # annotations are read from the module by its name
    sys.modules[module.__name__] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[module.__name__]
        raise ModelError(path.name, f"{_line(error, path)}{type(error).__name__}: {error}", "mend the file") from None
    return module


def _line(error: Exception, path: Path) -> str:
    """Line of the file at which an error occurred."""
    if isinstance(error, SyntaxError):
        return ""
    lines = [
        frame.lineno for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename) == path.resolve()
    ]
    return f"line {lines[-1]}: " if lines else ""
