"""What commands about a record share: its folder and days, and their exit status."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from controller.commands.terminal.parsers import Subcommands, add_command
from controller.commands.terminal.status import EXIT_BAD, EXIT_OTHER_BUILD, fail
from controller.record.files.database import JournalError, RecordOfAnotherBuild
from controller.record.reading.replay import UNFIT


def record_parser(
    commands: Subcommands, name: str, description: str, *examples: str, span: bool = True
) -> argparse.ArgumentParser:
    """The parser of a command about a record, with the days that it is about."""
    parser = add_command(commands, name, description, *examples)
    if span:
        parser.add_argument("folder", type=Path, metavar="RECORD", help="the record's folder")
        parser.add_argument("--day", default="", metavar="DATE", help="this gaming day alone")
        parser.add_argument(
            "--from", dest="first", default="", metavar="DATE", help="from this day on"
        )
        parser.add_argument(
            "--to", dest="last", default="", metavar="DATE", help="to this day, included"
        )
    return parser


def span_of(arguments: argparse.Namespace) -> tuple[str, str]:
    """The first and the last day that are asked for; empty: from the beginning, to the end."""
    return arguments.day or arguments.first, arguments.day or arguments.last


def answered(command: Callable[[argparse.Namespace], int], arguments: argparse.Namespace) -> int:
    """The exit status of a command; what a record cannot be asked is said in words."""
    try:
        return command(arguments)
    except RecordOfAnotherBuild as error:
        return fail(str(error), EXIT_OTHER_BUILD)
    except JournalError as error:
        return fail(str(error), EXIT_BAD)
    except UNFIT as error:
        # Values that no table writes, under a chain that was rebuilt over them; or our own defect.
        return fail(
            f"what stands in this record cannot be shown ({error!r}): `tablectl verify` it. Where "
            "that finds nothing wrong, this is a defect of tablectl: report it with this line",
            EXIT_BAD,
        )
