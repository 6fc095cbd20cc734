"""The command line: ``flexura run``, ``study``, ``check``, ``show``, ``convert``, ``fmu``, ``elements`` and others."""


def main() -> None:
    """Entry point of the command ``flexura``."""
    from flexura.cli.app import app

    app(prog_name="flexura")
