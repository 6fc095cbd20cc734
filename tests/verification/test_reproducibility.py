"""A model gives the same bits in every run: compiled or loaded, alone or beside others, in threads and processes."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import flexura as fx
from flexura.model.files import load_file

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = ("slider_crank_flexible", "ravn_impact", "spinning_top")

DIGESTS = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parents[1])!r})
from verification.test_reproducibility import NAMES, digest
print(*(digest(name) for name in NAMES))
"""


def digest(name: str) -> str:
    """Digest of all numbers of a motion: of the times, positions, rates, accelerations, strains and forces."""
    motion = fx.simulate(load_file(EXAMPLES / f"{name}.toml").model, until=0.02, samples=40)
    arrays = (motion.t, *motion.position, *motion.strain, motion.stress, motion.coordinate_force)
    return hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()


def test_threads() -> None:
    alone = [digest(name) for name in NAMES]
    with ThreadPoolExecutor(4) as pool:
        beside = list(pool.map(digest, 4 * NAMES))
    assert beside == 4 * alone
    assert [digest(name) for name in reversed(NAMES)] == alone[::-1]


def started(cache: Path) -> subprocess.Popen[str]:
    environment = os.environ | {"FLEXURA_CACHE": str(cache)}
    return subprocess.Popen([sys.executable, "-c", DIGESTS], stdout=subprocess.PIPE, text=True, env=environment)


def digests(process: subprocess.Popen[str]) -> list[str]:
    output, _ = process.communicate()
    assert process.returncode == 0
    return output.split()


@pytest.mark.slow
def test_first_and_later_processes(tmp_path: Path) -> None:
    first = digests(started(tmp_path / "cache"))
    assert len(first) == len(NAMES)
    assert digests(started(tmp_path / "cache")) == first
    # part of the cache is lost: some functions are compiled anew, and are linked with others that are loaded
    for path in sorted((tmp_path / "cache" / "code").glob("*.function"))[::3]:
        path.unlink()
    assert digests(started(tmp_path / "cache")) == first
    assert [digest(name) for name in NAMES] == first


@pytest.mark.slow
def test_four_processes_at_once_in_an_empty_cache(tmp_path: Path) -> None:
    together = [digests(process) for process in [started(tmp_path / "cache") for _ in range(4)]]
    assert together == 4 * [[digest(name) for name in NAMES]]
    assert not list((tmp_path / "cache" / "code").glob(".*"))


@pytest.mark.slow
def test_without_a_cache(tmp_path: Path) -> None:
    """An unusable folder: everything is compiled in memory."""
    (tmp_path / "cache").write_text("in the way")
    assert digests(started(tmp_path / "cache")) == [digest(name) for name in NAMES]
