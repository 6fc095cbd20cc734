"""Samples of the unit cube, by schemes of SciPy and SALib. Equal seeds give equal samples."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from flexura.derive.records import Floats
from flexura.errors import ModelError, did_you_mean

SCHEMES = ("latin_hypercube", "sobol", "halton", "random", "saltelli", "morris")


def unit_samples(dimension: int, samples: int, scheme: str, seed: int) -> Floats:
    """Samples of the unit cube, one per row, without its faces.

    ``saltelli`` takes (dimension + 2) · samples runs, and ``morris`` (dimension + 1) · samples, as the analysis of
    their indices needs.
    """
    if scheme not in SCHEMES:
        raise ModelError("sampling", f"there is no scheme '{scheme}'", did_you_mean(scheme, SCHEMES))
    if samples < 1:
        raise ModelError("samples", f"{samples} is not a number of samples", "give at least 1")
    if scheme in ("saltelli", "morris"):
        return _inner(_designed(dimension, samples, scheme, seed))
    if scheme == "random":
        return _inner(np.random.default_rng(seed).random((samples, dimension)))
    from scipy.stats import qmc

    if scheme == "sobol":
        if samples & (samples - 1):
            raise ModelError("samples", f"{samples} is not a power of two, which Sobol' samples need", "give 2^n")
        return _inner(qmc.Sobol(dimension, seed=seed).random(samples))
    engine = qmc.LatinHypercube if scheme == "latin_hypercube" else qmc.Halton
    return _inner(engine(dimension, seed=seed).random(samples))


def _inner(p: Floats) -> Floats:
    """Samples kept away from the faces, where quantiles of unbounded distributions are infinite."""
    return np.clip(p, 1e-12, 1.0 - 1e-12)


def _designed(dimension: int, samples: int, scheme: str, seed: int) -> Floats:
    problem = unit_problem(tuple(f"x{i}" for i in range(dimension)))
    if scheme == "morris":
        return np.asarray(salib("sample.morris").sample(problem, samples, seed=seed))
    if samples & (samples - 1):
        raise ModelError("samples", f"{samples} is not a power of two, which Saltelli's scheme needs", "give 2^n")
    return np.asarray(salib("sample.sobol").sample(problem, samples, calc_second_order=False, seed=seed))


def unit_problem(names: tuple[str, ...]) -> dict[str, Any]:
    """Description of the unit cube for SALib."""
    return {"num_vars": len(names), "names": list(names), "bounds": [[0.0, 1.0]] * len(names)}


def salib(module: str) -> Any:
    """Module of SALib."""
    try:
        return import_module(f"SALib.{module}")
    except ImportError:
        remedy = "install it with: pip install flexura[study]"
        raise ModelError("sampling", "sensitivity indices need SALib", remedy) from None
