"""``python -m benchmarks [WORD …]``: all cases, those named by a word, scaling, linearisation, vibrations."""

import sys

from benchmarks.compare import main

main(sys.argv[1:])
