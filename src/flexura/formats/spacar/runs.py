"""Runs of a SPACAR file: its modes as analyses."""

from __future__ import annotations

from typing import Any

from flexura.errors import ModelError
from flexura.formats.spacar.case import Case
from flexura.formats.spacar.conditions import Signals

MODES = (0, 1, 2, 3, 4, 7, 8, 9, 10)
MOST_STEPS = 20
"""load steps that become runs of their own"""

Runs = dict[str, dict[str, Any]]


def mode_of(case: Case, mode: int | None) -> int:
    """Mode of a case: as given, or the one that its lines ask for."""
    if mode is not None:
        if mode not in {*MODES, *(-known for known in MODES)}:
            known = ", ".join(map(str, MODES))
            raise ModelError("mode", f"mode {mode} of SPACAR has no analysis here", f"modes are {known}")
        return abs(mode)
    if any(case.of(word) for word in ("INPUTF", "INPUTS", "OUTX", "OUTXP", "OUTE", "OUTEP", "OUTS", "OUTF")):
        return 9
    return 1 if case.of("TIMESTEP") else 10 if case.of("ITERSTEP") else 0


def runs(case: Case, mode: int) -> Runs:
    """Tables of runs, as a model file has them."""
    times = _times(case)
    steady = {"analysis": "linearise", "equilibrium": True}
    if mode in {1, 2, 3, 4} and not times:
        case.note("assumed", "", f"mode {mode} needs TIMESTEP, which the file does not have: there is no run")
        return {}
    simulated: Runs = {"forward_dynamics": {"analysis": "simulate", **times}}
    driven: Runs = {"inverse_dynamics": {"analysis": "kinematics", **times}}
    found: dict[int, Runs] = {
        1: simulated,
        2: driven,
        3: {**driven, "linearised": {"analysis": "linearise", "at": times.get("until", 0.0)}},
        4: {**simulated, "linearised": {"analysis": "linearise"}},
        7: {"equilibrium": {"analysis": "equilibrium"}, "frequencies": steady},
        8: {"buckling": {"analysis": "buckling", "until": 1.0}},
        9: {"equilibrium": {"analysis": "equilibrium"}, "frequencies": steady},
    }
    return _load_steps(case) if mode == 10 else found.get(mode, {})


def _times(case: Case) -> dict[str, Any]:
    """Last time and number of samples."""
    for each in case.of("TIMESTEP"):
        # SPACAR95 has the number of steps first
        number, last = each.reals if case.dialect == "delft" else each.reals[::-1]
        if not last > 0.0:
            raise each.line.error(f"TIMESTEP: the last time is {last:g}", "give a positive number of seconds")
        if not 1 <= number <= 1e6:
            raise each.line.error(f"TIMESTEP: {number:g} output steps", "give a number from 1 to a million")
        return {"until": last, "samples": round(number) + 1}
    return {}


def _load_steps(case: Case) -> Runs:
    for each in case.of("ITERSTEP"):
        count = each.reals[1]
        if not 1 <= count <= 1e6 or count != round(count):
            raise each.line.error(f"ITERSTEP: {count:g} load steps", "give a number from 1 to a million")
        if count > MOST_STEPS:
            case.note(
                "assumed", each.line.where, f"of {count:g} load steps the last is a run; t from 0 to 1 is the load"
            )
            return {"last_step": {"analysis": "equilibrium", "at": 1.0}}
        number = round(count)
        return {f"step_{i}": {"analysis": "equilibrium", "at": i / number} for i in range(number + 1)}
    return {}


def system(signals: Signals) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Inputs and outputs of the linear system, in the order of their numbers."""
    case = signals.case
    inputs, outputs = dict[int, str](), dict[int, str]()
    for word, found, of_node, suffix in (
        ("INPUTF", inputs, True, ""), ("INPUTS", inputs, False, ""),
        ("OUTX", outputs, True, ""), ("OUTXP", outputs, True, "'"), ("OUTF", outputs, True, ".force"),
        ("OUTE", outputs, False, ""), ("OUTEP", outputs, False, "'"), ("OUTS", outputs, False, ".force"),
    ):  # fmt: skip
        for each in case.of(word):
            if each.target in found:
                what = f"{word}: number {each.target} was given before, for {found[each.target]}"
                raise each.line.error(what, "give it another number")
            name = (signals.coordinate if of_node else signals.strain)(*each.whole)
            found[each.target] = f"{name}{suffix}"
    for word in ("NOMS", "NOMF", "REFE", "REFEP", "REFEDP", "REFX", "REFXP", "REFXDP"):
        for each in case.of(word):
            case.note("left out", each.line.where, f"{word}: nominal inputs and references of a manipulator")
    return tuple(inputs[i] for i in sorted(inputs)), tuple(outputs[i] for i in sorted(outputs))
