"""Files of the cache: sealed by a checksum, written whole or not at all, ignored where damaged."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from threading import get_ident

_SEAL = hashlib.sha256().digest_size
"""Bytes of the checksum, which precedes the content."""


def read_sealed(path: Path) -> bytes | None:
    """Content of a file; None if there is none, or if it is damaged: damaged code could do anything."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    seal, inside = content[:_SEAL], content[_SEAL:]
    return inside if hashlib.sha256(inside).digest() == seal else None


def write_sealed(path: Path, content: bytes) -> None:
    """Write a file in one step; a folder that cannot be written to costs the next process its time only."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.{get_ident()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_bytes(hashlib.sha256(content).digest() + content)
        draft.replace(path)
    except OSError:
        pass
