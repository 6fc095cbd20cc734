"""Mistakes of new users with their messages, as ``mistakes.md`` lists them; run as a program, renew the messages.

Usage: python tests/manual/mistakes.py, then read what has changed.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from flexura.cli.app import app

LIST = Path(__file__).with_name("mistakes.md")
ENTRY = re.compile(r"^### ([^\n]+)\n\n```(\w+)\n(.*?)^```\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BEGINNING = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Mistake:
    """One entry of the list."""

    title: str
    language: str
    code: str
    message: str

    @property
    def wide(self) -> bool:
        """True if a command shows its message, in lines of a width."""
        return self.language != "python"


def mistakes() -> list[Mistake]:
    """All entries of the list, in its order."""
    return [Mistake(*match.groups()) for match in ENTRY.finditer(LIST.read_text(encoding="utf-8"))]


def beginning() -> dict[str, Any]:
    """Names that the Python blocks find."""
    names: dict[str, Any] = {}
    match = BEGINNING.search(LIST.read_text(encoding="utf-8"))
    assert match
    exec(match[1], names)
    return names


def message(mistake: Mistake, names: dict[str, Any]) -> str:
    """What a user reads, in the present folder: the class of the error and its text, or what is printed."""
    if mistake.language == "python":
        return _of_python(mistake.code, dict(names))
    if mistake.language == "toml":
        Path("arm.toml").write_text(mistake.code, encoding="utf-8")
        return _of_command("flexura run arm.toml")
    Path("arm.toml").unlink(missing_ok=True)
    return _of_command(mistake.code.removeprefix("$ ").strip())


def _of_python(code: str, names: dict[str, Any]) -> str:
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(code, names)
    except Exception as error:
        return f"{type(error).__name__}: {error}\n"
    return printed.getvalue()


def _of_command(command: str) -> str:
    _, *words = command.split()
    with contextlib.ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        done = CliRunner().invoke(app, words, prog_name="flexura", env={"COLUMNS": "400", "TERMINAL_WIDTH": "400"})
    # frames of the terminal are no words
    lines = (re.sub(r"[│╭╮╰╯─]+", " ", line).rstrip() for line in done.output.splitlines())
    return "".join(f"{line.strip()}\n" for line in lines if line.strip())


def renewed() -> str:
    """The list with the messages of the present program."""
    names = beginning()

    def entry(match: re.Match[str]) -> str:
        title, language, code, _ = match.groups()
        said = message(Mistake(title, language, code, ""), names)
        return f"### {title}\n\n```{language}\n{code}```\n\n```text\n{said}```"

    return ENTRY.sub(entry, LIST.read_text(encoding="utf-8"))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        text = renewed()
        os.chdir(LIST.parent)
    LIST.write_text(text, encoding="utf-8")
