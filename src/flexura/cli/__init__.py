"""The command line: ``flexura run | check | show | elements | analyses | schema | examples``."""


def main() -> None:
    """What the command ``flexura`` calls."""
    from flexura.cli.app import app

    app(prog_name="flexura")
