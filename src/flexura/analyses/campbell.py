"""Eigenvalues over a parameter, followed from one value to the next: Campbell diagrams and root loci."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from flexura.analyses.linearise import linearise
from flexura.derive.records import Floats
from flexura.errors import ModelError
from flexura.model.model import Model
from flexura.results.campbell import Campbell
from flexura.results.linear_system import LinearSystem


def campbell(
    model: Model,
    parameter: str,
    values: Sequence[float] | Floats,
    *,
    plane: tuple[str, str] | None = None,
    count: int = 8,
    system: Callable[[Model], LinearSystem] | None = None,
) -> Campbell:
    """The ``count`` lowest eigenvalues over a parameter such as ``"inputs.drive.rotation.rate"``.

    ``plane`` are two signals of a node, in the plane in which a rotor whirls: each motion is then labelled as
    forward or backward. ``system`` says how a model is linearised (about its start, in coordinates of space, if not
    given); attach seals and bearings there.
    """
    at = np.asarray(values, dtype=float)
    if at.ndim != 1 or at.size < 1:
        raise ModelError("values", "there are no values of the parameter", "give a list")
    make = system or (lambda changed: linearise(changed, in_space=True))
    eigenvalues = np.full((at.size, count), np.nan, dtype=complex)
    whirl = np.zeros((at.size, count))
    shapes = None
    for k, value in enumerate(at):
        found = make(model.with_parameter(parameter, float(value)))
        kept = np.flatnonzero(found.eigenvalues.imag > 1e-9 * np.abs(found.eigenvalues).max(initial=0.0))
        order = kept[np.argsort(found.eigenvalues[kept].imag)][: 2 * count]
        roots, vectors = found.eigenvalues[order], found.modes[:, order]
        vectors = vectors / np.linalg.norm(vectors, axis=0)
        if shapes is not None:
            chosen = _same(eigenvalues[k - 1], shapes, roots, vectors)
            roots, vectors = roots[chosen], vectors[:, chosen]
        roots, vectors = roots[:count], vectors[:, :count]
        eigenvalues[k, : roots.size] = roots
        if plane is not None:
            across, up = (found.output(signal)[0] @ vectors for signal in plane)
            whirl[k, : roots.size] = np.sign(np.imag(np.conj(across) * up)) * -1.0
        shapes = vectors
    return Campbell(model.title, parameter, at, eigenvalues, whirl)


def _same(before: np.ndarray, old: np.ndarray, roots: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Which of the new motions goes on with each of the old ones: alike in shape, near in frequency."""
    alike = np.abs(old.conj().T @ vectors)
    far = np.abs(before[: old.shape[1], None].imag - roots.imag) / np.maximum(np.abs(roots.imag), 1e-300)
    _, chosen = linear_sum_assignment(far - alike)
    return np.asarray(chosen)
