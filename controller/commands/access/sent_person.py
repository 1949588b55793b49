"""`tablectl person key` and `take`: what a table needs whose people its pit sends."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from controller.access.directory import PeopleError
from controller.access.people_words import WHY
from controller.access.sent_files import SentSettings, own_key, take_file
from controller.assembly.pit_people import sent_settings
from controller.assembly.wiring import load
from controller.commands.terminal.parsers import add_command
from controller.commands.terminal.status import EXIT_CONFIG, EXIT_USAGE, fail
from controller.config.problems import ConfigError
from controller.people.document import PeopleRefused
from controller.people.sealing import table_public
from controller.table.views.english import say

if TYPE_CHECKING:
    from controller.commands.terminal.parsers import Subcommands


def add_sent(doing: Subcommands) -> None:
    """Add both."""
    one = add_command(
        doing, "key",
        "Print the public half of the key to which the pit seals this table's people: it stands"
        " in the pit's configuration, below [people.tables]. Makes the key where there is none.",
        "sudo tablectl person key /etc/tablectl/table.toml",
        summary="print the key to which the pit seals this table's people",
    )  # fmt: skip
    one.add_argument("config", type=Path, help="table.toml")
    one.set_defaults(command=run_key)
    two = add_command(
        doing, "take",
        "Take the pit's directory of people from a file, for a table that has no bus: it is held"
        " against the keys of [people] and the one that is there. A running table takes it up.",
        "sudo tablectl person take /etc/tablectl/table.toml T1.people",
        summary="take the pit's directory of people from a file",
    )  # fmt: skip
    two.add_argument("config", type=Path, help="table.toml")
    two.add_argument("file", type=Path, help="as `tablectl pit CONFIG people TABLE` wrote it")
    two.set_defaults(command=run_take)


def run_key(arguments: argparse.Namespace) -> int:
    """Print the key; the exit status."""
    try:
        print(table_public(own_key(_settings(arguments.config).key_file)))
    except ConfigError as error:
        return fail(str(error), EXIT_CONFIG)
    except PeopleError as error:
        return fail(str(error), EXIT_USAGE)
    return 0


def run_take(arguments: argparse.Namespace) -> int:
    """Take the file; the exit status."""
    try:
        settings = _settings(arguments.config)
        taken = take_file(settings, arguments.file, time.time_ns() // 1_000_000)
    except ConfigError as error:
        return fail(str(error), EXIT_CONFIG)
    except PeopleError as error:
        return fail(str(error), EXIT_USAGE)
    except PeopleRefused as error:
        return fail(f"it is not taken: {say(WHY[error.why])}", EXIT_USAGE)
    except OSError as error:
        return fail(f"{error.filename}: {error.strerror}", EXIT_USAGE)
    sys.stdout.write(f"directory {taken.head.serial}, with {len(taken.people)} people\n")
    return 0


def _settings(path: Path) -> SentSettings:
    """Raises `ConfigError`, `PeopleError` for a table whose people are its own."""
    settings = sent_settings(load(path))
    if settings is None:
        raise PeopleError(f"{path}: the people of this table are its own: [people] names no keys")
    return settings
