"""Mobility of large models by sparse elimination: the answers of dense factors."""

import numpy as np
import pytest

import flexura as fx
from flexura.mechanics.core.redundancy import NO_REDUNDANCY
from flexura.mechanics.preparation import independent_set
from flexura.mechanics.preparation import mobility as analysis
from flexura.mechanics.preparation.mobility import mobility
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.mechanics.preparation.signal_slopes import Slopes, held
from flexura.planar import Beam, Truss

STEEL = fx.Material(E=2.1e11, rho=7850.0)


def cantilever(count=12):
    nodes = {f"n{i}": (i / count, 0.0) for i in range(count + 1)}
    elements = {f"b{i}": Beam(f"b{i - 1}.q" if i else "n0", f"n{i + 1}", fx.Circle(0.01), STEEL) for i in range(count)}
    return fx.Model(nodes=nodes, elements=elements, fixed=["n0", "b0.p.phi"])


def pinned(count=12):
    """Rigid links pinned to each other, hanging from a wall."""
    nodes = {f"n{i}": (0.3 * i, 0.1 * (i % 3)) for i in range(count + 1)}
    section = fx.Section(EA=np.inf, EI=np.inf, rhoA=1.0)
    elements = {f"l{i}": Beam(f"n{i}", f"n{i + 1}", section) for i in range(count)}
    return fx.Model(nodes=nodes, elements=elements, fixed=["n0"])


def cells(count=4, braces=1):
    """Square cells of bars in a row, each with its diagonals: with two of them one bar of each cell is redundant."""
    nodes = {f"{row}{i}": (float(i), y) for i in range(count + 1) for row, y in (("a", 0.0), ("b", 1.0))}
    bar = fx.Section(EA=np.inf, rhoA=1.0)
    pairs = [(f"a{i}", f"b{i}") for i in range(count + 1)]
    pairs += [(f"{row}{i}", f"{row}{i + 1}") for i in range(count) for row in "ab"]
    pairs += [(f"a{i}", f"b{i + 1}") for i in range(count)]
    pairs += [(f"b{i}", f"a{i + 1}") for i in range(count)] if braces == 2 else []
    elements = {f"{p}_{q}": Truss(p, q, bar) for p, q in pairs}
    return fx.Model(nodes=nodes, elements=elements, fixed=["a0", "b0.x"])


MODELS = {
    "cantilever": cantilever(),
    "pinned": pinned(),
    "cells": cells(),
    "braced": cells(braces=2),
}


def analysed(model, large, monkeypatch):
    machine = PreparedModel(model, redundancy=NO_REDUNDANCY).start(model, redundant_allowed=True, dynamic=False)
    for module in (analysis, independent_set):
        monkeypatch.setattr(module, "LARGE", 0 if large else 10**6)
    slopes = Slopes(machine.layout, machine.system, machine.x)
    return machine, slopes, mobility(machine.layout, machine.system, machine.x)


@pytest.mark.parametrize("name", MODELS)
def test_degrees_and_redundancy_are_those_of_dense_factors(name, monkeypatch):
    _, _, dense = analysed(MODELS[name], False, monkeypatch)
    machine, slopes, sparse = analysed(MODELS[name], True, monkeypatch)
    assert (sparse.degrees, sparse.excess) == (dense.degrees, dense.excess)
    assert set(sparse.redundant) == set(dense.redundant)
    assert len(sparse.surplus) == len(dense.surplus)
    kept = [a for a in held(machine.layout) if a not in sparse.surplus]
    matrix = slopes.of([*kept, *sparse.independent])
    assert matrix.shape[0] == matrix.shape[1] == np.linalg.matrix_rank(matrix)
    if not sparse.excess:
        dense_matrix = slopes.of([*kept, *dense.independent])
        assert np.linalg.cond(matrix) < 10.0 * np.linalg.cond(dense_matrix)


def test_preferred_signals_are_taken_where_they_are_independent(monkeypatch):
    machine, _, _ = analysed(pinned(), True, monkeypatch)
    wishes = [machine.layout.names.resolve(name) for name in ("n12.y", "l0.p.phi", "l0.q.phi")]
    found = mobility(machine.layout, machine.system, machine.x, wishes)
    names = {str(a) for a in found.independent}
    assert "n12.y" in names
    # a rigid link has one rotation
    assert len(names & {"l0.p.phi", "l0.q.phi"}) == 1
