"""Checks of the form of an element: names and units, documentation, files, drawing, and methods that are final."""

from __future__ import annotations

import inspect
import tomllib
from typing import Any

import numpy as np

from flexura.algebra import Vector
from flexura.battery.rigid import common
from flexura.battery.specimen import Array, Specimen
from flexura.battery.state import difference, moved
from flexura.elements.element import Element, catalogue
from flexura.elements.orientation_elements import CARRIERS
from flexura.elements.slots import slots, targets
from flexura.laws.units import Unit
from flexura.model import toml
from flexura.model.annotations import allowed, fields, marks
from flexura.model.conversion import Definitions, build, plain
from flexura.model.schema import schema
from flexura.nodes import End, Frame, Point, SpatialPoint

_MADE = {"__post_init__", "__new__", "__init_subclass__", "__getattr__"}
"""Methods that the contract itself needs, besides those that it marks as final."""


def names_and_units(specimen: Specimen) -> list[str]:
    """strains, coordinates, units, tracked numbers and quadrature are named and counted right"""
    element = specimen.element
    complaints, rows = [], element.rows()
    if len(set(rows)) < len(rows) or not all(name.isidentifier() for name in rows):
        complaints.append(f"strains, coordinates and slips {rows} are not different plain names")
    slides = sum(len(contact.slips) for contact in element.contacts)
    named = len(rows) - len(element.gaps) - slides
    if len(element.units) not in {0, named}:
        complaints.append(f"{named} strains, coordinates and slips have {len(element.units)} units")
    if not set(element.implied) <= set(element.strains):
        complaints.append(f"the implied {', '.join(element.implied)} are not all among its strains")
    clash = {*_taken(), *targets(element)} & set(rows)
    # what serves the program alone is named by its end
    if clash and not element.internal:
        complaints.append(f"strains may not be called {', '.join(sorted(clash))}: nodes and coordinates are")
    if element.quadrature < 1:
        complaints.append("quadrature has no points")
    if not targets(element):
        complaints.append("no field is annotated At[…], so it is attached to nothing")
    return complaints


def _taken() -> set[str]:
    """Reserved names: those of coordinates, and of the rates and forces of every end in space."""
    coordinates = {c for node in (Point, SpatialPoint, End, Frame) for c in node.coordinates}
    return coordinates | {f"{carrier}_{axis}" for carrier, cls in CARRIERS.items() for axis in cls.slips}


def documented(cls: type[Element]) -> list[str]:
    """the docstring has a summary and a formula, and every number has a unit and a word"""
    complaints = []
    text = inspect.getdoc(cls) if cls.__doc__ != Element.__doc__ else None
    if not text or text.startswith(f"{cls.__name__}("):
        complaints.append("there is no docstring")
    elif not cls.internal and ".. math::" not in text and ":math:`" not in text:
        complaints.append("the docstring has no formula (.. math::)")
    for name, hint in fields(cls).items():
        units = [mark for mark in marks(hint) if isinstance(mark, Unit)]
        if allowed(hint).scalars and name not in slots(cls) and not (units and units[0].description):
            complaints.append(f"'{name}' has no Unit with a description")
    return complaints


def nothing_overridden(cls: type[Element]) -> list[str]:
    """it overrides nothing that is derived, and no concrete element"""
    complaints = []
    for name in vars(cls):
        made: Any = vars(Element).get(name)
        if name in _MADE or getattr(made, "__final__", False):
            complaints.append(f"it overrides '{name}', which is not its own")
    for base in cls.__mro__[1 : cls.__mro__.index(Element)]:
        own = [name for name in vars(cls) if inspect.isfunction(vars(base).get(name)) and not name.startswith("__")]
        if own and not inspect.isabstract(base):
            complaints.append(f"it overrides {', '.join(own)} of {base.__name__}")
    return complaints


