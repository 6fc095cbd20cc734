"""Running the kernels of one level."""

from __future__ import annotations

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats
from flexura.mechanics.core.kernel_calls import call_kernel
from flexura.mechanics.core.system import Calls, System


@compiled
def call_level(s: System, calls: Calls, x: Floats, v: Floats) -> None:
    """Run the kernels of one level over all elements."""
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
