"""``python -m benchmarks [WORD …]``: all cases, or those whose name contains one of the words; also ``scaling``."""

import sys

from benchmarks.compare import main

main(sys.argv[1:])
