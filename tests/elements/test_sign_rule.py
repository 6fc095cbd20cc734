"""One sign rule: the force of a signal times its rate is the power that it puts into the machine.

For every element, with each of its signals left to its law, loaded and driven, with each of its contacts pressed, and
with its nodes fixed, loaded and driven, the powers of all forces add up to the rate of the kinetic energy. No other
convention passes, since each power has a rate of its own.
"""

from contextlib import suppress
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.integrate import simpson

import flexura as fx
from flexura import planar, spatial
from flexura.battery.examples import specimens
from flexura.derive.duals import jacobian, numbers
from flexura.elements.element import catalogue
from flexura.elements.slots import accepted, targets
from flexura.nodes import Point, SpatialPoint

UNTIL, SAMPLES = 4e-3, 401
TIMES = UNTIL * np.linspace(0.0, 1.0, SAMPLES) ** 3
"""Dense at the start, where slips settle that friction holds back."""
ALLOWED = 1e-4
"""Friction of small slips, and stiff beams, have rates that change within the run; a wrong sign makes 1."""
ON_THE_ROAD = (spatial.Tyre("N0", "N1", radius=0.3, k=2e3, law=fx.Cornering(500.0), c=20.0), [(0, 0, 0.29), (0, 0, 0)])
EVERY = [cls for space in ("planar", "spatial") for cls in catalogue(space).values() if cls.strains or cls.slips]
TOUCHING = [(cls, k) for cls in EVERY for k in range(len(cls.contacts)) if cls is not spatial.Tyre]
"""Elements and their contacts; the tyre stands on the road."""
CENTRED = (spatial.BallSocket,)
"""Elements drawn where the directions of their slips are not defined: a ball in the middle of its socket."""
PRESSED = 0.02
"""Penetration of a contact that is pressed [m]."""


def named(cls):
    return f"{cls.space} {cls.__name__}"


def heavy(element):
    """Mass and inertia at every node of an element."""
    found, flat, kinds = {}, type(element).space == "planar", accepted(element)
    for name, node in targets(element).items():
        m = 1.0 + 0.4 * len(found)
        if {Point, SpatialPoint} & set(kinds[name]):
            found[f"mass_{name}"] = (planar if flat else spatial).Mass(node, m)
        elif flat:
            found[f"mass_{name}"] = planar.Mass(f"part.{name}", m, 0.3 * m)
        else:
            found[f"mass_{name}"] = spatial.Body(f"part.{name}", m, 0.3 * m, 0.4 * m, 0.5 * m)
    return found


def machines(cls):
    """Examples of an element as models whose nodes all have mass, each with its specimen."""
    for specimen in specimens(cls):
        element = specimen.element
        # impacts interrupt the run; material that flows through a belt brings its own energy
        if specimen.shared or "Restitution" in repr(element):
            continue
        if cls is planar.Belt:
            element = replace(element, rhoA=0.0)
        if cls is spatial.Tyre:
            element, drawn = ON_THE_ROAD
        else:
            drawn = specimen.drawn
        if cls in (planar.Hinge, spatial.Hinge):
            # both nodes of a pin with friction are at one place
            drawn = drawn[:1] * len(drawn)
        nodes = dict(zip(targets(element).values(), drawn, strict=True))
        yield fx.Model(nodes=nodes, elements={"part": element} | heavy(element)), specimen


def moving(model, count=9, sign=1.0):
    """The model with rates of so many nodes and orientations, to one side or the other."""
    axes = "xyz"[: model.dimension]
    rates = [f"{node}.{axis}'" for node in model.nodes for axis in axes]
    turns = ["phi'"] if model.dimension == 2 else [f"about_own_{axis}'" for axis in axes]
    bodies = [e.p for e in model.elements.values() if type(e).__name__ in {"Mass", "Body"} and "." in e.p]
    rates += [f"{end}.{turn}" for end in bodies for turn in turns]
    given = {name: sign * (0.2 * (i % 5) - 0.13 * (i % 3) + 0.1) for i, name in enumerate(rates[:count])}
    return model.replace(start=dict(model.start) | given)


