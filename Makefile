# The project's commands; `make` lists them.
#
#   PYTHON=python3.12     the Python that makes the virtual environment (`make clean` first)
#   TORCH_INDEX=URL       one more package index, such as one with CPU builds of torch; without
#                         it Linux gets the CUDA build
#   PIP_CONSTRAINT=FILE   pip's own variable: `make test-install` keeps its newest versions within
#                         the file, such as a torch of which your index has a CPU build
#   ARGS="..."            more arguments for the command, as in: make train ARGS="--help"

PYTHON ?= python3
TORCH_INDEX ?=
ARGS ?=

VENV := .venv
RUN := $(VENV)/bin/python
PIP := $(RUN) -m pip install -c constraints.txt $(if $(TORCH_INDEX),--extra-index-url $(TORCH_INDEX))
# for a Python without ensurepip, as Debian packages it
VENV_BY_PIP := ($(PYTHON) -m venv --without-pip $(VENV) && $(PYTHON) -m pip --python $(RUN) install pip)
# for commands that call pip themselves
WITH_TORCH_INDEX := $(if $(TORCH_INDEX),PIP_EXTRA_INDEX_URL="$(TORCH_INDEX) $$PIP_EXTRA_INDEX_URL")
# two workers, the cores of a small machine; what tests/conftest.py groups is run by one of them
PYTEST := $(RUN) -m pytest -n 2

.DEFAULT_GOAL := help
.PHONY: help setup train test test-slow test-install coverage test-integrations check bench bench-solver bench-sampler bench-ladder bench-ladders bench-training bench-games docs golden puzzles clean

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-17s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/.setup ## make the virtual environment, with everything to train and develop

$(VENV)/.setup: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV) || $(VENV_BY_PIP)
	$(PIP) -e '.[train,dev,search,evaluate]'
	@touch $@

$(VENV)/.setup-bench: $(VENV)/.setup
	$(PIP) -e '.[bench]'
	@touch $@

$(VENV)/.setup-integrations: $(VENV)/.setup
	$(PIP) -e '.[integrations]'
	@touch $@

train: setup ## train a first player (configs/quickstart.yaml)
	$(RUN) train.py --config configs/quickstart.yaml $(ARGS)

test: setup ## run the tests
	$(PYTEST) $(ARGS)

test-slow: setup ## run the long tests
	$(PYTEST) -m slow $(ARGS)

coverage: setup ## run the tests and say how much of the code they reach
	$(PYTEST) --cov --cov-report=term:skip-covered $(ARGS)

test-install: setup ## install the package in clean environments and use it there
	$(WITH_TORCH_INDEX) $(RUN) -m pytest -m install $(ARGS)

test-integrations: $(VENV)/.setup-integrations ## run the tests with the trainers of others
	$(PYTEST) -m integration $(ARGS)

check: setup ## check format, lint and types
	$(RUN) -m ruff format --check
	$(RUN) -m ruff check
	$(RUN) -m mypy -n 2

bench: $(VENV)/.setup-bench ## measure the speed of the environment, also against others
	$(RUN) -m benchmarks.throughput $(ARGS)

bench-solver: setup ## measure the speed of the open-hand solver
	$(RUN) -m benchmarks.solver $(ARGS)

bench-sampler: setup ## measure the sampler of hidden cards
	$(RUN) -m benchmarks.sampler $(ARGS)
	$(RUN) -m benchmarks.belief_quality

bench-ladder: setup ## measure the players against each other, from random to the open-handed cheat
	$(RUN) -m benchmarks.ladder $(ARGS)

bench-ladders: setup ## measure the players of every game against each other, as one report (hours)
	$(RUN) -m benchmarks.all_ladders $(ARGS)

bench-training: setup ## measure the speed of training and where its time goes
	$(RUN) -m benchmarks.training_speed $(ARGS)

bench-games: setup ## train a player in every game by the settings that all share (hours)
	$(RUN) -m benchmarks.every_game $(ARGS)

docs: setup ## write the generated pages under docs/
	$(RUN) -m sjavs_agents docs --write

golden: setup ## accept changed results: rewrite the files under tests/golden
	$(PYTEST) --update-golden $(ARGS)

puzzles: setup ## make the puzzles under benchmarks/puzzles again
	$(RUN) -m sjavs_agents puzzles make --all $(ARGS)

clean: ## remove the virtual environment, caches and build files; keeps runs/
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage* *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
