# `make demo` and `make test` install what a fresh Debian machine lacks.

SHELL := /bin/bash
CARGO ?= cargo
TARGET_DIR := $(abspath $(or $(CARGO_TARGET_DIR),target))
OUT := out
VENV := .venv
PYTHON := $(VENV)/bin/python

# On Linux the command and the library inside FMUs are built by zig for an old C library, so that they run on systems of
# the last ten years; `cargo build` works as well, but what it makes runs with the C library of this machine or a newer one.
GLIBC := 2.17
HOST := $(shell rustc -vV 2>/dev/null | sed -n 's/^host: //p')
ifneq ($(filter x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu,$(HOST)),)
RELEASE := $(TARGET_DIR)/$(HOST)/release
# zig names its headers relative to the present folder when it is somewhere in there; build scripts run in other folders.
# From tools/ it names them absolutely.
ZIG_CARGO := cd tools && PATH="$(CURDIR)/$(VENV)/bin:$$PATH" CARGO_TARGET_DIR="$(TARGET_DIR)" cargo-zigbuild
ZIG_TARGET := --manifest-path ../Cargo.toml --target $(HOST).$(GLIBC)
BUILD := $(ZIG_CARGO) zigbuild $(ZIG_TARGET)
TEST := $(ZIG_CARGO) test $(ZIG_TARGET)
ZIG := $(VENV)/zig.installed
else
RELEASE := $(TARGET_DIR)/release
BUILD := $(CARGO) build
TEST := $(CARGO) test
ZIG :=
endif
MBFMU := $(RELEASE)/mbfmu

FMI_SIM_VERSION := 0.7.0

# What `make test` runs, in this order. The heavy ones, by themselves: sanitize, hosts, examples.
PHASES := compile rust-tests sanitize python-tests hosts examples

# A phase, alone or in `make test`, takes command and libraries from the build of all tests: other choices of packages have
# other features of what they depend on, and would build that again. Valgrind tells functions by their names, which zig
# drops otherwise.
ifneq ($(filter $(PHASES),$(MAKECMDGOALS)),)
export WITH_TESTS := 1
export CARGO_PROFILE_RELEASE_STRIP := false
endif

.PHONY: help demo check test browser robots test-import build tools lint floors host-tools judge clean $(PHASES)
.PHONY: lane-installs lane-release lane-others

help:
	@echo "make demo   build, pack an FMU, run it as a host would, leave CSV, plot and animation in $(OUT)/"
	@echo "make test   everything the continuous integration runs, with the time of each phase: format and lint, tests in Rust, valgrind, Python, hosts"
	@echo "make check  format, lint, and the tests in Rust without the longest: for after an edit"
	@echo "make build  release build of the command mbfmu (here as ./mbfmu) and of the library inside FMUs"
	@echo "make sanitize  every function of the library inside FMUs, in many threads, watched by valgrind"
	@echo "make wheel  the Python package with the command, in dist/; make test-wheel tries it without Rust"
	@echo "make wheels  the same for Windows and Linux on ARM as well, each with the libraries for all platforms; make test-wheels tries them"
	@echo "make platforms  the libraries for Windows, macOS and Linux on ARM, which \`mbfmu pack\` then puts into FMUs, too; mbfmu.exe"
	@echo "make test-platforms  every FMU on Windows and ARM, which Wine and QEMU play; docs/hosts.md (UPDATE=1 rewrites its table)"
	@echo "make hosts  every FMU in every host that is at hand; see docs/hosts.md"
	@echo "make docs   the documentation as a site in $(OUT)/docs: tutorial, cookbook, reference, theory"
	@echo "make floors  on which floor every module stands, and what it imports"
	@echo "make browser  the 3D page in Chromium; not part of make test"
	@echo "make robots  a few robots against Pinocchio and MuJoCo; not part of make test"
	@echo "make test-import  every robot of three packages against Pinocchio and MuJoCo; docs/import.md (UPDATE=1 rewrites its tables)"
	@echo "make clean  remove build results"

# cmake and libclang build SUNDIALS and its bindings, Python brings zig.
tools:
	@./tools/install.sh

build: tools $(ZIG)
ifdef WITH_TESTS
	$(TEST) --release --workspace --locked --no-run
else
	$(BUILD) --release --locked -p mbfmu -p mbfmu-shell
endif
	@ln -sfn $(MBFMU) mbfmu

demo: build
	@mkdir -p $(OUT)
	$(MBFMU) pack fmus/Billiards16 -o $(OUT)/Billiards16.fmu
	$(MBFMU) simulate $(OUT)/Billiards16.fmu -o $(OUT)/Billiards16.csv --stats
	$(MBFMU) plot $(OUT)/Billiards16.csv 'ball0.r_abs' number_of_contacts -o $(OUT)/Billiards16.svg
	$(MBFMU) view $(OUT)/Billiards16.fmu -o $(OUT)/Billiards16.html
	@echo "Look at $(OUT)/Billiards16.csv, $(OUT)/Billiards16.svg and $(OUT)/Billiards16.html (open in a browser)."

