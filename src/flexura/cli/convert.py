"""``flexura convert``: models and results in the files of other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flexura.cli.code import Elements, load_elements
from flexura.cli.command_output import complain, say

RESULTS = (".nc", ".nc4")
"""endings of result files"""


def convert(
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="File to read.", show_default=False)],
    target: Annotated[Path, typer.Argument(metavar="TARGET", help="File to write.", show_default=False)],
    elements: Elements = None,
) -> None:
    """Convert a model or a result to another format.

    The endings of the names determine the formats. Models are read from .toml, .dat (SPACAR), .urdf and .xml (MJCF),
    and written as .toml and .dat. Results (.nc) are written as .mat, .csv, .npz, .parquet, .pvd (ParaView) and .glb
    (glTF). Lines that the target lacks are listed on the error stream.
    """

    load_elements(elements)
    if not source.is_file():
        from flexura.errors import ModelError

        raise ModelError(source.name, "there is no such file", f"is '{source}' its path?")
    if source.suffix.lower() in RESULTS:
        from flexura.results.storage import load

        load(source).save(target)
    else:
        convert_model(source, target)
    say(f"written {target}")


def convert_model(source: Path, target: Path) -> None:
    """Convert a model, with its runs if the format has any, and report what is left out."""
    import warnings

    from flexura.formats.registry import model_writer, reader
    from flexura.model.files import save_file

    write = model_writer(target)
    held = reader(source)(source)
    for note in held.notes:
        complain(f"{source.name}: {note}")
    for word, names in (("inputs", held.inputs), ("outputs", held.outputs)):
        if names:
            say(f"{word} of the linear system: {', '.join(names)}")
    if target.suffix.lower() == ".toml":
        save_file(held.model, target, held.runs)
        return
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        write(held.model, target)
    for each in caught:
        complain(str(each.message))
    if held.runs:
        complain(f"{target.name}: left out: the runs {', '.join(held.runs)}")
