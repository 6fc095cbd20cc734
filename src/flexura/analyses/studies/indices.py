"""Sensitivity indices of a study: the parts of the parameters in the variation of a quantity."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexura.analyses.studies.plan import SAMPLE
from flexura.analyses.studies.sampling import salib, unit_problem, unit_samples
from flexura.errors import ModelError, did_you_mean

if TYPE_CHECKING:
    from xarray import Dataset

_NAMES = {
    "saltelli": {
        "first_order": "S1",
        "first_order_interval": "S1_conf",
        "total": "ST",
        "total_interval": "ST_conf",
    },
    "morris": {"mean_effect": "mu", "mean_absolute_effect": "mu_star", "deviation": "sigma"},
}
"""Variables of the indices, and their names in SALib."""


def sensitivity_indices(data: Dataset, quantity: str) -> Dataset:
    """Sensitivity indices of a quantity of a study that was sampled by ``saltelli`` or ``morris``.

    Saltelli's samples give the indices of Sobol': the first-order index is the part of the variance that a parameter
    causes alone, the total index the part that it has a share in. Half-widths of 95 % confidence intervals stand beside
    them. Morris's samples give the mean of the elementary effects, the mean of their absolute values and their
    standard deviation, for a change of the parameter over its whole range of probability.
    """
    from xarray import Dataset

    scheme = str(data.attrs.get("sampling", ""))
    if scheme not in _NAMES:
        what = f"the study was sampled by {scheme or 'no scheme'}"
        raise ModelError("indices", what, 'sample with sampling="saltelli" or sampling="morris"')
    if quantity not in data.data_vars:
        remedy = did_you_mean(quantity, map(str, data.data_vars))
        raise ModelError("indices", f"there is no quantity '{quantity}'", remedy)
    found = data[quantity]
    if found.dims != (SAMPLE,):
        raise ModelError("indices", f"{quantity} is not one number per sample", "keep a reduction, and vary no lists")
    values = found.values.astype(float)
    missing = int(np.count_nonzero(~np.isfinite(values)))
    if missing:
        raise ModelError("indices", f"{missing} runs have no value of {quantity}", "look at the reason of each")
    names = tuple(map(str, np.atleast_1d(data.attrs["sampled"])))
    problem, seed = unit_problem(names), int(data.attrs["seed"])
    if scheme == "morris":
        cube = unit_samples(len(names), values.size // (len(names) + 1), scheme, seed)
        raw = salib("analyze.morris").analyze(problem, cube, values, seed=seed)
    else:
        raw = salib("analyze.sobol").analyze(problem, values, calc_second_order=False, seed=seed)
    table = {name: (("parameter",), np.asarray(raw[key], dtype=float)) for name, key in _NAMES[scheme].items()}
    return Dataset(table, {"parameter": list(names)}, {"quantity": quantity, "sampling": scheme})
