"""Calls of compiled functions from Python."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from flexura.derive.compiled import compiled
from flexura.derive.interpretation import INTERPRET


@pytest.mark.skipif(INTERPRET, reason="nothing is compiled")
def test_threads_that_call_first_at_once_leave_one_function():
    """Later calls find it at once; with two of them in the table every call searched and took a millisecond."""

    def doubled(x: float) -> float:
        return 2.0 * x

    dispatcher: Any = compiled(doubled)
    compile_for, both = dispatcher._compile_for_args, threading.Barrier(2)

    def together(*args: Any) -> Any:
        both.wait(10.0)
        return compile_for(*args)

    dispatcher._compile_for_args = together
    threads = [threading.Thread(target=dispatcher, args=(1.0,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    def refused(*args: Any) -> None:
        raise AssertionError("the function is looked for again")

    dispatcher._compile_for_args = refused
    assert dispatcher(21.0) == 42.0
