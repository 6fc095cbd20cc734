"""Arrays that compiled code works on: one flat, typed representation of a model."""

from __future__ import annotations

from flexura.derive.program import Program
from flexura.derive.records import Floats, Ints, IntTable, Places, Record
from flexura.mechanics.core.contact_tables import Gaps, Grips, Modes, Shares
from flexura.mechanics.core.factors import Factors
from flexura.mechanics.core.idle_tables import IdleElements
from flexura.mechanics.core.joint_tree import JointTree


class Calls(Record, scratch=("out",)):
    """Kernels of one level, one call for each kind: their addresses, and the starts of their arguments."""

    address: Ints
    count: Ints
    index_start: Ints
    number_start: Ints
    extra_start: Ints
    out_start: Ints
    step: IntTable
    """distances between the arguments of consecutive elements: index, number, extra inputs, outputs"""
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
    """its place in the solution, or -1 if it is known"""


class Triples(Record):
    """Products to be added: result[target] += output[source] · factor[other]."""

    source: Places
    target: Places
    other: Places


class Pairs(Record):
    """Values to be added: result[target] += output[source]."""

    source: Places
    target: Places


class Rows(Record):
    """Held strains: rigid and driven."""

    strain: Ints
    place: Places
    """place of its multiplier in the elimination"""
    convection: Places
    entries: Pairs
    """∂ε/∂x into the matrix"""
    position: Floats
    velocity: Floats
    acceleration: Floats
    """current prescribed acceleration of the strain"""
    scale: Floats
    """size of the strain that counts as one"""


class Switches(Record):
    """Switchable constraint rows, the last of the rows: first gaps in lasting contact, then sticking slips."""

    strain: Ints
    place: Places
    """place of its multiplier in the elimination"""
    start: Ints
    target: Places
    """the entries of switch n in the matrix are target[start[n]:start[n + 1]]"""
    on: Ints
    """1 for an active row"""


class Augmented(Record):
    """Rows whose square is added to the matrix if the mass alone is not regular."""

    row: Ints
    weight: Floats
    start: Ints
    source: Ints
    place: Ints
    target_start: Ints
    target: Ints


class Laws(Record):
    """Strains with a stress of their own: stiffness, damping, preload, programs, applied loads."""

    strain: Ints
    needed: Ints
    """strains that they depend on"""
    rated: Ints
    """1 if a law depends on the rates of strains"""
    start: Ints
    other: Ints
    stiffness: Floats
    damping: Floats
    preload: Floats
    program: IntTable
    """(law, start, stop, stress register, slope registers for strain and rate) of each"""


class Material(Record):
    """Products of slopes in the material stiffness: values[target] += left · modulus · right."""

    left: Places
    right: Places
    modulus: Places
    target: Places


class Driven(Record):
    """Quantities prescribed in time: registers of value and first and second derivative."""

    stop: Ints
    """end of the program of all signals, and 1 if any of them depends on time"""
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
    """Compiled laws of elements, one call for each kind; their inputs and outputs are registers of the program."""

    address: IntTable
    """kernels of stresses, slopes and displayed forces, one row each; 0 if there is none"""
    out_start: IntTable
    """first registers of the outputs, likewise"""
    count: Ints
    index_start: Ints
    index: Ints
    """registers of the inputs, law by law"""
    number_start: IntTable
    """first constants of the kernels, likewise"""
    step: IntTable
    """distances between the arguments of consecutive laws: index, number, stresses"""
    number: Floats
    """constants of the laws"""


