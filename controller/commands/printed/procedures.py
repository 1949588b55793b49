"""`tablectl procedures`: what is done when something goes wrong, as the table enforces it."""

from __future__ import annotations

import argparse
from pathlib import Path

from controller.commands.terminal.parsers import (
    Subcommands,
    add_command,
    add_language,
    complete_with,
)
from controller.commands.terminal.status import EXIT_USAGE, fail
from controller.config.house_procedures import load_own
from controller.config.problems import ConfigError
from controller.languages.languages import language
from controller.rules.messages import message
from controller.rules.printed.markdown import sections_as_markdown, sections_as_text
from controller.rules.spoken import speaking
from controller.table.irregularities.procedures import PROFILES, ProcedureError, procedures
from controller.table.views.english import say
from controller.table.views.procedures import sections


def add_parsers(commands: Subcommands) -> None:
    """Add `procedures`."""
    parser = add_command(
        commands,
        "procedures",
        "Print what is done when something goes wrong at a table: each irregularity"
        " with its lawful resolutions and whose word they take.",
        "tablectl procedures strict",
        "tablectl procedures house --own procedures.toml",
        "tablectl procedures house --lang fi",
    )
    complete_with(
        parser.add_argument("profile", nargs="?", help="the profile; left out: all of them"),
        lambda: PROFILES,
    )
    parser.add_argument("--own", type=Path, metavar="FILE", help="the house's own rows beside it")
    parser.add_argument("--markdown", action="store_true", help="as Markdown")
    add_language(parser)
    parser.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    """Print one profile, or all; the exit status."""
    names = [arguments.profile] if arguments.profile else list(PROFILES)
    try:
        own = load_own(arguments.own) if arguments.own else ()
        for name in names:
            with speaking(language(arguments.lang)):
                printed = sections(procedures(name, own), ids=True)
                title = say(message("procedures-of", profile=f"`{name}`"))
            if arguments.markdown:
                lines = [f"# {title}", *sections_as_markdown(printed, 2), ""]
            else:
                lines = [f"procedures = {name!r}", *sections_as_text(printed), ""]
            print("\n".join(lines))
    except (ConfigError, ProcedureError) as error:
        return fail(str(error), EXIT_USAGE)
    return 0
