# The documentation as a site. Included by the Makefile.

.PHONY: docs

# Built once, without optimisation: it takes two minutes, and a second per build of the site.
MDBOOK_VERSION := 0.5.2
$(VENV)/bin/mdbook: tools/docs.mk | $(PYTHON)
	$(CARGO) install --quiet --debug --locked --root $(VENV) --version $(MDBOOK_VERSION) --no-default-features --features search mdbook
	@touch $@

docs: $(VENV)/bin/mdbook
	python3 docs/pictures/draw.py --check
	python3 tools/docs.py $(VENV)/bin/mdbook $(OUT)/docs
