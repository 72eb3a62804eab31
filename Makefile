# Everything a checkout can do. `make` alone lists it; every target does its own set-up.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:

VENV ?= .venv
BIN := $(VENV)/bin
JOBS ?= 2
DEPTH ?= 3

# The first Python that is new enough, unless PYTHON names one.
PYTHON ?= $(shell for p in python3 python3.12 python3.11 python3.13 python3.14; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; \
	done)

# Where no Redis is installed, tests find the one that the environment brings.
export PATH := $(PATH):$(abspath $(BIN))

LOCKED := $(wildcard requirements/*.lock) pyproject.toml scripts/make_venv.py

.PHONY: help
help: ## list the targets
	@echo "Santorini, served. Two commands are enough:  make run   and   make test"
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

# --- set-up ---------------------------------------------------------------------------------

# Two stamps: what running needs, and what developing needs on top. The second contains the first.
$(VENV)/.run: $(LOCKED)
	@$(if $(PYTHON),,$(error Python 3.11 or newer is needed: install python3, or name one, as in make PYTHON=python3.12))
	@[ -e $(VENV)/.dev ] && $(MAKE) --no-print-directory $(VENV)/.dev || \
		$(PYTHON) scripts/make_venv.py $(VENV) requirements/local.lock
	@touch $@

$(VENV)/.dev: $(LOCKED)
	@$(if $(PYTHON),,$(error Python 3.11 or newer is needed: install python3, or name one, as in make PYTHON=python3.12))
	@$(PYTHON) scripts/make_venv.py $(VENV) requirements/dev.lock
	@touch $@

# What reads the contract with other people's tools; a machine without Node does without them.
NODE_TOOLS := tools/node_modules/.ready

$(NODE_TOOLS): tools/package-lock.json tools/package.json
	@scripts/get_node_tools

.PHONY: setup
setup: $(VENV)/.dev ## make the virtual environment with everything a developer needs

.PHONY: lock
lock: ## work out the lock files anew (needs uv)
	scripts/lock

# --- use ------------------------------------------------------------------------------------

.PHONY: run
run: $(VENV)/.run ## start Redis if need be, the web server and a worker; Ctrl-C stops them
	@exec $(BIN)/santorini up

.PHONY: demo
demo: $(VENV)/.run ## play a game between two random clients over HTTP, and draw it
	@exec $(BIN)/santorini demo

# --- the daily loop -------------------------------------------------------------------------

.PHONY: check
check: $(VENV)/.dev $(NODE_TOOLS) ## format, lint, types, imports, contracts: everything but the tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/bandit --quiet -ll --recursive --configfile pyproject.toml app domain workers
	$(BIN)/python scripts/check_dockerfile.py
	@scripts/lint_contract
	$(BIN)/python -m pytest -q tests/contracts

.PHONY: lint
lint: $(VENV)/.dev ## format the code and mend what can be mended
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

.PHONY: test
test: $(VENV)/.dev $(NODE_TOOLS) ## run the tests; starts and stops what they need
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup -m "not soak and not faults"

.PHONY: coverage
coverage: $(VENV)/.dev $(NODE_TOOLS) ## run the tests and report the branches they never took
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup -m "not soak and not faults" \
		--cov --cov-report=term

.PHONY: soak
soak: $(VENV)/.dev ## run the long sweeps: all pairs of powers, thousands of games
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup -m soak --timeout 0

.PHONY: faults
faults: $(VENV)/.dev ## play while everything is killed and cut off, for ten minutes
	$(BIN)/python -m pytest -m faults --timeout 0

.PHONY: perft
perft: $(VENV)/.run ## count the turns of the usual opening to a DEPTH, 3 by default
	$(BIN)/santorini perft --depth $(DEPTH)

.PHONY: bench
bench: $(VENV)/.dev ## measure speed and memory, against peers in the same run; all PARTS or some
	$(BIN)/python -m bench $(PARTS)

.PHONY: bench-compare
bench-compare: $(VENV)/.dev ## measure this checkout beside another: REV=main, PARTS="rules turns"
	@[ -n "$(REV)" ] || { echo 'Say what to compare with: make bench-compare REV=main' >&2; exit 2; }
	$(BIN)/python -m bench.compare $(REV) $(PARTS)

.PHONY: openapi
openapi: $(VENV)/.run ## export openapi.yaml from the schemas
	$(BIN)/santorini openapi --output openapi.yaml

.PHONY: docs
docs: $(VENV)/.run ## write the generated pages of docs/ anew
	$(BIN)/python scripts/write_docs.py

.PHONY: image
image: ## build the container image
	docker build --tag santorini-served .

.PHONY: clean
clean: ## remove what was built, but no game
	rm -rf $(VENV) tools/node_modules dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage*
