PYTHON ?= python3
TEST_POSTGRESQL ?= postgresql://postgres@127.0.0.1:5432/test
WORKERS ?= auto
BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help test lint types imports suite suite-postgresql format demo serve bench lock clean

help: ## list what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/\1|\2/' | \
		while IFS='|' read -r target text; do printf '  make %-18s %s\n' "$$target" "$$text"; done

test: lint types imports suite suite-postgresql ## everything: style, types, import rules, tests on both databases

lint: .venv/.ready ## style (ruff)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/.ready ## types (mypy)
	$(BIN)/mypy

imports: .venv/.ready ## who may import whom (import-linter)
	$(BIN)/lint-imports --no-logo

suite: .venv/.ready ## tests, with SQLite
	TEST_DATABASE_URL= $(BIN)/pytest -q -n $(WORKERS)

suite-postgresql: .venv/.ready ## tests that use the database, with PostgreSQL
	TEST_DATABASE_URL=$(TEST_POSTGRESQL) $(BIN)/pytest -q -n $(WORKERS)

format: .venv/.ready ## rewrite the code in the project's style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

demo: .venv/.ready ## play at once against stand-ins, without a server or an account
	$(BIN)/turnpost demo

serve: .venv/.ready ## run the service on http://localhost:8000
	$(BIN)/python manage.py serve

bench: .venv/.ready ## measure, each figure beside its floor
	$(BIN)/python -m bench

lock: ## choose the newest fitting versions and write requirements.lock
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --extra server --extra dev \
		--generate-hashes --no-header --no-annotate --no-emit-index-url --output-file requirements.lock pyproject.toml

clean: ## remove what was built; the data in var/ stays
	rm -rf .venv build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/.locked: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Turnpost needs Python 3.11 or newer, and $(PYTHON) is: $$($(PYTHON) --version 2>&1 || true)."; \
		echo "Name another one, for example: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

.venv/.ready: .venv/.locked pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@
