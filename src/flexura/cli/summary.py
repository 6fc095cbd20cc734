"""What is printed of runs: one line each, and the range of every signal that was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flexura.cli.runs import Run
from flexura.cli.speaking import say, show_table
from flexura.results.motion import Motion

Row = tuple[Run, Any, str, float]
"""A run, its result, what went wrong, and the seconds it took."""


def show_summary(rows: Sequence[Row]) -> None:
    """The table of all runs."""
    heads = ["run", "analysis", "outcome", "reached", "method", "effort", "energy balance", "took"]
    show_table(heads, [_line(*row) for row in rows], right=["reached", "energy balance", "took"])


def _line(run: Run, result: Any, trouble: str, took: float) -> list[str]:
    outcome = result.outcome.name.lower().replace("_", " ") if result is not None else "failed"
    line = [run.name, run.analysis, outcome]
    if isinstance(result, Motion):
        effort = ", ".join(f"{value:g} {name}" for name, value in result.statistics.items())
        balance = "" if result.imbalance is None else f"{result.imbalance:.1e}"
        line += [f"{result.t[-1]:g} s", result.method.partition("(")[0], effort, balance]
    else:
        line += ["", "", "", ""]
    return [*line, f"{took:.2f} s"]


def show_ranges(run: Run, result: Any) -> None:
    """The table of the signals that a run plots or writes, and its events."""
    if not isinstance(result, Motion):
        if result is not None:
            say(f"\n{run.name}\n{result}")
        return
    signals = dict.fromkeys([*run.keep.plot, *run.keep.csv])
    rows = [[name, result.unit(name) or "1", *_range(result[name])] for name in signals]
    numbers = ["start", "end", "lowest", "highest"]
    if rows:
        show_table(["signal", "unit", *numbers], rows, title=run.name, right=numbers)
    for event in result.events[:10]:
        say(f"{run.name}: {event.signal} at {event.time:.9g} s")
    if len(result.events) > 10:
        say(f"{run.name}: and {len(result.events) - 10} events more")


def _range(values: Any) -> list[str]:
    return [f"{value:.6g}" for value in (values[0], values[-1], values.min(), values.max())]
