"""Stamps of source files, which detect every change for the cache.

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
"""imports of names that occur only in annotations, and not in compiled code"""


@cache
def _read(path: Path) -> tuple[bytes, tuple[Path, ...]]:
    """Digest of a source file, and the files of the package that it imports."""
    text = path.read_text(encoding="utf-8")
    found = dict.fromkeys(_IMPORT.findall(_TYPES_ONLY.sub("", text)))
    return hashlib.sha256(text.encode()).digest(), tuple(place for name in found for place in _files(name))


@cache
def _files(name: str) -> tuple[Path, ...]:
    """Source files that an import of this name may refer to: a module, or any module of a package."""
    place = PACKAGE.joinpath(*name.split(".")[1:])
    module = place.with_suffix(".py")
    return (module,) if module.is_file() else tuple(place.glob("*.py"))


@cache
def source_stamp(path: Path) -> str:
    """Digest of a module and of all modules on which it depends, directly or indirectly."""
    reached, waiting = {str(path): path}, [path]
    while waiting:
        for each in _read(waiting.pop())[1]:
            if str(each) not in reached:
                reached[str(each)] = each
                waiting.append(each)
    digest = hashlib.sha256()
    for _, each in sorted(reached.items()):
        digest.update(_read(each)[0])
    return digest.hexdigest()[:20]
