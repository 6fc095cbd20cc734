"""Folders without leave to write: one line of error and exit code 2, or a run without a cache.

The superuser may write everywhere. There the process runs without this right, by ``setpriv`` of util-linux.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from flexura.derive.private_folder import cache_folder
from unit.cli.conftest import MODEL, RUN

BOUND = (
    ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search"]
    if os.name == "posix" and os.geteuid() == 0
    else []
)
FLEXURA = [sys.executable, "-c", "from flexura.cli import main; main()"]
pytestmark = pytest.mark.skipif(
    os.name != "posix" or bool(BOUND and shutil.which("setpriv") is None),
    reason="the superuser may write everywhere, and there is no setpriv",
)


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """No leave to write in a folder."""
    folder.chmod(0o500)
    try:
        yield
    finally:
        folder.chmod(0o700)


def run(*words: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*BOUND, *FLEXURA, *words],
        check=False,
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, **environment},
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a model file, which a process without special rights may read but not write to."""
    (tmp_path / "swing.toml").write_text(MODEL + RUN, encoding="utf-8")
    (tmp_path / "out").mkdir()
    probe = [*BOUND, sys.executable, "-c", "open('out/probe', 'w')"]
    with read_only(tmp_path / "out"):
        if subprocess.run(probe, cwd=tmp_path, check=False, capture_output=True).returncode == 0:
            pytest.skip("the right to write everywhere cannot be given up here")
    return tmp_path


def refused(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1
    assert "permission denied" in done.stderr
    assert "Traceback" not in done.stderr


def test_results_in_a_folder_without_leave_to_write(folder: Path) -> None:
    with read_only(folder / "out"):
        refused(run("run", "swing.toml", "-o", "out", cwd=folder))
    assert not list((folder / "out").iterdir())


def test_a_new_folder_without_leave_to_make_it(folder: Path) -> None:
    with read_only(folder):
        refused(run("run", "swing.toml", "-o", "new", cwd=folder))
    assert {path.name for path in folder.iterdir()} == {"swing.toml", "out"}


def test_old_results_stay_whole(folder: Path) -> None:
    assert run("run", "swing.toml", "-o", "out", cwd=folder).returncode == 0
    before = {path.name: path.read_bytes() for path in (folder / "out").iterdir()}
    with read_only(folder / "out"):
        refused(run("run", "swing.toml", "-o", "out", cwd=folder))
    assert {path.name: path.read_bytes() for path in (folder / "out").iterdir()} == before


@pytest.mark.slow
def test_a_cache_without_leave_to_write_is_read(folder: Path) -> None:
    """Compiled code is used where it is; new code is compiled and not stored."""
    cache = folder / "cache"
    shutil.copytree(cache_folder(), cache)
    inner = [path for path in (cache, *cache.rglob("*")) if path.is_dir()]
    before = sorted(path.name for path in cache.rglob("*"))
    for path in inner:
        path.chmod(0o500)
    try:
        done = run("run", "swing.toml", "-o", "out", cwd=folder, FLEXURA_CACHE=str(cache))
    finally:
        for path in inner:
            path.chmod(0o700)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in cache.rglob("*")) == before
