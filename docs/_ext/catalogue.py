"""A manual page for every element that is registered, made from the class alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from citations import linked
from pages import docstring, table, title, toctree, write_pages
from sphinx.application import Sphinx

import flexura.planar  # noqa: F401 - registers its elements
from flexura.elements.element import Element, catalogue
from flexura.laws.units import Unit
from flexura.model import hints
from flexura.nodes import Slot


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("builder-inited", _write)
    return {"version": "1", "parallel_read_safe": True}


def _write(app: Sphinx) -> None:
    elements = dict(sorted(catalogue().items()))
    pages = {name: page(name, element) for name, element in elements.items()}
    rows = ([f":doc:`generated/{name}`", docstring(element)[0]] for name, element in elements.items())
    contents = linked(table(["element", "what it is"], rows), ":cite:`%s`") + toctree(elements, "hidden:")
    write_pages(Path(app.srcdir) / "elements" / "generated", pages, contents)


def page(name: str, element: type[Element]) -> str:
    """The manual page of one element: what it says of itself, what it is given, what can be read from it."""
    head, rest = docstring(element)
    text = title(name) + f"{head}\n\n" + rest + "\n\n"
    text += title("Given", "-") + table(["name", "meaning", "type", "unit", "unless given"], fields(element))
    if element.strains:
        units = element.units or ("m",) * len(element.strains)
        signals = ([f"``{name.lower()}.{strain}``", unit] for strain, unit in zip(element.strains, units, strict=True))
        text += title("Strains", "-") + f"Signals of an element that is named ``{name.lower()}``.\n\n"
        text += table(["signal", "unit"], signals)
    return text


def fields(element: type[Element]) -> Iterator[list[str]]:
    """Name, meaning, type, unit and default of what the constructor takes."""
    needed = hints.required(element)
    for name, hint in hints.fields(element).items():
        units = [mark for mark in hints.marks(hint) if isinstance(mark, Unit)]
        meaning, unit = (units[0].description, units[0].name) if units else ("", "")
        if any(isinstance(mark, Slot) for mark in hints.marks(hint)):
            meaning = "where it is attached"
        default = "" if name in needed else f"``{hints.default(element, name)!r}``"
        yield [f"``{name}``", meaning, kind(hint), unit, default]


def kind(hint: Any) -> str:
    """What an annotation allows, in words."""
    nodes = [node.__name__.lower() for mark in hints.marks(hint) if isinstance(mark, Slot) for node in mark.kinds]
    allowed = hints.allowed(hint)
    names = [*allowed.scalars, *allowed.classes]
    return " or ".join(
        nodes or [f"``{cls.__name__}``" for cls in names] or [f"``{text}``" for text in allowed.literals]
    )
