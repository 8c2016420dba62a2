# `make advantage`: the first measurement, from nothing. `make test`: all tests, from nothing.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
GAMES ?= 200000

.PHONY: advantage test lint bench clean

advantage: $(VENV)/installed
	$(BIN)/stardeck advantage star_realms --agents rules --games $(GAMES)

test: $(VENV)/installed-test
	$(BIN)/pytest -n 2 --dist worksteal
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n 2 --dist worksteal

lint: $(VENV)/installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

bench: $(VENV)/installed
	$(BIN)/stardeck bench

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet --constraint constraints.txt --editable .
	touch $@

$(VENV)/installed-test: $(VENV)/installed constraints.txt
	$(BIN)/pip install --quiet --constraint constraints.txt --editable ".[test]"
	touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info kernels/__pycache__
