"""``flexura study``: the studies of a model file."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexura.cli.code import Elements
from flexura.cli.command_output import FAILED, INTERRUPTED, complain, say, show_table
from flexura.cli.model_file import read, require_names
from flexura.cli.run import make_folder
from flexura.errors import ModelError, placed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from xarray import Dataset

    from flexura.cli.study_tables import Study
    from flexura.model.files import ModelFile


def study(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Model file (TOML) with studies.", show_default=False)],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FOLDER", help="Folder for stores and figures (default: FILE_studies)."),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--study", metavar="NAME", help="Perform only this study. May be repeated.")
    ] = None,
    threads: Annotated[
        int | None, typer.Option("--threads", metavar="N", help="Threads of this process (default: one per core).")
    ] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", metavar="N", help="Processes of a local cluster, in place of threads.")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option("--cluster", metavar="ADDRESS", help="Dask scheduler, such as tcp://host:8786.")
    ] = None,
    retry: Annotated[bool, typer.Option("--retry", help="Repeat the runs that failed.")] = False,
    elements: Elements = None,
) -> None:
    """Perform the studies of a model file.

    Every [studies.NAME] varies parameters of a run. Entries are written to NAME.nc while the study runs; after an
    interruption the same command goes on where it was.
    """
    import flexura.analyses.studies.study as engine

    held = read(file, elements)
    studies = chosen(held, only, file.name)
    folder = output or file.with_name(f"{file.stem}_studies")
    make_folder(folder)
    say(held.model.title or file.stem)
    code = 0
    with _client(workers, cluster) as client:
        for each in studies:
            store = folder / f"{each.name}.nc"
            with placed(f"{file.name}: studies.{each.name}"):
                data = engine.study(
                    held.model, **each.arguments, workers=threads, client=client, store=store, retry=retry
                )
                written = _draw(each, data, folder)
            code = max(code, _report(each, data))
            for path in [store, *written]:
                say(f"written {path}")
            if code == INTERRUPTED:
                break
    if code:
        raise typer.Exit(code)


def chosen(held: ModelFile, only: list[str] | None, where: str) -> list[Study]:
    """The requested studies; all studies of the file are checked."""
    from flexura.cli.run_tables import read_runs
    from flexura.cli.study_tables import read_studies

    if not held.studies:
        remedy = "add a table such as [studies.first] with vary, run and keep"
        raise ModelError(where, "the file has no studies", remedy)
    require_names(only, held.studies, "study", where)
    with placed(where):
        studies = read_studies(held.studies, read_runs(held.runs, held.model), held.model)
    return [each for each in studies if not only or each.name in only]


@contextmanager
def _client(workers: int | None, cluster: str | None) -> Iterator[Any]:
    """Client of the requested cluster; None for threads of this process."""
    from flexura.analyses.studies.cluster import connected, local_cluster

    if workers is not None and cluster is not None:
        raise ModelError("--cluster", "a local cluster is asked for too", "give --workers or --cluster")
    if workers is None and cluster is None:
        yield None
        return
    client = connected(cluster) if cluster is not None else local_cluster(workers or 1)
    try:
        yield client
    finally:
        client.close()


def _draw(each: Study, data: Dataset, folder: Path) -> list[Path]:
    """Draw the figures of a study; their paths."""
    from flexura.plotting.studies import plot_study

    written = []
    for quantity, kind in each.table.plot.items():
        path = folder / f"{each.name}_{quantity}.png"
        plot_study(data, quantity, kind=kind, path=str(path))
        written.append(path)
    return written


def _report(each: Study, data: Dataset) -> int:
    """Print the counts of a study and the reasons of failures; its exit code."""
    import numpy as np

    status = Counter(data["status"].values.ravel().tolist())
    rows = [[name, f"{number}"] for name, number in status.items()]
    show_table(("runs", "number"), rows, each.name, right=("number",))
    failed = data["reason"].values[data["status"].values == "failed"]
    for reason, number in Counter(np.ravel(failed).tolist()).most_common(5):
        complain(f"{number} of {each.count} runs failed: {reason}")
    if status["not run"]:
        complain(f"interrupted after {each.count - status['not run']} of {each.count} runs; the same command goes on")
        return INTERRUPTED
    return FAILED if status["failed"] == each.count else 0
