"""Stamps of source files, by which the cache notices every change.

Code of one module is inlined into that of another. A stamp therefore covers a file and every file that it imports,
directly or not.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]

_IMPORT = re.compile(r"^\s*(?:from|import) (flexura[\w.]*)", re.MULTILINE)
_TYPES_ONLY = re.compile(r"^if TYPE_CHECKING:\n(?:[ \t].*\n|\n)+", re.MULTILINE)
"""imports of names that occur in annotations alone, and so in no compiled code"""


@cache
def _read(path: Path) -> tuple[bytes, tuple[Path, ...]]:
    """Digest of a source file, and the files of the package that it imports."""
    text = path.read_text(encoding="utf-8")
    imported: list[Path] = []
    for name in _IMPORT.findall(_TYPES_ONLY.sub("", text)):
        place = PACKAGE.joinpath(*name.split(".")[1:])
        # an import from a package may mean any of its modules
        imported += place.glob("*.py") if place.is_dir() else [place.with_suffix(".py")]
    return hashlib.sha256(text.encode()).digest(), tuple(filter(Path.is_file, imported))


@cache
def source_stamp(path: Path) -> str:
    """Digest of a module and of all the modules that it depends on, however indirectly."""
    reached, waiting = {path}, [path]
    while waiting:
        found = set(_read(waiting.pop())[1]) - reached
        reached |= found
        waiting += found
    digest = hashlib.sha256()
    for each in sorted(reached):
        digest.update(_read(each)[0])
    return digest.hexdigest()[:20]
