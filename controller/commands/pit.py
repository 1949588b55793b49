"""`tablectl pit`: many tables on one page and in one archive, until it is stopped."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from pathlib import Path

from controller.commands.parsers import Subcommands, add_command
from controller.commands.status import EXIT_CONFIG, fail
from controller.config.problems import ConfigError

_NEEDED = ("alembic", "nats", "sqlalchemy")


def add_parsers(commands: Subcommands) -> None:
    """Add `pit`."""
    parser = add_command(
        commands,
        "pit",
        "Show the tables of a pit and archive their records, each checked link by link, until"
        " SIGTERM or Ctrl-C. It prints `ready` and its address once the pages are served.",
        "tablectl pit /etc/tablectl/pit.toml",
    )
    parser.add_argument("config", type=Path, help="pit.toml")
    parser.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the pit; the exit status."""
    if missing := [each for each in _NEEDED if find_spec(each) is None]:
        text = f"{', '.join(missing)} is not installed: pip install 'tablectl[bus,pit]'"
        return fail(text, EXIT_CONFIG)
    from controller.pit.serve import PitRefused, run_pit  # noqa: PLC0415  (an extra)

    try:
        return run_pit(arguments.config)
    except (ConfigError, PitRefused) as error:
        return fail(str(error), EXIT_CONFIG)
