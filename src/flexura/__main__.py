"""``python -m flexura``: the command line, also where its script is not on the path."""

from flexura.cli import main

main()