def powers(motion):
    """Powers of all forces; those that a contact displays and strains exert are left out."""
    names, given = motion.names, {*motion.model.loads, *motion.model.inputs}
    contacts = [(n, c) for n, e in names.elements.items() for c in e.contacts if c.of_strains]
    shown = {f"{n}.{name}" for n, c in contacts for name in (c.name, *c.slips)} - given
    acting = {str(a) for a in (*motion.nodal_coordinates, *motion.strains) if not a.internal} - shown | given
    forces = {name: motion.force(name) for name in acting}
    for a in motion.strains:
        # coordinates of an element's own have loads, as coordinates, and laws, as strains
        if names.own(a) != a:
            forces[str(a)] = forces[str(a)] - motion.stress[:, motion.column(a)]
    found = {name: force * motion[f"{name}'"] for name, force in forces.items()}
    return {name: power for name, power in found.items() if np.any(power)}


def imbalance(motion):
    """The part of the kinetic energy gained in a short run that is not the work of the forces."""
    found = np.array([*powers(motion).values(), np.zeros(SAMPLES)])
    work, turnover = simpson(found.sum(axis=0), x=motion.t), simpson(np.abs(found).sum(axis=0), x=motion.t)
    return abs(np.diff(motion.energy["kinetic"][[0, -1]])[0] - work) / max(turnover, 1e-3 * UNTIL)


def run(model):
    return fx.simulate(model, times=TIMES.tolist(), method=fx.DormandPrince(tolerance=1e-12))


@cache
def first_that_moves(cls):
    """The first example in which the element has power, or the last that runs, and its motion."""
    found = None
    for model, _ in machines(cls):
        for count in (9, 5, 3, 2, 1):
            try:
                motion = run(moving(model, count))
            except fx.ModelError:
                continue  # rates that its constraints do not allow
            if motion.t.size == SAMPLES and not motion.events:
                found = model, motion
                if any(np.abs(power).max() > 1e-7 for power in powers(motion).values()):
                    return found
            break
    assert found, "no example runs"
    return found


def signals(motion):
    """Strains and slips of the element; of one in parts, of the first."""
    own = [a for a in motion.strains if not a.internal and a.owner in {"part", "part.1"}]
    gaps, element = motion.names.between_surfaces, motion.model.elements["part"]
    undirected = element.slips if isinstance(element, CENTRED) else ()
    return [str(a) for a in own if not gaps(a) and a.component not in undirected]


def check_signals(model, names):
    """Each signal loaded, and driven where that is possible."""
    for signal in names:
        # a load on a signal that gives way is its force, together with the law
        loaded = run(model.replace(loads={signal: 0.7}))
        assert imbalance(loaded) < ALLOWED, signal
        with suppress(fx.ModelError):  # signals that follow from others cannot be driven
            driven = run(model.replace(inputs={signal: fx.Polynomial((0.0, 0.0, 0.4))}))
            assert imbalance(driven) < ALLOWED, signal
            # a load in the place of the drive, with the law besides
            drive = driven.force_parts(signal)["drive"][0]
            again = run(model.replace(loads={signal: drive}, released=[signal]))
            assert again[f"{signal}''"][0] == pytest.approx(0.8, rel=1e-9)
            assert again.force(signal)[0] == pytest.approx(driven.force(signal)[0], rel=1e-12)


@pytest.mark.parametrize("cls", EVERY, ids=named)
def test_power_is_force_times_rate(cls):
    model, motion = first_that_moves(cls)
    # laws and constraints
    assert imbalance(motion) < ALLOWED
    check_signals(model, signals(motion))


