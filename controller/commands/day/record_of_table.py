"""The record that a command about a day is asked of, by its table's configuration or its folder."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path

from controller.access.directory import PeopleError
from controller.access.read_directory import read_directory
from controller.commands.record.days_asked import answered
from controller.commands.terminal.status import EXIT_CONFIG, EXIT_USAGE, fail
from controller.config.problems import ConfigError
from controller.table.roles import NOBODY_NAMED, PersonId

Names = Mapping[PersonId, str]


def add_record(one: argparse.ArgumentParser) -> None:
    """Add `record` and `--people` to what a command is given."""
    one.add_argument(
        "record",
        type=Path,
        metavar="CONFIG",
        help="table.toml of the table, or the record's folder",
    )
    one.add_argument(
        "--people", type=Path, metavar="FILE", help="the directory of people (as configured)"
    )


def answered_of(
    command: Callable[[argparse.Namespace, Path, Names], int], arguments: argparse.Namespace
) -> int:
    """The exit status of a command that is given the record's folder and people's names."""

    def asked(arguments: argparse.Namespace) -> int:
        folder, people = arguments.record, arguments.people
        try:
            if folder.is_file():
                from controller.assembly.wiring import load  # half of the time of a folder's

                config = load(folder)
                folder, people = (
                    config.record.folder,
                    people or (config.people.names_file if config.people else None),
                )
            names = read_directory(people).names if people else NOBODY_NAMED
        except ConfigError as error:
            return fail(str(error), EXIT_CONFIG)
        except PeopleError as error:
            return fail(str(error), EXIT_USAGE)
        return command(arguments, folder, names)

    return answered(asked, arguments)
