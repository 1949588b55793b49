"""`tablectl day sheet`: the sheet of a shift, with its figures and where the record ends."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import msgspec

from controller.access.directory import PeopleError
from controller.access.read_directory import read_directory
from controller.assembly.wiring import load
from controller.commands.parsers import add_command
from controller.commands.record.days_asked import answered
from controller.commands.record.logbook import time_of_day
from controller.commands.status import EXIT_CONFIG, EXIT_USAGE, fail
from controller.config.problems import ConfigError
from controller.record.reading.shift import ShiftSheet, shift_sheet
from controller.record.reading.shift_hours import Hours
from controller.table.roles import NOBODY_NAMED

_SIGNED = ("Dealer: ____________________", "Floor: ____________________")


def add_sheet(doing: Any) -> None:
    """Add `sheet` to the actions of `tablectl day`."""
    one = add_command(
        doing, "sheet",
        "Print the sheet of a shift: the figures of a gaming day, or of hours of it, and the head"
        " of the record. Kept elsewhere, it proves later what the record contained"
        " (`tablectl verify --head`). The page /shift prints the same.",
        "tablectl day sheet /etc/tablectl/table.toml",
        "tablectl day sheet /var/lib/tablectl/record --day 2026-11-22 --since 18:00 --until 02:00",
        summary="print the sheet of a shift, with the head of the record",
    )  # fmt: skip
    one.add_argument(
        "record",
        type=Path,
        metavar="CONFIG",
        help="table.toml of the table, or the record's folder",
    )
    one.add_argument("--day", default="", metavar="DATE", help="this gaming day (the newest)")
    one.add_argument(
        "--since", type=time_of_day, metavar="TIME", help="from this time of day (its opening)"
    )
    one.add_argument(
        "--until", type=time_of_day, metavar="TIME",
        help="to before this time of day, the first after the beginning (the end of the day)",
    )  # fmt: skip
    one.add_argument(
        "--people", type=Path, metavar="FILE", help="the directory of people (as configured)"
    )
    one.add_argument("--json", action="store_true", help="as data")
    one.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the sheet; the exit status."""
    return answered(_print, arguments)


def _print(arguments: argparse.Namespace) -> int:
    folder, people = arguments.record, arguments.people
    try:
        if folder.is_file():
            config = load(folder)
            folder, people = config.record.folder, people or config.people
        names = read_directory(people).names if people else NOBODY_NAMED
    except ConfigError as error:
        return fail(str(error), EXIT_CONFIG)
    except PeopleError as error:
        return fail(str(error), EXIT_USAGE)
    hours = Hours(arguments.since, arguments.until)
    sheet = shift_sheet(folder, arguments.day, hours, names)
    print(msgspec.json.encode(sheet).decode() if arguments.json else sheet_text(sheet))
    return 0


def sheet_text(sheet: ShiftSheet) -> str:
    """The sheet as lines, to be signed."""
    wide = max(len(name) for name, _ in sheet.lines)
    lines = [f"{name:{wide}}  {value}" for name, value in sheet.lines]
    return "\n".join(("Shift sheet", *lines, "", "    ".join(_SIGNED)))
