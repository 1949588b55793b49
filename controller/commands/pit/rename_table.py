"""`tablectl pit CONFIG rename-table OLD NEW`: a table that was renamed keeps its archive."""

from __future__ import annotations

import argparse

from controller.commands.terminal.parsers import Subcommands, add_command
from controller.commands.terminal.status import EXIT_BAD, EXIT_CONFIG, fail
from controller.config.problems import ConfigError


def add_parser(parts: Subcommands) -> None:
    """Add `rename-table` to what there is besides the pit itself."""
    parser = add_command(
        parts,
        "rename-table",
        "Let what is archived of a table go on under its new name. The table was renamed in its own"
        " configuration and at the broker, and speaks under the new name: /records has a finding"
        " that says so.",
        "tablectl pit pit.toml rename-table T1 T9",
        summary="let a renamed table keep its archive",
    )
    parser.add_argument("old", help="as the archive knows it")
    parser.add_argument("new", help="as it is called now")
    parser.set_defaults(pit_command=run)


def run(arguments: argparse.Namespace) -> int:
    """Rename it; the exit status."""
    from controller.commands.pit.user_links import people_in  # noqa: PLC0415  (an extra)
    from controller.pit.records.renaming import NotRenamed, rename  # noqa: PLC0415  (an extra)
    from controller.pit.server.settings import PitRefused, load_pit  # noqa: PLC0415  (an extra)

    old, new = arguments.old, arguments.new
    try:
        with people_in(load_pit(arguments.config)) as people:
            accounts = people.accounts
            rename(accounts.engine, old, new, people.who.name, accounts.clock_ms())
    except (ConfigError, PitRefused) as error:
        return fail(str(error), EXIT_CONFIG)
    except NotRenamed as error:
        return fail(str(error), EXIT_BAD)
    print(
        f"{old} is {new}, and its record goes on. Name {new} in pit.toml where {old} stands"
        " ([wall], [acts.tables], [people.tables]), and start the pit anew: until then its wall"
        f" shows {old}, too. Where the pit keeps its people, accept its directory on /people."
    )
    return 0
