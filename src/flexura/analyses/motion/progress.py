"""Progress bar for long computations, silent without a terminal."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Self

_PATIENCE = 1.0
"""Seconds before a bar appears by itself."""


class Progress:
    """Progress bar on a terminal, shown once the computation has taken longer than a moment."""

    def __init__(self, until: float, shown: bool | None, unit: str = "s") -> None:
        self.until, self.unit = until, unit
        # a process without a console has no error stream
        self.shown = (sys.stderr is not None and sys.stderr.isatty()) if shown is None else shown
        self.started = time.monotonic()
        self.bar: Any = None
        self.task: Any = None

    def __enter__(self) -> Self:
        return self

    def reach(self, now: float) -> None:
        """Update the bar."""
        if not self.shown or time.monotonic() - self.started < _PATIENCE:
            return
        if self.bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            columns = (
                TextColumn(f"{{task.completed:.3g}} of {{task.total:.3g}} {self.unit}"),
                BarColumn(),
                TimeRemainingColumn(),
            )
            self.bar = Bar(*columns, console=Console(stderr=True), transient=True)
            self.bar.start()
            self.task = self.bar.add_task("", total=self.until)
        self.bar.update(self.task, completed=now)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.bar is not None:
            self.bar.stop()
