"""Trial of mutants: each ends in a sound result or a clean refusal, in 10 s and 1 GB.

``python tests/references/fuzzing.py 20000`` tries so many in two processes, prints the seed, and ends with the number
of what went wrong; ``--seed S --only N`` repeats one of them.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import time
import traceback
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from references.mutants import mutant

SECONDS, BYTES = 10.0, 10**9
RUNNING = 4.0
"""Wall time that a motion may take, in s: with extreme numbers millions of steps may be what was asked for."""
MOST_TRIALS = 10
"""Trials of a file that compiles something."""


class Overtime(BaseException):
    """More than ten seconds of processor time; no handler of exceptions may stop it."""


def refuse_overtime(*_: object) -> None:
    raise Overtime


def tried(text: str) -> str:
    """Fate of a model file: what a user does first with it, and a short motion; empty if all is well.

    Time that is spent on compiling is paid once a machine: a file that compiles something is tried again.
    """
    from numba.core.event import RecordingListener, install_listener

    fate = ""
    for _ in range(MOST_TRIALS):
        with install_listener("numba:compile", RecordingListener()) as compilations:
            fate = _tried_once(text)
        if not (fate.startswith(("Overtime", "took")) and compilations.buffer):
            break
    return fate


def _tried_once(text: str) -> str:
    from flexura.errors import AnalysisError, ModelError

    signal.signal(signal.SIGPROF, refuse_overtime)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    began = time.process_time()
    try:
        _use(text)
    except (ModelError, AnalysisError) as error:
        return _unclear(str(error))
    except (Exception, Overtime) as error:
        places = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)]
        return f"{type(error).__name__}: {str(error)[:200]!r} at {' '.join(places[-5:])}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
    taken = time.process_time() - began
    return f"took {taken:.1f} s" if taken > SECONDS else ""


def _use(text: str) -> None:
    """Read, check, describe, move and draw a model."""
    import flexura as fx
    from flexura.cli.run_tables import read_runs
    from flexura.errors import numbers_in_range
    from flexura.mechanics.preparation.prepared_model import PreparedModel
    from flexura.model.checks import check
    from flexura.model.files import dumps, loads

    held = loads(text)
    model = held.model
    read_runs(held.runs, model)
    check(model), str(model)
    assert loads(dumps(model)).model == model or "nan" in text, "the model is another after writing and reading"
    with numbers_in_range():
        PreparedModel(model).start(model, redundant_allowed=True)
    motion = fx.simulate(model, until=1e-3, samples=3, limits=fx.Limits(wall_time=RUNNING))
    str(motion)
    for signal_name in [str(name) for name in motion.signals][:5]:
        motion[signal_name]


def _unclear(message: str) -> str:
    """Complaint about a message that is no help: empty, of several pages, or with commands for a terminal."""
    if not message.strip() or len(message) > 2000:
        return f"a message of {len(message)} characters"
    wild = [character for character in message if ord(character) < 32 or 127 <= ord(character) < 160]
    return f"control characters in {message!r}" if wild else ""


# ── many of them ─────────────────────────────────────────────────────────────────────────────────────────────────────


COMPILES = "compiles"


def work(seed: int, numbers: range) -> None:
    """Try mutants one after the other; say before each which it is, that it compiles, and what was wrong with it."""
    from numba.core.event import RecordingListener, install_listener

    import flexura as fx

    class Announcement(RecordingListener):
        """Says of each compilation to which file it belongs."""

        def on_start(self, event: object) -> None:
            print(json.dumps([number, COMPILES]), flush=True)

    fx.simulate  # noqa: B018 - imports all, before memory is limited
    limit = _address_space() + BYTES
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    for number in numbers:
        print(json.dumps([number, None]), flush=True)
        with warnings.catch_warnings(record=True), install_listener("numba:compile", Announcement()):
            fate = tried(mutant(seed, number))
        print(json.dumps([number, fate]), flush=True)


def _address_space() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def batches(seed: int, first: int, count: int, minutes: float) -> tuple[int, list[str]]:
    """Number of mutants tried in processes of their own, and what was wrong; a crash costs one mutant only.

    Where LLVM finds no memory it ends the process. Compiling is paid once a machine, so a mutant whose process ends
    while something is compiled is tried again.
    """
    wrong, number, tried_count, deadline = [], first, 0, time.monotonic() + 60.0 * minutes
    trials: dict[int, int] = {}
    while number < first + count and time.monotonic() < deadline:
        last = min(first + count, number + 500)
        command = [sys.executable, __file__, "--worker", f"{number}", f"{last}", "--seed", f"{seed}"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
            assert process.stdout is not None
            watch, compiles = number, False
            for line in process.stdout:
                try:
                    watch, fate = json.loads(line)
                except ValueError:
                    continue
                compiles = fate == COMPILES
                if fate is not None and not compiles:
                    tried_count += 1
                    number = watch + 1
                    if fate:
                        wrong.append(f"{watch}: {fate}")
                if time.monotonic() > deadline:
                    process.kill()
        if number <= watch and compiles and trials.setdefault(watch, 0) < MOST_TRIALS:
            trials[watch] += 1
            number = watch
        elif number <= watch and time.monotonic() < deadline:
            wrong.append(f"{watch}: the process ended with {process.returncode}")
            number, tried_count = watch + 1, tried_count + 1
    return tried_count, wrong


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("count", nargs="?", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(3), "big"))
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=1e6)
    parser.add_argument("--only", type=int)
    parser.add_argument("--worker", nargs=2, type=int)
    given = parser.parse_args()
    if given.worker:
        work(given.seed, range(*given.worker))
    elif given.only is not None:
        print(mutant(given.seed, given.only))
        _use(mutant(given.seed, given.only))
    else:
        print(f"seed {given.seed}", flush=True)
        count, wrong = batches(given.seed, given.first, given.count, given.minutes)
        print("\n".join(wrong))
        print(f"{count} mutants of seed {given.seed}, {len(wrong)} wrong")
        sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
