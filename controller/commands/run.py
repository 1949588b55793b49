"""`tablectl run`: a table, from its configuration, until it is stopped."""

from __future__ import annotations

import argparse
from pathlib import Path

from controller.assembly.assemble import run_table
from controller.assembly.cannot_start import CannotStart
from controller.commands.terminal.parsers import Subcommands, add_command
from controller.commands.terminal.status import EXIT_CONFIG, fail
from controller.config.problems import ConfigError


def add_parsers(commands: Subcommands) -> None:
    """Add `run`."""
    parser = add_command(
        commands,
        "run",
        "Run a table from its configuration until SIGTERM or Ctrl-C. It prints `ready`"
        " and its address once the record was replayed and the pages are served.",
        "tablectl run /etc/tablectl/table.toml",
        "tablectl run --allow-simulated table.toml   # on simulated pins, marked on every page",
    )
    parser.add_argument("config", type=Path, help="table.toml")
    parser.add_argument(
        "--allow-simulated", action="store_true", help="accept a simulated pin factory (marked)"
    )
    parser.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the table; the exit status."""
    try:
        return run_table(arguments.config, allow_simulated=arguments.allow_simulated)
    except (ConfigError, CannotStart) as error:
        return fail(str(error), EXIT_CONFIG)
