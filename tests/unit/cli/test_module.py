"""The command line by ``python -m flexura``."""

from __future__ import annotations

import subprocess
import sys


def test_the_package_is_the_command_line() -> None:
    done = subprocess.run([sys.executable, "-m", "flexura", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("flexura ")
