"""The files of a run: result, tables, figures, animation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from flexura.cli.runs import Run
from flexura.results.motion import Motion


def keep(motion: Motion, run: Run, folder: Path) -> list[Path]:
    """Write what a run asks for; the paths of the files."""
    written = []
    for name, write in _wanted(motion, run).items():
        path = folder / name
        write(str(path))
        written.append(path)
    return written


def _wanted(motion: Motion, run: Run) -> dict[str, Callable[[str], object]]:
    """The names of the files, and what writes each."""
    wish, name = run.keep, run.name
    count = 8 if isinstance(wish.poses, bool) else wish.poses
    files: dict[str, tuple[object, Callable[[str], object]]] = {
        f"{name}.nc": (wish.save, motion.save),
        f"{name}.csv": (wish.csv, lambda path: motion.to_csv(path, *wish.csv)),
        f"{name}.png": (wish.plot, lambda path: motion.plot(*wish.plot, path=path)),
        f"{name}_orbits.png": (wish.orbits, lambda path: motion.plot_orbits(*wish.orbits, path=path)),
        f"{name}_energies.png": (wish.energies, lambda path: motion.plot_energies(path=path)),
        f"{name}_poses.png": (wish.poses, lambda path: motion.plot_poses(count, path=path)),
        wish.animate: (wish.animate, lambda path: motion.animate(path, trace=wish.trace)),
    }
    return {file: write for file, (wanted, write) in files.items() if wanted}
