"""Thin triangular shells: patch test, clamped plates against series solutions, and a plate as a support."""

import numpy as np
import pytest
from scipy.sparse.linalg import eigsh, spsolve

import flexura as fx
from flexura.analyses.linear.reduce import finite_elements
from flexura.spatial import Shell

STEEL = fx.Material(E=2.1e11, rho=7850.0, nu=0.3)


def plate(count, side=1.0, thickness=0.01, moved=0.0):
    """Square plate of count × count cells, each of four triangles about its middle."""
    step, random = side / count, np.random.default_rng(3)
    nodes, elements, first = {}, {}, {}
    for i in range(count + 1):
        for j in range(count + 1):
            inside = 0 < i < count and 0 < j < count
            x, y = moved * inside * step * random.uniform(-1, 1, 2)
            nodes[f"N{i}_{j}"] = (i * step + x, j * step + y, 0.0)
    for i in range(count):
        for j in range(count):
            corners = [f"N{i}_{j}", f"N{i + 1}_{j}", f"N{i + 1}_{j + 1}", f"N{i}_{j + 1}"]
            nodes[f"C{i}_{j}"] = tuple(np.mean([nodes[corner] for corner in corners], axis=0))
            for k in range(4):
                name, ends = f"s{i}_{j}_{k}", []
                for node, slot in zip((corners[k], corners[(k + 1) % 4], f"C{i}_{j}"), "pqr", strict=True):
                    ends.append(first.get(node, node))
                    first.setdefault(node, f"{name}.{slot}")
                elements[name] = Shell(*ends, thickness, STEEL)
    return fx.Model(nodes=nodes, elements=elements, space="spatial")


def inner(fe, side=1.0):
    x = fe.positions[fe.node][:, :2]
    return np.all((x > 1e-9 * side) & (x < (1 - 1e-9) * side), axis=1)


@pytest.mark.parametrize("side", [1e-3, 1.0, 1e3])
def test_constant_strain_and_curvature_are_exact(side):
    fe = finite_elements(plate(3, side, 0.01 * side, moved=0.3))
    x, y = (fe.positions[fe.node] / side).T[:2]
    u, c = np.zeros(fe.size), fe.component
    a, b = np.array([1.0, 0.3]), np.array([0.5, -0.7])
    fields = {
        0: side * (a[0] * x + a[1] * y),
        1: side * (b[0] * x + b[1] * y),
        2: side * (0.5 * x**2 + y**2 + 0.7 * x * y),
        3: 2.0 * y + 0.7 * x,
        4: -(x + 0.7 * y),
        5: np.full(fe.size, 0.5 * (b[0] - a[1])),
    }
    for component, field in fields.items():
        u[c == component] = field[c == component]
    force = fe.stiffness @ u
    for turns in (c < 3, c >= 3):
        assert np.abs(force[inner(fe, side) & turns]).max() < 1e-11 * np.abs(force[turns]).max()


def test_a_free_plate_has_six_rigid_motions():
    fe = finite_elements(plate(2, moved=0.2))
    values = np.linalg.eigvalsh(fe.stiffness.toarray())
    assert np.count_nonzero(values < 1e-9 * values[-1]) == 6
    rigid = fe.rigid((0.0, 0.0, 0.0))
    assert rigid[:, 0] @ (fe.mass @ rigid[:, 0]) == pytest.approx(7850.0 * 0.01, rel=1e-12)
    # moments of inertia of a square plate about its corner: ma²/3, and ma²2/3 about its normal
    whole = rigid.T @ (fe.mass @ rigid)
    assert np.diag(whole)[3:] == pytest.approx(78.5 * np.array([1, 1, 2]) / 3, rel=1e-4)


