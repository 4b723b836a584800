# The front door: each target installs what it needs, does its work and is immediate when repeated.
#
#   make setup      .venv/bin/kumihimo, and mpicc and mpiexec next to it
#   make compilers  kumihimo cc, c++ and fc in addition: clang, flang and the plug-in
#   make demo       a real program over a described network
#   make check      unit tests, lint, and Python tests that start no processes
#   make test       unit tests, Python tests, system tests and lint
#   make bench      measurements compared with SimGrid/SMPI
#   make conformance  MPICH=FOLDER, MPI4PY=FOLDER: their test suites, natively and over Kumihimo
#   make torture    random MPI programs, in all ways that must not differ: for an hour, or MINUTES=,
#                   from the case SEED=, COUNT= cases
#   make rtl        the hardware in rtl/: lint, sizes on FPGAs, clock frequencies
#   make fuzz       libFuzzer on parsers and on the shared-memory protocol
#   make format     formats every source file
#   make reference  writes docs/reference/ again from the tables in the code
#   make docs       build/site: the documentation as a site
#   make wheel      dist/kumihimo-*.whl, for Debian 12 and later, without compiler or headers
#   make clean      removes everything that was built

SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/stamps
BUILD := build/release
# How long each test took.
TIMES := build/test-times
DIST := dist
JOBS := 2
WORKERS := 3

PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
INSTALL := CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) $(BIN)/python tools/install_package.py
# All that CMake builds or installs.
INSTALLED := $(shell find src include python/bindings cmake platforms studies examples -type f \
    -not -name '*.pyc' 2>/dev/null) CMakeLists.txt

.PHONY: setup compilers demo check test test-unit test-python bench conformance fuzz torture rtl format reference docs wheel clean
.DELETE_ON_ERROR:

setup: $(STAMPS)/package

$(STAMPS)/venv: tools/find_python.sh tools/install_packages.sh packages.txt
	tools/install_packages.sh setup
	[[ -x $(BIN)/python ]] || "$$(tools/find_python.sh)" -m venv $(VENV)
	mkdir -p $(STAMPS)
	touch $@

# The requirements come first and alone, so that the package is built against what is installed.
$(STAMPS)/requirements: $(STAMPS)/venv pyproject.toml tools/requirements.py
	$(BIN)/python tools/requirements.py build runtime > $(STAMPS)/requirements.txt
	$(PIP) install -r $(STAMPS)/requirements.txt
	touch $@

# Compiled in advance, because a user may forbid Python to do it at each start.
$(STAMPS)/package: $(STAMPS)/requirements $(INSTALLED)
	$(INSTALL)
	$(BIN)/python -m compileall -q python
	touch $@

compilers: $(STAMPS)/compilers

# Built again with LLVM's headers present, the package has the plug-in.
$(STAMPS)/compilers: $(STAMPS)/package packages.txt
	tools/install_packages.sh compilers
	$(INSTALL)
	touch $@

$(STAMPS)/test-tools: $(STAMPS)/requirements
	tools/install_packages.sh setup test
	$(BIN)/python tools/requirements.py dev > $(STAMPS)/test-requirements.txt
	$(PIP) install -r $(STAMPS)/test-requirements.txt
	touch $@

demo: setup
	examples/demo/run.sh

# The quick loop: what finds most mistakes within three minutes.
check: test-unit
	$(BIN)/python -m pytest tests/python tests/lint --numprocesses $(JOBS) --dist worksteal \
	    -m "not processes"

test: test-unit test-python

# The preset shares its folder with the package: only the tests are compiled in addition.
test-unit: setup compilers $(STAMPS)/test-tools
	cmake --preset release > $(BUILD)/configure.log || { cat $(BUILD)/configure.log; exit 1; }
	cmake --build $(BUILD) --parallel $(JOBS)
	mkdir -p $(TIMES)
	ctest --test-dir $(BUILD) --output-on-failure --parallel $(JOBS) \
	    --output-junit $(CURDIR)/$(TIMES)/unit.xml

