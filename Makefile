# One command each; `make help` lists them.
PY := .venv/bin/python
INSTALLED := .venv/.installed
COMPILED := .venv/.compiled
PIP := $(PY) -m pip --disable-pip-version-check
# What is compiled into kernels, and a little more: `tripot warm` takes seconds if nothing has to be compiled.
KERNELS := $(wildcard $(addprefix src/tripot/,games/*/kernel/*.py games/*/*.py engine/*.py))
PYTEST := $(PY) -m pytest -n auto --dist worksteal
NPM := $(PY) web/npm.py
MODULES := web/node_modules/.ready
PAGE := src/tripot/server/page/index.html
PAGE_SOURCES := $(shell find web/src web/public -type f) \
	$(wildcard web/*.html web/*.ts web/*.js web/*.json src/tripot/games/*/rulebook/figures.txt)
BROWSERS := chromium-headless-shell chromium chromium-browser google-chrome # as in tests/e2e/conftest.py
LOCK_TOOL := uv==0.13.7 # resolves for every system and Python at once; in an environment of its own
LOCK := build/lock/bin/uv pip compile --quiet --upgrade --universal --generate-hashes \
	--no-annotate --custom-compile-command 'make lock'

# Tests start many Python processes, which would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup lock page play check lint types spelling weblint quick test format coverage bench soak dist release clean

help: ## list the commands
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

setup: $(COMPILED) ## make .venv, install the locked packages and compile the engines (when they have changed)

$(INSTALLED): pyproject.toml constraints.txt
	@echo "Installing the locked packages into .venv (about a minute, once)"
	@$(PY) -m pip --version >/dev/null 2>&1 || python3 -m venv --clear .venv # also one that was left half made
	$(PIP) install --require-hashes --no-deps --no-compile --requirement constraints.txt
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	$(PIP) check
	@touch $@

$(COMPILED): $(INSTALLED) $(KERNELS)
	@echo "Compiling the engines (about two minutes, once)"
	$(PY) -m tripot warm
	@touch $@

lock: ## update the locked versions of all Python packages
	python3 -m venv build/lock
	build/lock/bin/python -m pip --quiet --disable-pip-version-check install $(LOCK_TOOL)
	$(LOCK) --extra dev --output-file constraints.txt pyproject.toml

page: $(PAGE) ## build the page (nothing to do if it has not changed)

$(MODULES): web/package-lock.json | $(INSTALLED)
	@echo "Installing the packages that build the page (once)"
	$(NPM) ci --silent
	@touch $@

$(PAGE): $(MODULES) $(PAGE_SOURCES)
	$(NPM) run build --silent -- --logLevel warn
	@touch $@

play: $(INSTALLED) ## set everything up and serve the page at http://127.0.0.1:8000
	@$(MAKE) --no-print-directory --jobs 2 $(COMPILED) page
	@.venv/bin/tripot serve

# The parts of a check do not depend on each other, so two run at once, each printing when it is done.
check: $(INSTALLED) $(MODULES) ## format, lint, types, spelling and the quick unit tests: less than a minute
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target quick weblint types lint spelling

lint: $(INSTALLED)
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .

types: $(INSTALLED)
	$(PY) -m mypy
	$(PY) tests/toy/check_types.py
	$(PY) -m basedpyright --pythonpath $(PY)

spelling: $(INSTALLED)
	$(PY) -m codespell_lib --dictionary - --dictionary tools/british.txt

weblint: $(MODULES)
	$(NPM) run lint --silent
	$(NPM) run check --silent
	$(NPM) test --silent

quick: $(INSTALLED)
	$(PYTEST) --quick src tests tools

test: $(COMPILED) lint types spelling weblint page ## run every check and test
	@for browser in $(BROWSERS); do command -v $$browser >/dev/null && exit; done; { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && { \
		apt-get install -y -qq chromium-headless-shell || \
		{ apt-get update -qq && apt-get install -y -qq chromium-headless-shell; }; }; } \
		|| echo "There is no Chromium here: the tests in tests/e2e will be skipped."
	$(PYTEST) src tests tools

format: $(INSTALLED) $(MODULES) ## format all sources
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .
	$(NPM) run format --silent

coverage: $(COMPILED) page ## measure which lines and branches the tests run: build/coverage/html
	rm -rf build/coverage
	$(PY) -m coverage run -m pytest -n auto --dist worksteal src tests
	$(PY) -m coverage combine --quiet
	$(PY) -m coverage html --quiet
	$(PY) -m coverage report

bench: $(COMPILED) page ## measure speed, as ratios in one run
	$(PY) -m bench

soak: $(COMPILED) ## the slow tests, many more random games
	$(PYTEST) -m soak --hypothesis-profile soak tests

dist: page ## build the wheel and the sdist, with the page: dist/
	$(PY) -m hatchling build

release: $(INSTALLED) ## tag the version, if changelog, citation and check are ready
	$(PY) -m tools.release $(FLAGS)

clean: ## remove .venv, node_modules, the built page and build/
	rm -rf .venv web/node_modules src/tripot/server/page build
