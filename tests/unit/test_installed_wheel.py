"""The wheel: installed alone on every Python of this machine, it runs a copied example, and leaves nothing behind."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


def interpreters() -> list[str]:
    """Pythons that Flexura supports: the present one, those on the path, and those of pyenv."""
    folders = [Path(folder) for folder in os.environ["PATH"].split(os.pathsep)]
    folders += (Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions").glob("*/bin")
    found = {f"{sys.version_info.major}.{sys.version_info.minor}": sys.executable}
    for path in sorted(path for folder in folders for path in folder.glob("python3.*")):
        if re.fullmatch(r"python3\.(1[1-9]|[2-9]\d)", path.name) and "shims" not in path.parts:
            found.setdefault(path.name.removeprefix("python"), str(path))
    return [found[version] for version in sorted(found)]


def run(*command: str | Path, where: Path) -> str:
    """Output of a command that must succeed, without the package of this folder on its path."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=where, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT, where=folder)
    (built,) = folder.glob("flexura-*.whl")
    return built


@pytest.mark.parametrize("python", interpreters(), ids=lambda path: "-".join(Path(path).parts[-3:]))
def test_it_installs_runs_and_leaves_nothing(python: str, wheel: Path, tmp_path: Path) -> None:
    run(python, "-m", "venv", tmp_path / "venv", where=tmp_path)
    scripts = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    pip = (scripts / "python", "-m", "pip", "--disable-pip-version-check", "--quiet")
    run(*pip, "install", wheel, where=tmp_path)
    site = Path(
        run(scripts / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", where=tmp_path).strip()
    )
    assert (site / "flexura" / "examples" / "pendulum.toml").exists()
    assert (site / "flexura" / "py.typed").exists()
    run(scripts / "flexura", "examples", "pendulum", where=tmp_path)
    assert "done" in run(scripts / "flexura", "run", "pendulum.toml", "-o", "results", where=tmp_path)
    assert list((tmp_path / "results").glob("*.nc"))
    run(*pip, "uninstall", "--yes", "flexura", where=tmp_path)
    assert [path for path in site.iterdir() if "flexura" in path.name.lower()] == []
    assert not (scripts / "flexura").exists()
