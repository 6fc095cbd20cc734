"""Preparation grows in proportion to the number of elements: sizes and operations are counted, not seconds."""

import numpy as np
import pytest

import flexura as fx
from flexura import planar, spatial
from flexura.mechanics.preparation.prepared_model import prepare
from flexura.mechanics.preparation.signal_slopes import Slopes, held
from flexura.mechanics.preparation.sparse_row_basis import SparseBasis

STEEL = fx.Material(E=2.1e11, rho=7850.0)
COUNTS = (40, 80, 120)


def chain(space, count, **changes):
    """Beams welded to each other in a row, clamped at one end."""
    beam, rest = (planar.Beam, (0.0,)) if space == "planar" else (spatial.Beam, (0.0, 0.0))
    nodes = {f"n{i}": (i / count, *rest) for i in range(count + 1)}
    elements = {f"b{i}": beam(f"b{i - 1}.q" if i else "n0", f"n{i + 1}", fx.Circle(0.01), STEEL) for i in range(count)}
    return fx.Model(nodes=nodes, elements=elements, fixed=["n0", "b0.p"], **changes)


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_arrays_and_products_of_a_chain_are_linear_in_its_length(space):
    sizes = []
    for count in COUNTS:
        machine = prepare(chain(space, count))
        system = machine.stiff
        basis = SparseBasis(Slopes(machine.layout, machine.system, machine.x))
        basis.hold(held(machine.layout))
        basis.extend(list(machine.mobility.independent), machine.mobility.degrees, 1e-6)
        sizes.append((system.factors.target.size, system.material.target.size, basis.elimination.fill))
    # equal steps in length make equal steps in size: no term grows with the square
    first, second = np.diff(sizes, axis=0)
    np.testing.assert_array_equal(first[1:2], second[1:2])
    assert np.all(np.abs(second - first) <= 0.05 * first + 20)


def test_iterations_of_an_equilibrium_do_not_grow_with_the_number_of_elements():
    """A cantilever bent to a half circle by a moment at its tip; the tip of an inextensible one is at 2/π."""
    iterations = []
    for count in (80, 320):
        section = fx.Section(EA=1e6, EI=1.0, rhoA=1.0)
        nodes = {f"n{i}": (i / count, 0.0) for i in range(count + 1)}
        elements = {f"b{i}": planar.Beam(f"b{i - 1}.q" if i else "n0", f"n{i + 1}", section) for i in range(count)}
        model = fx.Model(nodes=nodes, elements=elements, fixed=["n0", "b0.p.phi"], loads={f"b{count - 1}.q.phi": np.pi})
        state = fx.equilibrium(model)
        assert state[f"n{count}.y"] == pytest.approx(2.0 / np.pi, abs=1e-5)
        iterations.append(state.motion.statistics["iterations"])
    assert max(iterations) <= 100
