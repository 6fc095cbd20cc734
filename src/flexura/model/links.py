"""Slender links: elements with a line of material between two nodes, which have cross-sections."""

from __future__ import annotations

from flexura.elements.element import Element
from flexura.errors import ModelError, did_you_mean
from flexura.model.names import Names


def parts_of_link(names: Names, element: str) -> tuple[str, ...]:
    """Parts of a slender link, or an error."""
    where = f"section of '{element}'"
    if element in names.elements and element not in names.parts:
        parts: tuple[str, ...] = (element,)
    elif element in names.parts:
        parts = tuple(names.parts[element])
    else:
        raise ModelError(where, f"there is no element '{element}'", did_you_mean(element, list(names.parts)))
    if not is_slender(names, parts[0]):
        cls = type(names.elements[parts[0]])
        what = f"a {cls.__name__} is no slender link with cross-sections"
        links = [name for name in names.model.elements if is_slender(names, names.parts.get(name, (name,))[0])]
        raise ModelError(where, what, f"name a Beam or a Truss: {', '.join(links) or 'there is none'}")
    return parts


def is_slender(names: Names, part: str) -> bool:
    """True if a part of a link has a line of material between two nodes, and hence cross-sections."""
    element, kinds = names.elements[part], names.drawing.node_kinds(part)
    cls = type(element)
    without_line = cls.shape is Element.shape or cls.flow is not Element.flow
    return len(kinds) == 2 and not without_line and not element.coordinates
