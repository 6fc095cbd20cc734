"""Notice of the compilation in the first run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.event import Listener, install_listener

from flexura.cli.command_output import complain
from flexura.derive.private_folder import refusal


class _Announcer(Listener):
    """Listener that prints a notice at the first compilation that the cache cannot replace."""

    def __init__(self) -> None:
        self.silent = True

    def on_start(self, event: Any) -> None:
        if self.silent:
            trouble = refusal()
            once = f"happens in every run, as the cache cannot be used: {trouble}" if trouble else "happens once …"
            complain(f"compiling: this may take 20 seconds, and {once}")
        self.silent = False

    def on_end(self, event: Any) -> None:
        pass


_announcer = _Announcer()


@contextmanager
def announced() -> Iterator[None]:
    """Context in which the first compilation of the process is announced."""
    with install_listener("numba:compile", _announcer):
        yield
