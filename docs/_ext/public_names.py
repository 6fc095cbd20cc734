"""The reference: every public name of the package, grouped by the room of the house it comes from."""

from __future__ import annotations

import dataclasses
import inspect
from collections import defaultdict
from pathlib import Path
from typing import Any, get_args, get_type_hints

from catalogue import fields
from pages import indented, table, title, toctree, write_pages
from sphinx.application import Sphinx

import flexura
from flexura.analyses.declaration import analyses
from flexura.cli.run_tables import run_classes

HEADS = ["argument", "meaning", "type", "unit", "default"]

# rooms in the order a reader meets them; a name from another room is put last, under the name of its room
ROOMS = {
    "model": "Models",
    "analyses": "Analyses",
    "results": "Results",
    "laws": "Materials, sections, signals and laws",
    "integrators": "Integrators",
    "elements": "For writing elements",
    "nodes": "Nodes",
    "algebra": "Algebra of kernels",
    "errors": "Errors",
}


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("builder-inited", _write)
    app.connect("autodoc-process-signature", _signature)
    return {"version": "1", "parallel_read_safe": True}


def _write(app: Sphinx) -> None:
    pages = reference()
    write_pages(Path(app.srcdir) / "reference" / "generated", pages, toctree(pages, "maxdepth: 2"))


def reference() -> dict[str, str]:
    """The pages, by the room that they describe; what public functions return is with the results."""
    rooms: dict[str, list[str]] = defaultdict(list)
    for name in flexura.__all__:
        thing = getattr(flexura, name)
        if not inspect.ismodule(thing):
            rooms[room_of(thing)].append(name)
    order = sorted(rooms, key=lambda room: (list(ROOMS).index(room) if room in ROOMS else len(ROOMS), room))
    pages = {room: page(room, rooms[room]) for room in order}
    pages["results"] += "".join(f".. autoclass:: {where}\n   :members:\n\n" for where in nouns())
    return pages


def nouns() -> list[str]:
    """Where the classes are that public functions return and that have no public name themselves."""
    public = (getattr(flexura, name) for name in flexura.__all__)
    # classes of other packages are imported when they are needed, and have no name at run time
    others = {"Dataset": object, "Figure": object}
    hints = [get_type_hints(thing, localns=others).get("return") for thing in public if inspect.isfunction(thing)]
    found = [cls for hint in hints for cls in get_args(hint) or (hint,) if inspect.isclass(cls)]
    own = {cls for cls in found if cls.__module__.startswith("flexura.") and cls.__name__ not in flexura.__all__}
    return sorted(f"{cls.__module__}.{cls.__name__}" for cls in own)


def _signature(app: Sphinx, what: str, name: str, thing: Any, options: Any, given: str, returned: str) -> Any:
    """Of classes, what a user gives; nothing of results, which analyses make."""
    if what != "class":
        return None
    if room_of(thing) in {"results", "errors"}:
        return "", None
    parameters = inspect.signature(thing.__init__).parameters.values()
    return f"({', '.join(p.name if p.default is p.empty else f'{p.name}=…' for p in list(parameters)[1:])})", None


def room_of(thing: Any) -> str:
    """The part of the package in which a thing is defined."""
    module = getattr(thing, "__module__", None) or type(thing).__module__
    return [*module.split("."), "flexura"][1]


def page(room: str, names: list[str]) -> str:
    """One page of autodoc directives."""
    return title(ROOMS.get(room, room.capitalize())) + "".join(entry(name) for name in names)


def run_keys(name: str) -> str:
    """Keys of the runs of an analysis in a model file, as a table; nothing for other functions."""
    if name not in analyses():
        return ""
    rows = (row for row in fields(run_classes()[name]) if row[0] != "``analysis``")
    return f'In a model file, ``analysis = "{name}"``:\n\n' + table(HEADS, rows)


def entry(name: str) -> str:
    """The autodoc directive that fits the kind of thing a name stands for; what is given to it, as a table."""
    thing = getattr(flexura, name)
    if not inspect.isclass(thing):
        return f".. autofunction:: flexura.{name}\n\n" + run_keys(name)
    if not dataclasses.is_dataclass(thing) or room_of(thing) == "results":
        return f".. autoclass:: flexura.{name}\n   :members:\n\n"
    given = indented(table(HEADS, fields(thing)))
    # a model has methods worth knowing; the other values are only there to be given
    known = ", ".join(field.name for field in dataclasses.fields(thing))
    members = f"   :members:\n   :exclude-members: {known}\n" if room_of(thing) == "model" else ""
    return f".. autoclass:: flexura.{name}\n{members}\n{given}\n"
