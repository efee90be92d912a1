# The library inside FMUs for other platforms. Included by the Makefile; not part of `make test`.

.PHONY: platforms

PLATFORMS := PATH="$(CURDIR)/$(VENV)/bin:$$PATH" ./tools/platforms.sh $(TARGET_DIR)

platforms: build
	@$(PLATFORMS)
