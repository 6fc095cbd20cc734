"""``flexura run``: the runs of a model file."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexura.cli.code import Elements, bring
from flexura.cli.speaking import FAILED, complain, say
from flexura.errors import AnalysisError, ModelError, did_you_mean, placed

if TYPE_CHECKING:
    from flexura.cli.runs import Run
    from flexura.model.model import Model


def run(
    file: Annotated[Path, typer.Argument(help="The model with its runs, a TOML file.", show_default=False)],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The folder for results and figures; FILE_results if not said."),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--run", help="Perform this run alone. May be repeated.")
    ] = None,
    elements: Elements = None,
) -> None:
    """Perform every [runs.NAME] of a model file, print a summary, and write results and figures."""
    from flexura.cli.compiling import announced
    from flexura.cli.keeping import keep
    from flexura.cli.summary import show_ranges, show_summary
    from flexura.results.motion import Motion

    bring(elements)
    model, runs = read(file, only)
    folder = output or file.with_name(f"{file.stem}_results")
    folder.mkdir(parents=True, exist_ok=True)
    say(model.title or file.stem)
    rows, failed, written = [], False, []
    for each in runs:
        began = time.perf_counter()
        with announced():
            result, trouble = perform(each, model)
        rows.append((each, result, trouble, time.perf_counter() - began))
        if trouble:
            complain(f"{file.name}: runs.{each.name}: {trouble}")
            failed = True
        if isinstance(result, Motion):
            written += keep(result, each, folder)
    show_summary(rows)
    for each, result, _, _ in rows:
        show_ranges(each, result)
    for path in written:
        say(f"written {path}")
    if failed:
        raise typer.Exit(FAILED)


def read(file: Path, only: list[str] | None) -> tuple[Model, list[Run]]:
    """The model and the runs that are asked for."""
    from flexura.cli.runs import read_runs
    from flexura.model.files import load_file

    held = load_file(file)
    if not held.runs:
        remedy = 'add, for example, a table [runs.first] with analysis = "simulate" and until = 1.0'
        raise ModelError(file.name, "the file has no runs", remedy)
    for name in only or ():
        if name not in held.runs:
            raise ModelError(file.name, f"there is no run '{name}'", did_you_mean(name, held.runs))
    with placed(file.name):
        runs = read_runs(held.runs, held.model)
    return held.model, [each for each in runs if not only or each.name in only]


def perform(each: Run, model: Model) -> tuple[Any, str]:
    """The result of a run as far as it came, and what went wrong."""
    try:
        result = each.perform(model)
    except AnalysisError as error:
        return error.partial, str(error)
    trouble = "" if result.outcome.good else f"{result.outcome.value} {result.note}".strip()
    return result, trouble
