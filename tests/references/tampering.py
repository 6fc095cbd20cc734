"""Tampered result and cache files: refused, or the same as before.

``python tests/references/tampering.py 2000`` tries so many and prints the seed. Half of the result files are sealed
again, as a stranger would: what is then read may be other numbers, but nothing else goes wrong.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import sys
import tempfile
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))


def damaged(content: bytes, chosen: random.Random) -> bytes:
    """Content with bits flipped, or with a part lost, doubled, exchanged or overwritten."""
    at, length = chosen.randrange(len(content)), chosen.choice((1, 8, 100, 5000))
    part = content[at : at + length]
    ways = (
        lambda: content[:at] + bytes([content[at] ^ (1 << chosen.randrange(8))]) + content[at + 1 :],
        lambda: content[:at],
        lambda: content[:at] + content[at + length :],
        lambda: content[:at] + part + content[at:],
        lambda: content[:at] + bytes(len(part)) + content[at + len(part) :],
        lambda: content[:at] + chosen.randbytes(len(part)) + content[at + len(part) :],
        lambda: content[:at] + b"\xff" * len(part) + content[at + len(part) :],
        lambda: content + chosen.randbytes(length),
        lambda: part + content,
    )
    return chosen.choice(ways)()


def tried_result(content: bytes, chosen: random.Random, folder: Path, sealed_again: bool) -> str:
    """Fate of a tampered result file; empty if it is well."""
    import flexura as fx
    from flexura.results.result_file import _TAIL, sealed

    tampered = sealed(damaged(content[:-_TAIL], chosen)) if sealed_again else damaged(content, chosen)
    (folder / "tampered.nc").write_bytes(tampered)
    try:
        found = fx.load(folder / "tampered.nc")
    except fx.ModelError:
        return ""
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if tampered == content or sealed_again:
        str(found)
        return ""
    return "damage is not noticed"


def tried_cache(content: bytes, chosen: random.Random) -> str:
    """Fate of a tampered file of the cache; empty if it is not used."""
    from flexura.derive.cache_files import read_sealed, write_sealed
    from flexura.derive.private_folder import private_folder

    folder = private_folder()
    assert folder is not None
    write_sealed("specimen.object", content)
    path = folder.path / "specimen.object"
    whole = path.read_bytes()
    path.write_bytes(damaged(whole, chosen))
    found = read_sealed("specimen.object")
    return "damage is not noticed" if found is not None and path.read_bytes() != whole else ""


def motion_file(folder: Path) -> bytes:
    """Content of a result file."""
    import flexura as fx
    from flexura.planar import Beam

    arm = Beam("O", "A", fx.Section(rhoA=1.0), rigid=True)
    model = fx.Model({"O": (0, 0), "A": (1, 0)}, {"arm": arm}, fixed=["O"], gravity=(0, -9.81))
    fx.simulate(model, until=0.1, samples=20, events=[fx.Event("A.y", value=-0.01)]).save(folder / "motion.nc")
    return (folder / "motion.nc").read_bytes()


# ── many of them ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _one(seed: int, number: int, content: bytes, folder: str) -> None:
    """Try one file in a process of its own, and end with 1 where something is wrong: HDF5 may end a process."""
    warnings.simplefilter("ignore")
    os.environ["FLEXURA_CACHE"] = folder
    chosen = random.Random(f"{seed} {number}")
    if number % 2:
        fate = tried_result(content, chosen, Path(folder), sealed_again=number % 4 == 1)
    else:
        fate = tried_cache(content, chosen)
    if fate:
        print(f"{number}: {fate}", flush=True)
        os._exit(1)
    os._exit(0)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("count", nargs="?", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(3), "big"))
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    wrong, forked = 0, multiprocessing.get_context("fork")
    with tempfile.TemporaryDirectory() as folder:
        content = motion_file(Path(folder))
        for number in range(given.count):
            process = forked.Process(target=_one, args=(given.seed, number, content, folder))
            process.start()
            process.join(10.0)
            if process.exitcode is None:
                process.kill()
                process.join()
            if process.exitcode:
                wrong += 1
                print(f"{number}: the process ended with {process.exitcode}", flush=True)
    print(f"{given.count} tampered files of seed {given.seed}, {wrong} wrong")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
