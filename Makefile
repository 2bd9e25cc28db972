# Every target sets up what it needs by itself. VENV=/elsewhere moves the environment.
VENV   ?= .venv
PYTHON ?= python3
BIN    := $(VENV)/bin

# Tests run side by side, one worker a core; JOBS=0 runs them one after another in one process, for a debugger.
JOBS   ?= logical
PYTEST := $(BIN)/python -m pytest -n $(JOBS) --dist worksteal

# The paper's own data files, when they lie beside the project; tests that want them skip otherwise.
PAPER_DATA := $(wildcard ../shared/data)
export BOOLEARN_PAPER_DATA ?= $(if $(PAPER_DATA),$(abspath $(PAPER_DATA)))

# What the installation is built from: when one of these changes it is rebuilt.
BUILT_FROM := pyproject.toml CMakeLists.txt src/boolearn/_version.py $(wildcard native/*.cpp native/*/*)
CPP_FILES  := $(wildcard native/*.cpp native/*/*.cpp native/*/*.h tests/native/*.cpp)

.PHONY: demo test test-slow lint types sanitize arm bench bench-diff docs wheel clean

demo: $(VENV)/.installed
	$(BIN)/boolearn demo

test: $(VENV)/.installed-dev
	$(PYTEST)

# With the documentation's own packages: one of these tests builds it.
test-slow: $(VENV)/.installed-dev $(VENV)/.installed-docs
	$(PYTEST) -m slow

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/clang-format --dry-run --Werror $(CPP_FILES)

types: $(VENV)/.installed-dev
	$(BIN)/mypy
	$(BIN)/mypy --config-file tests/mypy.ini

sanitize: $(VENV)/.installed-dev
	$(BIN)/cmake -S . -B build/sanitize -DBOOLEARN_EXERCISES=ON -DBOOLEARN_SANITIZE=address,undefined
	$(BIN)/cmake --build build/sanitize --parallel
	build/sanitize/exercise
	build/sanitize/exercise_circuits

# Needs a cross compiler and an emulator: Debian's g++-aarch64-linux-gnu and qemu-user-static.
arm: $(VENV)/.installed-dev
	$(BIN)/cmake -S . -B build/arm -DBOOLEARN_EXERCISES=ON -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
		-DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -DCMAKE_EXE_LINKER_FLAGS=-static
	$(BIN)/cmake --build build/arm --parallel
	qemu-aarch64-static build/arm/exercise
	qemu-aarch64-static build/arm/exercise_circuits

bench: $(VENV)/.installed
	mkdir -p build
	$(BIN)/boolearn bench --out build/bench.json
	$(BIN)/python benchmarks/scaling.py --out build/scaling.json

# Two records side by side; each is a file, or a revision of one as git writes it.
OLD ?= HEAD:benchmarks/results/bench.json
NEW ?= build/bench.json

bench-diff: $(VENV)/.installed
	$(BIN)/python benchmarks/diff.py '$(OLD)' '$(NEW)'

docs: $(VENV)/.installed-docs
	$(BIN)/python -m sphinx -W -q docs docs/_build

# A source archive and a wheel, as they would be released, each installed into a fresh environment and used there. Where
# nothing could be compiled the build succeeds without _native, and everything but the import of it works, more slowly.
wheel: $(VENV)/.installed-dev
	rm -rf build/dist build/clean
	$(BIN)/python -m build --outdir build/dist
	for package in build/dist/*.whl build/dist/*.tar.gz; do \
		$(PYTHON) -m venv --clear build/clean && build/clean/bin/pip install --quiet $$package && \
		(cd build && clean/bin/python -c 'import boolearn._native' && clean/bin/boolearn --version && \
		clean/bin/boolearn --quiet demo --out clean/multiplier.svg) || exit 1; \
	done

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(BUILT_FROM) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.installed-dev: $(BUILT_FROM) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@ $(VENV)/.installed

$(VENV)/.installed-docs: $(BUILT_FROM) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) build docs/_build .mypy_cache .ruff_cache .pytest_cache .hypothesis
