"""Contacts of a system as arrays: gaps with their impacts, slips with dry friction."""

from __future__ import annotations

from flexura.derive.records import Floats, FloatTable, Ints, IntTable, Record

RESTITUTION, STIFFNESS, EXPONENT, LAW, IN_TURN = range(5)
"""columns of ``Gaps.law``"""


class Gaps(Record):
    """The distances that impacts keep from closing: each is the switch of the same number."""

    strain: Ints
    law: FloatTable
    """restitution, stiffness, exponent and law of each, and 1 where blows follow each other one at a time"""
    row: Ints
    """strain or slip of each row of impulses: the gaps, then the slips with dry friction that they press"""
    owner: Ints
    """gap of each row"""
    slip: Ints
    slips: Ints
    """first of the slips of each gap among the rows, and their number"""
    grip: Ints
    """dry friction that each gap presses, -1 without"""
    phase: Ints
    """open, closed, pressed or dependent"""
    # the last impact
    touching: Ints
    state: FloatTable
    """distance, its first and second derivative, and the size of what the first is made of"""
    response: FloatTable
    """rates and reactions that a unit impulse on each makes, in order of elimination"""
    admittance: FloatTable
    """their effect on the rates of the gaps and slips"""
    restitution: Floats
    approach: Floats
    """rates of gaps and slips before it"""
    size: Floats
    """the rates that count as none"""
    impulse: Floats
    """of the gaps, then of the slips"""
    clearance: Floats
    left: Floats
    rate: Floats
    blow: Floats
    """distances before the first blow; distances, rates and impulses of blows that follow each other at one position"""
    course: FloatTable
    """blow of each contact along its impulse, all blows added, and scratch for one"""
    coupling: FloatTable
    """scratch: mobilities of one contact"""
    phase_rate: Floats
    phase_blow: Floats
    """scratch: rates and impulses of one phase of blows that happen together"""
    press: Floats
    wait: Floats
    """the time in which all further impacts of one that comes to rest would have happened"""
    before: Floats
    """the rates before it"""
    reaction: Floats
    """the impulses in the held strains, by strain"""
    work: FloatTable
    trial: Floats
    demand: Floats
    chosen: Ints
    least: Floats
    """scratch of the choice of those that press, and the pivots that are none"""


class Grips(Record):
    """Dry friction that sticks: a slip, or two at right angles, and what presses."""

    start: Ints
    """the slips of grip i are the switches start[i]:start[i + 1]"""
    mu: FloatTable
    """friction over normal force, sliding and sticking"""
    load: Floats
    """the normal force where it is given"""
    by: Ints
    """the strain whose force presses, -1 where it is given"""
    place: Ints
    """when the multiplier of that strain is eliminated, -1 where the force follows from a law"""
    pressure_start: Ints
    """the forces that press joint i are the rows pressure_start[i]:pressure_start[i + 1] of ``pressure``"""
    pressure: IntTable
    """(group, component, strain, place of its multiplier or -1)"""
    pressure_weight: Floats
    pressure_slope: Floats
    """derivatives of the normal force by these forces, at the last evaluation"""
    creep: FloatTable
    """speed below which friction is regularised, zero if it sticks; 1 where in a straight line"""
    part: Floats
    """the part of the full friction at the last evaluation"""
    sticks: Ints
    """1 for a contact that sticks; of its slips, the independent ones are held"""
    direction: FloatTable
    """the way in which each slides, or is about to"""
    still: Floats
    """slip of two components that counts as none: its direction is uncertain"""
    ease: Floats
    """compliance: acceleration of each slip by a unit force where nothing sticks"""
    pull: FloatTable
    """the direction of the friction at the last evaluation"""
    force: Floats
    """its size"""
    rubs: Ints
    """1 for a contact that slides under a multiplier that presses"""
    response: FloatTable
    """accelerations and reactions that unit friction makes, in order of elimination"""
    work: FloatTable
    """scratch: equations between the forces that press each other"""
    jammed: Ints
    """1 where friction admits no solution"""


class Modes(Record):
    """Scratch of the choice between open, sliding and sticking contacts: normals of those listed, then their slips."""

    count: Ints
    closed: Ints
    """1 for a gap that is closed and neither parts nor approaches"""
    gap: Ints
    grip: Ints
    """gap of each contact, and the grip that it presses, -1 without friction"""
    way: Ints
    """mode of a contact that slides, 0 where it has no slip"""
    mode: Ints
    expected: Ints
    unknown: Ints
    pivot: Ints
    held: Ints
    """1 for a row with a force of its own"""
    free: Floats
    """accelerations of the rows where all contacts are open"""
    second: Floats
    force: Floats
    coupling: FloatTable
    equations: FloatTable
    response: FloatTable


class Shares(Record):
    """Forces that closed contacts share, as sums of generators of their friction cones, and scratch for them."""

    together: Ints
    """1 where all closed contacts are held, whatever the forces of the independent rows among them are"""
    closed: Ints
    """1 for a gap that takes part"""
    on: Ints
    sticks: Ints
    """rows and grips as they were"""
    count: Ints
    """number of generators"""
    contact: Ints
    way: FloatTable
    """contact of each generator, and its tangential forces over its normal force"""
    part: Floats
    centre: Floats
    rest: Floats
    chosen: Ints
    """size of each generator, that of the round before, what it leaves undone, and 1 where it is not zero"""
    load: Floats
    matrix: FloatTable
    work: FloatTable
    """equations of the sizes"""
    force: Floats
    shared: Floats
    """forces on the rows of ``Gaps``: before, and shared"""
