"""``flexura elements``: the catalogue."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from flexura.cli.code import Elements, bring
from flexura.cli.speaking import say, show_table


def elements(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The element to describe.", show_default=False)
    ] = None,
    elements: Elements = None,
) -> None:
    """List the elements, or describe one.

    The description says what the element is, what it is given, and what its strains are.
    """
    from flexura.elements.element import catalogue
    from flexura.errors import ModelError, did_you_mean
    from flexura.model.manual import strains, words

    bring(elements)
    options = catalogue()
    if name is None:
        rows = [[word, words(cls)[0], ", ".join(strain for strain, _ in strains(cls))] for word, cls in options.items()]
        show_table(["element", "what it is", "strains"], rows)
        say("\nmore about one with: flexura elements NAME")
    elif name not in options:
        raise ModelError("elements", f"there is no '{name}'", did_you_mean(name, options))
    else:
        describe(options[name])


def describe(cls: type) -> None:
    """The page of one element."""
    from flexura.model.manual import described, strains, words

    head, rest = words(cls)
    say(f"{cls.__name__}: {head}.")
    if rest:
        # what is marked up for the manual is plain on a terminal
        say("\n" + re.sub(r":\w+:`([^`]*)`|\.\. \w+:: ", r"\1", rest))
    show_table(["given", "meaning", "type", "unit", "unless given"], list(described(cls)))
    if strains(cls):
        named = [[f"{cls.__name__.lower()}.{strain}", unit or "1"] for strain, unit in strains(cls)]
        show_table(["strain", "unit"], named)
    slots = ", ".join(f'{field.name} = "…"' for field in described(cls) if field.usual == "")
    say(f'\nin a file: {cls.__name__.lower()} = {{type = "{cls.__name__}", {slots}}}')
