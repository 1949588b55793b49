"""`tablectl pit CONFIG move-people FILE`: people of a table that kept its own, moved to the pit."""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from controller.access.directory import Directory, PeopleError, local_day
from controller.access.read_directory import read_directory
from controller.commands.terminal.parsers import Subcommands, add_command
from controller.commands.terminal.status import EXIT_CONFIG, EXIT_USAGE, fail
from controller.config.problems import ConfigError

if TYPE_CHECKING:
    from controller.pit.directories.moving import OwnPerson, PersonMove


def add_parser(parts: Subcommands) -> None:
    """Add `move-people` to what there is besides the pit itself."""
    parser = add_command(
        parts,
        "move-people",
        "Move the people of a table that kept its own to this pit: its people.toml, brought here."
        " Everybody stays who they are on the table's records, may act there as before, and sets"
        " another PIN on /pin. Whoever has one name at several tables is one user. What cannot be"
        " told from the file is refused, and nothing is moved then.",
        "tablectl pit pit.toml move-people T1.people.toml --table T1 --dry-run",
        "tablectl pit pit.toml move-people T2.people.toml --table T2 --as aino=Aino-Lahti",
        summary="move a table's own people to this pit",
    )
    parser.add_argument("file", type=Path, help="the people.toml of the table")
    parser.add_argument("--table", required=True, help="as [people.tables] names it")
    parser.add_argument(
        "--as", dest="names", action="append", default=[], metavar="THERE=HERE", type=_renamed,
        help="who is called THERE at the table is called HERE in this pit",
    )  # fmt: skip
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, no more")
    parser.set_defaults(pit_command=run)


def run(arguments: argparse.Namespace) -> int:
    """Move them, or say what would be done; the exit status."""
    from controller.commands.pit.user_links import people_in  # noqa: PLC0415  (an extra)
    from controller.pit.accounts.users import UserRefused  # noqa: PLC0415  (an extra)
    from controller.pit.directories.moving import (  # noqa: PLC0415  (an extra)
        MoveRefused,
        carry_out,
        plan_moves,
    )
    from controller.pit.server.settings import PitRefused, load_pit  # noqa: PLC0415  (an extra)

    table: str = arguments.table
    try:
        config = load_pit(arguments.config)
        if table not in config.people.tables:
            text = (
                f"{table} does not stand in [people.tables]: `tablectl person key` prints its key"
            )
            return fail(text, EXIT_CONFIG)
        people = _own(read_directory(arguments.file), local_day())
        with people_in(config) as users, users.accounts.engine.begin() as connection:
            moves = plan_moves(connection, table, people, dict(arguments.names))
            if not arguments.dry_run:
                carry_out(connection, table, moves, users.accounts.clock_ms(), users.who)
    except (ConfigError, PitRefused) as error:
        return fail(str(error), EXIT_CONFIG)
    except MoveRefused as error:
        return fail("nothing is moved:\n  " + "\n  ".join(error.problems), EXIT_USAGE)
    except (PeopleError, UserRefused) as error:
        return fail(str(error), EXIT_USAGE)
    print("\n".join((*(each.words for each in moves), *_summary(moves, arguments.dry_run))))
    return 0


def _own(directory: Directory, today: datetime.date) -> list[OwnPerson]:
    from controller.pit.directories.moving import OwnPerson  # noqa: PLC0415  (an extra)

    return [OwnPerson(each.id, each.name, each.role(today)) for each in directory.entries.values()]


def _summary(moves: Sequence[PersonMove], dry_run: bool) -> list[str]:
    from controller.pit.directories.moving import MoveKind  # noqa: PLC0415  (an extra)

    new = sum(each.kind is MoveKind.NEW for each in moves)
    known = sum(each.kind is MoveKind.KNOWN for each in moves)
    lines = [f"{new} new, {known} known here, {len(moves) - new - known} that change nothing"]
    if new + known:
        lines.append(
            "PINs stay behind: the table keeps them in another form. Everybody sets one on /pin;"
            " `user link NAME` prints a new user's link. Until somebody of the floor has one, the"
            " table is sent no directory"
        )
    return ["", *lines, *(["nothing is changed: this was --dry-run"] if dry_run else [])]


def _renamed(text: str) -> tuple[str, str]:
    there, sign, here = text.partition("=")
    if not (sign and there and here):
        raise argparse.ArgumentTypeError(f"{text!r}: write it like aino=Aino-Lahti")
    return there, here
