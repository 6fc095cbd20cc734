"""Derived kernels are read from the cache by later processes, and derived anew where anything has changed."""

import ast
import inspect

import pytest

from flexura.algebra import norm, vec
from flexura.derive import kernel_cache, kernels, kinds
from flexura.elements.element import Element
from flexura.nodes import At, Point


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty cache, and a process that has derived nothing."""
    monkeypatch.setenv("FLEXURA_CACHE", str(tmp_path))
    anew()
    yield tmp_path / "code"
    anew()


def anew():
    kernels._derived.cache_clear()
    kernel_cache._traced.cache_clear()


@pytest.fixture
def derived(monkeypatch):
    """The levels that are derived rather than read."""
    found, write = [], kernels.assembly_kernel
    monkeypatch.setattr(kernels, "assembly_kernel", lambda trace, *form: found.append(form) or write(trace, *form))
    return found


def kind_of(cls):
    return kinds.kind_of(cls("A", "B"), {"p": Point, "q": Point}, (0, 1, 2, 3), ("length", "mass"))


def spring(factor, **functions):
    """A class of a name that is used again and again, as in a script that is edited."""

    def strain(self, p, q):
        return vec(factor * (norm(q.r - p.r) - self.length))

    hints = {"p": At[Point], "q": At[Point]}
    body = {"__annotations__": hints, "internal": True, "strains": ("stretch",), "strain": strain} | functions
    return type("Spring", (Element,), body)


def test_a_later_process_derives_nothing(folder, derived):
    kind = kind_of(spring(1.0))
    first = kernels.derive(kind, "motion")
    assert derived == [("motion", 1)]
    anew()
    assert kernels.derive(kind, "motion") == first
    assert derived == [("motion", 1)]
    kernels.derive(kind, "motion", count=8)
    kernels.derive(kind, "strain")
    assert derived[1:] == [("motion", 4), ("strain", 1)]


def test_values_from_elsewhere_count(folder, derived):
    sources = {kernels.derive(kind_of(spring(factor)), "strain").source for factor in (1.0, 2.0, 1.0)}
    assert len(sources) == 2
    assert len(derived) == 2


HOOKS = {
    "strain": lambda self, p, q: vec(norm(q.r - p.r) ** 2),
    "shape": lambda self, s, p, q: p.r + s * (q.r - p.r),
    "flow": lambda self, p, q, dp, dq, ddp, ddq: vec(*ddp.r, *ddq.r),
}


@pytest.mark.parametrize("hook", HOOKS)
def test_every_function_counts(folder, hook):
    def key(**functions):
        return kernel_cache.kernel_key(kind_of(spring(1.0, **functions)), "motion", 1)

    assert key() == key()
    assert key(**{hook: HOOKS[hook]}) != key()


def test_the_list_of_functions_is_complete():
    tree = ast.parse(inspect.getsource(kinds.Trace))
    calling = {
        method.name
        for method in ast.walk(tree)
        if isinstance(method, ast.FunctionDef)
        for call in ast.walk(method)
        if isinstance(call, ast.Call) and ast.unparse(call.func).startswith("self.instance.")
    }
    assert calling - {"__init__"} == set(kinds.GIVEN)


@pytest.mark.parametrize("damage", [lambda c: b"", lambda c: c[:-1], lambda c: c[:50] + b"x" + c[51:]])
def test_a_damaged_file_is_derived_anew(folder, derived, damage):
    kind = kind_of(spring(3.0))
    first = kernels.derive(kind, "strain")
    (path,) = folder.glob("*.kernel")
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    anew()
    assert kernels.derive(kind, "strain") == first
    assert len(derived) == 2
    assert path.read_bytes() == whole
    assert {p.name for p in folder.iterdir()} == {path.name, "key"}


def test_a_cache_that_cannot_be_written_to(tmp_path, monkeypatch, derived):
    (tmp_path / "cache").write_text("in the way")
    monkeypatch.setenv("FLEXURA_CACHE", str(tmp_path / "cache"))
    for _ in range(2):
        anew()
        kernels.derive(kind_of(spring(4.0)), "strain")
    assert len(derived) == 2
