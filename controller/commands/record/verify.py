"""`tablectl verify` and `tablectl head`: whether a record holds, and how its end is noted."""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path

from controller.commands.record.days_asked import answered, record_parser, span_of
from controller.commands.terminal.parsers import Subcommands, add_command
from controller.commands.terminal.progress import progress
from controller.commands.terminal.status import EXIT_BAD, EXIT_OTHER_BUILD
from controller.record.files.chain_store import open_newest
from controller.record.files.database import JournalError
from controller.record.files.head_anchor import Head, NotedHead, noted, parse_head
from controller.record.files.signing import read_public_key
from controller.record.reading.audit import Audit
from controller.record.reading.set_aside import check_set_aside
from controller.record.reading.verify import compare, verify


def add_parsers(commands: Subcommands) -> None:
    """Add `verify` and `head`."""
    one = record_parser(
        commands,
        "verify",
        "Check a record: chain, ends, signatures, rules; the openings of hidden cards, where they "
        "are beside it and may be read. Of a file of records that a pit set aside: the chain, link "
        "by link.",
        "tablectl verify /var/lib/tablectl/record --key key.pub",
        "tablectl verify record --copy /mnt/copy --from 2026-11-01",
        "tablectl verify record --head 2026-11-21:40112:1a2b3c4d5e6f7081",
        "tablectl verify T1.jsonl    # from `tablectl pit pit.toml set-aside 3 --output T1.jsonl`",
    )
    one.add_argument("--copy", type=Path, help="the second copy, to be compared")
    one.add_argument("--key", type=Path, help="the table's public key (key.pub), as it was given")
    one.add_argument(
        "--head", type=_head, metavar="DAY:SEQ:HASH",
        help="a head that was noted on the sheet of a shift: the record must contain it",
    )  # fmt: skip
    one.set_defaults(command=lambda arguments: answered(_verify, arguments))
    one = add_command(
        commands,
        "head",
        "Print where a record ends, for the sheet of a shift. `tablectl verify --head` says later "
        "whether the record still contains it.",
        "tablectl head /var/lib/tablectl/record",
    )
    one.add_argument("folder", type=Path, metavar="RECORD", help="the record's folder")
    one.set_defaults(command=lambda arguments: answered(_print_head, arguments))


def _head(text: str) -> NotedHead:
    try:
        return parse_head(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _print_head(arguments: argparse.Namespace) -> int:
    newest = open_newest(arguments.folder)
    if newest is None:
        raise JournalError(f"there is no record at {arguments.folder}: name the folder of one")
    with closing(newest):
        print(noted(Head(newest.beginning.label, newest.last())))
    return 0


def _verify(arguments: argparse.Namespace) -> int:
    if arguments.folder.is_file():
        return _verify_set_aside(arguments.folder, arguments.head)
    span = span_of(arguments)
    key = read_public_key(arguments.key) if arguments.key else ""
    with progress("verify") as on_progress:
        found = verify(
            arguments.folder, *span,
            public_key=key, noted=arguments.head, on_progress=on_progress,
        )  # fmt: skip
    _show(arguments.folder, found)
    if arguments.copy is None:
        return _status(found)
    second = compare(arguments.folder, arguments.copy, *span)
    _show(arguments.copy, second)
    behind = found.head.seq - second.head.seq
    if second.good and behind > 0:
        print(f"{arguments.copy}: {behind} records behind; it catches up while the service runs")
    return max(_status(found), _status(second)) if found.good and second.good else EXIT_BAD


def _verify_set_aside(path: Path, head: NotedHead | None) -> int:
    found = check_set_aside(path, head)
    records = found.last_seq - found.first_seq + 1
    print(
        f"{path}: records {found.first_seq} to {found.last_seq} of table {found.table}, {records}"
        " of them, the chain holds"
    )
    print(f"set aside by a pit: {found.who}: {found.reason}")
    print(f"after record {found.first_seq - 1} {found.after_hash}")
    print(f"head {found.last_seq} {found.last_hash}")
    print(
        "Hold the head against the pit's audit, or a head that was noted (--head), and the record "
        "before against the table's own."
    )
    return 0


def _status(found: Audit) -> int:
    if not found.good or found.missing_before:
        return EXIT_BAD
    return EXIT_OTHER_BUILD if found.not_judged else 0


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _show(folder: Path, found: Audit) -> None:
    for problem in found.problems:
        print(problem)
    if not found.good:
        return
    records = found.head.seq - found.after.seq
    all_hold = "the chain holds" if found.not_judged else "all hold"
    said = f"{_count(records, 'record')}, {_count(found.rounds, 'round')}"
    print(f"{folder}: {said}, {all_hold}")
    for rules, build in found.not_judged:
        print(f"not judged: {rules}, use build {build}")
    days = found.days[0] if len(found.days) == 1 else f"{found.days[0]} to {found.days[-1]}"
    begins = f"after record {found.after.seq}" if found.after.seq else "with the table's first day"
    label = "day" if len(found.days) == 1 else "days"
    print(f"{label} {days}, beginning {begins} {found.after.hash.hex()}")
    if found.missing_before:
        print(
            f"days before {found.days[0]} are not here, and no record says that they were removed. "
            f"Where this is a copy of later days alone, ask with --from {found.days[0]}"
        )
    if found.signed:
        closed = "closed day" if len(found.signed) == 1 else "closed days"
        print(f"signed: {len(found.signed)} {closed}")
    if found.unsigned:
        print(f"not signed yet: {', '.join(found.unsigned)}")
    if not found.anchored:
        print("not the end of the record: what comes after it is not part of this span")
    if found.opened:
        lost = f"; {found.lost} are known to be lost" if found.lost else ""
        print(f"openings: of {len(found.opened)} of {len(found.days)} days, all fit{lost}")
    print(f"head {found.head.seq} {found.head.hash.hex()}")
    print(f"for the shift's sheet: {noted(Head(found.days[-1], found.head))}")