# One worker more than cores, since some tests wait. Long tests are in the first one's part.
test-python: setup compilers $(STAMPS)/test-tools
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist worksteal -m "not alone" \
	    --junitxml=$(TIMES)/python.xml
	$(BIN)/python tools/slowest_tests.py $(TIMES)/*.xml
	$(BIN)/python -m pytest -m alone

bench: setup compilers
	tools/install_packages.sh bench
	$(BIN)/python bench/run_all.py

# Nothing is downloaded: it takes the folders of sources that are there.
conformance: setup
	tools/install_packages.sh conformance
	$(if $(MPICH)$(MPI4PY),,$(error expected MPICH=FOLDER or MPI4PY=FOLDER, with their sources))
	$(if $(MPICH),PYTHONPATH=tools $(BIN)/python -m conformance mpich --sources $(MPICH))
	$(if $(MPI4PY),PYTHONPATH=tools $(BIN)/python -m conformance mpi4py --sources $(MPI4PY))
	PYTHONPATH=tools $(BIN)/python -m conformance report

fuzz: setup
	tools/install_packages.sh test fuzz
	cmake --preset fuzz
	cmake --build --preset fuzz
	ctest --preset fuzz

# A case that fails prints how to repeat it.
torture: setup $(STAMPS)/test-tools
	PYTHONPATH=tests/system:tests/helpers $(BIN)/python tests/torture/torture.py --minutes $(or $(MINUTES),60) \
	    $(addprefix --seed=,$(SEED)) $(addprefix --count=,$(COUNT))

# Takes some minutes. Its tables stand in docs/matching.md.
rtl: $(STAMPS)/test-tools
	tools/install_packages.sh rtl
	$(BIN)/python tools/requirements.py rtl > $(STAMPS)/rtl-requirements.txt
	$(PIP) install -r $(STAMPS)/rtl-requirements.txt
	$(BIN)/python -m pytest tests/rtl/test_lint.py
	$(BIN)/python tools/hardware_table.py

format: $(STAMPS)/test-tools
	git ls-files '*.cpp' '*.hpp' '*.c' '*.h' | xargs $(BIN)/clang-format -i
	git ls-files '*CMakeLists.txt' '*.cmake' | xargs $(BIN)/gersemi -i
	$(BIN)/ruff check --fix --quiet .
	$(BIN)/ruff format --quiet .

# Each page is replaced only by a whole one.
reference: setup
	$(BIN)/kumihimo platform reference > docs/reference/platform.md.new
	mv docs/reference/platform.md.new docs/reference/platform.md
	$(BIN)/python -m kumihimo.cli.reference > docs/reference/commands.md.new
	mv docs/reference/commands.md.new docs/reference/commands.md
	$(BIN)/python -m kumihimo.sweep.reference > docs/reference/sweep.md.new
	mv docs/reference/sweep.md.new docs/reference/sweep.md
	$(BIN)/python -m kumihimo.hint_keys > docs/reference/hints.md.new
	mv docs/reference/hints.md.new docs/reference/hints.md

# --strict: dead links, missing anchors and pages that the nav has not are errors.
docs: $(STAMPS)/test-tools
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "build/site/index.html; with search: python3 -m http.server --directory build/site"

# auditwheel refuses a wheel that needs libraries besides those of every system with glibc, and
# puts the oldest glibc that it runs with into the name. What debuggers read is left out, nine tenths
# of the size.
wheel: $(STAMPS)/wheel-tools
	rm -rf build/wheel
	$(PIP) wheel --no-build-isolation --no-deps --config-settings=install.strip=true \
	    --wheel-dir build/wheel .
	PATH=$(CURDIR)/$(BIN):$$PATH auditwheel repair --wheel-dir $(DIST) build/wheel/kumihimo-*.whl

$(STAMPS)/wheel-tools: $(STAMPS)/package
	$(BIN)/python tools/requirements.py wheel > $(STAMPS)/wheel-requirements.txt
	$(PIP) install -r $(STAMPS)/wheel-requirements.txt
	touch $@

clean:
	rm -rf build $(VENV)
