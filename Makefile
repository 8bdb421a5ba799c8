# Needs Python 3.11 or later and a package index, nothing else; PYTHON chooses the interpreter.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
PAGE := spec/CreateChatCompletionStreamResponse.md

# For `make fuzz`: the minutes of each target, and which of them; all if none is named.
MINUTES ?= 20
TARGETS ?=

.PHONY: generate test lint types mypy pyright tests corpus matrix fuzz pictures bench update lock clean

# Makes generated/ from spec/ and decodes the page's example stream with it.
generate: $(READY)
	$(BIN)/streambind generate
	$(BIN)/python -m tests.show_example $(PAGE)

test: lint types tests

lint: $(READY)
	$(BIN)/ruff format --check
	$(BIN)/ruff format --check --isolated generated
	$(BIN)/ruff check

# One beside the other: each uses one processor.
types: $(READY)
	@$(MAKE) --jobs 2 --no-print-directory mypy pyright

mypy pyright: $(READY)
	$(BIN)/$@

tests: $(READY)
	$(BIN)/pytest

# Every document and recording of ../shared/corpus, in every variant, by every check there is, and
# more schemas drawn at random than `make test` draws; some minutes.
corpus: $(READY)
	$(BIN)/pytest -m corpus
	STREAMBIND_SCHEMAS=600 $(BIN)/pytest tests/test_drawn_schemas.py
	$(BIN)/pytest --dist loadgroup --durations 15 tests/corpus

# Every hostile text at a place of every kind of the documents of the cases, in every variant; some
# minutes.
matrix: $(READY)
	$(BIN)/python -m tests.hostile

# Looks for inputs that break a promise, guided by coverage; what it learns stays in .fuzz/.
fuzz: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--require-hashes --only-binary :all: -r .ci/fuzz.txt
	$(BIN)/python -m tests.fuzz .fuzz $(MINUTES) $(TARGETS)

# What generation, streams, imports and type checking cost, beside other tools, into docs/ and the
# README; some minutes. No time is too long.
bench: $(READY)
	$(BIN)/python -m tests.bench

# The pictures of docs/, of a body that the tests have; needs Chromium.
pictures: $(READY)
	$(BIN)/python -m tests.pictures

# Rewrites all that tests compare with. Read the difference, then commit.
update: generate
	$(BIN)/python -m tests.update

# Needs uv. The same pins on every platform and Python.
lock:
	uv pip compile pyproject.toml --group dev --universal --python-version 3.11 \
		--generate-hashes --upgrade --custom-compile-command "make lock" \
		--quiet --output-file .ci/requirements.txt

clean:
	rm -rf .venv dist

# hatchling, which builds the project, is locked with the rest: no build of its own is fetched.
$(READY): .ci/requirements.txt pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--require-hashes --only-binary :all: -r .ci/requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--no-deps --no-build-isolation -e .
	touch $@
