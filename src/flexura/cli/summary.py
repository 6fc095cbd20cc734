"""What is printed of runs: one line each, then the numbers that were asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flexura.cli.kept import KeepState
from flexura.cli.numbers import listing
from flexura.cli.runs import Run
from flexura.cli.speaking import say, show_table
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome
from flexura.results.state import State

MOST_EVENTS = 10


@dataclass(frozen=True)
class Done:
    """A run that was performed."""

    run: Run
    result: Any
    """as far as it came; None if it came to nothing"""
    trouble: str
    code: int
    """the exit code that it deserves"""
    took: float
    """seconds"""

    @property
    def motion(self) -> Motion | None:
        """The result as a motion, of one moment if it is a state; None if it is neither."""
        found = self.result.motion if isinstance(self.result, State) else self.result
        return found if isinstance(found, Motion) else None

    @property
    def interrupted(self) -> bool:
        """Whether the user has had enough."""
        return self.motion is not None and self.motion.outcome is Outcome.INTERRUPTED


def show_summary(rows: Sequence[Done]) -> None:
    """The table of all runs."""
    heads = ["run", "analysis", "outcome", "reached", "method", "effort", "energy balance", "took"]
    show_table(heads, [_line(done) for done in rows], right=["reached", "energy balance", "took"])


def _line(done: Done) -> list[str]:
    motion, line, took = done.motion, [done.run.name, done.run.analysis], f"{done.took:.2f} s"
    if motion is None:
        outcome = "failed" if done.result is None else "done"
        return [*line, outcome, "", "", listing(done.result).summary, "", took]
    effort = ", ".join(f"{value:g} {name}" for name, value in motion.statistics.items())
    balance = "" if motion.imbalance is None else f"{motion.imbalance:.1e}"
    outcome, method = motion.outcome.name.lower().replace("_", " "), motion.method.partition("(")[0].partition(",")[0]
    reached = f"{motion.t[-1]:g} s" if motion.t.size > 1 else ""
    return [*line, outcome, reached, method, effort, balance, took]


def show_numbers(done: Done) -> None:
    """The table of what a run asks for: ranges of signals over a motion, values in a state, eigenvalues."""
    if isinstance(done.result, State):
        _show_values(done.run, done.result)
    elif isinstance(done.result, Motion):
        _show_ranges(done.run, done.result)
    elif done.result is not None:
        found = listing(done.result, done.run.keep.signals)
        show_table(found.heads, found.rows, title=f"{done.run.name}: {found.summary}", right=found.right)


def _show_ranges(run: Run, motion: Motion) -> None:
    rows = [[name, motion.unit(name) or "1", *_range(motion[name])] for name in dict.fromkeys(run.keep.signals)]
    numbers = ["start", "end", "lowest", "highest"]
    if rows:
        show_table(["signal", "unit", *numbers], rows, title=run.name, right=numbers)
    if motion.events:
        say()
    for event in motion.events[:MOST_EVENTS]:
        say(f"{run.name}: {event.signal} at {event.time:.9g} s")
    if len(motion.events) > MOST_EVENTS:
        say(f"{run.name}: and {len(motion.events) - MOST_EVENTS} events more")


def _range(values: Any) -> list[str]:
    return [f"{value + 0.0:.6g}" for value in (values[0], values[-1], values.min(), values.max())]


def _show_values(run: Run, state: State) -> None:
    wanted = run.keep.values if isinstance(run.keep, KeepState) else ()
    rows = [[name, f"{state[name] + 0.0:.9g}", state.unit(name) or "1"] for name in wanted or state.motion.signals]
    show_table(["signal", "value", "unit"], rows, title=run.name, right=["value"])
