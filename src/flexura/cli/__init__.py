"""The command line: ``flexura run | check | show | elements | analyses | schema | examples``."""


def main() -> None:
    """Entry point of the command ``flexura``."""
    from flexura.cli.app import app

    app(prog_name="flexura")
