"""Arrays of the elements that act through contacts only."""

from __future__ import annotations

from flexura.derive.records import Ints, IntTable, Record


class IdleElements(Record, scratch=("asleep", "kernel", "law", "signal", "stress", "load")):
    """Elements that are not evaluated while all their contacts are held open, and the reduced lists without them."""

    hold_start: Ints
    hold: Ints
    """registers that hold the contacts of element i open: hold[hold_start[i]:hold_start[i + 1]]"""
    output: IntTable
    """first and last register of the loads of each element"""
    strain: IntTable
    """first and last strain of each element"""
    of_kernel: Ints
    """index into these elements of each element of the motion level, call after call; -1 for all others"""
    of_law: Ints
    """index of the element of each law, kind after kind; likewise"""
    of_signal: Ints
    """index of the element whose signal is measured; likewise"""
    of_stress: Ints
    """index of the element of each strain with a stress of its own; likewise"""
    of_load: Ints
    """index of the element of each load on such a strain; likewise"""
    # reduced lists of an evaluation
    asleep: Ints
    kernel: IntTable
    """(call, first element, number of elements)"""
    law: IntTable
    """(kind, first law, number of laws)"""
    signal: Ints
    stress: Ints
    load: Ints
    count: Ints
    """numbers of rows of these five lists; the first is -1 if everything is evaluated"""
