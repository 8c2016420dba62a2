# `make advantage`: the first measurement, from nothing. `make test`: all tests, from nothing; `make test-full`: over
# every variant, both compiled and as plain Python; `make test-cluster`: on a
# Ray cluster; `make test-clients`: those of other people's libraries, which need several GB.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := PYTHONWARNINGS=ignore $(BIN)/pip install --quiet # setuptools warns of every editable install
GAMES ?= 200000
CHROMIUM := command -v chromium || { apt-get update --quiet=2 && apt-get install --quiet=2 --yes --no-install-recommends chromium fonts-dejavu-core; }
CLIENTS := agilerl minari openspiel rllib sb3 supersuit tianshou torchrl
CLIENT ?= $(CLIENTS)

.PHONY: advantage test test-full compiled plain attack boundscheck mutate test-cluster test-cuda test-gpu test-strength test-web test-clients $(CLIENTS:%=test-%) test-oldest report report-quick lint docs pictures first-visits screenshots load bench clean

advantage: $(VENV)/installed
	$(BIN)/stardeck advantage star_realms --agents rules --games $(GAMES)

# What the tables of docs/results.md are made from, some hours; or four of them with few games, in minutes.
report: $(VENV)/installed
	$(BIN)/stardeck report --out results/report

report-quick: $(VENV)/installed
	$(BIN)/stardeck report --out results/report-quick --games 500 --only core --only fair --only worth --only formats

# As plain Python what tells more that way (tests/conftest.py), then compiled; kernels are compiled once, before.
# Two processes share two cores: neither has threads of its own for linear algebra. Tests that take long are named.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/pytest -n 2 --dist worksteal --durations=10 --durations-min=20

# They start Python hundreds of times, so that its bytecode is kept whatever the shell says.
unexport PYTHONDONTWRITEBYTECODE

test: $(VENV)/installed-test
	$(MAKE) --jobs=2 compiled plain
	$(PYTEST)

# The whole matrix, for the night.
test-full: export STARDECK_TESTS = full
test-full: test

# Beside each other, for neither needs the other, and the last game to be compiled leaves a core to spare.
compiled:
	$(BIN)/python tests/warm_up.py

plain:
	NUMBA_DISABLE_JIT=1 $(PYTEST)

# Thousands of bad inputs over every door, compiled with bounds checks: make attack INPUTS=500 SECONDS=20 SEED=1
INPUTS ?= 2000
SECONDS ?= 60
SEED ?= 0
attack: $(VENV)/installed-test
	cd tests && ../$(BIN)/python -m attack --inputs $(INPUTS) --seconds $(SECONDS) --seed $(SEED)

# Positions, environments, random play and agents with an error for every access beyond the bounds of an array, an index
# below 0 included.
boundscheck: $(VENV)/installed-test
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CURDIR)/kernels/__pycache__/boundscheck $(BIN)/pytest -n 2 --dist worksteal \
		tests/test_attack.py tests/test_scenarios.py tests/test_invariants.py tests/test_hidden.py tests/test_contract.py \
		tests/test_events.py tests/test_worth.py tests/agents tests/training/test_judging.py tests/training/test_believing.py \
		tests/envs tests/star_realms tests/interstellar_empire tests/empire_of_the_stars tests/rise_of_empire

# Changes one operator or number at a time in the modules that pyproject.toml lists, and says which ones no test notices:
# make mutate MUTANTS=200 (of each module). `make test` leaves it out.
MUTANTS ?= 60
mutate: $(VENV)/installed-mutation
	$(BIN)/python tests/mutation.py --mutants $(MUTANTS)

# The table in a real browser. It has to be there: `apt-get install chromium`, which root has done for it.
test-web: $(VENV)/installed-browser
	$(PYTEST) tests/browser

# Games on a Ray cluster of three nodes, all of them on this machine.
test-cluster: $(VENV)/installed-test
	OMP_NUM_THREADS=1 $(BIN)/pytest tests/cluster

# Kernels for a GPU: every launch of every game compiles, which takes no GPU and ten minutes. The same games on a GPU and
# on the processor, thousands of each variant: make test-gpu
test-cuda: $(VENV)/installed-test
	OMP_NUM_THREADS=1 $(BIN)/pytest tests/cuda

