# Everything is done through these eight targets; `make demo` is the one to begin with.
.PHONY: setup demo run test bench lint fix ci

PYTHON ?= python3
PORT ?= 8000
RESET ?=
IN = .venv/bin/python

setup:
	@$(PYTHON) -m registry.bootstrap

demo: setup
	@exec $(IN) manage.py demo --port $(PORT) $(if $(filter 1 yes true,$(RESET)),--reset)

run: setup
	@exec $(IN) manage.py run --port $(PORT)

test: setup
	$(IN) -m pytest -n 2 -q

bench: setup
	$(IN) -m pytest -q -m race
	$(IN) -m pytest -q tests/bench/bench_rosters.py

lint: setup
	$(IN) -m ruff check .
	$(IN) -m ruff format --check .
	$(IN) -m mypy

fix: setup
	$(IN) -m ruff check --fix .
	$(IN) -m ruff format .

# The deploy check asks what a real installation must answer; it opens no connection.
ci: lint
	DATABASE_URL=postgresql://app@localhost/register \
	DATABASE_OWNER_URL=postgresql://owner@localhost/register \
	PUBLIC_ADDRESS=https://bingo.example.gov \
	$(IN) manage.py check --deploy --fail-level WARNING
	$(IN) manage.py makemigrations --check --dry-run
	$(MAKE) test
