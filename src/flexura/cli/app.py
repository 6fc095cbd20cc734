"""Commands of the command line; each imports slow modules when it runs."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from flexura.cli.analyses import analyses
from flexura.cli.check import check
from flexura.cli.command_output import report_errors
from flexura.cli.convert import convert
from flexura.cli.elements import elements
from flexura.cli.examples import examples
from flexura.cli.fmu import fmu
from flexura.cli.run import run
from flexura.cli.schema import schema
from flexura.cli.show import show
from flexura.cli.study import study
from flexura.errors import did_you_mean, printable
from flexura.version import __version__


class Commands(TyperGroup):
    """The commands; a name that is none of them is answered with one that resembles it."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Name, command and further words of a command line."""
        word = args[0]
        if word in {"help", "version"}:
            ctx.fail(f"there is no command '{word}'; write flexura --{word}")
        if word not in self.commands and not word.startswith("-"):
            ctx.fail(f"there is no command '{printable(word)}'; {did_you_mean(word, self.commands)}")
        return TyperGroup.resolve_command(self, ctx, args)


app = typer.Typer(
    cls=Commands, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None
)

for command in (run, study, check, show, convert, fmu, elements, analyses, schema, examples):
    app.command()(report_errors(command))


def _say_version(asked: bool) -> None:
    if asked:
        typer.echo(f"flexura {__version__}")
        raise typer.Exit


@app.callback()
def flexura(
    version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """The dynamics of flexible multibody systems, from a model in a TOML file.

    To begin, copy an example and run it: flexura examples pendulum, then flexura run pendulum.toml.

    Exit codes: 0 all is well, 1 an analysis failed or a check found errors, 2 a mistake in the file or the command,
    3 a run reached its end but its audit found a doubt.
    """
