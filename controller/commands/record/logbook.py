"""What happened at a table: `tablectl logbook` by records, `tablectl rounds` by rounds."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from datetime import datetime, time
from pathlib import Path

import msgspec

from controller.access.directory import PeopleError
from controller.access.read_directory import read_directory
from controller.commands.record.days_asked import answered, record_parser, span_of
from controller.commands.terminal.parsers import Subcommands, add_language, complete_with
from controller.commands.terminal.status import EXIT_USAGE, fail
from controller.languages.languages import language
from controller.record.reading.history import (
    ListPage,
    LogQuery,
    logbook,
    newest_entries,
    newest_rounds,
    rounds_with,
)
from controller.record.reading.report_text import wall_text
from controller.record.reading.rounds import RoundLine
from controller.rules.money import amount_text
from controller.rules.spoken import speaking
from controller.table.recorded.log_entry import Mark
from controller.table.roles import NOBODY_NAMED
from controller.table.views.logbook import Badge, LogLine

MARKS = tuple(each.value for each in Mark)


def add_parsers(commands: Subcommands) -> None:
    """Add `rounds` and `logbook`."""
    one = record_parser(
        commands, "rounds",
        "List the rounds of a record, each with what it is to be noticed for: holds, alarms, PINs,"
        " entries by hand, refusals, doubts of a reader, corrections and more.",
        "tablectl rounds record --with entry --from 2026-11-16",
        "tablectl rounds record --with hold,correction",
    )  # fmt: skip
    _add_form(one)
    _add_marks(one, "rounds that have all of these marks")
    one.set_defaults(command=run, asked=list_rounds, lang="en")

    one = record_parser(
        commands, "logbook",
        "Say what every record says: when, who, why and how long it took. Times are those of the"
        " table's own zone. Hidden cards are not named before their reveal.",
        "tablectl logbook record --day 2026-11-22 --between 14:02 14:10",
        "tablectl logbook record --newest 20",
        "tablectl logbook record --with person   # who overruled what, and why",
        "tablectl logbook record --by Aino --people people.toml",
    )  # fmt: skip
    _add_form(one)
    _add_marks(one, "entries that have one of these marks")
    add_between(one)
    one.add_argument("--round", type=int, default=0, metavar="N", help="of this round alone")
    one.add_argument("--by", default="", metavar="PERSON", help="what this person gave a PIN for")
    one.add_argument(
        "--people", type=Path, metavar="FILE", help="the directory of people, to show their names"
    )
    add_language(one)
    one.set_defaults(command=run, asked=list_entries)


def _add_form(one: argparse.ArgumentParser) -> None:
    one.add_argument(
        "--newest", type=whole_number, metavar="N", help="the newest N alone, the newest first"
    )
    one.add_argument(
        "--before", type=whole_number, default=0, metavar="NUMBER",
        help="with --newest: those before this number, the first in each line",
    )  # fmt: skip
    one.add_argument("--json", action="store_true", help="as data, one line for each")


def _add_marks(one: argparse.ArgumentParser, meaning: str) -> None:
    text = f"{meaning}, with commas between: {', '.join(MARKS)}"
    argument = one.add_argument(
        "--with", dest="marks", type=_marks, default=frozenset(), metavar="MARKS", help=text
    )
    complete_with(argument, lambda: MARKS)


def add_between(one: argparse.ArgumentParser) -> None:
    """Add the hours that are asked for; `between` has them."""
    one.add_argument(
        "--between", nargs=2, type=time_of_day, metavar=("TIME", "TIME"),
        help="from this time of day to that one, both included, like 14:02 14:10",
    )  # fmt: skip


def between(arguments: argparse.Namespace) -> tuple[time | None, time | None]:
    """The hours that are asked for; the end of the last minute where no seconds were given."""
    since, until = arguments.between or (None, None)
    if until is not None and not until.second:
        until = until.replace(second=59, microsecond=999_999)
    return since, until


def _marks(text: str) -> frozenset[str]:
    found = frozenset(each.strip() for each in text.split(","))
    if unknown := found.difference(MARKS):
        known = ", ".join(MARKS)
        raise argparse.ArgumentTypeError(f"no mark {', '.join(sorted(unknown))}: there are {known}")
    return found


def time_of_day(text: str) -> time:
    """A time of day at the table that was typed: one that names a zone of its own is none."""
    try:
        typed = time.fromisoformat(text)
    except ValueError:
        typed = None
    if typed is None or typed.tzinfo is not None:
        raise argparse.ArgumentTypeError(f"{text} is no time of day: write it like 14:02")
    return typed


def whole_number(text: str) -> int:
    """A number from 1 on that was typed."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text} is no number from 1 on")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    """Run the command; the exit status."""
    if arguments.before and not arguments.newest:
        return fail("--before goes with --newest N: say how many before that number", EXIT_USAGE)
    with speaking(language(arguments.lang)):
        return answered(_print, arguments)


def _print(arguments: argparse.Namespace) -> int:
    found: Iterable[str] = arguments.asked(arguments)
    try:
        for each in found:
            print(each)
    except PeopleError as error:
        return fail(str(error), EXIT_USAGE)
    return 0


def list_rounds(arguments: argparse.Namespace) -> Iterable[str]:
    """The rounds that are asked for, as lines. Raises `JournalError`."""
    folder, marks, days = arguments.folder, arguments.marks, span_of(arguments)
    found = (
        newest_rounds(folder, marks, _part(arguments), *days)
        if arguments.newest
        else rounds_with(folder, marks, *days)
    )
    for each in found:
        yield msgspec.json.encode(each).decode() if arguments.json else round_text(each)


def _part(arguments: argparse.Namespace) -> ListPage:
    return ListPage(arguments.newest, arguments.before)


def round_text(each: RoundLine) -> str:
    """A round of a list as a line; times are those of the table's zone, with their offset."""
    ended = wall_text(each.ended_ms, each.zone) if each.ended_ms else "in play"
    result = "void" if each.void else f"players {amount_text(each.net)}"
    shown = result if each.ended_ms else ""
    shown += ", without bets" if each.dummy else ""
    shown += f"  [{badges_text(each.badges)}]" if each.badges else ""
    began = wall_text(each.started_ms, each.zone)
    return f"{each.number:6}  shoe {each.shoe:<5} {began}  {ended}  {shown}"


def badges_text(badges: Iterable[Badge]) -> str:
    """Badges as `hold 2, entry`."""
    return ", ".join(
        f"{each.mark} {each.count}" if each.count > 1 else each.mark for each in badges
    )


def list_entries(arguments: argparse.Namespace) -> Iterable[str]:
    """The entries that are asked for, as lines. Raises `PeopleError`, `JournalError`."""
    names = read_directory(arguments.people).names if arguments.people else NOBODY_NAMED
    since, until = between(arguments)
    asked = LogQuery(since, until, arguments.marks, arguments.by, arguments.round)
    folder, days = arguments.folder, span_of(arguments)
    found = (
        newest_entries(folder, asked, _part(arguments), *days, names)
        if arguments.newest
        else logbook(folder, asked, *days, names)
    )
    for each, at in found:
        yield msgspec.json.encode(each).decode() if arguments.json else entry_text(each, at)


def entry_text(each: LogLine, at: datetime) -> str:
    """An entry as a line, with its time where the table stands."""
    marks = f"[{', '.join(each.marks)}] " if each.marks else ""
    about = f"round {each.round}: " if each.round else ""
    picture = f" [picture {each.picture}]" if each.picture else ""
    when = at.isoformat(" ", "milliseconds")
    return f"{each.seq:8}  {when}  {about}{marks}{each.text}{picture}"