def in_the_schema(cls: type[Element]) -> list[str]:
    """it is in the catalogue, and the file schema knows all its fields"""
    if cls.internal:
        return [f"'{cls.__name__}' is internal, and in the catalogue"] if cls in catalogue(cls.space).values() else []
    if catalogue(cls.space).get(cls.__name__) is not cls:
        return [f"the catalogue has no such '{cls.__name__}'"]
    known = schema(cls.space)["$defs"].get(f"element.{cls.__name__}", {}).get("properties", {})
    missing = [name for name in fields(cls) if name not in known]
    return [f"the schema lacks {', '.join(missing)}"] if missing else []


def counts(specimen: Specimen) -> list[str]:
    """the functions give as many values as there are names"""
    element, x = specimen.element, list(specimen.position)
    found: list[tuple[str, tuple[str, ...], Any]] = [
        ("strains", element.deformations(), specimen.strain(x)),
        ("slips", element.slips, specimen.slip(x, x)),
        ("tracked", element.following(), specimen.track(x)),
    ]
    complaints = [
        f"{word} has {len(names)} names, its function gives {len(values)} values"
        for word, names, values in found
        if len(names) != len(values)
    ]
    rows = element.rows()
    stresses = specimen.stress([0.0] * len(element.deformations()), [0.0] * len(rows))
    if len(stresses) not in {0, element.own_strains() if element.contacts else 0, len(rows)}:
        complaints.append(f"stress gives {len(stresses)} values for {len(rows)} strains and slips")
    rates, inertias = specimen.spins(x, x)
    if [len(rates)] * len(rates) != [len(row) for row in inertias]:
        complaints.append(f"spins gives {len(rates)} rates, but not as many rows and columns of inertias")
    return complaints + [
        f"measure gives no '{name}' to be tracked" for name in element.tracked if name not in specimen.numbers
    ]


def file_and_back(specimen: Specimen) -> list[str]:
    """written to a file and read back it is the same"""
    element = specimen.element
    if element.internal:
        return []
    data = plain(Element, element)
    read = tomllib.loads(toml.dumps({"elements": {"e": data}}))["elements"]["e"]
    back = build(Element, read, "e", Definitions(element.space))
    return [] if back == element else [f"{element!r} came back as {back!r}"]


def drawable(specimen: Specimen) -> list[str]:
    """its outline is made of finite points, for one position and for histories, and moves along"""
    x = specimen.position
    drawn = _outline(specimen, x)
    if not np.all(np.isfinite(drawn)):
        return ["the outline is not finite as drawn"]
    if difference(_outline(specimen, [np.full(3, value) for value in x]), drawn) > 1e-12:
        return ["the outline of a history is another than that of a position"]
    motion = common(specimen)
    after = moved(specimen, x, motion)
    moves = difference(_outline(*after), drawn @ motion.vectors.T + motion.shift) < 1e-12
    # a figure on two points in space may turn about their line
    if not moves and specimen.dimension == 3 and not any(isinstance(node, Frame) for node in specimen.nodes(x)):
        moves = difference(_distances(*after), _distances(specimen, x)) < 1e-12
    return [] if moves else ["the outline does not move along"]


def _distances(specimen: Specimen, x: Any) -> Array:
    """Distances of all points of the outline from each other and from the nodes."""
    outline = _outline(specimen, x)
    given = [node for arg in specimen.nodes(x) for node in (arg if isinstance(arg, tuple) else (arg,))]
    nodes = [[np.ravel(c)[-1] for c in node.r] for node in given if not isinstance(node, Vector)]
    points = np.vstack([outline, np.array(nodes).reshape(-1, specimen.dimension)])
    return np.asarray(np.linalg.norm(points[:, None] - points[None], axis=-1))


def _outline(specimen: Specimen, x: Any) -> Array:
    """All points of the lines, the last of each history."""
    lines = specimen.placed.outline(7, *specimen.nodes(x))
    return np.array([[np.ravel(c)[-1] for c in point] for line in lines for point in line]).reshape(
        -1, specimen.dimension
    )


def divided(specimen: Specimen) -> list[str]:
    """its parts are elements of its own kind"""
    parts = specimen.element.divide(specimen.numbers["length"])
    strange = [part for part in parts if type(part) is not type(specimen.element)]
    return [] if parts and not strange else [f"divide gives {strange or 'nothing'}"]
