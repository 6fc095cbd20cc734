"""Running the kernels of one level."""

from __future__ import annotations

from typing import Any

from flexura.derive.compiled import as_array, compiled
from flexura.derive.records import Floats
from flexura.mechanics.core.kernel_calls import call_kernel
from flexura.mechanics.core.system import Calls, System
from flexura.mechanics.core.team import KERNELS, THREADS, address, first_of, share, task


@compiled
def call_level(s: System, calls: Calls, x: Floats, v: Floats) -> None:
    """Run the kernels of one level over all elements."""
    if s.factors.team.desk[THREADS] > 1:
        share(s.factors.team.desk, KERNELS, address(s), address(calls), address(x), address(v))
        return
    for k in range(calls.address.size):
        call_kernel(
            calls.address[k],
            calls.count[k],
            s.index,
            calls.index_start[k],
            s.number,
            calls.number_start[k],
            x,
            v,
            calls.extra,
            calls.extra_start[k],
            calls.out,
            calls.out_start[k],
        )


@task(KERNELS, System.numba_type, Calls.numba_type)
def _call_part(s: System, calls: Calls, x: Any, v: Any, part: int, parts: int) -> None:
    """Run the kernels of one level over a part of the elements of each kind."""
    count = s.coordinate_place.size
    for k in range(calls.address.size):
        first, last = first_of(part, parts, calls.count[k]), first_of(part + 1, parts, calls.count[k])
        if first == last:
            continue
        call_kernel(
            calls.address[k],
            last - first,
            s.index,
            calls.index_start[k] + first * calls.step[k, 0],
            s.number,
            calls.number_start[k] + first * calls.step[k, 1],
            as_array(x, count),
            as_array(v, count),
            calls.extra,
            calls.extra_start[k] + first * calls.step[k, 2],
            calls.out,
            calls.out_start[k] + first * calls.step[k, 3],
        )
