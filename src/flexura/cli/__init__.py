"""The command line: ``flexura run | check | show | convert | elements | analyses | schema | examples``."""


def main() -> None:
    """Entry point of the command ``flexura``."""
    from flexura.cli.app import app

    app(prog_name="flexura")
