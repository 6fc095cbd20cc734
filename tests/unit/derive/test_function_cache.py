"""Compiled functions are cached in sealed files: nothing is used that this cache has not written as it stands."""

import os
import pickle
import subprocess
import sys
import time

import numpy as np
import pytest

from flexura.derive import cache_files, private_folder
from flexura.derive.compiled import clear, compiled, copy
from flexura.derive.interpretation import INTERPRET
from references.full_disk import largest_file

pytestmark = pytest.mark.skipif(INTERPRET, reason="nothing is compiled")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The private folder of an empty cache."""
    monkeypatch.setenv("FLEXURA_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "code"


def compiled_anew(function=clear):
    """True if another process has to compile a function; it works in any case."""
    fresh, numbers = compiled(function.py_func), np.ones(3)
    if function is clear:
        fresh(numbers)
    else:
        fresh(numbers, np.zeros(3))
    assert not numbers.any()
    return not sum(fresh.stats.cache_hits.values())


def only(folder, pattern="*.function"):
    (path,) = folder.glob(pattern)
    return path


def test_a_function_is_compiled_once(folder):
    assert compiled_anew()
    content = only(folder).read_bytes()
    assert not compiled_anew()
    assert only(folder).read_bytes() == content


def test_the_folder_is_private(folder):
    compiled_anew()
    modes = {path.name: path.stat().st_mode & 0o777 for path in (folder, *folder.iterdir())}
    assert modes.pop("code") == 0o700
    assert set(modes.values()) == {0o600}


class Poison:
    """Pickle that leaves a trace when it is read."""

    def __init__(self, trace):
        self.trace = trace

    def __reduce__(self):
        return os.mkdir, (str(self.trace),)


DAMAGES = {
    "empty": lambda whole: b"",
    "cut off": lambda whole: whole[:-1],
    "half": lambda whole: whole[: len(whole) // 2],
    "one bit": lambda whole: whole[:-50] + bytes([whole[-50] ^ 1]) + whole[-49:],
    "seal": lambda whole: bytes([whole[0] ^ 1]) + whole[1:],
    "other words": lambda whole: b"garbage",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_compiled_anew(folder, damage):
    compiled_anew()
    path = only(folder)
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    assert compiled_anew()
    assert not compiled_anew()


@pytest.mark.parametrize("kind", ["function", "object", "kernel"])
def test_foreign_files_are_not_read(folder, tmp_path, kind):
    compiled_anew()
    trace = tmp_path / "executed"
    content = pickle.dumps(Poison(trace))
    path = only(folder)
    forged = private_folder.PrivateFolder(folder, b"another key of the same length..")
    path.with_suffix(f".{kind}").write_bytes(forged.seal(path.name, content) + content)
    assert compiled_anew() is (kind == "function")
    assert not trace.exists()


def test_a_file_of_another_name_is_not_read(folder):
    """The seal covers the name: the code of one function does not pass for another's."""
    compiled_anew(clear)
    first = only(folder)
    compiled_anew(copy)
    (second,) = set(folder.glob("*.function")) - {first}
    second.write_bytes(first.read_bytes())
    assert compiled_anew(copy)


@pytest.mark.parametrize("thing", ["folder", "link", "pipe", "large"])
def test_things_in_the_place_of_a_file(folder, tmp_path, thing):
    compiled_anew()
    path = only(folder)
    if thing == "large":
        os.truncate(path, 10**12)
    else:
        content = path.read_bytes()
        path.unlink()
        (tmp_path / "elsewhere").write_bytes(content)
        put = {
            "folder": path.mkdir,
            "link": lambda: path.symlink_to(tmp_path / "elsewhere"),
            "pipe": lambda: os.mkfifo(path),
        }
        put[thing]()
    assert compiled_anew()
    assert compiled_anew() is (thing == "folder")


def test_a_damaged_key_is_replaced(folder, monkeypatch):
    monkeypatch.setattr(private_folder, "_PATIENCE", 0.05)
    compiled_anew()
    (folder / "key").write_bytes(b"short")
    private_folder._open.cache_clear()
    assert compiled_anew()
    private_folder._open.cache_clear()
    assert not compiled_anew()


def is_unused(folder, words):
    """The folder is not written to, the reason is said, and functions work."""
    before = sorted(folder.iterdir()) if folder.is_dir() else None
    private_folder._open.cache_clear()
    assert compiled_anew()
    assert compiled_anew()
    assert words in private_folder.refusal()
    assert (sorted(folder.iterdir()) if folder.is_dir() else None) == before


