"""One sign rule: the force of a signal times its rate is the power that it puts into the machine.

For every element, with each of its signals left to its law, loaded and driven, the powers of all forces add up to the
rate of the kinetic energy. No other convention passes, since each power has a rate of its own.
"""

from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import simpson

import flexura as fx
from flexura import planar, spatial
from flexura.battery.examples import specimens
from flexura.elements.element import catalogue
from flexura.elements.slots import slots
from flexura.nodes import Point, SpatialPoint

UNTIL, SAMPLES = 4e-3, 401
TIMES = UNTIL * np.linspace(0.0, 1.0, SAMPLES) ** 3
"""Dense at the start, where slips settle that friction holds back."""
ALLOWED = 1e-4
"""Friction of small slips, and stiff beams, have rates that change within the run; a wrong sign makes 1."""
ON_THE_ROAD = (spatial.Tyre("N0", "N1", radius=0.3, k=2e3, law=fx.Cornering(500.0), c=20.0), [(0, 0, 0.29), (0, 0, 0)])
EVERY = [cls for space in ("planar", "spatial") for cls in catalogue(space).values() if cls.strains or cls.slips]
EVERY.remove(spatial.Superelement)  # its strains are those of its part; test_superelements loads and moves it
CENTRED = (spatial.BallSocket,)
"""Elements drawn where the directions of their slips are not defined: a ball in the middle of its socket."""


def named(cls):
    return f"{cls.space} {cls.__name__}"


def heavy(element):
    """Mass and inertia at every node of an element."""
    found, flat = {}, type(element).space == "planar"
    for slot, taken in slots(type(element)).items():
        node, m = getattr(element, slot), 1.0 + 0.4 * len(found)
        if {Point, SpatialPoint} & set(taken.kinds):
            found[f"mass_{slot}"] = (planar if flat else spatial).Mass(node, m)
        elif flat:
            found[f"mass_{slot}"] = planar.Mass(f"part.{slot}", m, 0.3 * m)
        else:
            found[f"mass_{slot}"] = spatial.Body(f"part.{slot}", m, 0.3 * m, 0.4 * m, 0.5 * m)
    return found


def machines(cls):
    """Examples of an element as models whose nodes all have mass."""
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
        nodes = {f"N{i}": place for i, place in enumerate(drawn)}
        yield fx.Model(nodes=nodes, elements={"part": element} | heavy(element))


def moving(model, count=9):
    """The model with rates of so many nodes and orientations."""
    axes = "xyz"[: model.dimension]
    rates = [f"{node}.{axis}'" for node in model.nodes for axis in axes]
    turns = ["phi'"] if model.dimension == 2 else [f"about_own_{axis}'" for axis in axes]
    bodies = [e.p for e in model.elements.values() if type(e).__name__ in {"Mass", "Body"} and "." in e.p]
    rates += [f"{end}.{turn}" for end in bodies for turn in turns]
    return model.replace(start={name: 0.2 * (i % 5) - 0.13 * (i % 3) + 0.1 for i, name in enumerate(rates[:count])})


def powers(motion):
    """Powers of all forces; those that a contact displays and strains exert are left out."""
    elements = motion.names.elements.items()
    shown = {f"{n}.{c.name}" for n, e in elements for c in e.contacts if c.of_strains}
    acting = [a for a in (*motion.nodal_coordinates, *motion.strains) if not a.internal and str(a) not in shown]
    found = {str(a): motion.force(str(a)) * motion[f"{a}'"] for a in dict.fromkeys(acting)}
    return {name: power for name, power in found.items() if power.any()}


def imbalance(motion):
    """The part of the kinetic energy gained in a short run that is not the work of the forces."""
    found = np.array([*powers(motion).values(), np.zeros(SAMPLES)])
    work, turnover = simpson(found.sum(axis=0), x=motion.t), simpson(np.abs(found).sum(axis=0), x=motion.t)
    return abs(np.diff(motion.energy["kinetic"][[0, -1]])[0] - work) / max(turnover, 1e-3 * UNTIL)


def run(model):
    return fx.simulate(model, times=TIMES.tolist(), method=fx.DormandPrince(tolerance=1e-12))


def first_that_moves(cls):
    """The first example in which the element has power, or the last that runs, and its motion."""
    found = None
    for model in machines(cls):
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


@pytest.mark.parametrize("cls", EVERY, ids=named)
def test_power_is_force_times_rate(cls):
    model, motion = first_that_moves(cls)
    # laws and constraints
    assert imbalance(motion) < ALLOWED
    for signal in signals(motion):
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
