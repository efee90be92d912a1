# The two commands of the README are `make demo` and `make test`. Both install what a fresh Debian machine lacks.

SHELL := /bin/bash
CARGO ?= cargo
PYTHON := .venv/bin/python
MBFMU := target/release/mbfmu
OUT := out

.PHONY: help demo test build tools rust-tests lint fmpy clean

help:
	@echo "make demo   build, pack an FMU, run it as a host would, leave CSV, plot and animation in $(OUT)/"
	@echo "make test   everything the continuous integration runs"
	@echo "make build  release build of the command mbfmu and of the library inside FMUs"
	@echo "make clean  remove build results"

# cmake and libclang build SUNDIALS and its bindings, node bundles the 3D viewer, the venv holds the independent FMI host.
tools:
	@./tools/install.sh

build: tools
	$(CARGO) build --release --locked

demo: build
	@mkdir -p $(OUT)
	$(MBFMU) pack fmus/Billiards16 -o $(OUT)/Billiards16.fmu
	$(MBFMU) simulate $(OUT)/Billiards16.fmu -o $(OUT)/Billiards16.csv --stats
	$(MBFMU) plot $(OUT)/Billiards16.csv 'ball0.r_abs' number_of_contacts -o $(OUT)/Billiards16.svg
	$(MBFMU) view $(OUT)/Billiards16.fmu -o $(OUT)/Billiards16.html
	@echo "Look at $(OUT)/Billiards16.csv, $(OUT)/Billiards16.svg and $(OUT)/Billiards16.html (open in a browser)."

test: build lint rust-tests fmpy

lint: tools
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

rust-tests: tools
	$(CARGO) test --workspace --locked

$(PYTHON): tests/requirements.txt
	python3 -m venv .venv
	.venv/bin/pip install --quiet --disable-pip-version-check -r tests/requirements.txt
	@touch $(PYTHON)

fmpy: build $(PYTHON)
	$(PYTHON) -m pytest -q tests/fmpy --mbfmu $(MBFMU)

clean:
	$(CARGO) clean
	rm -rf $(OUT) .venv
