# One command each. Everything is installed into .venv; nothing outside this folder is touched.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test test-all compiled test-compiled lint format generate bench bench-compiled mutate fuzz clean

# A small league night, ending with the standings.
demo: $(VENV)/.installed
	$(BIN)/euchre-arena night examples/demo.toml

# The fast tests; says what it skipped and why.
test: $(VENV)/.installed-test
	$(BIN)/python -m pytest -n auto --dist loadgroup -m "not slow"

# The long ones too.
test-all: $(VENV)/.installed-test
	$(BIN)/python -m pytest -n auto --dist loadgroup --no-loadscope-reorder --durations 25 --durations-min 10

# The compiled build, in a copy of this folder. Needs a C compiler. See docs/decisions/0005-compiled-build.md.
compiled: $(VENV)/.installed-lint
	$(BIN)/python tools/compiled.py

ON_COMPILED := cd build/compiled && EUCHRE_COMPILE=1 PYTHONPATH=.:proto:sample_bots/python ../../$(BIN)/python

# Rules, oracles and referee once more, on the compiled build.
test-compiled: compiled
	$(ON_COMPILED) -m pytest -n auto --dist loadgroup -m "not slow" tests/rules tests/battery tests/evaluator tests/oracles tests/service

# Format, lint, types, import direction, wire contract, generated files.
lint: $(VENV)/.installed-lint
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	cd proto && ../$(BIN)/buf lint && ../$(BIN)/buf breaking --against baseline.binpb
	$(BIN)/python tools/generate.py --check
	$(BIN)/python tools/generate_variant_docs.py --check

format: $(VENV)/.installed-lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Generated code of the wire contract, generated pages.
generate: $(VENV)/.installed-lint
	$(BIN)/python tools/generate.py
	$(BIN)/python tools/generate_variant_docs.py

# The figures of docs/performance.md. Takes minutes; wants a quiet machine.
bench: $(VENV)/.installed-test
	$(BIN)/python -m benchmarks.rules
	$(BIN)/python benchmarks/decisions.py
	$(BIN)/python benchmarks/languages.py

# The same for the compiled build, as far as it differs.
bench-compiled: compiled
	$(ON_COMPILED) -m benchmarks.rules standard
	$(ON_COMPILED) benchmarks/decisions.py

# Is every line of the rules pinned by a test? An hour or two; goes on where it was stopped. See docs/testing.md.
mutate: $(VENV)/.installed-test
	$(BIN)/python -m tools.mutation --out mutation.jsonl

# Anything at all on the wire, for FUZZ_SECONDS; prints the seed of every round. See docs/testing.md.
FUZZ_SECONDS ?= 600
fuzz: $(VENV)/.installed-test
	EUCHRE_FUZZ_SECONDS=$(FUZZ_SECONDS) $(BIN)/python -m pytest tests/service/test_fuzz.py -m slow -s

clean:
	rm -rf $(VENV) build *.egg-info demo-output mutation.jsonl

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit("Euchre Arena needs Python 3.11 or newer, $(PYTHON) is %d.%d; try make PYTHON=python3.11" % sys.version_info[:2] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --upgrade pip
	@touch $@

$(VENV)/.installed: $(VENV)/.made pyproject.toml
	PYTHONWARNINGS=ignore $(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.installed-test: $(VENV)/.made pyproject.toml
	PYTHONWARNINGS=ignore $(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test,postgresql]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-lint: $(VENV)/.installed-test
	PYTHONWARNINGS=ignore $(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test,postgresql,lint]'
	@touch $@
