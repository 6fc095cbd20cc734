"""Elements that act through contacts alone, as compiled code has them."""

from __future__ import annotations

from flexura.derive.records import Ints, IntTable, Record


class IdleElements(Record, scratch=("asleep", "kernel", "law", "signal", "stress", "load")):
    """Elements that need no evaluation while all their contacts are held open, and what is evaluated without them."""

    hold_start: Ints
    hold: Ints
    """registers that hold the contacts of element i: hold[hold_start[i]:hold_start[i + 1]]"""
    output: IntTable
    """first and last register of the loads of each element"""
    strain: IntTable
    """first and last strain of each element"""
    of_kernel: Ints
    """number, among them, of each element of the motion level, call after call; -1 for all others"""
    of_law: Ints
    """number of the element of each law, kind after kind; likewise"""
    of_signal: Ints
    """number of the element that each signal measures; likewise"""
    of_stress: Ints
    """number of the element of each strain with a stress of its own; likewise"""
    of_load: Ints
    """number of the element of each load on such a strain; likewise"""
    # the work of an evaluation
    asleep: Ints
    kernel: IntTable
    """(call, first element, number of elements)"""
    law: IntTable
    """(kind, first law, number of laws)"""
    signal: Ints
    stress: Ints
    load: Ints
    count: Ints
    """numbers of rows of these five, the first -1 where everything is evaluated"""