def test_a_folder_that_others_can_write_to(folder):
    compiled_anew()
    folder.chmod(0o777)
    is_unused(folder, "can be written to by other users")


def test_a_folder_that_others_can_read_is_closed(folder):
    compiled_anew()
    folder.chmod(0o755)
    private_folder._open.cache_clear()
    assert not compiled_anew()
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_folder_of_another_user(folder, monkeypatch):
    compiled_anew()
    monkeypatch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
    is_unused(folder, "belongs to another user")


def test_a_folder_that_is_a_link(folder, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    folder.parent.mkdir()
    folder.symlink_to(tmp_path / "elsewhere")
    is_unused(folder, "is not a folder")


def test_a_file_in_the_place_of_the_folder(folder):
    folder.parent.write_text("in the way")
    is_unused(folder, "file exists")


@pytest.mark.parametrize("size", [0, 10, 1000])
def test_a_full_disk(folder, size):
    with largest_file(size):
        assert compiled_anew()
    assert not list(folder.glob("*.function"))
    assert not list(folder.glob(".*"))
    private_folder._open.cache_clear()
    assert compiled_anew()
    assert not compiled_anew()


def test_nothing_is_written_beside_the_source(folder, monkeypatch):
    folder.parent.write_text("in the way")
    source = private_folder.Path(private_folder.__file__).parent
    before = {path.name for path in source.glob("__pycache__/*")}
    assert compiled_anew()
    assert {path.name for path in source.glob("__pycache__/*")} == before


# ── pruning ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def written(folder, name, size, days):
    cache_files.write_sealed(name, bytes(size))
    past = time.time() - days * cache_files.DAY
    os.utime(folder / name, (past, past))


def test_files_that_are_old_or_too_many_are_deleted(folder, monkeypatch):
    for days in (1, 2, 3, 59, 61):
        written(folder, f"{days}.kernel", 1000, days)
    (folder / ".draft.kernel.1.1").write_bytes(b"half")
    cache_files.prune(folder)
    young = {"key", ".draft.kernel.1.1", "1.kernel", "2.kernel", "3.kernel", "59.kernel"}
    assert {path.name for path in folder.iterdir()} == young
    os.utime(folder / ".draft.kernel.1.1", (0, 0))
    monkeypatch.setattr(cache_files, "LARGEST_CACHE", 2500)
    cache_files.prune(folder)
    assert {path.name for path in folder.iterdir()} == {"key", "1.kernel", "2.kernel"}


def test_use_keeps_a_file_young(folder):
    written(folder, "old.kernel", 10, 50)
    assert cache_files.read_sealed("old.kernel") == bytes(10)
    assert time.time() - (folder / "old.kernel").stat().st_mtime < 100


# ── arithmetic ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_products_and_sums_are_not_fused():
    """Whether they were fused would depend on what a function is inlined into."""

    def difference(a, b, c):
        return a * b - c

    a = 1.0 + 2.0**-30
    assert compiled(difference)(a, a, a * a) == 0.0


PROCESS = """
import numpy as np
from flexura.derive import stored_code
from flexura.mechanics.core import elimination_order

stored_code.LARGE = 0
numbers = np.array([1, 0, 2, 1])
elimination_order.eliminate(3, numbers, np.array([0, 1, 1, 2]), 3)
print(sum(elimination_order._least_degree.stats.cache_hits.values()), len(stored_code._libraries))
"""


def in_a_process():
    """Hits of a large function in the cache, and the libraries that a process has loaded or compiled."""
    done = subprocess.run([sys.executable, "-c", PROCESS], capture_output=True, text=True, check=True)
    return tuple(map(int, done.stdout.split()))


def test_code_that_calls_separate_code(folder):
    """A large function is loaded with the functions that it calls, and compiled anew where one of them is damaged."""
    assert in_a_process()[0] == 0
    hits, loaded = in_a_process()
    assert hits == 1
    assert loaded > 2
    called = {name for path in folder.glob("*.function") for name in needed_by(path)}
    assert called
    for name in called:
        (folder / name).write_bytes(b"garbage")
    assert in_a_process()[0] == 0
    assert in_a_process()[0] == 1


def needed_by(path):
    """Other files that the code in a file calls."""
    needed = pickle.loads(cache_files.read_sealed(path.name))[0]
    return [name for name in needed if name != path.name]
