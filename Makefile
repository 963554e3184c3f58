PYTHON ?= python3
TEST_POSTGRESQL ?= postgresql://postgres@127.0.0.1:5432/test
WORKERS ?= auto
PORT ?= 8000
GAME ?= coloretto
MATCHES ?= 100000
EVERY ?= 1
FROM ?= 0
MINUTES ?= inf
BIN := .venv/bin
PYTEST := $(BIN)/pytest -q -n $(WORKERS) --dist worksteal
PACKAGES := accounts cli clock config core deploy games inbound notifications web

.DEFAULT_GOAL := help
.PHONY: help test test-slow lint audit types imports test-sqlite test-postgresql format demo play serve docs texts pictures soak matches storm bench lock clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/\1|\2/' | \
		while IFS='|' read -r target text; do printf '  make %-18s %s\n' "$$target" "$$text"; done

test: lint types imports test-sqlite test-postgresql ## style, types, import rules, fast tests on both databases

lint: .venv/.ready ## style and security checks (ruff)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

audit: .venv-audit/.ready ## known vulnerabilities in our code (bandit) and in pinned packages (pip-audit, needs the internet)
	.venv-audit/bin/bandit --quiet --configfile pyproject.toml --recursive $(PACKAGES) manage.py
	.venv-audit/bin/pip-audit --requirement requirements.lock --require-hashes --disable-pip --strict

types: .venv/.ready ## types (mypy)
	$(BIN)/mypy

imports: .venv/.ready ## import rules (import-linter)
	$(BIN)/lint-imports --no-logo

test-sqlite: .venv/.ready ## fast tests, with SQLite
	TEST_DATABASE_URL= $(PYTEST) -m "not slow"

test-postgresql: .venv/.ready ## fast tests that use the database, with PostgreSQL
	TEST_DATABASE_URL=$(TEST_POSTGRESQL) $(PYTEST) -m "not slow"

test-slow: .venv/.ready ## slow tests on both databases: thousands of matches, whole matches over HTTP, storms, faults
	TEST_DATABASE_URL= $(PYTEST) -m slow
	TEST_DATABASE_URL=$(TEST_POSTGRESQL) $(PYTEST) -m slow

format: .venv/.ready ## rewrite the code in the project's style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

demo: .venv/.ready ## watch two matches played to the end by command line, REST and mail
	@$(BIN)/python -m demo

play: .venv/.ready ## play against bots, without a server or an account (GAME= LEVEL=)
	@$(BIN)/turnpost demo $(GAME) $(if $(LEVEL),--level $(LEVEL))

serve: .venv/.ready ## run the service on http://localhost:8000 (PORT=)
	@$(BIN)/python manage.py serve --port $(PORT)

soak: storm matches ## the storms, then the random matches

matches: .venv/.ready ## check 100,000 random matches against the contract (MATCHES=, FROM=, MINUTES=, EVERY=)
	$(BIN)/python -m tests.games.engine.soak --matches $(MATCHES) --from $(FROM) --minutes $(MINUTES) --every $(EVERY)

storm: .venv/.ready ## 200 matches while processes are killed, with each broker; then broken dependencies
	$(BIN)/python -m tests.acceptance.storm --broker redis
	$(BIN)/python -m tests.acceptance.storm --broker rabbitmq
	$(BIN)/python -m tests.acceptance.storm --broker none
	$(BIN)/python -m tests.acceptance.faults database
	$(BIN)/python -m tests.acceptance.faults broker --broker redis
	$(BIN)/python -m tests.acceptance.faults broker --broker rabbitmq
	$(BIN)/python -m tests.acceptance.faults broker --broker rabbitmq --silent

docs: .venv/.ready ## build the documentation as a site in build/site
	$(BIN)/mkdocs build --quiet --strict
	@echo "Open build/site/index.html."

texts: .venv/.ready ## list every user-facing text with its location (PATHS=)
	@$(BIN)/python -m tools.texts $(PATHS)

pictures: .venv/.ready ## redraw the README's pictures
	$(BIN)/python -m demo.pictures

bench: .venv/.ready ## benchmarks, each next to its lower bound
	$(BIN)/python -m bench

lock: ## pin the newest matching versions in requirements.lock
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --extra server --extra dev \
		--generate-hashes --no-header --no-annotate --no-emit-index-url --output-file requirements.lock pyproject.toml

clean: ## remove build output; data in var/ stays
	rm -rf .venv .venv-audit build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A separate environment, so that the newest versions of both tools can be used without pinning them.
.venv-audit/.ready:
	$(PYTHON) -m venv --clear .venv-audit
	.venv-audit/bin/python -m pip install --quiet --disable-pip-version-check bandit pip-audit
	@touch $@

.venv/.locked: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Turnpost needs Python 3.11 or newer, and $(PYTHON) is: $$($(PYTHON) --version 2>&1 || true)."; \
		echo "Name another one, for example: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@echo "Installing into .venv, which takes a minute or two …"
	@$(PYTHON) -m venv --clear .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

.venv/.ready: .venv/.locked pyproject.toml
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@
