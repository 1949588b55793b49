"""The command line about the record: `tablectl replay|export|backup|restore`."""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path
from typing import Final

import msgspec

from controller.access.directory import PeopleError
from controller.access.read_directory import read_directory
from controller.commands.record.days_asked import answered, record_parser, span_of
from controller.commands.record.logbook import round_text
from controller.commands.terminal.parsers import Subcommands
from controller.commands.terminal.progress import progress
from controller.commands.terminal.status import EXIT_USAGE, fail
from controller.record.copies.backup import backup
from controller.record.copies.restore import restore
from controller.record.copies.restore_day import restore_day
from controller.record.reading.export import COLUMNS, json_lines, rows
from controller.record.reading.report_text import as_text
from controller.record.reading.round_report import report
from controller.record.reading.rounds import rounds
from controller.table.roles import NOBODY_NAMED


def add_parsers(commands: Subcommands) -> None:
    """Add `replay`, `export`, `backup` and `restore`."""

    def command(
        name: str, description: str, *examples: str, span: bool = True
    ) -> argparse.ArgumentParser:
        parser = record_parser(commands, name, description, *examples, span=span)
        parser.set_defaults(command=run, record=name)
        return parser

    one = command(
        "replay", "List the rounds of a record, or show one step by step.",
        "tablectl replay record --day 2026-11-22",
        "tablectl replay record --round 117 --people people.toml",
    )  # fmt: skip
    one.add_argument("--round", type=int, help="the round to be shown; left out: list them all")
    one.add_argument("--json", action="store_true", help="as data")
    one.add_argument(
        "--openings", action="store_true", help="the auditor's: show burned and hidden cards"
    )

    one.add_argument(
        "--people", type=Path, metavar="FILE", help="the directory of people, to show their names"
    )

    one = command(
        "export", "Print every record; no hidden card before its reveal.",
        "tablectl export record --format csv > record.csv",
    )  # fmt: skip
    one.add_argument("--format", choices=("jsonl", "csv"), default="jsonl", help="(jsonl)")

    one = command(
        "backup", "Write a backup of a record, also while its service runs.",
        "tablectl backup /var/lib/tablectl/record /mnt/backup",
    )  # fmt: skip
    one.add_argument("target", type=Path, metavar="TARGET", help="a folder for the backup")

    one = command(
        "restore", "Put the best of backups and second copies in a record's place.",
        "tablectl restore /mnt/backup /mnt/copy /var/lib/tablectl/record",
        "tablectl restore --day 2026-11-22 /mnt/archive /var/lib/tablectl/record",
        "tablectl restore --readable record record   # nothing else is left: what can be read",
        span=False,
    )  # fmt: skip
    one.add_argument("source", type=Path, nargs="+", help="backups, second copies")
    one.add_argument("folder", type=Path, metavar="RECORD", help="the record's folder")
    one.add_argument(
        "--day", default="", metavar="DATE", help="this closed gaming day alone, in its place"
    )
    one.add_argument(
        "--readable", action="store_true", help="take what can be read of a damaged source"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command of that name; the exit status."""
    return answered(_COMMANDS[arguments.record], arguments)


def _replay(arguments: argparse.Namespace) -> int:
    if arguments.round is None:
        return _list(arguments)
    try:
        names = read_directory(arguments.people).names if arguments.people else NOBODY_NAMED
    except PeopleError as error:
        return fail(str(error), EXIT_USAGE)
    found = report(arguments.folder, arguments.round, with_openings=arguments.openings, names=names)
    if arguments.json:
        print(msgspec.json.encode(found).decode())
    else:
        print("\n".join(as_text(found)))
    return 0


def _list(arguments: argparse.Namespace) -> int:
    with progress("replay", beside_output=True) as on_progress:
        for each in rounds(arguments.folder, *span_of(arguments), on_progress):
            print(msgspec.json.encode(each).decode() if arguments.json else round_text(each))
    return 0


def _export(arguments: argparse.Namespace) -> int:
    if arguments.format == "csv":
        table = csv.DictWriter(sys.stdout, list(COLUMNS))
        table.writeheader()
        table.writerows(rows(arguments.folder, *span_of(arguments)))
    else:
        for each in json_lines(arguments.folder, *span_of(arguments)):
            print(each.decode())
    return 0


def _backup(arguments: argparse.Namespace) -> int:
    with progress("backup") as on_progress:
        written = backup(arguments.folder, arguments.target, *span_of(arguments), on_progress)
    print(
        f"{arguments.target}: {len(written.days)} gaming days up to record {written.head.seq}; "
        "keep it private: it opens hidden cards"
    )
    print(f"head {written.head.seq} {written.head.hash.hex()}")
    return 0


def _restore(arguments: argparse.Namespace) -> int:
    if arguments.day:
        return _restore_day(arguments)
    with progress("restore") as on_progress:
        written = restore(
            arguments.source, arguments.folder,
            readable=arguments.readable, on_progress=on_progress,
        )  # fmt: skip
    print(
        f"{arguments.folder}: {len(written.days)} gaming days up to record {written.head.seq} "
        "restored"
    )
    if written.replaced:
        print(f"What was there is kept: {written.replaced}")
    if written.missing:
        print(f"Not restored, tell the floor: {written.missing}")
    return 0


def _restore_day(arguments: argparse.Namespace) -> int:
    if arguments.readable:
        return fail("--readable is for a whole record: leave --day out", EXIT_USAGE)
    written = restore_day(arguments.source, arguments.folder, arguments.day)
    print(f"{arguments.folder}: gaming day {arguments.day} restored")
    if written.replaced:
        print(f"What was there is kept: {written.replaced}")
    return 0


_COMMANDS: Final = {
    "replay": _replay, "export": _export, "backup": _backup, "restore": _restore,
}  # fmt: skip
