# One command each; `make help` lists them.
PY := .venv/bin/python
STAMP := .venv/.ready
PYTEST := $(PY) -m pytest -n auto --dist worksteal

.DEFAULT_GOAL := help
.PHONY: help setup play test lint bench soak clean

help: ## list the commands
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

setup: $(STAMP) ## make .venv and install everything (nothing to do the second time)

$(STAMP): pyproject.toml
	@echo "Setting up .venv (about a minute, once)"
	@test -x $(PY) || python3 -m venv .venv
	$(PY) -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	$(PY) -m tripot warm
	@touch $@

play: $(STAMP) ## play in the terminal
	@.venv/bin/tripot

test: $(STAMP) lint ## run every check and test
	$(PYTEST) src tests

lint: $(STAMP) ## format, style and types
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy

bench: $(STAMP) ## measure speed, as ratios in one run
	$(PY) -m bench

soak: $(STAMP) ## the slow tests, many more random games
	$(PYTEST) -m soak tests

clean: ## remove what setup made
	rm -rf .venv
