"""``flexura fmu``: a model as an FMU for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flexura.cli.code import Elements
from flexura.cli.command_output import say
from flexura.cli.model_file import read
from flexura.errors import ModelError, placed


def fmu(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Model file (TOML).", show_default=False)],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="FMU to write (default: FILE.fmu).")
    ] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option("--input", "-i", metavar="SIGNAL", help="Load, or driven signal, from outside. May be repeated."),
    ] = None,
    outputs: Annotated[
        list[str] | None,
        typer.Option("--signal", "-s", metavar="SIGNAL", help="Output (default: all positions). May be repeated."),
    ] = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option("--parameter", "-p", metavar="[NAME=]PATH", help="Number of the model. May be repeated."),
    ] = None,
    version: Annotated[str, typer.Option("--fmi", metavar="VERSION", help="2.0 or 3.0.")] = "2.0",
    platforms: Annotated[
        list[str] | None,
        typer.Option("--platform", metavar="NAME", help="Such as x86_64-windows (default: this). May be repeated."),
    ] = None,
    tolerance: Annotated[
        float, typer.Option("--tolerance", metavar="NUMBER", help="Of steps in co-simulation.")
    ] = 1e-8,
    elements: Elements = None,
) -> None:
    """Write a model as an FMU in native code.

    The FMU serves for model exchange and for co-simulation. Inputs are loads on signals, or the motions of signals
    that the model drives. Outputs are signals, their rates and forces, such as B.x' and crank.p.phi.force. Parameters
    are paths of numbers in the model.
    """
    from flexura.formats.fmi import to_fmu
    from flexura.model.names import Names

    if version not in {"2.0", "3.0"}:
        raise ModelError("--fmi", f"there is no version {version!r} of FMI", "write 2.0 or 3.0")
    target = output or file.with_suffix(".fmu")
    model = read(file, elements).model
    signals = outputs or [f"{node}.{axis}" for node in model.nodes for axis in Names(model).place_components]
    named = dict(_named(text) for text in parameters or [])
    with placed(file.name):
        to_fmu(
            model,
            target,
            inputs=inputs or (),
            outputs=signals,
            parameters=named,
            version="3.0" if version == "3.0" else "2.0",
            platforms=platforms or (),
            tolerance=tolerance,
        )
    say(f"written {target}")


def _named(text: str) -> tuple[str, str]:
    """Name and path of a parameter."""
    name, _, path = text.partition("=")
    return name, path or name
