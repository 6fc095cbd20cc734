# Every target sets up what it needs in .venv; a machine needs Python 3.11 or newer (with venv) and make.

PYTHON ?= python3
WORKERS ?= 2

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
SPHINX := $(BIN)/sphinx-build -W --keep-going -q -j $(WORKERS)

# the tests run side by side, on matrices too small to be worth sharing
export OPENBLAS_NUM_THREADS := 1

.DEFAULT_GOAL := help
.PHONY: help demo test slow fuzz lint format docs bounds bench clean

help:  ## say what can be made
	@grep -hE '^[a-z]+:.*##' Makefile | sed -E 's/:.*## /|/' | awk -F'|' '{printf "  make %-8s %s\n", $$1, $$2}'

demo: $(VENV)/installed  ## run the flagship example: its table, result file and figures, in demo/
	$(BIN)/flexura run examples/slider_crank_flexible.toml -o demo

test: $(VENV)/installed-dev  ## everything that must hold: style, types, layers, documents, tests
	$(MAKE) --no-print-directory --jobs 2 --output-sync=target lint docs
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not gallery and not slow"

slow: docs  ## the tests that take long, and every script of the gallery
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "gallery or slow"

fuzz: $(VENV)/installed-dev  ## 20 000 damaged model files and 2000 tampered result and cache files; the seeds are printed
	$(BIN)/python tests/references/fuzzing.py 20000
	$(BIN)/python tests/references/tampering.py 2000

lint: $(VENV)/installed-dev  ## style, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/installed-dev  ## put the source in order
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/installed-dev  ## the documentation site, in docs/_build/html
	$(SPHINX) -b html docs docs/_build/html

bounds: $(VENV)/installed-dev  ## the verification tests with every index checked: writes out of range are silent otherwise
	NUMBA_BOUNDSCHECK=1 FLEXURA_CACHE=$(VENV)/bounds $(BIN)/python -m pytest -n $(WORKERS) tests/verification tests/validation

bench: $(VENV)/installed-bench  ## speed and accuracy beside other programs
	$(BIN)/python -m benchmarks

clean:  ## remove everything that was made
	rm -rf $(VENV) demo docs/_build docs/*/generated build dist
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# What is installed, each a file that remembers when.

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo 'Flexura needs Python 3.11 or newer; say which with: make PYTHON=python3.12'; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(BIN)/python
	$(PIP) install --editable .
	@touch $@

$(VENV)/installed-dev: pyproject.toml | $(BIN)/python
	$(PIP) install --editable '.[test,docs]'
	@touch $@ $(VENV)/installed

$(VENV)/installed-bench: pyproject.toml | $(BIN)/python
	$(PIP) install --editable '.[bench]'
	@touch $@ $(VENV)/installed
