"""``flexura schema``: the JSON schema of model files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flexura.cli.code import Elements, load_elements
from flexura.cli.command_output import say


def schema(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="File to write (default: standard output).")
    ] = None,
    elements: Elements = None,
) -> None:
    """Print the JSON schema of model files.

    Editors complete and check what is typed once the first line of a model is "#:schema flexura.schema.json".
    """
    import json

    from flexura.atomic_files import whole
    from flexura.cli.run_tables import run_classes
    from flexura.cli.study_tables import StudyTable
    from flexura.model.schema import file_schema

    load_elements(elements)
    text = json.dumps(file_schema(run_classes().values(), StudyTable), indent=2, ensure_ascii=False) + "\n"
    if output is None:
        say(text.rstrip())
        return
    with whole(output) as draft:
        draft.write_text(text, encoding="utf-8")
    say(f"written to {output}")
