# One door for every habit. `make` alone says what there is.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/bin
LOCK_RUN := requirements.lock
LOCK_DEV := requirements-dev.lock

# Debian packages. Running needs Python's own venv, and zbar for printed codes seen by a camera;
# a browser shows the pages to the tests, systemd judges our units, the font is what the pages are
# measured in, gcc compiles what fails a disk and a clock below Python, poppler looks at a print, NATS and
# PostgreSQL are what a pit stands on, shellcheck reads our scripts, and zsh and
# fish complete our commands.
PACKAGES_RUN := python3-venv libzbar0
# What calibration/draw draws with: the fonts and the card art that may be learned from.
PACKAGES_DRAW := fonts-dejavu fonts-liberation fonts-freefont-ttf fonts-texgyre fonts-urw-base35 \
    fonts-noto-core fonts-open-sans fonts-roboto gnome-cards-data librsvg2-bin
# Decks of KDE's games, by the names that Debian 12 and 13 have for them.
PACKAGES_DECKS := kdegames-card-data-kf5
PACKAGES_DECKS_ELSE := kdegames-card-data
PACKAGES_DEV := $(PACKAGES_RUN) systemd fonts-dejavu-core gcc libc6-dev poppler-utils \
    nats-server postgresql zsh fish shellcheck
# The shell of the same version draws no windows and takes a third of the time; older Debians lack it.
PACKAGES_BROWSER := chromium-headless-shell
PACKAGES_BROWSER_ELSE := chromium
PACKAGES_BROWSERS := firefox-esr webkit2gtk-driver xvfb
# What a house may check our signatures with: one test asks it.
PACKAGES_SIGNED := minisign

.PHONY: help
help: ## Say what there is to do
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup
setup: $(VENV)/.stamp-dev .ci/pages/node_modules/.stamp ## Make ready for work: system packages, .venv, every tool and test

.PHONY: setup-run
setup-run: $(VENV)/.stamp-run ## Make ready for running only: no browser, no tools

.PHONY: run
run: setup-run ## Start the demo table and open it in a browser (ARGS="--seats 7 --speed 4")
	@exec $(BIN)/tablectl demo --open $(ARGS)

.PHONY: pit
pit: $(VENV)/.stamp-dev ## Start a pit: broker, archive and twelve simulated tables, the wall in a browser (ARGS="--tables 6")
	@exec $(BIN)/tablectl demo --pit --port 8040 --open $(ARGS)

.PHONY: check
check: setup ## Formatting, lint, types and who may import whom; types and lint of the pages too
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	npm run --prefix .ci/pages --silent types
	npm run --prefix .ci/pages --silent lint

.PHONY: test
test: setup ## Run every check and test, in lanes beside each other: about four minutes on two free cores
	.ci/test $(BIN)/python

.PHONY: test-all
test-all: setup ## The long form of the tests: more seeds, examples, kills and sizes (SEED=1)
	.ci/test $(BIN)/python --long --seed $(SEED)

.PHONY: hil-sim
hil-sim: setup ## The bench's suites without hardware: the rig's own program against simulated wires; report in .hil-report/
	$(BIN)/python -m pytest -q --hil=tests/hil/sim.toml tests/hil tests/contracts

.PHONY: browsers
browsers: setup ## Show the pages in Firefox and in WebKit, which is what Safari is made of
	.ci/setup packages $(PACKAGES_BROWSERS)
	$(BIN)/python -m pytest -q --long tests/pages/other_browsers

.PHONY: mutation
mutation: setup ## Change the rules and the table here and there: does a test fail? (COUNT=40 SEED=1)
	$(BIN)/python -m tests.mutation --count $(COUNT) --seed $(SEED)

COUNT := 40

.PHONY: catalogues
catalogues: setup ## Bring the languages' catalogues up to what displays say; what is new waits for a translation
	$(BIN)/python -m tests.languages.update

.PHONY: proof
proof: setup ## Deal millions of random rounds against the second opinions (ROUNDS=1000000 SEED=1)
	$(BIN)/python -m tests.rules.proof --rounds $(ROUNDS) --seed $(SEED)
	$(BIN)/python -m tests.rules.games.seven_proof --rounds $(ROUNDS) --seed $(SEED)

ROUNDS := 1000000
SEED := 1

.PHONY: torture
torture: setup ## Kill the service at random moments, cut its power, spoil its store: running totals in .torture/ (KILLS=1000)
	mkdir -p .torture
	$(BIN)/python -m tests.endurance.torture.kills --kills $(KILLS) --seed $(SEED) --state .torture
	$(BIN)/python -m tests.endurance.torture.kills --kills $(KILLS) --seed $(SEED) --state .torture --form both
	$(BIN)/python -m tests.endurance.torture.cuts --count 5000 --seed $(SEED)
	$(BIN)/python -m tests.endurance.torture.flips --count 20000 --total .torture/flips.json

KILLS := 1000

.PHONY: train
train: $(VENV)-train/.stamp ## Train the networks that read cards, from seeds, into drivers/vision/models (WORK=.train)
	$(VENV)-train/bin/python -m calibration.train --work $(WORK) $(ARGS)

WORK := .train

.PHONY: passages
passages: setup ## Let so many more cards pass rendered cameras with calibrated decks: running totals in .passages/ (PASSAGES=10000)
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.endurance.passages --work .passages --passages $(PASSAGES) --seed $(SEED) $(ARGS)

