"""Entries of a study as one labelled dataset, filled in any order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.studies.job import FAILED, LONGEST_REASON, NOT_RUN, Entry
from flexura.analyses.studies.plan import Plan
from flexura.analyses.studies.quantity import Quantity

if TYPE_CHECKING:
    from xarray import Dataset

STATUS, REASON = "status", "reason"
_STATUS_TYPE, _REASON_TYPE = "<U8", f"<U{LONGEST_REASON}"


class EntryTable:
    """Arrays of all entries. The first run that succeeds decides which quantities there are, and their shapes."""

    def __init__(self, plan: Plan, units: Mapping[str, str], attributes: Mapping[str, Any]) -> None:
        self.plan, self.units, self.attributes = plan, units, attributes
        self.status: NDArray[Any] = np.full(plan.count, NOT_RUN, dtype=_STATUS_TYPE)
        self.reason: NDArray[Any] = np.full(plan.count, "", dtype=_REASON_TYPE)
        self.forms: dict[str, Quantity] = {}
        self.values: dict[str, NDArray[np.float64]] = {}

    @property
    def waiting(self) -> NDArray[np.int64]:
        """Numbers of the runs that have no entry yet."""
        return np.flatnonzero(self.status == NOT_RUN)

    def forget(self, status: str) -> None:
        """Let the runs with a status wait again."""
        chosen = self.status == status
        self.status[chosen], self.reason[chosen] = NOT_RUN, ""

    def put(self, run: int, entry: Entry) -> None:
        """Record the entry of a run."""
        if entry.quantities and not self.forms:
            self.forms = dict(entry.quantities)
            for name, form in self.forms.items():
                self.values[name] = np.full((self.plan.count, *form.values.shape), np.nan)
        trouble = self._misfit(entry.quantities)
        if not trouble:
            for name, quantity in entry.quantities.items():
                place: tuple[int | slice, ...] = (run, *(slice(0, n) for n in quantity.values.shape))
                self.values[name][place] = quantity.values
        self.status[run] = FAILED if trouble else entry.status
        self.reason[run] = trouble or entry.reason

    def _misfit(self, quantities: Mapping[str, Quantity]) -> str:
        """Reason why quantities do not fit to those of the other runs; histories may end earlier."""
        if quantities and set(quantities) != set(self.forms):
            return f"it keeps {', '.join(quantities)}, and other runs keep {', '.join(self.forms)}"
        for name, one in quantities.items():
            form = self.forms[name]
            if one.dims != form.dims or any(np.greater(one.values.shape, form.values.shape)):
                return f"{name} has the shape {one.values.shape}, and {form.values.shape} in other runs"
        return ""

    def to_dataset(self) -> Dataset:
        """Dataset over the dimensions of the plan."""
        from xarray import Dataset

        dims = tuple(dimension.name for dimension in self.plan.dimensions)
        shape = self.plan.shape
        data: dict[str, Any] = {}
        coordinates: dict[str, Any] = {}
        for dimension in self.plan.dimensions:
            for path, values in dimension.values.items():
                coordinates[path] = ((dimension.name,), values, {"units": self.units.get(path, "")})
        for name, form in self.forms.items():
            own = self.values[name].reshape(*shape, *form.values.shape)
            data[name] = ((*dims, *form.dims), own, {"units": form.unit})
            coordinates |= {dim: ((dim,), labels) for dim, labels in form.labels.items()}
        data[STATUS] = (dims, self.status.reshape(shape))
        data[REASON] = (dims, self.reason.reshape(shape))
        return Dataset(data, coordinates, dict(self.attributes))

    def take(self, stored: Dataset) -> None:
        """Take up the entries of a dataset that an earlier study has stored."""
        count = self.plan.count
        self.status = stored[STATUS].values.astype(_STATUS_TYPE).reshape(count)
        self.reason = stored[REASON].values.astype(_REASON_TYPE).reshape(count)
        own = len(self.plan.dimensions)
        for name in map(str, stored.data_vars):
            if name in (STATUS, REASON):
                continue
            found = stored[name]
            dims = tuple(map(str, found.dims[own:]))
            values = found.values.astype(float).reshape(count, *found.shape[own:])
            labels = {dim: stored[dim].values for dim in dims if dim in stored.coords}
            self.values[name] = values
            self.forms[name] = Quantity(values[0], dims, str(found.attrs.get("units", "")), labels)
