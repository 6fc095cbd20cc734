"""``python -m benchmarks [WORD …]``: all cases, or those named by a word; also ``scaling`` and ``linearisation``."""

import sys

from benchmarks.compare import main

main(sys.argv[1:])
