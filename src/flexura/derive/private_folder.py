"""Folder of the cache, private to its user.

Code from the cache is executed. The folder therefore belongs to the user of the process and is inaccessible to others,
and every file in it is sealed with a random key of the folder: a file that is damaged, renamed, taken from another
cache or written by another program is not used. A folder that cannot be private, or is not writable, is not used
at all; compiled code then stays in memory.
"""

from __future__ import annotations

import hmac
import os
import secrets
import stat
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import gettempdir

KEY_BYTES = 32
SEAL_BYTES = 32
LARGEST_FILE = 100_000_000
"""bytes; functions take about a hundredth of this"""

_PATIENCE = 1.0
"""seconds to wait for another process to write the key"""


@dataclass(frozen=True)
class PrivateFolder:
    """Folder that is closed to other users, and the key that seals its files."""

    path: Path
    key: bytes

    def seal(self, name: str, content: bytes) -> bytes:
        """Checksum of a file's name and content that only a holder of the key can compute."""
        return hmac.digest(self.key, name.encode() + b"\0" + content, "sha256")


def cache_folder() -> Path:
    """Folder of compiled code: $FLEXURA_CACHE, or the user's cache folder."""
    chosen = os.environ.get("FLEXURA_CACHE")
    if chosen:
        return Path(chosen)
    home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    if home:
        return Path(home) / "flexura"
    try:
        return Path.home() / ".cache" / "flexura"
    except RuntimeError:  # a user without a home
        return Path(gettempdir()) / "flexura"


def private_folder() -> PrivateFolder | None:
    """Private folder, created if necessary; None if it cannot be used."""
    found = _open(cache_folder())
    return found if isinstance(found, PrivateFolder) else None


def refusal() -> str:
    """Reason why the cache folder is not used; empty if it is."""
    found = _open(cache_folder())
    return found if isinstance(found, str) else ""


@lru_cache(maxsize=64)
def _open(folder: Path) -> PrivateFolder | str:
    """Private folder in a cache folder, or the reason why there is none."""
    path = folder / "code"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.mkdir(mode=0o700, exist_ok=True)
        trouble = _close_to_others(path)
        return trouble or PrivateFolder(path, _key(path / "key"))
    except OSError as error:
        return f"{path}: {(error.strerror or str(error)).lower()}"


def _close_to_others(path: Path) -> str:
    """Close a folder to other users; returns the reason if others may have written to it."""
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode):
        return f"{path} is not a folder"
    if not hasattr(os, "geteuid"):
        return ""  # the folder of a user is private on other systems
    if found.st_uid != os.geteuid():
        return f"{path} belongs to another user"
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"{path} can be written to by other users"
    if stat.S_IMODE(found.st_mode) != stat.S_IRWXU:
        path.chmod(stat.S_IRWXU)
    return ""


def _key(path: Path) -> bytes:
    """Key of a folder; the first process creates it, and a damaged one is replaced."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            return _make_key(path)
        except FileExistsError:
            found = read_plain(path, KEY_BYTES)
            if found is not None and len(found) == KEY_BYTES:
                return found
        if time.monotonic() > deadline:
            path.unlink()
        time.sleep(0.01)


def _make_key(path: Path) -> bytes:
    key = secrets.token_bytes(KEY_BYTES)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(key)
    except OSError:
        path.unlink()
        raise
    return key


def read_plain(path: Path, largest: int = LARGEST_FILE) -> bytes | None:
    """Content of a plain file; None if it is missing, too large, or a link, pipe or folder."""
    try:
        found = path.lstat()
        if stat.S_ISREG(found.st_mode) and found.st_size <= largest:
            return path.read_bytes()
    except OSError:
        pass
    return None
