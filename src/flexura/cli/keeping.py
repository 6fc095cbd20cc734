"""What to keep of a result: the keys of a run beside the arguments of its analysis, and the files they lead to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import flexura.plotting  # noqa: F401 - registers what draws results
from flexura.errors import ModelError
from flexura.laws.units import Bounds, Unit
from flexura.laws.validation import validate
from flexura.results.motion import Motion
from flexura.results.state import State

ENDINGS = (".gif", ".mp4", ".html")

Write = Callable[[str], object]

Table = Annotated[Sequence[str], Unit("", "signals to write as a table; none for no table")]
Save = Annotated[bool, Unit("", "write the result file")]


class Keep(ABC):
    """What to keep of a result; files have the name of the run."""

    def __post_init__(self) -> None:
        validate(self)

    @property
    @abstractmethod
    def signals(self) -> tuple[str, ...]:
        """The signals that are named."""

    @property
    @abstractmethod
    def loads(self) -> tuple[str, ...]:
        """The signals that are loaded."""

    @property
    @abstractmethod
    def places(self) -> tuple[str, ...]:
        """The points that are named."""

    @abstractmethod
    def files(self, result: Any, name: str) -> dict[str, Write]:
        """The names of the files to write, and what writes each."""


@dataclass(frozen=True, kw_only=True)
class KeepMotion(Keep):
    """What to keep of a motion."""

    save: Save = True
    csv: Table = ()
    plot: Annotated[Sequence[str], Unit("", "signals to draw over time")] = ()
    orbits: Annotated[Sequence[str], Unit("", "points whose paths to draw")] = ()
    energies: Annotated[bool, Unit("", "draw the energies over time")] = False
    poses: Annotated[bool | int, Unit("", "draw the mechanism at several times, or at this many"), Bounds(0, 1000)] = (
        False
    )
    animate: Annotated[str, Unit("", "the moving mechanism, as name.gif, name.mp4 or name.html")] = ""
    trace: Annotated[Sequence[str], Unit("", "points whose paths the animation shows")] = ()

    @property
    def signals(self) -> tuple[str, ...]:
        return (*self.plot, *self.csv)

    @property
    def loads(self) -> tuple[str, ...]:
        return ()

    @property
    def places(self) -> tuple[str, ...]:
        return (*self.orbits, *self.trace)

    @property
    def _count(self) -> int:
        return 8 if self.poses is True else int(self.poses)

    def files(self, result: Motion, name: str) -> dict[str, Write]:
        return chosen(
            (self.save, f"{name}.nc", result.save),
            (self.csv, f"{name}.csv", lambda path: result.to_csv(path, *self.csv)),
            (self.plot, f"{name}.png", lambda path: result.plot(*self.plot, path=path)),
            (self.orbits, f"{name}_orbits.png", lambda path: result.plot_orbits(*self.orbits, path=path)),
            (self.energies, f"{name}_energies.png", lambda path: result.plot_energies(path=path)),
            (self.poses, f"{name}_poses.png", lambda path: result.plot_poses(self._count, path=path)),
            (self.animate, plain_name(self.animate), lambda path: result.animate(path, trace=tuple(self.trace))),
        )


@dataclass(frozen=True, kw_only=True)
class KeepState(Keep):
    """What to keep of a state."""

    save: Save = True
    csv: Table = ()
    draw: Annotated[bool, Unit("", "draw the mechanism in this state")] = False
    values: Annotated[Sequence[str], Unit("", "signals to print; all coordinates and strains if none")] = ()

    @property
    def signals(self) -> tuple[str, ...]:
        return (*self.values, *self.csv)

    @property
    def loads(self) -> tuple[str, ...]:
        return ()

    @property
    def places(self) -> tuple[str, ...]:
        return ()

    def files(self, result: State, name: str) -> dict[str, Write]:
        return chosen(
            (self.save, f"{name}.nc", result.motion.save),
            (self.csv, f"{name}.csv", lambda path: result.motion.to_csv(path, *self.csv)),
            (self.draw, f"{name}.png", lambda path: result.plot(path=path)),
        )


def chosen(*files: tuple[object, str, Write]) -> dict[str, Write]:
    """The files that are wanted."""
    return {name: write for wanted, name, write in files if wanted}


def plain_name(name: str) -> str:
    """The name of an animation, refused where it would lead out of the folder that the user has said."""
    if name and (Path(name).name != name or name.startswith(".") or not name.endswith(ENDINGS)):
        remedy = f"give a plain name that ends in {', '.join(ENDINGS)}; the folder is said with -o"
        raise ModelError("animate", f"'{name}' is not the name of a file to write", remedy)
    return name


def write(keep: Keep, result: Any, name: str, folder: Path) -> list[Path]:
    """Write what is to be kept; the paths of the files."""
    written = []
    for file, writer in keep.files(result, name).items():
        writer(str(folder / file))
        written.append(folder / file)
    return written