test:
	@for phase in $(PHASES); do \
		begin=$$SECONDS; $(MAKE) --no-print-directory $$phase || exit; \
		echo "make $$phase: $$((SECONDS - begin)) s"; \
	done

# Everything that the phases of `make test` install and compile: in lanes, because many steps of a build keep one processor
# busy only, and installing keeps none busy.
compile: tools $(ZIG)
	@./tools/install.sh lint
	@$(MAKE) --no-print-directory -j3 lane-release lane-others lane-installs

lane-installs:
	@for what in viewer sanitize hosts; do ./tools/install.sh $$what || exit; done
	@$(MAKE) --no-print-directory $(VENV)/hosts.installed $(VENV)/python.installed

lane-release: build
	$(BUILD) --release --locked -p fmi2-probe

lane-others: lint
	@$(MAKE) --no-print-directory judge

lint: tools
	@./tools/install.sh lint
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	python3 crates/python/generate.py --check
	python3 docs/pictures/draw.py --check

# Where every module stands, and imports that run upwards or in circles.
floors:
	$(CARGO) run --quiet --locked -p mbfmu-floors

# For after an edit: all unit tests and suites, without the longest tests and without tests in binaries of their own.
LONGEST := golden:: state:: is_the_same_with_many_communication_points random_scenes:: change_points:: \
	results_of_every_model_stay_within_their_limits everything_falls_and_lies_on_everything \
	hulls_of_noisy_points_are_closed what_is_said_to_be_independent_or_constant_is the_order_of_the_points_does_not_matter
check: lint
	$(CARGO) test --workspace --locked --lib --test suite -- $(addprefix --skip ,$(LONGEST))

# What users run: with the optimiser, as it is linked for them. The debug profile, with checks of overflow, is that of
# `make check` and of plain `cargo test`.
rust-tests: build
	@./tools/install.sh viewer
	$(TEST) --release --workspace --locked

# With the library of the tests' build, which keeps the names of its functions; one beside the command may be stripped.
sanitize: build
	@./tools/install.sh sanitize
	./tools/sanitize.sh $(MBFMU) $(RELEASE)/deps/libmbfmu_shell.so

$(PYTHON): | tools
	python3 -m venv $(VENV)

$(VENV)/zig.installed: tools/requirements.txt | $(PYTHON)
	$(PYTHON) -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

$(VENV)/hosts.installed: tests/requirements.txt | $(PYTHON)
	@./tools/install.sh hosts
	$(PYTHON) -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

# Hosts in Rust, in the debug profile: they take minutes to optimise and wait for the FMU anyway. Both are made with the
# crate `fmi`, and what they share is compiled once.
HOSTS_DIR := $(TARGET_DIR)/judge
JUDGE := $(HOSTS_DIR)/debug/judge

$(VENV)/bin/fmi-sim: | $(PYTHON)
	CARGO_TARGET_DIR=$(HOSTS_DIR) CARGO_PROFILE_DEV_DEBUG=false \
		$(CARGO) install --quiet --debug --locked --root $(VENV) --version $(FMI_SIM_VERSION) fmi-sim

judge: tools $(VENV)/bin/fmi-sim
	$(CARGO) build --quiet --locked --manifest-path tests/hosts/judge/Cargo.toml --target-dir $(HOSTS_DIR)

# The command with a component of its own comes with the tests; this is a library that panics on request.
host-tools: build judge
	$(BUILD) --release --locked -p fmi2-probe

hosts: host-tools $(VENV)/hosts.installed
	$(PYTHON) -m pytest -q -rs -n auto tests/hosts --mbfmu $(MBFMU) --probe $(RELEASE)/libprobe.so --judge $(JUDGE)

examples: build $(VENV)/hosts.installed
	$(PYTHON) -m pytest -q -rs -n auto tests/examples --mbfmu $(MBFMU)

$(VENV)/robots.installed: tests/robots/requirements.txt | $(PYTHON)
	$(PYTHON) -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

$(VENV)/browser.installed: tests/browser/requirements.txt | $(PYTHON)
	@./tools/install.sh browser
	$(PYTHON) -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

# Not phases of `make test`: a browser and the oracles are large packages, and all robots take some minutes.
browser: build $(VENV)/browser.installed
	$(PYTHON) -m pytest -q -rs tests/browser --mbfmu $(MBFMU)

robots: build $(VENV)/robots.installed
	$(PYTHON) -m pytest -q -rs tests/robots --mbfmu $(MBFMU)

test-import: build $(VENV)/robots.installed
	$(PYTHON) -m pytest -q -rs tests/robots --mbfmu $(MBFMU) --all-robots $(if $(UPDATE),--update-table)

include tools/docs.mk
include tools/python.mk
include tools/platforms.mk

clean:
	$(CARGO) clean
	rm -rf $(OUT) $(VENV) dist mbfmu