def pressed(cls, contact):
    """An example in which a contact presses: its last node is moved against the slope of the gap."""
    for model, specimen in machines(cls):
        last = [places for turns, places in specimen.blocks if not turns][-1]
        x, k = np.array(specimen.position, dtype=float), specimen.element.own_strains() + contact
        x[last] += 1e-4 * np.arange(1, len(last) + 1)
        for _ in range(20):
            gap = float(numbers(specimen.strain(list(x)))[k])
            slope = np.array(numbers(jacobian(specimen.strain, list(x))))[k][last]
            if not slope.any():
                break
            x[last] -= (gap + PRESSED) * slope / (slope @ slope)
        node = list(model.nodes)[-1]
        start = {f"{node}.{axis}": float(value) for axis, value in zip("xyz", x[last], strict=False)}
        name = f"part.{cls.contacts[contact].name}"
        for sign in (1.0, -1.0):  # surfaces that part fast do not press
            with suppress(fx.ModelError):
                motion = run(moving(model.replace(start=start), sign=sign))
                if motion.t.size == SAMPLES and not motion.events and (motion.force(name) > 1e-6).all():
                    return model.replace(start=start), motion, name
    raise AssertionError("no example presses")


@pytest.mark.parametrize(("cls", "contact"), TOUCHING, ids=lambda x: x if isinstance(x, int) else x.__name__)
def test_a_contact_that_presses(cls, contact):
    """Its force is positive, and its power that of the gap."""
    model, motion, name = pressed(cls, contact)
    assert np.abs(motion.force(name) * motion[f"{name}'"]).max() > 1e-9
    assert imbalance(motion) < ALLOWED
    if issubclass(cls, CENTRED):
        check_signals(model, [f"part.{slip}" for slip in cls.slips])


@pytest.mark.parametrize("cls", EVERY, ids=named)
def test_nodes_that_are_fixed_driven_and_loaded(cls):
    """Coordinates of the first node, all others loaded, and rotations; then loads in the place of support and drive."""
    model, _ = first_that_moves(cls)
    shift = EVERY.index(cls) % 2
    axes, (first, place) = "xyz"[: model.dimension], next(iter(model.nodes.items()))
    fixed, driven = (f"{first}.{axes[(shift + k) % len(axes)]}" for k in range(2))
    loaded = {f"{node}.{axis}" for node in model.nodes for axis in axes} - {fixed, driven}
    turns = (
        ["phi"] if model.dimension == 2 else [f"{about}_{axis}" for about in ("about", "about_own") for axis in axes]
    )
    bodies = [e.p for e in model.elements.values() if type(e).__name__ in {"Mass", "Body"} and "." in e.p]
    names = sorted(loaded) + [f"{end}.{turn}" for end in bodies for turn in turns]
    loads = {name: 0.3 + 0.17 * (i % 4) for i, name in enumerate(names)}
    begins = place[axes.index(driven[-1])]
    free = model.replace(loads=loads)
    held = run(free.replace(fixed=[fixed], inputs={driven: fx.Polynomial((begins, 0.0, 0.4))}))
    assert imbalance(held) < ALLOWED
    given = {name: held.force(name)[0] for name in (fixed, driven)}
    again = run(free.replace(loads=loads | given))
    assert [again[f"{name}''"][0] for name in (fixed, driven)] == pytest.approx([0.0, 0.8], rel=1e-9, abs=1e-9)


def test_corners_of_bodies_that_press_and_slide():
    box, block = (
        ((-0.1, -0.05), (0.1, -0.05), (0.1, 0.05), (-0.1, 0.05)),
        ((-1.0, -0.2), (1.0, -0.2), (1.0, 0.0), (-1.0, 0.0)),
    )
    law = fx.KelvinVoigt(k=1e3, c=5.0)
    elements = {
        "below": planar.Body("G", 3.0, 0.5),
        "box": planar.Body("B", 2.0, 0.02),
        "hit": planar.BodyContact("below.p", "box.p", law, block, box, friction=fx.Friction(0.3)),
    }
    start = {"B.x'": 0.3, "B.y'": -0.2, "box.p.phi'": 0.5, "below.p.phi'": -0.2}
    motion = run(fx.Model(nodes={"G": (0, 0), "B": (0.03, 0.048)}, elements=elements, start=start))
    assert {"hit.q1.gap", "hit.q1.slide", "hit.q2.gap", "hit.q2.slide"} <= powers(motion).keys()
    assert imbalance(motion) < ALLOWED
