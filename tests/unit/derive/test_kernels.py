"""From a kind of element to compiled kernels: the source is always the same, and what is compiled is kept."""

import ctypes
import re
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from flexura.derive import kernels, levels
from flexura.derive.assembly_kernel import assembly_kernel
from flexura.derive.kernels import compile_kernel, derive
from flexura.derive.kinds import Kind, Trace
from flexura.derive.levels import LEVELS, outputs, places
from flexura.derive.private_folder import cache_folder
from flexura.nodes import AXIS, End, Frame, Point
from flexura.planar import Beam, Truss
from flexura.spatial import Beam as Framed
from flexura.spatial import Beam as SpatialBeam

TRUSS = Kind(
    Truss, (("p", Point), ("q", Point)), (0, 1, 2, 3), (("rigid", False),), ("axis", "length", "mass"), Truss.strains
)
BEAM = Kind(
    Beam,
    (("p", End), ("q", End)),
    (0, 1, 2, 3, 4, 5),
    (("rigid", False), ("rotary", "none"), ("second_order", True)),
    ("axis", "length", "mass"),
    Beam.strains,
)
SPATIAL_BEAM = Kind(
    SpatialBeam,
    (("p", Frame), ("q", Frame)),
    tuple(range(14)),
    (("rigid", False), ("rotary", "consistent"), ("second_order", True)),
    (*AXIS, "inertia_x", "inertia_y", "inertia_z", "length", "mass", "over_y", "over_z"),
    SpatialBeam.strains,
)

FRAMED = Kind(
    Framed,
    (("p", Frame), ("q", Frame)),
    tuple(range(14)),
    (("rigid", False), ("second_order", True), ("rotary", "consistent")),
    ("axis0", "axis1", "axis2", "axis3", "inertia_x", "inertia_y", "inertia_z", "length", "mass", "over_y", "over_z"),
    Framed.strains,
)

_POINTER = ctypes.POINTER(ctypes.c_double)
_INDEX = ctypes.POINTER(ctypes.c_int64)
_CALL = ctypes.CFUNCTYPE(None, ctypes.c_int64, _INDEX, *[_POINTER] * 5)

SHOW = textwrap.dedent("""
    import hashlib
    from unit.derive.test_kernels import BEAM, SPATIAL_BEAM
    from flexura.derive.kernels import derive
    from flexura.derive.levels import LEVELS
    sources = [derive(kind, level).source for kind in (BEAM, SPATIAL_BEAM) for level in LEVELS]
    print(hashlib.sha256("".join(sources).encode()).hexdigest())
""")


