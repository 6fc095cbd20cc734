"""``flexura run``: the runs of a model file."""

from __future__ import annotations

import time
import warnings
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flexura.cli.code import Elements
from flexura.cli.command_output import DOUBTFUL, FAILED, MISTAKEN, complain, gravest, say
from flexura.cli.finished_runs import FinishedRuns
from flexura.cli.model_file import read, require_names
from flexura.errors import AnalysisError, ModelError, UnfinishedRun, placed

if TYPE_CHECKING:
    from flexura.cli.run_tables import Run
    from flexura.cli.summary import Done
    from flexura.model.files import ModelFile
    from flexura.model.model import Model


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Model file (TOML) with runs.", show_default=False)],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FOLDER", help="Folder for results and figures (default: FILE_results)."
        ),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--run", metavar="NAME", help="Perform only this run. May be repeated.")
    ] = None,
    elements: Elements = None,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="After an interruption: skip the runs that were finished, of the same model."),
    ] = False,
) -> None:
    """Perform the runs of a model file.

    Every [runs.NAME] is an analysis with its arguments and its output. The runs are summarised in a table; results
    (netCDF-4) and figures are written to a folder and named after the run.
    """
    from flexura.cli.summary import show_numbers, show_summary

    held = read(file, elements)
    runs = chosen(held, only, file.name)
    folder = output or file.with_name(f"{file.stem}_results")
    make_folder(folder)
    say(held.model.title or file.stem)
    performed, written = [], []
    finished = FinishedRuns(folder)
    left = [each for each in runs if not (resume and finished.has(each, held.model))]
    for each in runs:
        if each not in left:
            say(f"runs.{each.name}: its results are there, skipped")
    for each in left:
        done = perform(each, held.model)
        performed.append(done)
        if done.trouble:
            complain(f"{file.name}: runs.{each.name}: {done.trouble}")
        if done.result is not None:
            with placed(f"{file.name}: runs.{each.name}"):
                files = each.write(done.result, folder)
            written += files
            if not done.code and not done.summary.interrupted:
                finished.add(each, held.model, files)
        if done.summary.interrupted:
            break
    show_summary(performed, not_reached := left[len(performed) :])
    for done in performed:
        show_numbers(done)
    say()
    for path in written:
        say(f"written {path}")
    if not not_reached and not any(done.summary.interrupted for done in performed):
        finished.forget()
    if not_reached:
        names = ", ".join(each.name for each in not_reached)
        complain(f"{file.name}: not reached after the interruption: {names}; go on with flexura run {file} --resume")
    if code := gravest([*(done.code for done in performed), *(FAILED for _ in not_reached)]):
        raise typer.Exit(code)


def chosen(held: ModelFile, only: list[str] | None, where: str) -> list[Run]:
    """The requested runs; all runs of the file are checked."""
    from flexura.cli.run_tables import read_runs

    if not held.runs:
        remedy = 'add a table such as [runs.first] with analysis = "simulate" and until = 1.0'
        raise ModelError(where, "the file has no runs", remedy)
    require_names(only, held.runs, "run", where)
    with placed(where):
        runs = read_runs(held.runs, held.model)
    return [each for each in runs if not only or each.name in only]


def make_folder(folder: Path) -> None:
    """Make the folder for the results, unless it exists."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ModelError(str(folder), f"the folder cannot be made: {reason}", "choose another with -o") from None


def perform(each: Run, model: Model) -> Done:
    """Perform a run; after an error its result contains what was computed, and the message."""
    from flexura.cli.compilation_notice import announced
    from flexura.cli.summary import Done

    began = time.perf_counter()
    try:
        with announced(), warnings.catch_warnings():
            # the table and the message of the run say so
            warnings.simplefilter("ignore", UnfinishedRun)
            result = each.perform(model)
    except AnalysisError as error:
        reached = error.partial if isinstance(error.partial, each.analysis.results) else None
        return Done(each, reached, str(error), FAILED, time.perf_counter() - began)
    except ModelError as error:
        return Done(each, None, str(error), MISTAKEN, time.perf_counter() - began)
    done = Done(each, result, "", 0, time.perf_counter() - began)
    found = done.summary
    return replace(done, trouble=found.trouble, code=FAILED if found.failed else DOUBTFUL if found.doubtful else 0)
