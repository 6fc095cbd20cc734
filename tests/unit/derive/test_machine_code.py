"""Machine code is kept between runs, and a cache that fails costs time only."""

import pytest

from flexura.derive import machine_code
from flexura.derive.expression import forget, symbol
from unit.derive.running import assembly, call


@pytest.fixture
def source():
    """A function that doubles its input."""
    forget()
    return assembly([2.0 * symbol("x")], ("x",))


@pytest.fixture
def compilations(monkeypatch):
    """A process that has loaded nothing; what it compiles is counted."""
    count = []
    compile_it = machine_code._compile
    monkeypatch.setattr(machine_code, "_engines", {})
    monkeypatch.setattr(machine_code, "_addresses", {})
    monkeypatch.setattr(machine_code, "_compile", lambda *given: count.append(given[0]) or compile_it(*given))
    return count


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty cache."""
    monkeypatch.setenv("FLEXURA_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "code"


def forget_code():
    """Be another process: nothing is loaded."""
    machine_code._addresses.clear()
    machine_code._engines.clear()


def doubled(source):
    return call(machine_code.load(source, "evaluate"), [21.0], 1)


def test_it_is_compiled_once(source, folder, compilations, monkeypatch):
    assert doubled(source) == [42.0]
    address = machine_code.load(source, "evaluate")
    assert machine_code.load(source, "evaluate") == address
    (kept,) = folder.glob("*.object")
    # as another process would: it is loaded, not compiled
    forget_code()
    content = kept.read_bytes()
    assert doubled(source) == [42.0]
    assert len(compilations) == 1
    assert kept.read_bytes() == content


def test_other_source_is_another_file(source, folder, compilations):
    doubled(source)
    machine_code.load(source + "; and a word more\n", "evaluate")
    assert len(compilations) == 2
    assert len(list(folder.glob("*.object"))) == 2


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: b"garbage",
        lambda content: content[: len(content) // 2],
        lambda content: content[:-1],
        lambda content: content[:200] + bytes([content[200] ^ 255]) + content[201:],
    ],
    ids=["empty", "garbage", "half", "last byte", "one byte"],
)
def test_a_damaged_file_is_compiled_anew(source, folder, compilations, damage):
    doubled(source)
    (kept,) = folder.glob("*.object")
    content = kept.read_bytes()
    kept.write_bytes(damage(content))
    forget_code()
    assert doubled(source) == [42.0]
    assert len(compilations) == 2
    assert kept.read_bytes() == content


def test_a_folder_that_cannot_be_written_to(source, tmp_path, compilations, monkeypatch):
    # a file where the folder should be: no one may write there, not even the superuser
    (tmp_path / "cache").write_text("in the way")
    monkeypatch.setenv("FLEXURA_CACHE", str(tmp_path / "cache"))
    assert doubled(source) == [42.0]
    forget_code()
    assert doubled(source) == [42.0]
    assert len(compilations) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["cache"]


def test_assembly_that_is_wrong_is_refused(folder):
    with pytest.raises(RuntimeError, match="use of undefined value"):
        machine_code.load("define double @evaluate() {\n  ret double %nothing\n}\n", "evaluate")
    assert not list(folder.glob("*.object"))
