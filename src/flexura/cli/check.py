"""``flexura check``: errors and warnings about a model or a user's element."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flexura.cli.code import Elements, load_elements
from flexura.cli.command_output import FAILED, complain, say, show_table
from flexura.cli.model_file import read
from flexura.errors import ModelError, placed


def check(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Model (.toml), or your own elements (.py).", show_default=False)
    ],
    elements: Elements = None,
) -> None:
    """Check a model or an element.

    Of a model: degrees of freedom and independent coordinates, redundant constraints by name, motion without
    inertia, unused nodes, and mistakes in the runs. Of an element: the battery that every built-in one passes.
    """
    if not file.is_file():
        raise ModelError(file.name, "there is no such file", f"is '{file}' its path?")
    good = check_elements(file) if file.suffix == ".py" else check_model(file, elements)
    if not good:
        raise typer.Exit(FAILED)


# ── a model ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def check_model(file: Path, elements: list[Path] | None) -> bool:
    """Check the model in a file and report what is wrong; true if it is correct."""
    from flexura.analyses.statics.model_check import check_model as check_whole
    from flexura.cli.run_tables import read_runs

    try:
        held = read(file, elements)
        with placed(file.name):
            read_runs(held.runs, held.model)
    except ModelError as error:
        complain(str(error))
        return False
    report = check_whole(held.model)
    say(report.model)
    if report.degrees >= 0:
        say(f"\n{report.mobility()}")
    for finding in (*report.errors, *report.remarks):
        complain(f"{file.name}: {finding}")
    return bool(report)


# ── an element ───────────────────────────────────────────────────────────────────────────────────────────────────────


def check_elements(file: Path) -> bool:
    """Run the battery on the elements in a file and report each test; true if all pass."""
    from flexura.battery import run_battery

    found = load_elements([file])
    if not found:
        raise ModelError(file.name, "there is no element in it", "an element is a subclass of Element")
    good = True
    for name, cls in found.items():
        findings = run_battery(cls)
        rows = [[finding.name, "passed" if finding.ok else "failed", finding.detail] for finding in findings]
        show_table(["test", "result", "detail"], rows, title=name)
        good = good and all(finding.ok for finding in findings)
    return good
