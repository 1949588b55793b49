"""`tablectl asyncapi`: what tables and their pit send each other, for programs that take part."""

from __future__ import annotations

import argparse
import json

from controller.commands.terminal.parsers import Subcommands, add_command


def add_parsers(commands: Subcommands) -> None:
    """Add `asyncapi`."""
    parser = add_command(
        commands,
        "asyncapi",
        "Print the AsyncAPI document of the bus: subjects, headers, and the JSON Schema of each"
        " message and of each fact that a record may hold. A pit serves it as /asyncapi.json.",
        "tablectl asyncapi > tablectl.asyncapi.json",
    )
    parser.set_defaults(command=run)


def run(_: argparse.Namespace) -> int:
    """Print the document; the exit status."""
    from controller.bus.asyncapi import asyncapi  # noqa: PLC0415  (it loads all that is described)

    print(json.dumps(asyncapi(), indent=1))
    return 0
