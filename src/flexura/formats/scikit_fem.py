"""scikit-fem: parts from its bases and matrices, and solids from meshes that meshio reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from flexura.errors import ModelError
from flexura.formats.solid_stress import COMPONENTS, nodal_stress
from flexura.formats.thin_meshes import thin_part
from flexura.laws.materials import Material
from flexura.laws.sections import AnySection
from flexura.substructures.finite_elements import FiniteElements


def from_scikit_fem(basis: Any, mass: Any, stiffness: Any, **given: Any) -> FiniteElements:
    """Part from a vector basis of scikit-fem in space and the matrices that were assembled on it.

    Each degree of freedom is a displacement of a node along an axis, as in ``ElementVector(ElementTetP2())``.
    """
    places = np.asarray(basis.doflocs).T
    names = [name for group in basis.elem.dofnames for name in [group]]
    axis = {"u^1": 0, "u^2": 1, "u^3": 2}
    component = np.full(basis.N, -1)
    tables = (basis.nodal_dofs, basis.edge_dofs, basis.facet_dofs, basis.interior_dofs)
    rows = [row for table in tables if table is not None for row in np.atleast_2d(table) if np.size(row)]
    for name, row in zip(names, rows, strict=False):
        component[row] = axis.get(name, -1)
    if places.shape[1] != 3 or np.any(component < 0):
        what = "the basis has degrees of freedom that are no displacements in space"
        raise ModelError("basis", what, "use ElementVector of a Lagrange element on a mesh of solids")
    unique, node = np.unique(np.round(places / _size(places), 12), axis=0, return_inverse=True)
    return FiniteElements(mass, stiffness, unique * _size(places), node.ravel(), component, **given)


def _size(places: Any) -> float:
    return float(np.ptp(places, axis=0).max()) or 1.0


def from_mesh(
    mesh: Any,
    material: Material,
    quadratic: bool = True,
    *,
    thickness: float = 0.0,
    section: AnySection | None = None,
) -> FiniteElements:
    """Part from a mesh of solids, shells or beams: a file that meshio reads, or a mesh of meshio.

    Tetrahedra and hexahedra are quadratic solids of scikit-fem unless ``quadratic`` is false. In a mesh without them,
    triangles and quadrilaterals with a ``thickness`` are shells, and lines with a ``section`` are beams, both as
    elements of this package. Lengths are in metres.
    """
    import meshio

    if isinstance(mesh, str | Path):
        mesh = meshio.read(mesh)
    if any(block.type.startswith(("tetra", "hexahedron")) for block in mesh.cells):
        return _solid(mesh, material, quadratic)
    if not 0.0 <= thickness < np.inf:
        raise ModelError("thickness", f"{thickness:g} is out of range", "give a finite number greater than 0")
    return thin_part(mesh, material, thickness, section)


def _solid(mesh: Any, material: Material, quadratic: bool) -> FiniteElements:
    """Part from a mesh of tetrahedra or hexahedra."""
    import skfem
    import skfem.io.meshio
    from skfem.helpers import ddot, dot, eye, sym_grad, trace

    found = skfem.io.meshio.from_meshio(mesh)
    kinds = {
        skfem.MeshTet: (skfem.ElementTetP1(), skfem.ElementTetP2()),
        skfem.MeshHex: (skfem.ElementHex1(), skfem.ElementHex2()),
    }
    pair = next((pair for kind, pair in kinds.items() if isinstance(found, kind)), None)
    if pair is None:
        raise ModelError("mesh", f"a {type(found).__name__} is no mesh of solids", "mesh tetrahedra or hexahedra")
    element = skfem.ElementVector(pair[int(quadratic)])
    basis = skfem.Basis(found, element, intorder=4 if quadratic else 2)
    shear = material.E / (2 * (1 + material.nu))
    bulk = material.E * material.nu / ((1 + material.nu) * (1 - 2 * material.nu))

    def stiffness(u: Any, v: Any, _: Any) -> Any:
        strain = sym_grad(u)
        return ddot(2 * shear * strain + bulk * eye(trace(strain), 3), sym_grad(v))

    def mass(u: Any, v: Any, _: Any) -> Any:
        return material.rho * dot(u, v)

    lines = _edges(found)
    part = from_scikit_fem(basis, *(skfem.BilinearForm(form).assemble(basis) for form in (mass, stiffness)))
    places = {tuple(at): i for i, at in enumerate(np.round(part.positions / _size(part.positions), 9).tolist())}
    at = [places.get(tuple(p)) for p in np.round(found.p.T / _size(part.positions), 9).tolist()]
    part.lines = tuple((p, q) for p, q in ((at[a], at[b]) for a, b in lines) if p is not None and q is not None)
    part.stress = nodal_stress(found, element, material)
    part.labels = tuple(f"{node}.{component}" for node in at for component in COMPONENTS)
    return part


def _edges(mesh: Any) -> list[tuple[int, int]]:
    """Edges of the surface of a mesh."""
    facets = mesh.facets[:, mesh.boundary_facets()]
    count = len(facets)
    pairs = {tuple(sorted((int(f[i]), int(f[(i + 1) % count])))) for f in facets.T for i in range(count)}
    return sorted(pairs)  # type: ignore[arg-type]
