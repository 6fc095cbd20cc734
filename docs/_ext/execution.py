"""Pages and examples run in a few processes, side by side, each when its code or the package has changed.

A process runs one after another, so that what it imports and compiles serves them all.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import shutil
import time
import traceback
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from pathlib import Path
from typing import Any

from recording import BLOCK, run_page, run_script
from sphinx.errors import ExtensionError
from sphinx.util import logging

import flexura

logger = logging.getLogger(__name__)

ROOMS = ("guides", "start")
ENVIRONMENT = {"MPLBACKEND": "Agg", "COLUMNS": "100"}


def executed_pages(docs: Path) -> list[Path]:
    """Pages whose code is run by the build."""
    pages = (page for room in ROOMS for page in sorted((docs / room).glob("*.md")))
    return [page for page in pages if BLOCK.search(page.read_text(encoding="utf-8"))]


def examples(docs: Path) -> list[Path]:
    """Scripts of the gallery."""
    return sorted((docs.parent / "examples").glob("*.py"))


def folder_of(source: Path, docs: Path) -> Path:
    """Folder in which a page or an example is run, and its output kept."""
    return (docs / "gallery" if source.suffix == ".py" else source.parent) / "generated" / source.stem


def run_changed(docs: Path) -> None:
    """Run the pages and examples whose record is not that of the present code and package."""
    sources = [*examples(docs), *executed_pages(docs)]
    changed = [source for source in sources if record_of(source, docs) is None]
    if not changed:
        return
    # the environment is that of the processes, which start with it
    os.environ.update(ENVIRONMENT)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), mp_context=context) as pool:
        waiting = {pool.submit(_run, source, folder_of(source, docs)): source for source in changed}
        for done in as_completed(waiting):
            source = waiting[done]
            seconds, failure = done.result()
            if failure:
                pool.shutdown(wait=False, cancel_futures=True)
                raise ExtensionError(f"{source.name} failed:\n{failure}")
            logger.info("ran %s: %.1f s of processor time", source.name, seconds)
            (folder_of(source, docs) / "stamp").write_text(fingerprint(source))


def record_of(source: Path, docs: Path) -> Any:
    """Record of a page or an example, or None where its code or the package has changed since."""
    folder = folder_of(source, docs)
    stamp, record = folder / "stamp", folder / "record.json"
    current = stamp.exists() and record.exists() and stamp.read_text() == fingerprint(source)
    return json.loads(record.read_text(encoding="utf-8")) if current else None


def fingerprint(source: Path) -> str:
    """A hash of the code of a page or an example, of the package, and of the way it is run."""
    text = source.read_text(encoding="utf-8")
    code = text if source.suffix == ".py" else "\0".join(match[1] for match in BLOCK.finditer(text))
    return hashlib.sha256(code.encode() + _package()).hexdigest()


@cache
def _package() -> bytes:
    sources = sorted(Path(flexura.__file__).parent.rglob("*.py"))
    recording = Path(__file__).with_name("recording.py")
    return hashlib.sha256(b"".join(path.read_bytes() for path in (*sources, recording))).digest()


def _run(source: Path, folder: Path) -> tuple[float, str]:
    """Run in a folder of its own, in a process of the pool: its processor time, and the traceback of a failure."""
    import matplotlib.pyplot as plt

    begin, failure = time.process_time(), ""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    os.chdir(folder)
    try:
        record = (run_script if source.suffix == ".py" else run_page)(source)
        Path("record.json").write_text(json.dumps(record), encoding="utf-8")
    except Exception:
        failure = traceback.format_exc()
    plt.close("all")
    return time.process_time() - begin, failure
