"""A manual page for every element that is registered, made from the class alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from citations import linked
from element_examples import EXAMPLES
from pages import docstring, indented, table, title, toctree, write_pages
from sketches import sketch
from sphinx.application import Sphinx

from flexura.elements.element import Element, catalogue
from flexura.model.annotations import default
from flexura.model.manual import described, signals

SPACES = {"planar": "in the plane", "spatial": "in space"}


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("builder-inited", _write)
    return {"version": "1", "parallel_read_safe": True}


def _write(app: Sphinx) -> None:
    pages, contents = elements()
    folder = Path(app.srcdir) / "elements" / "generated"
    write_pages(folder, pages, contents)
    for name, example in EXAMPLES.items():
        sketch(folder / f"{name}.svg", example, name.partition("_")[0])


def elements() -> tuple[dict[str, str], str]:
    """The pages of all elements by their names, and the list of them, a table a space."""
    pages, lists = {}, ""
    for space, where in SPACES.items():
        known = {page_name(element): element for _, element in sorted(catalogue(space).items())}
        pages |= {name: page(element) for name, element in known.items()}
        rows = ([f":doc:`{e.__name__} <generated/{name}>`", docstring(e)[0]] for name, e in known.items())
        lists += f".. rubric:: {where.capitalize()}\n\n" + linked(table(["element", "description"], rows), ":cite:`%s`")
    return pages, lists + toctree(pages, "hidden:")


def page_name(element: type[Element]) -> str:
    """The name of a page: elements of the two spaces may have one name."""
    return f"{element.space}_{element.__name__.lower()}"


def page(element: type[Element]) -> str:
    """The manual page of one element: what it says of itself, what it is given, what can be read from it."""
    name = element.__name__
    head, rest = docstring(element)
    text = title(f"{name} {SPACES[element.space]}") + f"{head}\n\n" + rest + "\n\n"
    text += title("Arguments", "-") + table(["argument", "meaning", "type", "unit", "default"], fields(element))
    if signals(element):
        rows = ([f"``{name.lower()}.{signal}``", *rest] for signal, *rest in signals(element))
        text += title("Signals", "-") + f"Signals of an element that is named ``{name.lower()}``.\n\n"
        text += table(["signal", "kind", "unit", "a positive force"], rows)
    text += title("Example", "-") + ".. code-block:: python\n\n" + indented(written(element)) + "\n"
    return text + sketched(element)


def sketched(element: type[Element]) -> str:
    """The sketch of an element, and the way to read it."""
    if (name := page_name(element)) not in EXAMPLES:
        return ""
    said = "The element as drawn, with its nodes and the axes of its orientations: x orange, y green, z pink."
    if element.strains:
        said += " Beside it, for each strain, a displacement that makes it positive; the drawn element is pale."
    return title("Sketch", "-") + f".. image:: {name}.svg\n   :alt: {said}\n\n{said}\n\n"


def written(element: type[Element]) -> str:
    """The example of an element, or a call of the constructor with the fields that must be given."""
    if (name := page_name(element)) in EXAMPLES:
        return EXAMPLES[name].text
    needed = [field for field in described(element) if field.usual == ""]
    letters = iter("ABCDEFGH")
    given = [
        (f'["{next(letters)}", "{next(letters)}"]' if field.kind.startswith("list") else f'"{next(letters)}"')
        if field.node
        else f"{field.name}=..."
        for field in needed
    ]
    return f"{element.__name__}({', '.join(given)})"


def fields(cls: type) -> Iterator[list[str]]:
    """Name, meaning, type, unit and default (as in Python) of what a constructor takes."""
    for field in described(cls):
        usual = f"``{default(cls, field.name)!r}``" if field.usual else ""
        yield [f"``{field.name}``", field.meaning, field.kind, field.unit, usual]
