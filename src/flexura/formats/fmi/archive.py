"""Archives of FMUs: compiled for the wanted platforms, with description and sources."""

from __future__ import annotations

import platform
import re
import subprocess
import sys
import zipfile
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.atomic_files import whole
from flexura.derive.cache_files import read_sealed, write_sealed
from flexura.errors import ModelError, did_you_mean
from flexura.formats.fmi.description import Version
from flexura.formats.registry import extra


class Platform(NamedTuple):
    """Platform: its folder in FMI 2.0, its name for the compiler, and the ending of its libraries."""

    folder: str
    target: str
    ending: str


PLATFORMS = {
    "x86_64-linux": Platform("linux64", "x86_64-linux-gnu.2.17", ".so"),
    "x86_64-windows": Platform("win64", "x86_64-windows-gnu", ".dll"),
    "x86_64-darwin": Platform("darwin64", "x86_64-macos", ".dylib"),
    "aarch64-linux": Platform("aarch64-linux", "aarch64-linux-gnu.2.17", ".so"),
    "aarch64-darwin": Platform("darwin64", "aarch64-macos", ".dylib"),
}
"""by their names in FMI 3.0"""


def known_platforms(wanted: Sequence[str]) -> tuple[str, ...]:
    """The named platforms, or this one."""
    if not wanted:
        machine = {"AMD64": "x86_64", "arm64": "aarch64"}.get(platform.machine(), platform.machine())
        wanted = (f"{machine}-{platform.system().lower()}",)
    for name in wanted:
        if name not in PLATFORMS:
            raise ModelError("to_fmu", f"there is no platform '{name}'", did_you_mean(name, list(PLATFORMS)))
    return tuple(dict.fromkeys(wanted))


def plain_name(text: str) -> str:
    """A title as an identifier."""
    return re.sub(r"\W", "_", text, flags=re.ASCII)[:50].strip("_") or "model"


INTERFACE = ("instance.c", "fmi2.c", "fmi3.c")
"""source files of the functions that all FMUs have"""


def source_files(*names: str) -> str:
    """Text of source files that FMUs share, one after the other."""
    folder = files("flexura.formats.fmi")
    return "\n".join(folder.joinpath(name).read_text(encoding="utf-8") for name in names)


def token_of(sources: Mapping[str, str]) -> str:
    """Identifier of the content of an FMU."""
    digits = sha256("\0".join(f"{name}\0{text}" for name, text in sources.items()).encode()).hexdigest()
    return f"{{{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:32]}}}"


def numbers(name: str, values: NDArray[np.float64]) -> str:
    """An array of C with all bits of its numbers."""
    special = {"inf": "INFINITY", "-inf": "-INFINITY", "nan": "NAN"}
    written = (float(value).hex() for value in np.ravel(values))
    listed = ", ".join(special.get(one, one) for one in written) or "0.0"
    return f"static const double {name}[] = {{{listed}}};\n"


def write_archive(
    place: Path, name: str, description: str, sources: Mapping[str, str], platforms: Sequence[str], version: Version
) -> None:
    """Compile the sources for each platform, and write the FMU whole or not at all."""
    libraries = {each: _library(sources, PLATFORMS[each]) for each in platforms}
    with whole(place) as draft, zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("modelDescription.xml", description)
        for each, library in libraries.items():
            under = PLATFORMS[each].folder if version == "2.0" else each
            archive.writestr(f"binaries/{under}/{name}{PLATFORMS[each].ending}", library)


_LARGE = 30_000
"""Lines of a file beyond which it is not optimised: that takes minutes."""


def _library(sources: Mapping[str, str], target: Platform) -> bytes:
    """Machine code of the sources, from the cache where it can be: both versions of FMI have the same."""
    extra("ziglang", "fmi", "compiling an FMU")
    text = "\0".join([*sources.values(), target.target, metadata.version("ziglang")])
    name = f"{sha256(text.encode()).hexdigest()[:24]}.library"
    library = read_sealed(name)
    if library is None:
        library = _compile(sources, target)
        write_sealed(name, library)
    return library


def _compile(sources: Mapping[str, str], target: Platform) -> bytes:
    command = [sys.executable, "-m", "ziglang", "cc", "-target", target.target, "-shared", "-fPIC", "-s"]
    large = any(text.count("\n") > _LARGE for text in sources.values())
    # products and sums are rounded one by one, as in a simulation
    command += ["-O1" if large else "-O2", "-ffp-contract=off", "-fvisibility=hidden", "-Wno-override-module"]
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for file, text in sources.items():
            (folder / file).write_text(text, encoding="utf-8")
        library = folder / f"library{target.ending}"
        command += ["-o", str(library), *sources, "-lm"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
        if done.returncode:
            what = f"the compiler failed: {done.stderr.strip()[:300]}"
            raise ModelError("to_fmu", what, "install flexura[fmi] again, or report the model")
        return library.read_bytes()
