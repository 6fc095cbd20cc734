"""Output of commands: tables on the output, errors in one line on the error stream, exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any, NoReturn

import typer

from flexura.errors import AnalysisError, ModelError, printable

FAILED, MISTAKEN, DOUBTFUL, INTERRUPTED = 1, 2, 3, 130
"""Exit codes: the analysis or the model is at fault; the file or the command is; a result is doubtful; Ctrl-C."""

WIDTH = 120
"""Columns of a table that goes to a file or a pipe."""

LONGEST_NAME = 30
"""Letters of names that are written on one line of a table."""


def report_errors(command: Callable[..., None]) -> Callable[..., None]:
    """Decorator of a command that prints its errors in one line."""

    @wraps(command)
    def speaking(*args: Any, **options: Any) -> None:
        try:
            command(*args, **options)
            sys.stdout.flush()
        except ModelError as error:
            stop(str(error), MISTAKEN)
        except AnalysisError as error:
            stop(str(error), FAILED)
        except BrokenPipeError:
            raise  # who reads the output has seen enough
        except OSError as error:
            stop(f"{error.filename or 'output'}: {(error.strerror or str(error)).lower()}", MISTAKEN)
        except KeyboardInterrupt:
            stop("interrupted", INTERRUPTED)

    return speaking


def gravest(codes: Iterable[int]) -> int:
    """Exit code of several runs: an error in the input counts more than a failure, and a failure more than a doubt."""
    return max(codes, key=(0, DOUBTFUL, FAILED, MISTAKEN).index)


def stop(message: str, code: int) -> NoReturn:
    """Print the reason, and end with an exit code."""
    complain(message)
    raise typer.Exit(code)


def complain(message: str) -> None:
    """Print one line on the error stream."""
    typer.echo(printable(" ".join(message.split())), err=True)


def say(text: str = "") -> None:
    """Print on the standard output."""
    typer.echo(printable(text))


def show_table(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    title: str = "",
    right: Sequence[str] = (),
    whole: Sequence[str] = (),
) -> None:
    """Print a table whose first column holds names; no cell is read as markup.

    The columns in ``right`` are numbers, and the cells of those in ``whole`` are not broken.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    say(f"\n{title}" if title else "")
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, header_style="bold")
    for i, head in enumerate(heads):
        named = i == 0 or head in whole
        unbroken = named and max((len(row[i]) for row in rows), default=0) <= LONGEST_NAME
        table.add_column(Text(head), justify="right" if head in right else "left", overflow="fold", no_wrap=unbroken)
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    seen = sys.stdout.isatty() or "COLUMNS" in os.environ
    Console(highlight=False, width=None if seen else WIDTH).print(table)
