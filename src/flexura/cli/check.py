"""``flexura check``: errors and warnings about a model or a user's element."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flexura.cli.code import Elements, bring
from flexura.cli.command_output import FAILED, complain, say, show_table
from flexura.cli.model_file import read
from flexura.errors import AnalysisError, ModelError, numbers_in_range, placed

if TYPE_CHECKING:
    from flexura.mechanics.preparation.mobility import Mobility
    from flexura.model.model import Model


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
    from flexura.cli.runs import read_runs
    from flexura.model.checks import check as odd

    try:
        held = read(file, elements)
        with placed(file.name):
            read_runs(held.runs, held.model)
    except ModelError as error:
        complain(str(error))
        return False
    say(str(held.model))
    wrong = list(_wrong(held.model))
    for finding in wrong:
        complain(f"{file.name}: {finding}")
    for remark in odd(held.model):
        complain(f"{file.name}: {remark}")
    return not wrong


def _wrong(model: Model) -> Iterator[str]:
    """Errors that prevent the computation of a model."""
    from flexura.mechanics.preparation.dead_point import at_dead_point
    from flexura.mechanics.preparation.prepared_model import PreparedModel

    try:
        with numbers_in_range():
            machine = PreparedModel(model).start(model, redundant_allowed=True)
        _say_mobility(machine.mobility)
        if at_dead_point(machine):
            names = ", ".join(map(str, machine.mobility.redundant))
            what = f"the drawn position is singular: {names} depend on each other here, but not beside it"
            yield str(ModelError("model", what, "draw the model in another position"))
        else:
            machine.start(model)
    except (ModelError, AnalysisError) as error:
        yield str(error)


def _say_mobility(found: Mobility) -> None:
    moving = [a for a in found.independent if not a.integral]
    ways = f"{found.degrees} degree{'' if found.degrees == 1 else 's'} of freedom"
    say(f"\n{ways}: {', '.join(map(str, moving)) or 'all motion is prescribed'}")
    if states := [str(a) for a in found.independent if a.integral]:
        say(f"{len(states)} state{'' if len(states) == 1 else 's'}: {', '.join(states)}")
    names = ", ".join(map(str, found.redundant))
    forces = f", whose forces are not unique: {names}" if found.excess else ""
    say(f"{found.excess} redundant constraint{'' if found.excess == 1 else 's'}{forces}")


# ── an element ───────────────────────────────────────────────────────────────────────────────────────────────────────


def check_elements(file: Path) -> bool:
    """Run the battery on the elements in a file and report each test; true if all pass."""
    from flexura.battery import run_battery

    found = bring([file])
    if not found:
        raise ModelError(file.name, "there is no element in it", "an element is a subclass of Element")
    good = True
    for name, cls in found.items():
        findings = run_battery(cls)
        rows = [[finding.name, "passed" if finding.ok else "failed", finding.detail] for finding in findings]
        show_table(["test", "result", "detail"], rows, title=name)
        good = good and all(finding.ok for finding in findings)
    return good