test-gpu: $(VENV)/installed-test
	$(BIN)/python tests/device_games.py 4096
	$(BIN)/python tests/device_measure.py series 2000

# Each shipped network against the search that it guides, some hours: make test-strength
SIMULATIONS ?= 50
EACH ?= 400
test-strength: $(VENV)/installed-test
	cd tests && ../$(BIN)/python search_strength.py $(SIMULATIONS) $(EACH)

# All clients, or some of them: make test-clients CLIENT="rllib sb3"
test-clients: $(CLIENT:%=test-%)

$(CLIENTS:%=test-%): test-%: .venv-clients/%/installed
	.venv-clients/$*/bin/pytest tests/clients/test_$*.py $(wildcard tests/clients/test_tutorial_$*.py)

# The oldest Gymnasium and PettingZoo that we allow are those beside AgileRL: our own tests of environments run there too.
test-agilerl: test-oldest
test-oldest: .venv-clients/agilerl/installed
	.venv-clients/agilerl/bin/pytest tests/envs

lint: $(VENV)/installed-test .links/stardeck
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The manual as a site; nothing is fetched from elsewhere while it is built.
# Never --quiet: MkDocs then drops its warnings before --strict counts them.
docs: $(VENV)/installed-docs .links/stardeck
	NO_MKDOCS_2_WARNING=1 $(if $(EXECUTE_NOTEBOOKS),,NUMBA_DISABLE_JIT=1) $(BIN)/mkdocs build --strict

# The drawn tables of the manual, and screenshots of its pages.
pictures: $(VENV)/installed
	$(BIN)/python docs/draw_pictures.py

# Three scripted visits of a newcomer, with clicks and seconds until the first decision and the end of the game.
first-visits: $(VENV)/installed-browser
	$(BIN)/python tests/browser/first_visit.py

screenshots: $(VENV)/installed-browser
	$(BIN)/python docs/take_screenshots.py

# 200 clients at once at a server of this machine.
load: $(VENV)/installed-test
	$(BIN)/stardeck serve --port 8765 --folder build/load & serving=$$!; sleep 5; \
	$(BIN)/python -m stardeck.benchmarks.speed.server_load http://127.0.0.1:8765; kill $$serving

bench: $(VENV)/installed
	$(BIN)/stardeck bench

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(INSTALL) --constraint constraints.txt --editable ".[measure]"
	touch $@

$(VENV)/installed-test: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(INSTALL) --no-compile --constraint constraints.txt --editable ".[test]" # bytecode comes with use
	touch $(VENV)/installed $@

$(VENV)/installed-browser: $(VENV)/installed-test
	$(CHROMIUM)
	$(INSTALL) --constraint constraints.txt --editable ".[browser]"
	touch $@

# The same, and what the manual needs, in one installation: for all checks together (.ci/run).
$(VENV)/installed-check: $(VENV)/installed-test
	$(CHROMIUM)
	$(INSTALL) --no-compile --constraint constraints.txt --editable ".[browser,docs]"
	touch $(VENV)/installed-browser $(VENV)/installed-docs $@

$(VENV)/installed-mutation: tests/requirements-mutation.txt $(VENV)/installed-test
	$(INSTALL) --requirement $<
	touch $@

$(VENV)/installed-docs: $(VENV)/installed constraints.txt
	$(INSTALL) --constraint constraints.txt --editable ".[docs]"
	touch $@

# The root is the package, and an editable install a hook that type checkers do not follow: they look for it here.
.links/stardeck: pyproject.toml
	mkdir -p $@
	ln -sfn $(patsubst %,../../%,__init__.py moved.py plots.py results.py py.typed $(patsubst %/__init__.py,%,$(wildcard */__init__.py))) $@
	touch $@

# Each client has an environment of its own, for their pins collide.
.venv-clients/%/installed: tests/clients/requirements-%.txt pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv-clients/$*
	.venv-clients/$*/bin/pip install --quiet --upgrade pip
	PYTHONWARNINGS=ignore .venv-clients/$*/bin/pip install --quiet --constraint constraints.txt --requirement $< --editable . pytest
	touch $@

clean:
	rm -rf $(VENV) .venv-clients .links build dist *.egg-info kernels/__pycache__