class Feedback(Record):
    """Loads, and rates of states, that depend on signals: they are evaluated once the strains are known.

    The results are in the registers of ``Driven.load_register`` and ``Driven.load_law``, with those of other loads.
    """

    span: Ints
    """first and last row of the program for the values, and for the slopes"""
    laws: LawCalls
    followed: IntTable
    """(number, register) of the tracked numbers, the element numbers that follow the motion"""
    shown: IntTable
    """(strain, register) of displayed forces, with the sign of a load"""
    signal: IntTable
    """(1 for a strain or 0 for a coordinate, index, 1 for its rate or 0 for its value, register) of measured signals"""
    load: IntTable
    """(1 for a strain or 0 for a coordinate, its index) of the loaded quantities"""
    slope: IntTable
    """(load, signal, register) of each non-zero slope"""
    own: IntTable
    """(coordinate, 1 for its rate or 0 for its value, register) of the slopes of loads by the quantity they act on"""
    pair: IntTable
    """two strains, one loaded as a function of the other, the later first"""
    modulus: IntTable
    """(pair, 1 for a rate or 0 for a value, register) of these slopes"""
    working: Ints
    """numbers of loads on coordinates that do work, of masses with energy, and of external loads on strains;
    those of states and of the laws of elements come after"""


class Touch(Record):
    """Gaps of contact laws."""

    strain: Ints
    register: Ints
    """register of the program that holds the contact open or pressed, -1 if steps do not hold it"""
    by_force: Ints
    """1 if it is held pressed until the force would be tensile, 0 until the gap opens"""
    suspended: Floats
    """scratch: saved branches of the contacts"""


class Reactions(Record):
    """All contributions to the force on a coordinate, for reactions; the driven coordinates come first."""

    mass: Triples
    force: Pairs
    slope: Triples
    driven: Ints
    """numbers of those that belong to driven coordinates"""


class Runs(Record):
    """Members of a list that belong to each of several sets, as runs of neighbours in the order of the list."""

    start: Ints
    """set n has the runs start[n]:start[n + 1]"""
    first: Ints
    last: Ints
    """run r has the members first[r]:last[r]"""


class Meeting(Record):
    """Sets of places that threads fill independently of each other, and the contributions to each of them."""

    bound: Ints
    """set n has the places bound[n]:bound[n + 1] of the solution, and their columns of the matrix"""
    force: Runs
    held: Runs
    law: Runs
    law_strain: Ints
    """strain of the first member of each run of slopes of strains with laws, as laws number what they need"""
    mass: Runs
    row: Runs
    """entries of held strains in the matrix"""
    material: Runs
    geometric: Runs


class Mixed(Record):
    """Right-hand side of an iteration with the stresses as unknowns; products with free coordinates only."""

    held: Triples
    """slopes of held strains: place in the solution, strain"""
    law: Triples
    """slopes of strains with laws, likewise"""
    law_start: Ints
    """first slope of each strain that laws need: law_start[n]:law_start[n + 1] are those of the n-th"""
    slope: Floats
    """values of these slopes in the factors"""
    demand: Floats
    """stresses of the laws"""
    gap: Floats
    """their differences from those of the iteration"""
    change: Floats
    """changes of the strains in the last correction"""


class System(Record):
    """Representation of a model for compiled code."""

    entry: Ints
    """addresses of compiled functions that work on systems"""
    index: Ints
    number: Floats
    motion: Calls
    balance: Calls
    """the motion level with accelerations instead of masses, into the same outputs; for stiff systems"""
    balance_body: Pairs
    """its body forces among those of the motion level"""
    balance_acceleration: Pairs
    """its accelerations among those of the coordinates"""
    shape: Calls
    """strain level"""
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
    """strain whose stress is each extra input of the geometric level"""
    material: Material
    mixed: Mixed
    meeting: Meeting
    tree: JointTree
    """bodies of a system in joint coordinates; empty otherwise"""
    program: Program
    factors: Factors
    z: Floats
    """right-hand side and solution, in order of elimination"""
    free: Places
    place: Places
    """place of each free coordinate, aligned with ``free``"""
    coordinate_place: Ints
    """place of each coordinate, -1 if it is known"""
    pivot: Floats
    """inverse pivots in the position at which the system was built"""
    # scratch
    strain: Floats
    rate: Floats
    moduli: Floats
    held: Floats
    power: Floats
    """input of drives and loads, dissipation of dampers, storage by formulas of strains, at the last evaluation"""