def test_a_clamped_square_plate_deflects_and_vibrates_as_the_series():
    fe = finite_elements(plate(16))
    free = np.flatnonzero(inner(fe))
    bending = STEEL.E * 0.01**3 / 12 / (1 - STEEL.nu**2)
    stiffness, mass = fe.stiffness[free][:, free].tocsc(), fe.mass[free][:, free].tocsc()
    push = fe.mass @ (fe.component == 2).astype(float) / (STEEL.rho * 0.01)
    found = spsolve(stiffness, push[free])
    # 0.00126532 qa⁴/D [Timoshenko1959 (197)], and 35.985 √(D/ρta⁴) of Leissa's series
    assert np.abs(found[fe.component[free] == 2]).max() * bending == pytest.approx(0.00126532, rel=5e-3)
    square = eigsh(stiffness, k=1, M=mass, sigma=0.0, return_eigenvectors=False)[0]
    assert np.sqrt(square * STEEL.rho * 0.01 / bending) == pytest.approx(35.985, rel=5e-3)


def test_three_nodes_on_a_line_are_refused():
    nodes = {"A": (0, 0, 0), "B": (1, 0, 0), "C": (2, 0, 0)}
    with pytest.raises(fx.ModelError, match=r"elements.s: its three nodes are on one line; move one of them"):
        fx.Model(nodes=nodes, elements={"s": Shell("A", "B", "C", 0.01, STEEL)}, space="spatial")


def test_a_base_plate_becomes_a_substructure():
    model = plate(4, side=0.4, thickness=0.012)
    ends = [f"{name}.{slot}" for name, slot in (("s0_0_0", "p"), ("s3_3_1", "q"))]
    part = fx.reduce(model, ends, modes=2)
    assert part.mass == pytest.approx(7850.0 * 0.4**2 * 0.012, rel=1e-12)
    assert np.all(part.frequencies > 0.0)
    assert part.stiffens


@pytest.mark.parametrize(("rows", "too_small"), [(2, 0.43), (4, 0.16), (8, 0.045)])
def test_bending_in_the_plane_needs_rows_of_triangles(rows, too_small):
    """The errors that the guide states, against a cantilever with shear flexibility; those out of the plane."""
    length, depth, thickness = 0.2, 0.05, 0.003
    material = fx.Material(E=7e10, rho=2700.0, nu=0.0)
    step, columns = depth / rows, 4 * rows
    nodes = {f"N{i}_{j}": (i * step, j * step, 0.0) for i in range(columns + 1) for j in range(rows + 1)}
    elements, first = {}, {}
    for i, j, half in ((i, j, half) for i in range(columns) for j in range(rows) for half in range(2)):
        a, b, c, d = f"N{i}_{j}", f"N{i + 1}_{j}", f"N{i + 1}_{j + 1}", f"N{i}_{j + 1}"
        corners = ((a, b, c), (a, c, d), (a, b, d), (b, c, d))[2 * ((i + j) % 2) + half]
        name = f"s{i}_{j}_{half}"
        elements[name] = Shell(*(first.get(node, node) for node in corners), thickness, material)
        for node, slot in zip(corners, "pqr", strict=True):
            first.setdefault(node, f"{name}.{slot}")
    fe = finite_elements(fx.Model(nodes=nodes, elements=elements))
    x = fe.positions[fe.node][:, 0]
    free, tip = np.flatnonzero(x > 1e-9), np.abs(x - length) < 1e-9
    for component, second, least, most in (
        (1, thickness * depth**3 / 12, 0.95 * too_small, 1.05 * too_small),
        (2, depth * thickness**3 / 12, -2e-3, 2e-3),
    ):
        at = tip & (fe.component == component)
        force = at / np.count_nonzero(at)
        found = np.zeros(fe.size)
        found[free] = spsolve(fe.stiffness[free][:, free].tocsc(), force[free])
        shear = length / (material.shear_modulus * 5 / 6 * depth * thickness) if component == 1 else 0.0
        exact = length**3 / (3 * material.E * second) + shear
        assert least < 1.0 - found[at].mean() / exact < most
