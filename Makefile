# One command for each thing a contributor does; CI runs the same ones.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: demo test slow check fmt bench wheel lock clean

demo: $(VENV)/ready  ## the main job on the sample project: no key, no network
	$(BIN)/bothways demo

test: $(VENV)/ready  ## everything but the tests marked slow
	$(BIN)/pytest -m "not slow" -n 2

slow: $(VENV)/ready  ## the long ones: kills, real terminals, large files
	$(BIN)/pytest -m slow -n 2 --dist worksteal

check: $(VENV)/ready  ## formatting, lint, types, and the arrows between the folders
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy src tests
	$(BIN)/lint-imports

fmt: $(VENV)/ready
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/ready  ## speed as ratios measured in one run; non-zero exit when a bound is missed
	$(BIN)/python -m tests.bench

wheel: $(VENV)/ready  ## what users get, installed into an empty environment and used from a strange folder
	PYTHON=$(PYTHON) BUILD=$(abspath $(BIN))/python bash tests/wheel.sh

lock:  ## pin what pyproject.toml allows today, names and versions only
	rm -rf .lock-venv && $(PYTHON) -m venv .lock-venv
	.lock-venv/bin/python -m pip install -q -U pip
	.lock-venv/bin/pip install -q . --group dev
	.lock-venv/bin/pip freeze --exclude bothways | grep -v " @ " > requirements.lock
	rm -rf .lock-venv

$(VENV)/ready: requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache
