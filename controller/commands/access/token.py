"""`tablectl token`: a new API token, in a file that its owner alone may read."""

from __future__ import annotations

import argparse
from pathlib import Path

from controller.access.token import TokenError, write_token
from controller.commands.terminal.parsers import Subcommands, add_command
from controller.commands.terminal.status import EXIT_CONFIG, fail


def add_parsers(commands: Subcommands) -> None:
    """Add `token`."""
    parser = add_command(
        commands, "token", "Write a new API token to a file that its owner alone may read.",
        "tablectl token api-token",
    )  # fmt: skip
    parser.add_argument("path", type=Path, help="a file that does not exist yet")
    parser.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the token; the exit status."""
    try:
        write_token(arguments.path)
    except TokenError as error:
        return fail(str(error), EXIT_CONFIG)
    print(f"token written to {arguments.path}")
    return 0