PASSAGES := 10000

.PHONY: breaking
breaking: setup ## Break whole tables in virtual time, all games, kills and disk faults included (SEEDS=1-1000 HOURS=1)
	nice -n 10 $(BIN)/python -m tests.endurance.breaking --seeds $(SEEDS) --hours $(HOURS) --crashes

SEEDS := 1-100
HOURS := 1

.PHONY: rules
rules: setup ## Write RULES.md, PROCEDURES.md and the table of devices anew, from the code that has them
	$(BIN)/tablectl rules --markdown > controller/rules/RULES.md
	$(BIN)/tablectl procedures --markdown > controller/table/PROCEDURES.md
	$(BIN)/python -m tests.drivers.matrix

.PHONY: schema
schema: setup ## Write the types of the pages' data anew, from the schemas of the service
	$(BIN)/python -m tests.pages.schema

.PHONY: bench
bench: setup ## Measure latency, rounds a second, start-up, memory and the camera here (PEER=DIR: a peer beside it; PHOTOGRAPHS=DIR: on real ones too)
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.bench  # as the command line sets it

.PHONY: bench-pit
bench-pit: setup ## Measure a pit of its full size: 1,000 tables, four hours away, 500 viewers, 10 M rounds twice (an hour)
	$(BIN)/python -m tests.bench --pit

.PHONY: catch-up
catch-up: setup ## Measure how a pit that was cut off for four hours catches up, the broker's disk wiped too (TABLES=200 RECORDS=6700)
	$(BIN)/python -m tests.bench.pit.catch_up --tables $(TABLES) --records $(RECORDS)

TABLES := 200
RECORDS := 6700

.PHONY: rounds
rounds: setup ## Measure an archive of 100 M rounds, made in FOLDER_OF_ROUNDS on where it was broken off; says the disk first (MANY=100000000; POSTGRESQL=1: not in SQLite)
	$(BIN)/python -m tests.bench.pit.books --rounds $(MANY) --folder $(FOLDER_OF_ROUNDS) $(if $(POSTGRESQL),--postgresql)

MANY := 100000000
FOLDER_OF_ROUNDS := .rounds

.PHONY: release
release: setup ## Build signed releases for both processors and Pythons into dist/ (KEY=in-use.key)
	$(BIN)/python -m systemd.releases.build $(if $(KEY),--key "$(KEY)") $(ARGS)

.PHONY: kit
kit: setup ## Build what a maker of drivers examines them with, for environments without this checkout: wheels in KIT=dist
	$(BIN)/python -m pip wheel -q --no-deps --no-build-isolation -w "$(KIT)" . drivers/conformance

KIT := dist

.PHONY: deb
deb: setup ## Put a release into a Debian package in dist/ (FILE=dist/tablectl-....tar KEYS=release-keys)
	$(BIN)/python -m systemd.releases.build.deb "$(FILE)" "$(KEYS)" dist

.PHONY: chroots
chroots: setup ## Install, play, update and go back in a fresh Debian, as root (SUITE=trixie FOLDER=/tmp/chroots ARGS="--machine aarch64 | --booted | --pit | --kiosk | --cuts 0-9 | --deb | --unpacked")
	$(BIN)/python -m tests.releases.chroots --suite $(SUITE) --folder $(FOLDER) $(ARGS)

SUITE := bookworm
FOLDER := /tmp/tablectl-chroots

.PHONY: install
install: ## Install as a service on this machine, as root (systemd/README.md; DESTDIR stages it)
	@systemd/install

.PHONY: lock
lock: ## Choose the newest fitting versions and write the locks anew (fetches uv)
	.ci/setup lock

.PHONY: clean
clean: ## Remove the environment and what tools left behind
	rm -rf $(VENV) .ci/pages/node_modules dist build .hil-report .hil-report-quick .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.stamp-run: $(LOCK_RUN) pyproject.toml .ci/setup
	.ci/setup packages $(PACKAGES_RUN)
	.ci/setup venv $(VENV) $(LOCK_RUN) -e
	touch $@

$(VENV)/.stamp-dev: $(LOCK_DEV) pyproject.toml .ci/setup
	.ci/setup packages $(PACKAGES_DEV)
	.ci/setup packages $(PACKAGES_BROWSER) || .ci/setup packages $(PACKAGES_BROWSER_ELSE)
	.ci/setup packages $(PACKAGES_DRAW) || echo "setup: no fonts and card art here: pictures of cards are not drawn"
	.ci/setup packages $(PACKAGES_DECKS) || .ci/setup packages $(PACKAGES_DECKS_ELSE) || echo "setup: no decks of KDE here: not every picture of a card is drawn"
	.ci/setup packages $(PACKAGES_SIGNED) || echo "setup: no minisign here: it is not asked about our signatures"
	.ci/setup venv $(VENV) $(LOCK_DEV) -e
	touch $(VENV)/.stamp-run $@

.ci/pages/node_modules/.stamp: .ci/pages/package-lock.json .ci/setup
	.ci/setup pages
	touch $@

$(VENV)-train/.stamp: requirements-train.lock pyproject.toml .ci/setup
	.ci/setup packages $(PACKAGES_RUN) $(PACKAGES_DRAW)
	.ci/setup packages $(PACKAGES_DECKS) || .ci/setup packages $(PACKAGES_DECKS_ELSE)
	.ci/setup venv $(VENV)-train requirements-train.lock -e
	touch $@
