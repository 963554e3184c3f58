PYTHON ?= python3
TEST_POSTGRESQL ?= postgresql://postgres@127.0.0.1:5432/test
# More than there are cores, because many tests wait for other processes. With PostgreSQL, connections limit the number.
CORES := $(shell nproc 2>/dev/null || echo 2)
WORKERS ?= $(shell expr $(CORES) + 3)
WORKERS_POSTGRESQL ?= $(shell expr $(CORES) + 1)
TESTS ?=
PORT ?= 8000
GAME ?= coloretto
MATCHES ?= 100000
EVERY ?= 1
FROM ?= 0
MINUTES ?= inf
BIN := .venv/bin
# Tests start hundreds of processes, and each of them would compile everything again.
unexport PYTHONDONTWRITEBYTECODE
PYTEST := $(BIN)/pytest -q --dist worksteal --durations=20
PACKAGES := accounts cli clock config core deploy games inbound notifications stream turnpost web

.DEFAULT_GOAL := help
.PHONY: help test test-slow lint audit types imports test-sqlite test-postgresql format demo play serve docs texts pictures soak matches storm bench lock clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/\1|\2/' | \
		while IFS='|' read -r target text; do printf '  make %-18s %s\n' "$$target" "$$text"; done

test: lint types imports test-sqlite test-postgresql ## check style, types and imports, and run the fast tests on both databases

lint: .venv/.ready ## check style and security (ruff)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

audit: .venv-audit/.ready ## check our code (bandit) and the pinned packages (pip-audit) for vulnerabilities; needs the internet
	.venv-audit/bin/bandit --quiet --configfile pyproject.toml --recursive $(PACKAGES) manage.py
	.venv-audit/bin/pip-audit --requirement requirements.lock --require-hashes --disable-pip --strict

types: .venv/.ready ## check types (mypy)
	$(BIN)/mypy

imports: .venv/.ready ## check which packages import each other (import-linter)
	$(BIN)/lint-imports --no-logo

test-sqlite: .venv/.ready ## run the fast tests with SQLite (TESTS=)
	TEST_DATABASE_URL= $(PYTEST) -n $(WORKERS) -m "not slow" $(TESTS)

test-postgresql: .venv/.ready ## run the fast tests that use a database, with PostgreSQL (TESTS=)
	TEST_DATABASE_URL=$(TEST_POSTGRESQL) $(PYTEST) -n $(WORKERS_POSTGRESQL) -m "not slow" $(TESTS)

test-slow: .venv/.ready ## run the slow tests on both databases: thousands of matches, crashes, outages
	TEST_DATABASE_URL= $(PYTEST) -n $(WORKERS) -m slow
	TEST_DATABASE_URL=$(TEST_POSTGRESQL) $(PYTEST) -n $(WORKERS_POSTGRESQL) -m slow

format: .venv/.ready ## format the code and fix style problems (ruff)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

demo: .venv/.ready ## watch two matches, played from the command line, over REST and by mail
	@$(BIN)/python -m demo

play: .venv/.ready ## play against bots; no server or account needed (GAME=, LEVEL=, THINK=)
	@$(BIN)/turnpost demo $(GAME) $(if $(LEVEL),--level $(LEVEL)) $(if $(THINK),--think $(THINK))

serve: .venv/.ready ## run the service at http://localhost:8000 (PORT=)
	@$(BIN)/python manage.py serve --port $(PORT)

soak: storm matches ## run `make storm`, then `make matches`

matches: .venv/.ready ## play 100,000 random matches and check every move (MATCHES=, FROM=, MINUTES=, EVERY=)
	$(BIN)/python -m tests.games.engine.soak --matches $(MATCHES) --from $(FROM) --minutes $(MINUTES) --every $(EVERY)

storm: .venv/.ready ## play 200 matches while processes are killed, then while the database or broker is down
	$(BIN)/python -m tests.acceptance.storm --broker redis
	$(BIN)/python -m tests.acceptance.storm --broker rabbitmq
	$(BIN)/python -m tests.acceptance.storm --broker none
	$(BIN)/python -m tests.acceptance.stream
	$(BIN)/python -m tests.acceptance.faults database
	$(BIN)/python -m tests.acceptance.faults broker --broker redis
	$(BIN)/python -m tests.acceptance.faults broker --broker rabbitmq
	$(BIN)/python -m tests.acceptance.faults broker --broker rabbitmq --silent

docs: .venv/.ready ## build the documentation site in build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "Open build/site/index.html."

texts: .venv/.ready ## list every user-facing text and its location (PATHS=)
	@$(BIN)/python -m tools.texts $(PATHS)

pictures: .venv/.ready ## redraw the README's pictures
	$(BIN)/python -m demo.pictures

bench: .venv/.ready ## run all benchmarks (about 25 minutes on an idle machine) and update docs/figures.md
	$(BIN)/python -m bench

lock: ## pin the newest allowed versions in requirements.lock
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --extra server --extra dev \
		--generate-hashes --no-header --no-annotate --no-emit-index-url --output-file requirements.lock pyproject.toml

clean: ## remove .venv and build output, but not your data in var/
	rm -rf .venv .venv-audit build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Both tools have their own environment, so they are always the newest versions and need no pins.
.venv-audit/.ready:
	$(PYTHON) -m venv --clear .venv-audit
	.venv-audit/bin/python -m pip install --quiet --disable-pip-version-check bandit pip-audit
	@touch $@

.venv/.locked: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Turnpost needs Python 3.11 or newer. $(PYTHON) is $$($(PYTHON) --version 2>&1 || true)."; \
		echo "To use another one: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@echo "Installing into .venv. This takes a minute or two …"
	@$(PYTHON) -m venv --clear .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

.venv/.ready: .venv/.locked pyproject.toml
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@
