"""Functions of blocks of columns give the bits of the general code, for every number, state and direction."""

import numpy as np
import pytest

import flexura as fx
from flexura.mechanics.linear.column_blocks import ELEMENTS, SOLUTION, WHOLE, column_block, kinds_in, renew_numbers
from flexura.mechanics.linear.column_code import NO_CODE, ColumnCode, code_key
from flexura.mechanics.linear.variation_tables import driven_values, number_changes, variations_of
from flexura.mechanics.linear.variations import change_accelerations
from flexura.mechanics.motion.equations_of_motion import accelerate
from flexura.mechanics.preparation.prepared_model import prepare
from flexura.model.gallery import example
from flexura.planar import Beam
from unit.mechanics.models import BAR

T = 0.3


def cantilever() -> fx.Model:
    """Beams with stiffness and damping, and a load in time on a strain."""
    section = fx.Section(EA=400.0, EI=2.0, rhoA=0.4, damping=0.01)
    return fx.Model(
        nodes={"O": (0, 0), "B": (1, 0)},
        elements={"arm": Beam("O", "B", section, parts=2)},
        fixed=["arm.p"],
        gravity=(0, -9.81),
        loads={"B.x": "sin(3*t)", "arm.1.bending_q": "cos(t)"},
    )


def massless() -> fx.Model:
    """Links without mass, whose matrix is augmented by the squares of held strains."""
    return fx.Model(
        nodes={"O": (0, 0), "A": (0.1, 0.1), "B": (0.5, 0)},
        elements={
            "crank": Beam("O", "A", fx.Section(), rigid=True),
            "rod": Beam("A", "B", BAR, rigid=True),
        },
        fixed=["O", "B.y"],
        gravity=(0, -9.81),
        start={"crank.p.phi'": 10.0},
    )


CASES = {
    "linear laws": (cantilever, {WHOLE}),
    "augmented": (massless, {WHOLE}),
    "driven": (lambda: example("slider_crank_rigid"), {WHOLE}),
    "many of a kind": (lambda: example("four_bar"), {WHOLE}),
    "contact law": (lambda: example("journal_with_clearance"), {ELEMENTS, SOLUTION}),
    "feedback": (lambda: example("motor_in_series"), {ELEMENTS, SOLUTION}),
    "rolling": (lambda: example("sleigh"), {WHOLE}),
    "impacts": (lambda: example("ravn_impact"), {WHOLE}),
    "large": (lambda: example("elastica"), set()),
}


def changed(layout, system, formulas, block, directions, code):
    """Changes of the accelerations."""
    x, v, dx, dv, timed = (part.copy() for part in directions)
    a, stress = np.zeros_like(x), np.zeros(max(system.strain.size, 1))
    da = np.zeros_like(dx)
    block.code[:] = code
    renew_numbers(system, block)
    accelerate(system, T, x, v, a, stress)
    change_accelerations(variations_of(layout, system, formulas), block, x, v, a, stress, dx, dv, timed, da)
    return da, dx, dv


@pytest.mark.parametrize("count", [1, 5])
@pytest.mark.parametrize("name", list(CASES))
def test_bits_of_the_general_code(name: str, count: int) -> None:
    model, expected = CASES[name]
    machine = prepare(model())
    layout, system = machine.condensed
    random = np.random.default_rng(3)
    changes = number_changes(system, count)
    for table in vars(changes).values():
        if isinstance(table, np.ndarray) and table.dtype == float:
            table[:] = random.standard_normal(table.shape) * (random.random(table.shape) < 0.5)
    timed = np.array([count - 1] if driven_values(system) else [], dtype=np.int64)
    block = column_block(layout, system, changes, timed, lambda _, compute: compute())
    own = ColumnCode(code_key(layout, system, block))
    code = own.for_run(system, block, lambda: kinds_in(layout, system, changes), 10_000_000)
    assert set(np.flatnonzero(code).tolist()) == expected
    for _ in range(2):
        x, v = machine.narrow(layout, machine.x), machine.narrow(layout, machine.v)
        x[system.free] += 1e-3 * random.standard_normal(system.free.size)
        v[system.free] += random.standard_normal(system.free.size)
        dx, dv = random.standard_normal((2, x.size * count))
        directions = x, v, dx, dv, random.standard_normal((timed.size, driven_values(system)))
        wanted = changed(layout, system, machine.formulas, block, directions, NO_CODE)
        assert np.isfinite(wanted[0]).all()
        assert name == "large" or np.any(wanted[0])
        for part, right in zip(changed(layout, system, machine.formulas, block, directions, code), wanted, strict=True):
            np.testing.assert_array_equal(part, right)


def test_active_contacts_have_the_general_code() -> None:
    """The function is that of open contacts, whose rows have no place in it."""
    machine = prepare(example("slider_crank_block"))
    layout, system = machine.condensed
    changes = number_changes(system, 1)
    block = column_block(layout, system, changes, np.zeros(0, dtype=np.int64), lambda _, compute: compute())
    own = ColumnCode(code_key(layout, system, block))
    code = own.for_run(system, block, lambda: kinds_in(layout, system, changes), 10_000_000)
    x, v = machine.narrow(layout, machine.x), machine.narrow(layout, machine.v) + 1.0
    directions = x, v, np.ones_like(x), np.ones_like(x), np.zeros((0, 0))
    found = []
    for closed in (0, 1):
        system.switches.on[:] = closed
        general = changed(layout, system, machine.formulas, block, directions, NO_CODE)[0]
        np.testing.assert_array_equal(changed(layout, system, machine.formulas, block, directions, code)[0], general)
        found.append(general)
    assert system.switches.on.size
    assert not np.array_equal(*found)


def test_gradients_do_not_depend_on_the_code() -> None:
    """The first gradients of a structure are by the general code, the later ones by its own function."""
    found = [
        fx.gradient(massless(), ["final(B.x)"], ["elements.rod.section.rhoA", "nodes.A.y"], until=0.1, way="forward")
        for _ in range(5)
    ]
    for one in found[1:]:
        np.testing.assert_array_equal(one.derivatives, found[0].derivatives)
