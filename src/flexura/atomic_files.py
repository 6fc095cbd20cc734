"""Files written completely or not at all.

A file is written as a draft in the folder where it shall be, and takes its name when all of it is on the disk. A full
disk, an error or a killed process leaves the earlier file as it was. Drafts of killed processes are deleted by the next
process that writes to the folder.
"""

from __future__ import annotations

import os
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp

from flexura.errors import ModelError

_ENDING = ".draft"
_LIFE = 86400.0
"""seconds after which a draft of another computer is taken for one that was left behind"""


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A place to write, in the folder of ``path``; it takes that name only when the writing ended well."""
    if "\0" in str(path):
        raise ModelError(str(path), "this is not the name of a file", "leave out the character NUL")
    if not path.parent.is_dir():
        raise ModelError(str(path), f"there is no folder {path.parent}", "make it first")
    if path.is_dir():
        raise ModelError(str(path), "this is a folder", "give the name of a file")
    _delete_old_drafts(path.parent)
    try:
        folder = Path(mkdtemp(dir=path.parent, prefix=f".{path.name[:60]}.{_writer()}.", suffix=_ENDING))
        try:
            draft = folder / path.name
            yield draft
            _write_through(draft)
            draft.replace(path)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ModelError(
            str(path), f"the file cannot be written: {reason}", "check the free space and the permissions of the folder"
        ) from error


def _write_through(draft: Path) -> None:
    """Wait until a file is on the disk: some systems report only then that there is no room."""
    with draft.open("rb") as file:
        os.fsync(file.fileno())


def _writer() -> str:
    """Computer and process, as they stand in the names of drafts."""
    return f"{socket.gethostname().replace('.', '-')[:60]}.{os.getpid()}"


def _delete_old_drafts(folder: Path) -> None:
    """Delete the drafts of processes that are no more."""
    with suppress(OSError):
        for draft in folder.glob(f".*{_ENDING}"):
            if _left_behind(draft):
                shutil.rmtree(draft, ignore_errors=True)


def _left_behind(draft: Path) -> bool:
    """True if the process that wrote a draft is no more."""
    *_, host, process, _, _ = ["", "", *draft.name.split(".")]
    if f"{host}.{process}" == _writer():
        return False
    if host == _writer().split(".")[0] and process.isdigit() and os.name == "posix":
        return not _runs(int(process))
    return time.time() - draft.stat().st_mtime > _LIFE


def _runs(process: int) -> bool:
    """True if a process of this computer is alive."""
    try:
        os.kill(process, 0)
    except OSError as error:
        return not isinstance(error, ProcessLookupError)
    return True
