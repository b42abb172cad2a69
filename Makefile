# One command each; `make help` lists them.
PY := .venv/bin/python
STAMP := .venv/.ready
PYTEST := $(PY) -m pytest -n auto --dist worksteal
PAGE := src/tripot/server/page/index.html
MODULES := web/node_modules/.ready
PAGE_SOURCES := $(shell find web/src web/public -type f) $(wildcard web/*.html web/*.ts web/*.js web/*.json)
NPM := $(PY) web/npm.py
PIP := $(PY) -m pip --quiet --disable-pip-version-check
LOCK_TOOL := uv==0.13.7 # resolves for every system and Python at once; in an environment of its own
LOCK := build/lock/bin/uv pip compile --quiet --upgrade --universal --generate-hashes \
	--no-annotate --custom-compile-command 'make lock'

.DEFAULT_GOAL := help
.PHONY: help setup lock page play test lint bench soak clean

help: ## list the commands
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

setup: $(STAMP) ## make .venv and install everything (nothing to do the second time)

$(STAMP): pyproject.toml constraints.txt
	@echo "Setting up .venv (some minutes, once): the locked packages, tripot itself, the compiled engines"
	@test -x $(PY) || python3 -m venv .venv
	$(PIP) install --require-hashes --requirement constraints.txt
	$(PIP) install --no-deps --no-build-isolation --editable .
	$(PY) -m tripot warm
	@touch $@

lock: ## update the locked versions of all Python packages
	python3 -m venv build/lock
	build/lock/bin/python -m pip --quiet --disable-pip-version-check install $(LOCK_TOOL)
	$(LOCK) --extra dev --output-file constraints.txt pyproject.toml
	$(LOCK) --group pyproject.toml:node --output-file web/constraints.txt

page: $(PAGE) ## build the page (nothing to do if it has not changed)

$(MODULES): web/package-lock.json | $(STAMP)
	$(NPM) ci --silent
	@touch $@

$(PAGE): $(MODULES) $(PAGE_SOURCES)
	$(NPM) run build --silent -- --logLevel warn
	@touch $@

play: $(STAMP) page ## open the house: play in a browser
	@.venv/bin/tripot serve

test: $(STAMP) lint page ## run every check and test
	$(NPM) run check --silent
	$(NPM) test --silent
	@command -v chromium >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && { \
		apt-get install -y -qq chromium || { apt-get update -qq && apt-get install -y -qq chromium; }; }; } \
		|| echo "There is no Chromium here: the tests in tests/e2e will be skipped."
	$(PYTEST) src tests

lint: $(STAMP) ## format, style and types
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy

bench: $(STAMP) ## measure speed, as ratios in one run
	$(PY) -m bench

soak: $(STAMP) ## the slow tests, many more random games
	$(PYTEST) -m soak tests

clean: ## remove what was made
	rm -rf .venv web/node_modules src/tripot/server/page build
