"""Tables of runs: one line for each, then the requested numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from flexura.cli.command_output import say, show_table
from flexura.cli.run_tables import Run
from flexura.results.result import Result
from flexura.results.summary import Summary


@dataclass(frozen=True)
class Done:
    """A run that was performed."""

    run: Run
    result: Result | None
    """as far as it came; None if it came to nothing"""
    trouble: str
    code: int
    """the exit code that it deserves"""
    took: float
    """seconds"""

    @cached_property
    def summary(self) -> Summary:
        """Summary of the result, with the signals that the run names."""
        return Summary(outcome="failed") if self.result is None else self.result.summary(self.run.signals)


def show_summary(rows: Sequence[Done], not_reached: Sequence[Run] = ()) -> None:
    """The table of all runs, those that were not reached after an interruption included."""
    heads = ["run", "analysis", "outcome", "reached", "method", "effort", "energy balance", "accuracy", "took"]
    lines = [*map(_line, rows), *map(_blank, not_reached)]
    show_table(heads, lines, right=["reached", "energy balance", "took"], whole=["analysis", "method", "took"])


def _line(done: Done) -> list[str]:
    found = done.summary
    told = [found.outcome, found.reached, found.method, found.effort or found.text, found.balance, found.accuracy]
    return [done.run.name, done.run.analysis.name, *told, f"{done.took:.2f} s"]


def _blank(run: Run) -> list[str]:
    """Line of a run that was not reached."""
    return [run.name, run.analysis.name, "not reached", *[""] * 6]


def show_numbers(done: Done) -> None:
    """The table of a run: ranges of signals over a motion, values in a state, eigenvalues."""
    found = done.summary
    if found.heads:
        title = f"{done.run.name}: {found.text}" if found.text else done.run.name
        show_table(found.heads, found.rows, title=title, right=found.right)
    if found.remarks:
        say()
    for line in found.remarks:
        say(f"{done.run.name}: {line}")