@pytest.mark.slow
def test_the_source_is_the_same_in_every_process():
    """Neither the order of sets nor what was traced before shows in it."""
    seen = set()
    for seed in ("1", "2"):
        env = {"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path), "FLEXURA_CACHE": str(cache_folder())}
        done = subprocess.run([sys.executable, "-c", SHOW], env=env, capture_output=True, text=True, check=True)
        seen.add(done.stdout)
    assert len(seen) == 1


def test_the_source_does_not_depend_on_what_was_traced_before():
    kernels._derived.cache_clear()
    first = derive(BEAM, "motion").source
    derive(TRUSS, "linear")
    kernels._derived.cache_clear()
    assert derive(BEAM, "motion").source == first


@pytest.mark.parametrize("kind", [BEAM, SPATIAL_BEAM], ids=["planar", "spatial"])
@pytest.mark.parametrize("level", LEVELS)
def test_the_source_is_straight(kind, level):
    """One loop over the elements, and no way but forward in it."""
    source = derive(kind, level).source
    assert source.startswith(f"; Beam: {level}; derived, do not edit.")
    assert re.findall(r"^(\w+):", source, re.MULTILINE) == ["entry", "element", "done"]
    # into the loop or past it, and round again or out
    assert source.count(" br ") == 2
    assert source.count("phi ") == 1


def test_the_bar_is_as_small_as_by_hand():
    """ε, four slopes, convection, three kinds of mass entry and the weight: no more than a page."""
    level = derive(TRUSS, "motion")
    entries = [name for name, _, _ in level.entries]
    assert entries.count("slope") == 4
    assert entries.count("mass") == 6
    computed = [line for line in level.source.splitlines() if line.startswith("  %t")]
    assert sum("@llvm.sqrt" in line for line in computed) == 1
    assert sum("fdiv" in line for line in computed) == 2
    assert len(computed) <= 55


def test_nothing_is_loaded_that_is_not_used():
    source = derive(TRUSS, "strain").source
    assert "load double, ptr %n_length" in source
    assert "%n_mass" not in source
    assert "%v0" not in source


def test_a_kernel_runs_over_all_elements_of_its_kind():
    pointer = ctypes.POINTER(ctypes.c_double)
    kernel = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.POINTER(ctypes.c_int64), *[pointer] * 5)
    level = derive(TRUSS, "strain")
    call = kernel(compile_kernel(level.source))
    # three bars in a row between four points, of lengths 3, 4 and 5, drawn with lengths 1, 2 and 3
    x = np.array([0.0, 0.0, 3.0, 0.0, 3.0, 4.0, 0.0, 0.0])
    index = np.array([0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7])
    number = np.array([0.0, 1.0, 1.0, 0.0, 2.0, 1.0, 0.0, 3.0, 1.0])
    out, nothing = np.zeros(3 * len(level.entries)), np.zeros(8)
    arrays = [number, x, nothing, nothing, out]
    address = index.astype(np.int64).ctypes.data_as(ctypes.POINTER(ctypes.c_int64))
    call(3, address, *(a.ctypes.data_as(pointer) for a in arrays))
    assert out.reshape(3, -1)[:, 0].tolist() == [2.0, 2.0, 2.0]
    assert out.reshape(3, -1)[1, 1:] == pytest.approx([0.0, -1.0, 0.0, 1.0])


@pytest.mark.parametrize("level", ["strain", "motion", "geometric", "momentum", "linear"])
@pytest.mark.parametrize("kind", [TRUSS, BEAM, FRAMED], ids=["truss", "beam", "beam in space"])
@pytest.mark.parametrize("count", [3, 4, 9])
def test_several_elements_at_once_are_as_one_by_one(kind, level, count):
    random = np.random.default_rng(count)
    one, many = derive(kind, level), derive(kind, level, count)
    assert one.source != many.source
    assert one.entries == many.entries
    size = 5 * kind.width
    x, v = (random.normal(size=size) for _ in range(2))
    index = np.array([random.permutation(size)[: kind.width] for _ in range(count)], dtype=np.int64)
    number = random.uniform(0.5, 1.5, (count, len(kind.numbers)))
    extra = random.normal(size=(count, max(one.extra, 1)))[:, : one.extra].copy()
    results = []
    for found in (one, many):
        out = np.full((count + 1, max(len(found.entries), 1)), np.nan)
        arrays = [np.ascontiguousarray(a, dtype=float) for a in (number, x, v, extra)]
        pointers = [a.ctypes.data_as(_POINTER) for a in (*arrays, out)]
        _CALL(compile_kernel(found.source))(count, index.ctypes.data_as(_INDEX), *pointers)
        assert np.isnan(out[count]).all()  # nothing is written beyond the last
        results.append(out[:count])
    np.testing.assert_array_equal(results[1], results[0])


def test_a_level_is_derived_once(monkeypatch):
    counts = dict.fromkeys(LEVELS, 0)

    def counted(level, derived):
        def once(trace):
            counts[level] += 1
            return derived(trace)

        return once

    monkeypatch.setattr(levels, "_LEVELS", {name: counted(name, derived) for name, derived in levels._LEVELS.items()})
    trace = Trace(TRUSS)
    for level in LEVELS:
        assembly_kernel(trace, level, 1)
        assert places(trace, level) == [entry for entry, _ in outputs(trace, "motion" if level == "balance" else level)]
    assert set(counts.values()) == {1}
