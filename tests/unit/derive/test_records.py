"""Records check their members, in Python and for the type checker."""

import subprocess
import sys
import textwrap

import numpy as np
import pytest

from flexura.derive.records import Floats, FloatTable, Ints, Places, Record


class Inner(Record):
    """One array."""

    values: Floats


class Outer(Record):
    """Arrays of all kinds, and a record."""

    count: Ints
    place: Places
    table: FloatTable
    inner: Inner


def members(**changes):
    given = {"count": np.arange(2), "place": [0, 1], "table": np.eye(2), "inner": Inner(values=[1.0])}
    return given | changes


def test_members_are_arrays_of_their_types():
    record = Outer(**members())
    assert record.place.dtype == np.uint32
    assert record.inner.values.dtype == np.float64
    assert len(list(record.changing())) == 3  # all but places
    other = record.replaced(count=[5])
    assert isinstance(other, Outer)
    assert other.count.tolist() == [5]
    assert other.table is record.table


def test_arrays_of_the_right_type_are_shared():
    values = np.arange(3.0)
    assert Inner(values=values).values is values


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"count": np.eye(2)}, "Outer.count: an array with 2 indices is given; give one with 1"),
        ({"table": np.zeros(3)}, "Outer.table: an array with 1 indices is given; give one with 2"),
        ({"count": [0.5]}, "Outer.count: float64 numbers are given that are no int64; give whole numbers"),
        ({"inner": np.zeros(3)}, "Outer.inner: a ndarray is given; give the record Inner"),
        ({"spare": 1}, "Outer: there is no 'spare'; give count, place, table, inner"),
    ],
)
def test_wrong_members_are_refused(changes, message):
    with pytest.raises(TypeError) as error:
        Outer(**members(**changes))
    assert str(error.value) == message


def test_missing_members_are_named():
    with pytest.raises(TypeError, match="Outer: no 'count' is given, no 'inner' is given; give count, place"):
        Outer(place=[0], table=np.eye(1))


def test_members_are_not_replaced():
    with pytest.raises(AttributeError, match="filled in place, not replaced: values"):
        Inner(values=[1.0]).values = np.zeros(1)


@pytest.mark.slow
def test_the_type_checker_knows_records_and_compiled_functions(tmp_path):
    source = """
    import numpy as np
    from flexura.derive.compiled import compiled
    from flexura.derive.records import Floats, Record

    class Pair(Record):
        a: Floats
        b: Floats

    @compiled
    def twice(x: float) -> float:
        return 2.0 * x

    right: float = twice(1.0)
    Pair(a=np.zeros(2), b=np.zeros(2))
    wrong: str = twice(1.0)
    twice("one")
    Pair(a=np.zeros(2))
    Pair(a=np.zeros(2), b=np.zeros(2)).a = np.ones(2)
    """
    path = tmp_path / "checked.py"
    path.write_text(textwrap.dedent(source))
    command = [sys.executable, "-m", "mypy", "--config-file", "", "--ignore-missing-imports", "--follow-imports=silent"]
    said = subprocess.run([*command, str(path)], capture_output=True, text=True, check=False).stdout
    lines = [int(line.split(":")[1]) for line in said.splitlines() if ": error:" in line]
    assert lines == [16, 17, 18, 19], said
