"""Fingerprint of a study, by which a store knows its own."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from flexura.analyses.studies.job import Job
from flexura.analyses.studies.plan import Plan
from flexura.model.files import dumps


def fingerprint(job: Job, plan: Plan) -> str:
    """Digest of model, parameters, run and quantities; functions count by their names."""
    digest = hashlib.sha256(dumps(job.model).encode())
    for dimension in plan.dimensions:
        for path, values in dimension.values.items():
            digest.update(f"{dimension.name} {path} ".encode() + values.tobytes())
    arguments = {name: value for name, value in job.arguments.items() if name not in ("progress", "limits")}
    kept = {name: _named(how) if callable(how) else how for name, how in job.keep.items()}
    digest.update(repr((_named(job.function), sorted(arguments.items(), key=str), kept)).encode())
    return digest.hexdigest()[:32]


def _named(function: Callable[..., Any]) -> str:
    return getattr(function, "__qualname__", type(function).__name__)
