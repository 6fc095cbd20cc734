"""Refinement of steps: those with large errors are halved, unless that does not reduce the error."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from flexura.derive.records import Floats
from flexura.errors import AnalysisError

Span = tuple[float, float]
_NOISE = 0.3
"""Fraction of the error of a step above which the errors of both halves are noise; a kink is in one half only."""
_MOST_STEPS = 20_000


class StepRefinement:
    """Ends of the steps of all segments."""

    def __init__(self, bounds: list[Floats], shortest: float) -> None:
        self.bounds, self.shortest = bounds, shortest
        self.parents: dict[Span, tuple[Span, float]] = {}
        self.noisy: set[Span] = set()

    @property
    def spans(self) -> list[list[Span]]:
        """Ends of the steps of each segment."""
        return [[(float(a), float(b)) for a, b in pairwise(own)] for own in self.bounds]

    def halve(self, errors: list[Floats]) -> bool:
        """Halve steps whose errors, relative to the permitted one, exceed one; False if there is none."""
        spans = self.spans
        every = [span for own in spans for span in own]
        self._find_noise(dict(zip(every, np.concatenate(errors).tolist(), strict=True)))
        marks = [
            (wrong > 1.0) & np.array([self._divisible(span) for span in own], dtype=bool)
            for own, wrong in zip(spans, errors, strict=True)
        ]
        for own, wrong, marked in zip(spans, errors, marks, strict=True):
            for k in np.flatnonzero(marked):
                a, b = own[k]
                middle = 0.5 * (a + b)
                self.parents[a, middle] = self.parents[middle, b] = own[k], float(wrong[k])
        self.bounds = [_halved(own, marked) for own, marked in zip(self.bounds, marks, strict=True)]
        if sum(own.size for own in self.bounds) > _MOST_STEPS:
            raise AnalysisError(
                "the derivatives vary faster than steps resolve them: shorten the run, or choose a smoother model"
            )
        return any(bool(marked.any()) for marked in marks)

    def _divisible(self, span: Span) -> bool:
        return span not in self.noisy and span[1] - span[0] > self.shortest

    def _find_noise(self, errors: dict[Span, float]) -> None:
        """Mark halves that are hardly better than the step they came from."""
        halves: dict[Span, list[Span]] = {}
        for span, error in errors.items():
            if error > 1.0 and span in self.parents and error > _NOISE * self.parents[span][1]:
                halves.setdefault(self.parents[span][0], []).append(span)
        for both in halves.values():
            if len(both) == 2:
                self.noisy.update(both)


def _halved(bounds: Floats, marks: NDArray[np.bool_]) -> Floats:
    """Ends of steps with the marked ones halved."""
    middles = 0.5 * (bounds[:-1] + bounds[1:])[marks]
    return np.sort(np.concatenate([bounds, middles]))
