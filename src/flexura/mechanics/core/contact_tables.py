"""Contacts of a system as arrays: gaps with their impacts, slips with dry friction."""

from __future__ import annotations

from flexura.derive.records import Floats, FloatTable, Ints, IntTable, Record

RESTITUTION, STIFFNESS, EXPONENT, LAW, IN_TURN = range(5)
"""columns of ``Gaps.law``"""


class Gaps(Record):
    """Gaps with a law of restitution; each is the switch of the same number."""

    strain: Ints
    law: FloatTable
    """restitution, stiffness, exponent and law of each, and 1 if blows are treated one at a time"""
    row: Ints
    """strain or slip of each row of impulses: the gaps, then the slips of their frictional contacts"""
    owner: Ints
    """gap of each row"""
    slip: Ints
    slips: Ints
    """first slip of each gap among the rows, and their number"""
    grip: Ints
    """frictional contact (``Grips``) of each gap, -1 without friction"""
    phase: Ints
    """open, closed, pressed or dependent"""
    # the last impact
    touching: Ints
    state: FloatTable
    """distance, its first and second derivative, and the sum of the absolute terms of the first"""
    response: FloatTable
    """rates and reactions due to a unit impulse on each, in order of elimination"""
    admittance: FloatTable
    """rates of the gaps and slips due to unit impulses: the mobilities"""
    restitution: Floats
    approach: Floats
    """rates of gaps and slips before the impact"""
    size: Floats
    """negligible rates"""
    impulse: Floats
    """of the gaps, then of the slips"""
    lost: Floats
    """energy that the blows on each gap dissipate, each from the rates before and after it"""
    clearance: Floats
    left: Floats
    rate: Floats
    blow: Floats
    """distances before the first blow; distances, rates and impulses of successive blows at one position"""
    course: FloatTable
    """course of the blow on each contact, summed over all blows, and scratch for one"""
    coupling: FloatTable
    """scratch: mobilities of one contact"""
    phase_rate: Floats
    phase_blow: Floats
    """scratch: rates and impulses of one phase of simultaneous blows"""
    press: Floats
    pressing: FloatTable
    """accelerations of the gaps due to unit forces on each, with the friction of those that slide"""
    wait: Floats
    """duration of the remaining impacts of a contact that comes to rest"""
    before: Floats
    """rates before the impact"""
    reaction: Floats
    """impulses in the held strains, by strain"""
    work: FloatTable
    trial: Floats
    demand: Floats
    chosen: Ints
    least: Floats
    """scratch of the complementarity problem: active contacts, and negligible pivots"""


class Grips(Record):
    """Frictional contacts: a slip, or two at right angles, and their normal force."""

    start: Ints
    """the slips of contact i are the switches start[i]:start[i + 1]"""
    mu: FloatTable
    """coefficients of friction, sliding and sticking"""
    load: Floats
    """normal force if it is given"""
    by: Ints
    """strain whose force is the normal force, -1 if it is given"""
    place: Ints
    """place of the multiplier of that strain in the elimination, -1 if the force follows from a law"""
    pressure_start: Ints
    """the forces in the normal force of joint i are the rows pressure_start[i]:pressure_start[i + 1] of ``pressure``"""
    pressure: IntTable
    """(group, component, strain, place of its multiplier or -1)"""
    pressure_weight: Floats
    pressure_slope: Floats
    """derivatives of the normal force with respect to these forces, at the last evaluation"""
    creep: FloatTable
    """speed below which friction is regularised, zero if it sticks; 1 for a piecewise linear regularisation"""
    part: Floats
    """fraction of the full friction at the last evaluation"""
    sticks: Ints
    """1 for a sticking contact; the rows of its independent slips are active"""
    direction: FloatTable
    """direction in which each contact slides, or is about to"""
    still: Floats
    """negligible slip of two components: its direction is uncertain"""
    pull: FloatTable
    """direction of the friction force at the last evaluation"""
    force: Floats
    """its size"""
    rubs: Ints
    """1 for a sliding contact whose normal force is a multiplier"""
    response: FloatTable
    """accelerations and reactions due to unit friction, in order of elimination"""
    work: FloatTable
    """scratch: equations of the coupled friction forces"""
    jammed: Ints
    """1 if friction admits no solution"""


class Modes(Record):
    """Scratch of the choice between open, sliding and sticking contacts: normals of those listed, then their slips."""

    count: Ints
    closed: Ints
    """1 for a gap that is closed and neither opens nor approaches"""
    gap: Ints
    grip: Ints
    """gap of each contact, and its frictional contact, -1 without friction"""
    way: Ints
    """mode of a sliding contact, 0 if its slip is zero"""
    mode: Ints
    expected: Ints
    unknown: Ints
    pivot: Ints
    held: Ints
    """1 for a row with a force of its own"""
    free: Floats
    """accelerations of the rows if all contacts are open"""
    second: Floats
    force: Floats
    coupling: FloatTable
    equations: FloatTable
    response: FloatTable


class Shares(Record):
    """Forces shared by closed contacts, as sums of generators of their friction cones, and scratch for them."""

    together: Ints
    """1 if all closed contacts stick together, with shared forces"""
    closed: Ints
    """1 for a closed gap that takes part"""
    on: Ints
    sticks: Ints
    """saved rows and frictional contacts"""
    count: Ints
    """number of generators"""
    contact: Ints
    way: FloatTable
    """contact of each generator, and its tangential forces per unit normal force"""
    part: Floats
    centre: Floats
    rest: Floats
    chosen: Ints
    """size of each generator, that of the previous round, its residual, and 1 if it is not zero"""
    load: Floats
    matrix: FloatTable
    work: FloatTable
    """equations of the sizes"""
    force: Floats
    shared: Floats
    """forces on the rows of ``Gaps``: before sharing, and shared"""
