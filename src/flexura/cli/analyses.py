"""``flexura analyses``: the catalogue of analyses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from flexura.cli.command_output import say, show_table

if TYPE_CHECKING:
    from flexura.analyses.declaration import Analysis


def analyses(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The analysis to describe.", show_default=False)
    ] = None,
) -> None:
    """List the analyses, or describe one.

    The description gives the keys of a run in a model file: arguments, and figures of the result.
    """
    from flexura.analyses.declaration import analyses as known
    from flexura.errors import ModelError, did_you_mean
    from flexura.model.manual import words

    found = known()
    if name is None:
        rows = [[word, words(each.function)[0], _result(each)] for word, each in found.items()]
        show_table(["analysis", "content", "result"], rows)
        say("\nmore about one with: flexura analyses NAME")
        return
    if name not in found:
        raise ModelError("analyses", f"there is no '{name}'", did_you_mean(name, found))
    describe(found[name])


def describe(found: Analysis) -> None:
    """The page of one analysis."""
    from flexura.cli.run_tables import run_classes
    from flexura.model.manual import described, words

    head, rest = words(found.function)
    say(f"{found.name} → {_result(found)}: {head}.")
    if rest:
        say(f"\n{rest}")
    keys = [field for field in described(run_classes()[found.name]) if field.name != "analysis"]
    show_table(["argument", "meaning", "type", "unit", "default"], [field.line for field in keys])
    needed = "".join(f"\n{field.name} = …" for field in keys if field.usual == "")
    say(f'\nin a file:\n\n[runs.NAME]\nanalysis = "{found.name}"{needed}')


def _result(found: Analysis) -> str:
    return " or ".join(cls.__name__ for cls in found.results)
