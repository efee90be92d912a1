# The library inside FMUs for all platforms, the command for Windows, and every FMU there. Included by the Makefile; not part of
# `make test`.

.PHONY: platforms test-platforms test-wheels

PLATFORMS := PATH="$(CURDIR)/$(VENV)/bin:$$PATH" ./tools/platforms.sh $(TARGET_DIR)

platforms: build
	@$(PLATFORMS)

# Wine and QEMU play the other machines. The model with components of its own and the library that panics have libraries too.
test-platforms: build $(VENV)/hosts.installed
	@./tools/install.sh platforms
	$(BUILD) --release --locked -p mbfmu -p mbfmu-shell -p van-der-pol -p fmi2-probe
	@$(PLATFORMS)
	@$(PLATFORMS) van-der-pol van_der_pol win64 aarch64-linux
	@$(PLATFORMS) fmi2-probe probe win64 aarch64-linux
	@mkdir -p $(TARGET_DIR)/platforms/linux64
	@cp -u $(RELEASE)/libprobe.so $(TARGET_DIR)/platforms/linux64/
	$(PYTHON) -m pytest -q -rs tests/platforms --mbfmu $(MBFMU) --libraries $(TARGET_DIR)/platforms $(if $(UPDATE),--update-table)

# In Pythons for Windows and ARM, which come from the registries of packages.
test-wheels: wheels $(VENV)/hosts.installed
	@./tools/install.sh platforms
	$(PYTHON) -m pytest -q -rs tests/platforms/test_wheels.py --mbfmu $(MBFMU) --libraries $(TARGET_DIR)/platforms --wheels dist
