"""Files of the cache: sealed, written atomically, compiled again if damaged, deleted by age and total size."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from functools import lru_cache
from hmac import compare_digest
from pathlib import Path
from threading import get_ident

from flexura.derive.private_folder import SEAL_BYTES, private_folder, read_plain

DAY = 86400.0
LONGEST_UNUSED = 60 * DAY
"""seconds after which a file that no process has read is deleted"""

LARGEST_CACHE = 2_000_000_000
"""bytes of all files, about ten times the size for all analyses; above it the least recently used are deleted"""

DRAFT_LIFE = 3600.0
"""seconds after which a draft is attributed to a killed process"""


def read_sealed(name: str) -> bytes | None:
    """Content of a file; None if there is none, or if it was not written unchanged by the cache of this user."""
    folder = private_folder()
    found = folder and read_plain(folder.path / name)
    if not folder or not found:
        return None
    seal, content = found[:SEAL_BYTES], found[SEAL_BYTES:]
    if not compare_digest(seal, folder.seal(name, content)):
        return None
    _mark_used(folder.path / name)
    return content


def write_sealed(name: str, content: bytes) -> None:
    """Write a file atomically; if the folder is not writable, only the time of the next process is lost."""
    folder = private_folder()
    if not folder:
        return
    draft = folder.path / f".{name}.{os.getpid()}.{get_ident()}"
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(folder.seal(name, content) + content)
        draft.replace(folder.path / name)
    except OSError:
        with suppress(OSError):
            draft.unlink()
    _prune_once(folder.path)


def _mark_used(path: Path) -> None:
    """Set the time of a file to now, at most once a day."""
    with suppress(OSError):
        if time.time() - path.stat().st_mtime > DAY:
            os.utime(path)


@lru_cache(maxsize=64)
def _prune_once(folder: Path) -> None:
    """Prune a folder when this process first writes to it."""
    with suppress(OSError):
        prune(folder)


def prune(folder: Path) -> None:
    """Delete files unused for long, the least recently used of too many, and drafts of killed processes."""
    now, total = time.time(), 0
    for used, size, path in sorted(_entries(folder), reverse=True):
        longest = DRAFT_LIFE if path.name.startswith(".") else LONGEST_UNUSED
        total += size
        if now - used > longest or total > LARGEST_CACHE:
            with suppress(OSError):
                path.unlink()


def _entries(folder: Path) -> list[tuple[float, int, Path]]:
    """Time of last use, size and path of every file but the key."""
    found = []
    with os.scandir(folder) as scanned:
        for each in scanned:
            with suppress(OSError):
                if each.name != "key" and each.is_file(follow_symlinks=False):
                    status = each.stat(follow_symlinks=False)
                    found.append((status.st_mtime, status.st_size, Path(each.path)))
    return found
