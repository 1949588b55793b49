"""`tablectl day sheet`: the sheet of a shift, with its figures and where the record ends."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import msgspec

from controller.commands.day.record_of_table import Names, add_record, answered_of
from controller.commands.record.logbook import time_of_day
from controller.commands.terminal.parsers import add_command, add_language
from controller.languages.languages import language
from controller.record.reading.shift import ShiftSheet, shift_sheet
from controller.record.reading.shift_hours import Hours
from controller.rules.messages import message
from controller.rules.spoken import speaking
from controller.table.views.english import say

_TO_SIGN = "____________________"


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
    add_record(one)
    one.add_argument("--day", default="", metavar="DATE", help="this gaming day (the newest)")
    one.add_argument(
        "--since", type=time_of_day, metavar="TIME", help="from this time of day (its opening)"
    )
    one.add_argument(
        "--until", type=time_of_day, metavar="TIME",
        help="to before this time of day, the first after the beginning (the end of the day)",
    )  # fmt: skip
    one.add_argument("--json", action="store_true", help="as data")
    add_language(one)
    one.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the sheet; the exit status."""
    with speaking(language(arguments.lang)):
        return answered_of(_print, arguments)


def _print(arguments: argparse.Namespace, folder: Path, names: Names) -> int:
    hours = Hours(arguments.since, arguments.until)
    sheet = shift_sheet(folder, arguments.day, hours, names)
    print(msgspec.json.encode(sheet).decode() if arguments.json else sheet_text(sheet))
    return 0


def sheet_text(sheet: ShiftSheet) -> str:
    """The sheet as lines, to be signed."""
    wide = max(len(name) for name, _ in sheet.lines)
    lines = [f"{name:{wide}}  {value}" for name, value in sheet.lines]
    signed = (
        message("shift-signed-dealer", line=_TO_SIGN), message("shift-signed-floor", line=_TO_SIGN),
    )  # fmt: skip
    return "\n".join((say(message("shift-sheet")), *lines, "", "    ".join(map(say, signed))))
