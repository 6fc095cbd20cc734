"""The arrays that compiled code works on: one flat, typed picture of a model."""

from __future__ import annotations

from flexura.derive.program import Program
from flexura.derive.records import Floats, Ints, IntTable, Places, Record
from flexura.mechanics.core.contact_tables import Gaps, Grips, Modes, Shares
from flexura.mechanics.core.factors import Factors
from flexura.mechanics.core.idle_tables import IdleElements
from flexura.mechanics.core.joint_tree import JointTree


class Calls(Record, scratch=("out",)):
    """The kernels of one level, a call a kind: where they are, and where their arguments start."""

    address: Ints
    count: Ints
    index_start: Ints
    number_start: Ints
    extra_start: Ints
    out_start: Ints
    step: IntTable
    """distances of the arguments of one element from those of the next: index, number, extra inputs, outputs"""
    extra: Floats
    out: Floats


class Slopes(Record):
    """∂ε/∂x as kernel outputs: strain k has the entries start[k]:start[k + 1]."""

    strain: Places
    """indices of the values of the strains"""
    convection: Places
    """indices of their convective accelerations; at the motion level only"""
    start: Ints
    source: Places
    column: Places
    """the coordinate"""
    target: Ints
    """its place in the solution, or -1 where it is known"""


class Triples(Record):
    """Products that are added up: result[target] += output[source] · factor[other]."""

    source: Places
    target: Places
    other: Places


class Pairs(Record):
    """Values that are added up: result[target] += output[source]."""

    source: Places
    target: Places


class Rows(Record):
    """The held strains: rigid and driven."""

    strain: Ints
    place: Places
    """when its multiplier is eliminated"""
    convection: Places
    entries: Pairs
    """∂ε/∂x into the matrix"""
    position: Floats
    velocity: Floats
    acceleration: Floats
    """prescribed acceleration of the strain, at present"""
    scale: Floats
    """the size of the strain that counts as one"""


class Switches(Record):
    """The last of the rows, which are held only at times: first gaps in contact that lasts, then slips that stick."""

    strain: Ints
    place: Places
    """when its multiplier is eliminated"""
    start: Ints
    target: Places
    """the entries of switch n in the matrix are target[start[n]:start[n + 1]]"""
    on: Ints
    """1 for an active row"""


class Augmented(Record):
    """Rows whose square is added to the matrix where the mass alone does not make it regular."""

    row: Ints
    weight: Floats
    start: Ints
    source: Ints
    place: Ints
    target_start: Ints
    target: Ints


class Laws(Record):
    """The strains with a stress of their own: stiffness, damping, preload, programs, applied loads."""

    strain: Ints
    needed: Ints
    """the strains that they depend on"""
    rated: Ints
    """1 if a law depends on the rates of strains"""
    start: Ints
    other: Ints
    stiffness: Floats
    damping: Floats
    preload: Floats
    program: IntTable
    """(law, start, stop, stress register, slope registers for strain and rate) a row"""


class Material(Record):
    """Products of slopes that make the material stiffness: values[target] += left · modulus · right."""

    left: Places
    right: Places
    modulus: Places
    target: Places


class Driven(Record):
    """Quantities prescribed in time: registers of value and first and second derivative."""

    stop: Ints
    """the end of the program of all signals, and whether there is anything to run in time"""
    coordinate: Ints
    coordinate_register: IntTable
    row: Ints
    row_register: IntTable
    load_coordinate: Ints
    load_register: Ints
    load_law: IntTable
    """(law, register) of loads on strains"""
    body: IntTable
    """(index of extra input, register) of distributed loads"""
    body_drift: Ints
    """indices of the mean velocities on which they do work, at the momentum level"""
    body_base: Floats
    """the extra inputs without them: the weight"""
    body_length: Floats


class LawCalls(Record):
    """Compiled laws of elements, a call for each kind of law; their inputs and outputs are registers of the program."""

    address: IntTable
    """kernels of stresses, slopes and displayed forces, a row each; 0 where there is none"""
    out_start: IntTable
    """first registers of the outputs, likewise"""
    count: Ints
    index_start: Ints
    index: Ints
    """registers of the inputs, law by law"""
    number_start: IntTable
    """first constants of the kernels, likewise"""
    step: IntTable
    """distances of the arguments of one law from those of the next: index, number, stresses"""
    number: Floats
    """constants of the laws"""


