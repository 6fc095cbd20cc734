"""Full disks, several processes and kills: the process lives, old files stay whole, no draft is left."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import flexura as fx
from references.full_disk import largest_file
from unit.cli.conftest import MODEL, RUN, Command

Written = Callable[..., Path]

FIGURES = 'energies = true\norbits = ["A"]\nposes = 3\ncsv = ["A.x"]\nanimate = "swing.html"\ntrace = ["A"]\n'
FEW = 'csv = ["A.x"]\nanimate = "swing.html"\n'
START = [sys.executable, "-c", "from flexura.cli import main; main()", "run"]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("size", [0, 100, 4096, 20_000, 40_000])
def test_a_full_disk_leaves_what_was_there(command: Command, written: Written, size: int) -> None:
    path = written(MODEL + RUN + FIGURES)
    assert command("run", path, "-o", "out").exit_code == 0
    before = contents(Path("out"))
    written(MODEL.replace("2.0", "3.0") + RUN + FIGURES)
    with largest_file(size):
        result = command("run", path, "-o", "out")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert (
        "the file cannot be written: file too large; check the free space and the permissions of the folder"
        in result.stderr
    )
    after = contents(Path("out"))
    assert after.keys() == before.keys()
    whole = [name for name in after if after[name] == before[name] or len(after[name]) <= size]
    assert len(whole) == len(after)
    fx.load("out/swing.nc")


class Writes:
    """Openings of files for writing inside a folder, counted; from a chosen one on the disk is full."""

    def __init__(self) -> None:
        self.folder, self.count, self.full_from = "", 0, -1
        sys.addaudithook(self.notice)

    def notice(self, event: str, arguments: tuple[object, ...]) -> None:
        """Look at an event of the interpreter."""
        if event != "open" or not self.folder or not Path(str(arguments[0])).absolute().is_relative_to(self.folder):
            return
        flags = arguments[2]
        if isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR):
            if self.count == self.full_from:
                resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
            self.count += 1

    @contextmanager
    def full(self, folder: Path, number: int) -> Iterator[None]:
        """The disk fills up when the file of this number is opened for writing."""
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        self.folder, self.count, self.full_from = str(folder), 0, number
        try:
            yield
        finally:
            self.folder = ""
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_the_disk_fills_up_at_every_write_in_turn(command: Command, written: Written) -> None:
    writes, folder = Writes(), Path("out").absolute()
    path = written(MODEL.replace("2.0", "3.0") + RUN + FEW)
    with writes.full(folder, -1):
        assert command("run", path, "-o", "out").exit_code == 0
    later, count = contents(folder), writes.count
    assert count >= len(later) >= 4
    path = written(MODEL + RUN + FEW)
    assert command("run", path, "-o", "out").exit_code == 0
    before = contents(folder)
    written(MODEL.replace("2.0", "3.0") + RUN + FEW)
    for number in range(count):
        with writes.full(folder, number):
            result = command("run", path, "-o", "out")
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1), result.stderr
        after = contents(folder)
        assert after.keys() == before.keys()
        assert all(after[name] in (before[name], later[name]) for name in after)
    assert command("run", path, "-o", "out").exit_code == 0
    assert contents(folder) == later


def test_a_motion_is_saved_after_a_failure(tmp_path: Path) -> None:
    """The result in memory and the process are as before."""
    (tmp_path / "model.toml").write_text(MODEL, encoding="utf-8")
    motion = fx.simulate(fx.Model.from_file(tmp_path / "model.toml"), until=0.1)
    with largest_file(1000), pytest.raises(fx.ModelError, match="cannot be written"):
        motion.save(tmp_path / "motion.nc")
    assert [path.name for path in tmp_path.iterdir()] == ["model.toml"]
    motion.save(tmp_path / "motion.nc")
    assert fx.load(tmp_path / "motion.nc") == motion


def test_drafts_of_killed_processes_are_deleted(command: Command, written: Written) -> None:
    path = written()
    assert command("run", path, "-o", "out").exit_code == 0
    ended = subprocess.run([sys.executable, "-c", "import os, socket; print(socket.gethostname(), os.getpid())"],
                           capture_output=True, text=True, check=True)  # fmt: skip
    host, process = ended.stdout.split()
    host = host.replace(".", "-")
    dead, alive = (Path("out") / f".swing.nc.{host}.{number}.abc.draft" for number in (process, os.getppid()))
    for draft in (dead, alive):
        draft.mkdir()
        (draft / "swing.nc").write_text("half")
    assert command("run", path, "-o", "out").exit_code == 0
    assert {entry.name for entry in Path("out").iterdir()} == {"swing.nc", "swing.png", alive.name}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
def test_output_on_a_full_disk(written: Written, tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        words = [*START[:-1], "elements"]
        done = subprocess.run(words, check=False, stdout=full, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "output: no space left on device\n"


@pytest.mark.slow
def test_kills_at_any_moment(written: Written, tmp_path: Path) -> None:
    """Fifty kills: what is in the folder is whole, and the next run leaves no draft."""
    seed = random.SystemRandom().randrange(10**6)
    print(f"seed {seed}")
    chosen = random.Random(seed)
    command = [*START, str(tmp_path / written(MODEL + RUN + FIGURES)), "-o", str(tmp_path / "out")]
    began = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    longest, complete = time.monotonic() - began, contents(tmp_path / "out")
    for _ in range(50):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(chosen.uniform(0.3, 1.0) * longest)
        process.send_signal(signal.SIGKILL)
        process.wait()
        found = contents(tmp_path / "out")
        assert {name: found[name] for name in complete} == complete
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert not [path.name for path in (tmp_path / "out").iterdir() if path.name.startswith(".")]


@pytest.mark.slow
def test_two_processes_in_one_folder(written: Written, tmp_path: Path) -> None:
    command = [*START, str(tmp_path / written(MODEL + RUN + FIGURES)), "-o", str(tmp_path / "out")]
    processes = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [process.wait() for process in processes] == [0, 0]
    fx.load(tmp_path / "out" / "swing.nc")
    assert not [path.name for path in (tmp_path / "out").iterdir() if path.name.startswith(".")]
