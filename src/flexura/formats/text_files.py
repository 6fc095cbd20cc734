"""Text files of other programs, read with a limit on their size."""

from __future__ import annotations

import os
import re
from pathlib import Path

from flexura.errors import ModelError
from flexura.model.files import read_bytes

_CONTROL = re.compile("[\\x00-\\x08\\x0e-\\x1f\\x7f]")


def read_text(path: str | os.PathLike[str]) -> str:
    """Text of a file in UTF-8 or, as older programs write it, in Latin-1; binary data is refused."""
    content = read_bytes(Path(path))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    noise = _CONTROL.search(text)
    if noise is not None:
        line = text.count("\n", 0, noise.start()) + 1
        raise ModelError(f"line {line}", "this is binary data, not text", "give a text file")
    return text.replace("\r\n", "\n").replace("\r", "\n")