class Feedback(Record):
    """Loads, and rates of states, that follow signals: they are run once the strains are known.

    Their results are in the registers of ``Driven.load_register`` and ``Driven.load_law`` with those of other loads.
    """

    span: Ints
    """first and last row of the program for the values, and for the slopes"""
    laws: LawCalls
    followed: IntTable
    """(number, register) of the numbers of elements that follow the motion"""
    shown: IntTable
    """(strain, register) of forces that act elsewhere, with the sign of a load"""
    signal: IntTable
    """(1 of a strain or 0 of a coordinate, which, 1 of its rate or 0 of its value, register) of what is measured"""
    load: IntTable
    """(1 of a strain or 0 of a coordinate, which) of what is loaded"""
    slope: IntTable
    """(load, signal, register) of each slope that is not zero"""
    own: IntTable
    """(coordinate, 1 by its rate or 0 by its value, register) of the slopes of loads by what they act on"""
    pair: IntTable
    """two strains of which one is loaded as the other says, the later first"""
    modulus: IntTable
    """(pair, 1 by a rate or 0 by a value, register) of these slopes"""
    working: Ints
    """numbers of loads on coordinates that do work, of masses that have energy, and of loads on strains that
    come from outside: those of states and of the laws of elements come after"""


class Touch(Record):
    """Gaps that laws act across."""

    strain: Ints
    register: Ints
    """register of the program that holds the contact open or pressed, -1 where steps do not hold it"""
    by_force: Ints
    """1 where it is held pressed until the force on the gap would pull, 0 until the gap opens"""
    suspended: Floats
    """scratch: how contacts are held"""


class Reactions(Record):
    """Everything that meets in a coordinate, for reactions; the driven coordinates come first."""

    mass: Triples
    force: Pairs
    slope: Triples
    driven: Ints
    """numbers of each that belong to driven coordinates"""


class Meeting(Record):
    """Numbers of forces, and of slopes of held strains and of strains with laws, that meet in each place."""

    force_start: Ints
    force: Places
    held_start: Ints
    held: Places
    law_start: Ints
    law: Places


class Mixed(Record):
    """The right-hand side of an iteration that has the stresses as unknowns; products with free coordinates alone."""

    held: Triples
    """slopes of held strains: place in the solution, strain"""
    law: Triples
    """slopes of strains with laws, likewise"""
    law_start: Ints
    """first of the slopes of each strain that laws need: law_start[n]:law_start[n + 1] are those of the n-th"""
    slope: Floats
    """the values of these that are in the factors"""
    by_place: Meeting
    """terms that meet in each place of the solution; empty in small systems"""
    demand: Floats
    """the stresses by the laws"""
    gap: Floats
    """their differences from those of the iteration"""
    change: Floats
    """of the strains in the last correction"""


class System(Record):
    """A model as compiled code sees it."""

    entry: Ints
    """addresses of compiled functions that work on systems"""
    index: Ints
    number: Floats
    motion: Calls
    balance: Calls
    """the motion level with accelerations in place of masses, into the same outputs; of stiff systems"""
    balance_body: Pairs
    """its body forces among those of the motion level"""
    balance_acceleration: Pairs
    """its accelerations among those of the coordinates"""
    shape: Calls
    """the strain level"""
    geometric: Calls
    momentum: Calls
    track: Calls
    track_target: Ints
    slopes: Slopes
    shape_slopes: Slopes
    mass: Pairs
    mass_all: Triples
    force: Pairs
    coupling: Triples
    rows: Rows
    switches: Switches
    gaps: Gaps
    grips: Grips
    modes: Modes
    shares: Shares
    augmented: Augmented
    laws: Laws
    driven: Driven
    feedback: Feedback
    touch: Touch
    idle: IdleElements
    reactions: Reactions
    geometric_entries: Pairs
    geometric_stress: Ints
    """the strain whose stress is each extra input of the geometric level"""
    material: Material
    mixed: Mixed
    tree: JointTree
    """bodies of a system in joint coordinates; empty in all coordinates"""
    program: Program
    factors: Factors
    z: Floats
    """right-hand side and solution, in order of elimination"""
    free: Places
    place: Places
    """place of each free coordinate, aligned with ``free``"""
    coordinate_place: Ints
    """place of each coordinate, -1 where known"""
    pivot: Floats
    """the inverse pivots in the position where the system was built"""
    # scratch
    strain: Floats
    rate: Floats
    moduli: Floats
    held: Floats
    power: Floats
    """put in by drives and loads, lost in dampers, stored by formulas of strains, at the last evaluation"""
