"""Record of the finished runs of a model file, for ``flexura run --resume``; deleted when all were performed."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

from flexura.atomic_files import whole

if TYPE_CHECKING:
    from flexura.cli.run_tables import Run
    from flexura.model.model import Model

RECORD = ".finished_runs.json"


class FinishedRuns:
    """Finished runs in a folder of results: for each a digest of model and run, and the files that it wrote."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def forget(self) -> None:
        """Delete the record after all runs were performed."""
        (self._folder / RECORD).unlink(missing_ok=True)

    def _read(self) -> dict[str, dict[str, object]]:
        try:
            found = json.loads((self._folder / RECORD).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def has(self, run: Run, model: Model) -> bool:
        """True if a run of the same model is finished, and its files are there."""
        noted = self._read().get(run.name)
        if not isinstance(noted, dict) or noted.get("digest") != _digest(run, model):
            return False
        files = noted.get("files")
        return isinstance(files, list) and all((self._folder / str(name)).is_file() for name in files)

    def add(self, run: Run, model: Model, files: list[Path]) -> None:
        """Note that a run is finished."""
        noted = self._read() | {run.name: {"digest": _digest(run, model), "files": [path.name for path in files]}}
        with whole(self._folder / RECORD) as draft:
            Path(draft).write_text(json.dumps(noted, indent=1), encoding="utf-8")


def _digest(run: Run, model: Model) -> str:
    """Digest of the version and of everything on which a run depends."""
    from flexura.model.files import dumps
    from flexura.version import __version__

    text = "\n".join([__version__, dumps(model), run.analysis.name, repr(sorted(run.values.items(), key=str))])
    return hashlib.sha256(text.encode()).hexdigest()
