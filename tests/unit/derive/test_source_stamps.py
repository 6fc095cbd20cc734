"""Stamps of compiled code: a change compiles anew what depends on it, and nothing else."""

import pytest

from flexura.derive import source_stamps
from flexura.derive.source_stamps import PACKAGE, source_stamp

LOOP = PACKAGE / "integrators" / "step_loop.py"


@pytest.fixture
def edited(monkeypatch):
    """Stamps of the step loop before and after a module is changed."""

    def stamps(module):
        before, read = source_stamp(LOOP), source_stamps._read

        def other(path):
            digest, imported = read(path)
            return (digest[::-1] if path == PACKAGE / module else digest), imported

        monkeypatch.setattr(source_stamps, "_read", other)
        source_stamp.cache_clear()
        after = source_stamp(LOOP)
        monkeypatch.undo()
        source_stamp.cache_clear()
        return before, after

    return stamps


@pytest.mark.parametrize(
    "module", ["integrators/step_loop.py", "mechanics/motion/equations_of_motion.py", "derive/program.py"]
)
def test_code_that_may_be_inlined_counts(edited, module):
    before, after = edited(module)
    assert before != after


@pytest.mark.parametrize("module", ["functions.py", "algebra.py", "elements/element.py", "model/names.py"])
def test_functions_and_elements_do_not(edited, module):
    """A new function or element is called through an address."""
    before, after = edited(module)
    assert before == after
