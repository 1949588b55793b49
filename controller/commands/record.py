"""The command line about the record: `tablectl verify|replay|export|backup|restore`."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from pathlib import Path
from typing import Final

import msgspec

from controller.access.directory import PeopleError
from controller.access.read_directory import read_directory
from controller.commands.parsers import Subcommands, add_command
from controller.commands.status import EXIT_BAD, EXIT_OTHER_BUILD, EXIT_USAGE, fail
from controller.record import audit
from controller.record.backup import backup, restore
from controller.record.chain_store import Row
from controller.record.database import JournalError, RecordNewer
from controller.record.signing import read_public_key
from controller.rules.money import amount_text
from controller.table.roles import NOBODY_NAMED

_COLUMNS: Final = ("seq", "at", "at_ms", "mono_ns", "cause", "kind", "fact", "version", "hash")


def add_parsers(commands: Subcommands) -> None:
    """Add `verify`, `replay`, `export`, `backup` and `restore`."""

    def command(
        name: str, description: str, *examples: str, span: bool = True
    ) -> argparse.ArgumentParser:
        parser = add_command(commands, name, description, *examples)
        parser.set_defaults(command=run, record=name)
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

    one = command(
        "verify",
        "Check a record: chain, ends, signatures, rules. No openings needed.",
        "tablectl verify /var/lib/tablectl/record --key key.pub",
        "tablectl verify record --copy /mnt/copy --from 2026-11-01",
    )
    one.add_argument("--copy", type=Path, help="the second copy, to be compared")
    one.add_argument("--key", type=Path, help="the table's public key (key.pub), as it was given")

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
        "tablectl restore --readable record record   # nothing else is left: what can be read",
        span=False,
    )  # fmt: skip
    one.add_argument("source", type=Path, nargs="+", help="backups, second copies")
    one.add_argument("folder", type=Path, metavar="RECORD", help="the record's folder")
    one.add_argument(
        "--readable", action="store_true", help="take what can be read of a damaged source"
    )


def _span(arguments: argparse.Namespace) -> tuple[str, str]:
    """The first and the last day that are asked for; empty: from the beginning, to the end."""
    return arguments.day or arguments.first, arguments.day or arguments.last


def run(arguments: argparse.Namespace) -> int:
    """Run the command of that name; the exit status."""
    try:
        return _COMMANDS[arguments.record](arguments)
    except RecordNewer as error:
        return fail(str(error), EXIT_OTHER_BUILD)
    except JournalError as error:
        return fail(str(error), EXIT_BAD)


def _verify(arguments: argparse.Namespace) -> int:
    span = _span(arguments)
    key = read_public_key(arguments.key) if arguments.key else ""
    found = audit.verify(arguments.folder, *span, public_key=key)
    _show(arguments.folder, found)
    if arguments.copy is None:
        return _status(found)
    second = audit.compare(arguments.folder, arguments.copy, *span)
    _show(arguments.copy, second)
    behind = found.head.seq - second.head.seq
    if second.good and behind > 0:
        print(f"{arguments.copy}: {behind} records behind; it catches up while the service runs")
    return max(_status(found), _status(second)) if found.good and second.good else EXIT_BAD


def _status(found: audit.Audit) -> int:
    if not found.good:
        return EXIT_BAD
    return EXIT_OTHER_BUILD if found.not_judged else 0


def _show(folder: Path, found: audit.Audit) -> None:
    for problem in found.problems:
        print(problem)
    if not found.good:
        return
    records = found.head.seq - found.after.seq
    all_hold = "the chain holds" if found.not_judged else "all hold"
    print(f"{folder}: {records} records, {found.rounds} rounds, {all_hold}")
    for rules, build in found.not_judged:
        print(f"not judged: {rules}, use build {build}")
    days = found.days[0] if len(found.days) == 1 else f"{found.days[0]} to {found.days[-1]}"
    begins = f"after record {found.after.seq}" if found.after.seq else "with the table's first day"
    label = "day" if len(found.days) == 1 else "days"
    print(f"{label} {days}, beginning {begins} {found.after.hash.hex()}")
    if found.signed:
        closed = "closed day" if len(found.signed) == 1 else "closed days"
        print(f"signed: {len(found.signed)} {closed}")
    if found.unsigned:
        print(f"not signed yet: {', '.join(found.unsigned)}")
    if not found.anchored:
        print("not the end of the record: what comes after it is not part of this span")
    print(f"head {found.head.seq} {found.head.hash.hex()}")


def _replay(arguments: argparse.Namespace) -> int:
    if arguments.round is None:
        return _list(arguments)
    try:
        names = read_directory(arguments.people).names if arguments.people else NOBODY_NAMED
    except PeopleError as error:
        return fail(str(error), EXIT_USAGE)
    told = audit.report(
        arguments.folder, arguments.round, with_openings=arguments.openings, names=names
    )
    if arguments.json:
        print(msgspec.json.encode(told).decode())
    else:
        print("\n".join(audit.as_text(told)))
    return 0


def _list(arguments: argparse.Namespace) -> int:
    for each in audit.rounds(arguments.folder, *_span(arguments)):
        if arguments.json:
            print(msgspec.json.encode(each).decode())
            continue
        ended = audit.clock(each.ended_ms) if each.ended_ms else "in play"
        result = "void" if each.void else f"players {amount_text(each.net)}"
        told = result if each.ended_ms else ""
        told += ", without bets" if each.dummy else ""
        print(
            f"{each.number:6}  shoe {each.shoe:<5} {audit.clock(each.started_ms)}  {ended}  {told}"
        )
    return 0


def _export(arguments: argparse.Namespace) -> int:
    table = csv.writer(sys.stdout)
    as_csv = arguments.format == "csv"

    def write(row: Row) -> None:
        told = _plain(row)
        if as_csv:
            table.writerow([told[name] for name in _COLUMNS])
        else:
            told["fact"] = msgspec.Raw(str(told["fact"]).encode())
            print(msgspec.json.encode(told).decode())

    if as_csv:
        table.writerow(_COLUMNS)
    audit.export(arguments.folder, write, *_span(arguments))
    return 0


def _plain(row: Row) -> dict[str, object]:
    """A record by the names of its columns; the fact as JSON."""
    name, at_ms, mono_ns, cause, fact = json.loads(row.body)
    kind, _, version = name.partition("/")
    return {
        "seq": row.seq, "at": audit.clock(at_ms), "at_ms": at_ms, "mono_ns": mono_ns,
        "cause": cause, "kind": kind, "fact": json.dumps(fact, ensure_ascii=False),
        "version": int(version), "hash": row.hash.hex(),
    }  # fmt: skip


def _backup(arguments: argparse.Namespace) -> int:
    written = backup(arguments.folder, arguments.target, *_span(arguments))
    print(
        f"{arguments.target}: {len(written.days)} gaming days up to record {written.head.seq}; "
        "keep it private: it opens hidden cards"
    )
    print(f"head {written.head.seq} {written.head.hash.hex()}")
    return 0


def _restore(arguments: argparse.Namespace) -> int:
    written = restore(arguments.source, arguments.folder, readable=arguments.readable)
    print(
        f"{arguments.folder}: {len(written.days)} gaming days up to record {written.head.seq} "
        "restored"
    )
    if written.replaced:
        print(f"What was there is kept: {written.replaced}")
    if written.missing:
        print(f"Not restored, tell the floor: {written.missing}")
    return 0


_COMMANDS: Final = {
    "verify": _verify, "replay": _replay, "export": _export, "backup": _backup, "restore": _restore,
}  # fmt: skip
