"""Stresses at the nodes of a mesh of solids, as rows over its degrees of freedom."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import coo_array, csr_array

from flexura.laws.materials import Material

COMPONENTS = {"xx": (0, 0), "yy": (1, 1), "zz": (2, 2), "xy": (0, 1), "yz": (1, 2), "zx": (2, 0)}
"""Components of a stress, with their rows and columns."""


def nodal_stress(mesh: Any, element: Any, material: Material) -> csr_array:
    """Six stresses at each vertex, the mean of those of the elements that meet there."""
    import skfem

    corners = mesh.elem.refdom.p
    basis = skfem.Basis(mesh, element, quadrature=(corners, np.ones(corners.shape[1])))
    shear = material.E / (2 * (1 + material.nu))
    bulk = material.E * material.nu / ((1 + material.nu) * (1 - 2 * material.nu))
    # vertex of each element at each corner, and in how many elements it is
    vertex = mesh.t.T
    share = 1.0 / np.bincount(vertex.ravel())[vertex]

    rows, columns, values = list[Any](), list[Any](), list[Any]()
    for i in range(basis.Nbfun):
        gradient = np.broadcast_to(basis.basis[i][0].grad, (3, 3, *vertex.shape))
        strain = 0.5 * (gradient + gradient.swapaxes(0, 1))
        pressure = bulk * np.trace(strain)
        for c, (j, k) in enumerate(COMPONENTS.values()):
            rows.append(6 * vertex + c)
            columns.append(np.broadcast_to(basis.element_dofs[i][:, None], vertex.shape))
            values.append(share * (2.0 * shear * strain[j, k] + pressure * (j == k)))
    flat = [np.concatenate([each.ravel() for each in given]) for given in (values, rows, columns)]
    return coo_array((flat[0], (flat[1], flat[2])), shape=(6 * mesh.p.shape[1], basis.N)).tocsr()
