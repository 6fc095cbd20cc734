"""Whole-model kernels: which systems have them, and their cache across processes.

The choice depends on the structure of a model alone. A kernel gives the bits of the general code, so that no result
depends on the choice.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from flexura.derive.cache_files import read_sealed, write_sealed
from flexura.derive.interpretation import INTERPRET
from flexura.derive.kernel_cache import kernel_key
from flexura.derive.machine_code import load
from flexura.derive.records import Ints
from flexura.derive.source_stamps import source_stamp
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import ACCELERATE, SOLUTION, STAGE, WHOLE
from flexura.mechanics.motion.whole_model_kernel import WholeModel

_MOST_PRODUCTS = 1000
"""Products of a factorisation up to which a kernel is written."""
_LONGEST = 4000
"""Lines up to which it is compiled: that takes a quarter of a second, beyond it grows faster than the lines."""

_addresses: dict[tuple[str, bool, bool], int] = {}


def whole_entries(layout: Layout, system: System) -> Ints:
    """The addresses for ``System.entry``, with kernels of the whole model where it is small."""
    found = system.entry.copy()
    if INTERPRET or not 0 < system.factors.target.size <= _MOST_PRODUCTS:
        return found
    # rows that are held at times change the matrix, sliding friction the order of the work
    if system.switches.on.size or system.grips.force.size:
        return found
    key = _key(layout, system)
    if not _linear(system):
        found[SOLUTION] = _address(key, layout, system, fused=False)
    elif system.laws.strain.size or system.driven.stop[1]:
        found[WHOLE] = _address(key, layout, system)
    elif whole := _address(key, layout, system):
        found[ACCELERATE], found[STAGE] = whole, _address(key, layout, system, stage=True)
    return found


def _linear(s: System) -> bool:
    """True if all stresses are linear in strains and their rates, but for loads that depend on time alone."""
    feedback = s.feedback
    followed = feedback.signal.shape[0] + feedback.followed.shape[0] + feedback.laws.count.size
    return followed + s.laws.program.shape[0] == 0 and feedback.span[0] == feedback.span[1]


def _key(layout: Layout, s: System) -> str:
    """Digest of all that the kernels of a system depend on."""
    digest = hashlib.sha256(source_stamp(Path(__file__).resolve()).encode())
    for group in layout.groups:
        digest.update(f"{kernel_key(group.kind, 'motion', 1)} {group.table.shape}".encode() + group.table.tobytes())
    indices = (s.motion, s.mass, s.rows, s.rows.entries, s.force, s.coupling, s.laws, s.slopes, s.augmented, s.driven)
    for record in (*indices, s.factors):
        for name, (number, _) in record.record_forms.items():
            # addresses change from process to process
            if number is not None and name not in {"address", "entry"}:
                values = record.__dict__[name]
                digest.update(f"{name} {values.shape} ".encode() + (b"" if values.dtype == float else values.tobytes()))
    for places in (s.free, s.place, s.coordinate_place):
        digest.update(places.tobytes() + b" ")
    return digest.hexdigest()[:24]


def _address(key: str, layout: Layout, system: System, *, fused: bool = True, stage: bool = False) -> int:
    """Address of a kernel, derived and compiled when it is first asked for; 0 where it is too long."""
    form = key, fused, stage
    if form not in _addresses:
        name = f"{key}{'' if fused else '-solution'}{'-stage' if stage else ''}.whole"
        content = read_sealed(name)
        if content is None:
            source = WholeModel(layout, system, fused, stage).source("whole")
            content = source.encode() if source.count("\n") <= _LONGEST else b""
            write_sealed(name, content)
        _addresses[form] = load(content.decode(), "whole") if content else 0
    return _addresses[form]
