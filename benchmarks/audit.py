"""``python -m benchmarks audit``: cost of the auditor, with and without it, in processor time and in evaluations."""

from __future__ import annotations

from unittest.mock import patch

from benchmarks import flexura_cases
from benchmarks.cases import CASES, Case, Setting
from flexura.integrators import step_loop
from flexura.integrators.audit_record import ON, STATES, Audit, renewed

RUNS = 9


class Counter:
    """Auditor that is on or off, and counts its audits of states."""

    def __init__(self, on: bool) -> None:
        self.on = on
        self.last: Audit | None = None

    def __call__(self, audit: Audit) -> Audit:
        self.last = renewed(audit)
        self.last.count[ON] = self.on
        return self.last


def main() -> None:
    """Print a table: the best of several runs of each, taken in turn."""
    print(f"{'case':28} {'method':26} {'without':>10} {'with':>10} {'cost':>7} {'audits':>7}")
    total = [0.0, 0.0]
    for case in CASES:
        setting = _setting(case)
        best, audits = [float("inf")] * 2, 0
        for _ in range(RUNS):
            for on in (0, 1):
                counter = Counter(bool(on))
                with patch.object(step_loop, "renewed", counter):
                    best[on] = min(best[on], flexura_cases.run(case, setting).seconds)
                audits = int(counter.last.count[STATES]) if counter.last is not None else 0
        total = [total[0] + best[0], total[1] + best[1]]
        cost = f"{100 * (best[1] / best[0] - 1):.1f} %"
        print(
            f"{case.name:28} {setting.method:26} {1e3 * best[0]:7.2f} ms {1e3 * best[1]:7.2f} ms {cost:>7} {audits:7}"
        )
    print(f"{'all':55} {1e3 * total[0]:7.2f} ms {1e3 * total[1]:7.2f} ms {100 * (total[1] / total[0] - 1):6.1f} %")


def _setting(case: Case) -> Setting:
    """A setting of usual accuracy: the last method that is tried, which is the cheapest for most."""
    setting = flexura_cases.methods(case)[-1]
    return Setting(setting.method, steps=2000) if setting.steps else Setting(setting.method, tolerance=1e-7)
