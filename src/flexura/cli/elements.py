"""``flexura elements``: the catalogue of elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from flexura.cli.code import Elements, load_elements
from flexura.cli.command_output import say, show_table

if TYPE_CHECKING:
    from flexura.elements.element import Element

HEADS = {"planar": "in the plane", "spatial": "in space"}


def elements(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Element to describe.", show_default=False)] = None,
    space: Annotated[
        str | None, typer.Option("--space", metavar="SPACE", help="planar or spatial (default: both).")
    ] = None,
    kernel: Annotated[
        str | None,
        typer.Option("--kernel", metavar="LEVEL", help="Print the kernel of this level of the element, as Python."),
    ] = None,
    elements: Elements = None,
) -> None:
    """List the elements, or describe one.

    The description has the formulas, arguments and signals of the element, with units and defaults.
    """
    from flexura.elements.element import catalogue
    from flexura.elements.other_names import remedy_for
    from flexura.errors import ModelError, did_you_mean

    load_elements(elements)
    if name is not None and "." in name:
        given, _, name = name.removeprefix("flexura.").partition(".")
        space = space or given
    if space is not None and space not in HEADS:
        raise ModelError("--space", f"there is no space '{space}'", did_you_mean(space, HEADS))
    catalogues = {each: catalogue(each) for each in ([space] if space else HEADS)}
    if name is None:
        for each, options in catalogues.items():
            list_elements(each, options)
        say("\nmore about one with: flexura elements NAME")
        return
    found = [options[name] for options in catalogues.values() if name in options]
    if not found:
        known = dict.fromkeys(word for options in catalogues.values() for word in options)
        raise ModelError("elements", f"there is no '{name}'", remedy_for(name, known))
    for i, cls in enumerate(found):
        if i:
            say("\n")
        if kernel is None:
            describe(cls)
        else:
            say(kernel_text(cls, kernel))


def kernel_text(cls: type[Element], level: str) -> str:
    """The kernel of one level of an example of an element, as Python."""
    from flexura.battery.examples import specimens
    from flexura.derive.kernels import read_kernel
    from flexura.derive.levels import LEVELS
    from flexura.errors import ModelError, did_you_mean

    if level not in LEVELS:
        raise ModelError("--kernel", f"there is no level '{level}'", did_you_mean(level, LEVELS, most=len(LEVELS)))
    return read_kernel(specimens(cls)[0].kind, level)


def list_elements(space: str, options: dict[str, type[Element]]) -> None:
    """The elements of one space."""
    from flexura.model.manual import strains, words

    rows = [[word, words(cls)[0], ", ".join(strain for strain, _ in strains(cls))] for word, cls in options.items()]
    show_table(["element", "description", "strains"], rows, title=HEADS[space])


def describe(cls: type[Element]) -> None:
    """The page of one element."""
    from flexura.model.formula_text import reflowed
    from flexura.model.manual import described, signals, words

    head, rest = words(cls)
    say(f"{cls.__name__} ({cls.space}): {head}.")
    if rest:
        say(f"\n{reflowed(rest)}")
    show_table(["argument", "meaning", "type", "unit", "default"], [field.line for field in described(cls)])
    if signals(cls):
        rows = [
            [f"{cls.__name__.lower()}.{name}", word, unit or "1", force] for name, word, unit, force in signals(cls)
        ]
        show_table(["signal", "kind", "unit", "a positive force"], rows)
    needed = [field for field in described(cls) if field.usual == ""]
    slots = ", ".join(f"{field.name} = {field.placeholder}" for field in needed)
    where = ' with space = "spatial"' if cls.space == "spatial" else ""
    say(f'\nin a file{where}: {cls.__name__.lower()} = {{type = "{cls.__name__}", {slots}}}')
