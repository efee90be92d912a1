# The Python module: its tests, its wheel, the test of the wheel. Included by the Makefile.

.PHONY: python-tests wheel wheels test-wheel

$(VENV)/python.installed: tests/python/requirements.txt $(VENV)/hosts.installed
	$(PYTHON) -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

# As cargo has built it for the tests; the command it is compared with comes from the same build.
python-tests: build $(VENV)/python.installed
	@./tools/python-module.sh $(RELEASE)
	PYTHONPATH=$(RELEASE)/python $(PYTHON) -m pytest -q -rs tests/python --mbfmu $(MBFMU)

$(VENV)/wheel.installed: crates/python/requirements-build.txt tools/requirements.txt | $(PYTHON)
	$(PYTHON) -m pip install --quiet --disable-pip-version-check -r crates/python/requirements-build.txt -r tools/requirements.txt
	@touch $@

wheel: tools $(VENV)/wheel.installed
	./tools/wheel.sh $(TARGET_DIR) $(HOST) $(GLIBC) $(CURDIR)/$(PYTHON)

# For this machine, for Windows and for Linux on ARM; each with the libraries for all platforms.
wheels: platforms $(VENV)/wheel.installed
	./tools/wheel.sh $(TARGET_DIR) $(HOST) $(GLIBC) $(CURDIR)/$(PYTHON) $(TARGET_DIR)/platforms

# In a new environment, without Rust.
test-wheel: wheel
	$(PYTHON) -m pip install --quiet --disable-pip-version-check -r tests/requirements.txt
	$(PYTHON) -m pytest -q -rs tests/wheel --wheel $$(ls -t dist/mbfmu-*.whl | head -1)
