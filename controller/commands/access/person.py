"""`tablectl person`: the directory of people, who the ids on record are and what they may do."""

from __future__ import annotations

import argparse
import datetime
import sys
from getpass import getpass
from pathlib import Path

from controller.access.directory import Directory, PeopleError, PersonEntry, local_day
from controller.access.pins import PinError
from controller.access.read_directory import read_directory
from controller.access.write_directory import changing, write_directory
from controller.commands.access.sent_person import add_sent
from controller.commands.terminal.parsers import Subcommands, add_command
from controller.commands.terminal.status import EXIT_USAGE, fail
from controller.table.roles import Role


def add_parsers(commands: Subcommands) -> None:
    """Add `person` with what can be done: add, list, remove, expire, erase, key, take."""
    parser = add_command(
        commands,
        "person",
        "Change the directory of people: a file that says who the ids on record are,"
        " what they may do, and by which PIN they prove it. A running table takes it up at the"
        " next PIN.",
        "tablectl person add /etc/tablectl/people.toml eino --role floor",
        "tablectl person list /etc/tablectl/people.toml",
        "tablectl person expire /etc/tablectl/people.toml eino 2027-01-31",
    )
    doing = parser.add_subparsers(required=True, metavar="ACTION")

    def action(name: str, text: str, *example: str) -> argparse.ArgumentParser:
        shown = " ".join(("tablectl person", name, "people.toml", *example))
        one = add_command(doing, name, f"{text[0].upper()}{text[1:]}.", shown, summary=text)
        one.add_argument("path", type=Path, help="people.toml")
        one.set_defaults(command=run, action=name)
        return one

    one = action("add", "add somebody, or give a new role or PIN (typed twice, or from a pipe)",
                 "eino", "--role floor")  # fmt: skip
    one.add_argument("name", help="letters, digits, - or _, as typed with the PIN")
    one.add_argument(
        "--role", choices=("dealer", "floor"), default="dealer", help="what they may do (dealer)"
    )
    action("list", "list everybody: id, name, role and since when")
    one = action(
        "remove", "end somebody's role and PIN; the name stays with what is on record", "eino"
    )
    one.add_argument("who", help="a name or an id")
    one = action("expire", "let somebody's PIN end on a day", "eino", "2027-01-31")
    one.add_argument("who", help="a name or an id")
    one.add_argument("day", type=datetime.date.fromisoformat, help="first day without it, ISO")
    one = action("erase", "forget who somebody is: past records then show the id alone", "eino")
    one.add_argument("who", help="a name or an id")
    add_sent(doing)


def run(arguments: argparse.Namespace) -> int:
    """Carry out one action; the exit status."""
    today = local_day()
    path: Path = arguments.path
    try:
        if arguments.action == "list":
            print("\n".join(_lines(read_directory(path), today)))
            return 0
        adds = arguments.action == "add"
        pin = _typed_pin() if adds else ""
        with changing(path):
            is_new = adds and not path.exists()
            directory = Directory() if is_new else read_directory(path)
            changed = _change(directory, arguments, pin, today)
            write_directory(path, directory)
    except (PeopleError, PinError) as error:
        return fail(str(error), EXIT_USAGE)
    print(_line(changed, today))
    return 0


def _change(
    directory: Directory, arguments: argparse.Namespace, pin: str, today: datetime.date
) -> PersonEntry:
    """Raises `PeopleError`, `PinError`."""
    if arguments.action == "add":
        return directory.add(arguments.name, Role(arguments.role), pin, today)
    if arguments.action == "remove":
        return directory.remove(arguments.who, today)
    if arguments.action == "expire":
        return directory.expire(arguments.who, arguments.day)
    return directory.erase(arguments.who, today)


def _typed_pin() -> str:
    """Typed twice and not shown at a terminal; one line from a pipe. Raises `PinError`."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    pin = getpass("PIN: ")
    if getpass("Again: ") != pin:
        raise PinError("the two PINs differ")
    return pin


def _lines(directory: Directory, today: datetime.date) -> list[str]:
    return [_line(each, today) for each in directory.entries.values()]


def _line(entry: PersonEntry, today: datetime.date) -> str:
    """`7f3a91c2  aino  dealer since 2026-11-22`, with every earlier role after it."""
    role = entry.role(today)
    terms = [
        f"{each.role.value} {each.since} to {each.until}"
        if each.until
        else f"{each.role.value} since {each.since}"
        for each in reversed(entry.history)
    ]
    if entry.expires:
        terms[0] += f", PIN {'until' if role else 'ended'} {entry.expires}"
    return f"{entry.id}  {entry.name or '(erased)':{16}}  {'; '.join(terms)}"
