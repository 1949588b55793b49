"""`tablectl person`: the people of a table, with their roles and PINs."""

from __future__ import annotations

import argparse
import sys
from getpass import getpass
from pathlib import Path

from controller.access.staff import PeopleError, add_person
from controller.commands.status import EXIT_USAGE, Subcommands, fail
from controller.table.roles import Role


def add_parsers(commands: Subcommands) -> None:
    """Add `person`."""
    parser = commands.add_parser(
        "person",
        description="Add somebody to the people of a table, or give a new role or PIN. The PIN is"
        " typed twice, or read as one line from a pipe.",
    )
    parser.add_argument("path", type=Path, help="people.toml")
    parser.add_argument("name")
    parser.add_argument("--role", choices=("dealer", "floor"), default="dealer")
    parser.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    """Add the person; the exit status."""
    try:
        # From a terminal it is typed twice and not shown; from a pipe it is one line.
        pin = getpass("PIN: ") if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
        if sys.stdin.isatty() and getpass("Again: ") != pin:
            return fail("the two PINs differ", EXIT_USAGE)
        add_person(arguments.path, arguments.name, Role(arguments.role), pin)
    except PeopleError as error:
        return fail(str(error), EXIT_USAGE)
    print(f"{arguments.name} is {arguments.role} in {arguments.path}")
    return 0
