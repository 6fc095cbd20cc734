"""Note on contacts whose surfaces overlap in the drawn position, if a motion begins there."""

from __future__ import annotations

from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.layout_facts import number_fact
from flexura.model.plausibility import overlap_remarks


@number_fact
def _remarks(layout: Layout) -> tuple[str, ...]:
    return tuple(f"{what}; {remedy}" for _, what, remedy in overlap_remarks(layout.names))


def overlap_notes(layout: Layout) -> tuple[str, ...]:
    """Notes on a motion that begins in the drawn position; empty if start values change it."""
    displaced = any(not name.endswith("'") for name in layout.model.start)
    return () if displaced else _remarks(layout)
