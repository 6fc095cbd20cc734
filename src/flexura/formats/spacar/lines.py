"""Lines of a SPACAR file: dialect, comments, modules, keywords and numbers."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal

from flexura.errors import ModelError
from flexura.formats.registry import Note

Dialect = Literal["twente", "delft"]

KINEMATICS, DYNAMICS, LINEARISATION = 1, 2, 3
"""Modules of a Twente file. A Delft file is one list; the keywords say to which module its lines belong."""

MOST_LINES = 200_000
MOST_NUMBER = 9_999_999
"""largest number of a node or an element"""

_COMMENT = re.compile(r"[%#;].*")
_DELFT_ONLY = {"MASS", "FORCE", "E", "ED", "LINE", "EOF", "EMASS", "EDAMPP", "XD", "XY", "XYZ"}
_REAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eEdD][+-]?\d+)?")


@dataclass(frozen=True)
class Line:
    """Line of a file: its number, its module (0 in the Delft dialect), its keyword in capitals and its words."""

    number: int
    module: int
    keyword: str
    words: tuple[str, ...]

    @property
    def where(self) -> str:
        """Place of the line in messages."""
        return f"line {self.number}"

    def error(self, what: str, remedy: str) -> ModelError:
        """Error at this line."""
        return ModelError(self.where, what, remedy)

    def integer(self, i: int, meaning: str) -> int:
        """Word i as a positive whole number."""
        word = self.words[i]
        if not word.isdecimal() or not 0 < int(word[:9]) <= MOST_NUMBER or len(word) > 9:
            raise self.error(f"{self.keyword}: '{word}' is not {meaning}", "give a whole number, counted from 1")
        return int(word)

    def real(self, i: int) -> float:
        """Word i as a finite number."""
        word = self.words[i]
        value = float(word.lower().replace("d", "e")) if _REAL.fullmatch(word) and len(word) < 60 else math.nan
        if not abs(value) <= 1e50:
            raise self.error(f"{self.keyword}: '{word}' is not a number", "write numbers as 12, 0.5 or 1.5e-3")
        return value


@dataclass(frozen=True)
class Listing:
    """Significant lines of a file, its dialect, and notes on the others."""

    dialect: Dialect
    lines: tuple[Line, ...]
    notes: tuple[Note, ...]


def split(text: str) -> Listing:
    """Split the text of a file into lines."""
    raw = text.split("\n")
    if len(raw) > MOST_LINES:
        raise ModelError(f"line {MOST_LINES}", f"the file has more than {MOST_LINES} lines", "give the file of a model")
    delft = _is_delft(raw)
    plain = [(i, line.split()) for i, line in enumerate((_plain(line, delft) for line in raw), start=1)]
    filled = [(number, words) for number, words in plain if words]
    if not filled:
        raise ModelError("line 1", "the file has no lines but blank ones and comments", "give the file of a model")
    return _delft(filled) if delft else _twente(filled)


def _plain(line: str, delft: bool) -> str:
    if delft and line.lstrip().startswith("*"):
        return ""
    return _COMMENT.sub("", line)


def _is_delft(raw: list[str]) -> bool:
    first = [words[0].upper() for line in raw if (words := _COMMENT.sub("", line).split())]
    if "HALT" in first:
        return False
    return any(line.lstrip().startswith("*") for line in raw) or bool(_DELFT_ONLY & set(first))


def _delft(filled: list[tuple[int, list[str]]]) -> Listing:
    lines, notes, ended = list[Line](), list[Note](), False
    for number, words in filled:
        keyword = words[0].upper()
        if ended:
            notes.append(Note("left out", f"line {number}", f"'{words[0]}' stands after the end of the list"))
        elif keyword not in {"END", "EOF"}:
            lines.append(Line(number, 0, keyword, tuple(words[1:])))
        ended = ended or keyword == "EOF"
    if not ended:
        notes.append(
            Note("left out", f"line {filled[-1][0]}", "there is no 'eof': the rest of the file may be missing")
        )
    return Listing("delft", tuple(lines), tuple(notes))


def _twente(filled: list[tuple[int, list[str]]]) -> Listing:
    lines, notes, module, ended = list[Line](), list[Note](), KINEMATICS, False
    last = filled[-1][0]
    rest = iter(filled)
    for number, words in rest:
        keyword = words[0].upper()
        if keyword == "VISUALIZATION":
            notes.append(Note("ignored", f"lines {number} to {last}", "the section VISUALIZATION draws, no more"))
            break
        if ended:
            notes.append(Note("left out", f"line {number}", f"'{words[0]}' stands after END END"))
        elif keyword == "END":
            module, ended = _after_end(number, next(rest, None), module)
        elif keyword == "HALT":
            raise ModelError(
                f"line {number}", "HALT stands without END before it", "write END and HALT between modules"
            )
        else:
            lines.append(Line(number, module, keyword, tuple(words[1:])))
    if not ended:
        notes.append(Note("left out", f"line {last}", "there is no END END: the rest of the file may be missing"))
    return Listing("twente", tuple(lines), tuple(notes))


def _after_end(number: int, following: tuple[int, list[str]] | None, module: int) -> tuple[int, bool]:
    """Module after an END, and true if it is the last one."""
    word = following[1][0].upper() if following else ""
    if word == "END":
        return module, True
    if word != "HALT":
        found = f"'{following[1][0]}' in line {following[0]}" if following else "the end of the file"
        what = f"END is followed by {found}"
        raise ModelError(f"line {number}", what, "write END and HALT between modules, END and END behind the last")
    if module == LINEARISATION:
        raise ModelError(
            f"line {number}", "a fourth module begins here", "a file has three: the last closes with END END"
        )
    return module + 1, False
