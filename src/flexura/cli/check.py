"""``flexura check``: what is wrong or odd about a model, or about an element of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flexura.cli.code import Elements, bring
from flexura.cli.speaking import FAILED, complain, say, show_table
from flexura.errors import AnalysisError, ModelError, placed

if TYPE_CHECKING:
    from flexura.mechanics.mobility import Mobility
    from flexura.model.model import Model


def check(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A model (.toml), or elements of your own (.py).", show_default=False)
    ],
    elements: Elements = None,
) -> None:
    """Say what is wrong with a model, or an element.

    Of a model: degrees of freedom and independent coordinates, redundant constraints by name, motion without
    inertia, unused nodes, and mistakes in the runs. Of an element: the battery that every built-in one passes.
    """
    if not file.is_file():
        raise ModelError(file.name, "there is no such file", f"is '{file}' its path?")
    bring(elements)
    good = check_elements(file) if file.suffix == ".py" else check_model(file)
    if not good:
        raise typer.Exit(FAILED)


# ── a model ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def check_model(file: Path) -> bool:
    """Whether the model in a file is right; what is not is said."""
    from flexura.cli.runs import read_runs
    from flexura.model.checks import check as odd
    from flexura.model.files import load_file

    try:
        held = load_file(file)
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
    """What keeps a model from being computed."""
    from flexura.mechanics.build import build

    try:
        _say_mobility(build(model, redundant_allowed=True).mobility)
        build(model)
    except (ModelError, AnalysisError) as error:
        yield str(error)


def _say_mobility(found: Mobility) -> None:
    ways = f"{found.degrees} degree{'' if found.degrees == 1 else 's'} of freedom"
    say(
        f"\n{ways}" + (f": {', '.join(map(str, found.independent))}" if found.degrees else ", all motion is prescribed")
    )
    say(f"{found.excess} redundant constraint{'' if found.excess == 1 else 's'}")


# ── an element ───────────────────────────────────────────────────────────────────────────────────────────────────────


def check_elements(file: Path) -> bool:
    """Whether the elements in a file pass the battery; how each test went is said."""
    from flexura.analyses.battery import run_battery

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
