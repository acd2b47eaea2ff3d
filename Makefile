# What people type. The work is in .ci/: POSIX make and sh only, so that macOS' GNU make 3.81 and BSD make do too.
#
#   PYTHON=/path/to/python   another interpreter than the first fitting one on PATH
#   VENV=/path/to/venv       another place than .venv
#   LOCK=/dev/null           newest versions that pyproject.toml allows instead of requirements-dev.lock
#   ARGS='-k headroom'       more arguments for the program that the target runs

VENV ?= .venv
LOCK ?= requirements-dev.lock
ENTER = PYTHON='$(PYTHON)' VENV='$(VENV)' LOCK='$(LOCK)' sh .ci/venv

.PHONY: help demo test lab-test fuzz bench lint check lock wheel clean

help:
	@echo 'make demo    install what netaudit needs in $(VENV), then show it at work on a simulated fabric (no root needed)'
	@echo 'make test    install what the tests need, run them all, say what was skipped and why'
	@echo 'make lab-test  as root: the tests on real FRR, at bigger sizes as well'
	@echo 'make fuzz    feed 10,000 broken inputs of each kind (NETAUDIT_FUZZ=N for another number)'
	@echo 'make bench   measure start, growth and audit on this machine'
	@echo 'make lint    ruff and mypy --strict'
	@echo 'make check   lint and test: what CI demands'
	@echo 'make wheel   build dist/netaudit-*.whl'
	@echo 'make lock    write $(LOCK) anew from the newest versions'
	@echo 'make clean   remove $(VENV) and what the tools left'

demo:
	@$(ENTER) run
	@'$(VENV)/bin/netaudit' demo $(ARGS)

test:
	@$(ENTER) dev
	@sh .ci/tools
	@'$(VENV)/bin/python' -m pytest -n 2 --dist loadfile -o faulthandler_timeout=240 $(ARGS)

lab-test:
	@$(ENTER) dev
	@sh .ci/tools
	@NETAUDIT_LAB_SIZES=all '$(VENV)/bin/python' -m pytest tests/lab_frr $(ARGS)

fuzz:
	@$(ENTER) dev
	@NETAUDIT_FUZZ="$${NETAUDIT_FUZZ:-10000}" '$(VENV)/bin/python' -m pytest -n 2 tests/fuzz $(ARGS)

bench:
	@$(ENTER) run
	@for script in startup scale pools audit causes; do '$(VENV)/bin/python' bench/$$script.py || exit 1; done

lint:
	@$(ENTER) dev
	@status=0; \
	'$(VENV)/bin/ruff' format --check . || status=1; \
	'$(VENV)/bin/ruff' check . || status=1; \
	'$(VENV)/bin/mypy' || status=1; \
	exit $$status

check: lint test

wheel:
	@$(ENTER) dev
	@'$(VENV)/bin/python' -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .
	@ls dist

lock:
	@$(ENTER) lock

clean:
	@rm -rf '$(VENV)' dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
