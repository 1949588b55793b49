"""`tablectl training`: the report of a dealer's training, computed again from its folder."""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path

import msgspec

from controller.commands.record.days_asked import answered
from controller.commands.terminal.parsers import Subcommands, add_command, add_language
from controller.commands.terminal.status import EXIT_USAGE, fail
from controller.languages.languages import language
from controller.record.reading.record_tail import CannotGoOn
from controller.rules.spoken import speaking
from controller.training.follow import TrainingFolder
from controller.training.page import page
from controller.training.text import as_text
from controller.training.world_list import TrainingError


def add_parsers(commands: Subcommands) -> None:
    """Add `training`."""
    parser = add_command(
        commands,
        "training",
        "Say how a training went (`tablectl demo --train`): rounds an hour, mistakes, time to"
        " answer, trouble and how it was met. From the record and the world's list alone, so that"
        " it says the same as on the day.",
        "tablectl training /tmp/tablectl-training",
        "tablectl training /tmp/tablectl-training --html > training.html",
        "tablectl training /tmp/tablectl-training --lang fi",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="the folder of the training")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as data")
    form.add_argument("--html", action="store_true", help="as a page")
    add_language(parser)
    parser.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command; the exit status."""
    with speaking(language(arguments.lang)):
        return answered(_print, arguments)


def _print(arguments: argparse.Namespace) -> int:
    folder: Path = arguments.folder
    try:
        with closing(TrainingFolder(folder)) as training:
            found = training.report()
    except (TrainingError, CannotGoOn) as error:
        return fail(str(error), EXIT_USAGE)
    if arguments.json:
        print(msgspec.json.encode(found).decode())
    elif arguments.html:
        print(page(found), end="")
    else:
        print("\n".join(as_text(found, folder)))
    return 0
