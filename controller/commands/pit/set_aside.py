"""`tablectl pit CONFIG set-aside`: what was set aside of tables' records, and a file of it."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from controller.commands.terminal.parsers import Subcommands, add_command
from controller.commands.terminal.status import EXIT_BAD, EXIT_CONFIG, fail
from controller.config.problems import ConfigError

if TYPE_CHECKING:
    from sqlalchemy import Engine


def add_parser(parts: Subcommands) -> None:
    """Add `set-aside` to what there is besides the pit itself."""
    parser = add_command(
        parts,
        "set-aside",
        "Write the records of a table that were set aside, where people said that the table's own"
        " history stands, to a file that `tablectl verify FILE` checks link by link. Without a"
        " number: what there is.",
        "tablectl pit pit.toml set-aside",
        "tablectl pit pit.toml set-aside 3 --output T1.jsonl",
        summary="write out records that were set aside",
    )
    parser.add_argument("number", type=int, nargs="?", help="as /records and this command list it")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write to a new file")
    parser.set_defaults(pit_command=run)


def run(arguments: argparse.Namespace) -> int:
    """List, or write; the exit status."""
    from controller.pit.archive.branches.export import NothingSetAside  # noqa: PLC0415  (an extra)
    from controller.pit.archive.storage.database import ArchiveRefused, open_database  # noqa: PLC0415
    from controller.pit.server.settings import load_pit  # noqa: PLC0415  (an extra)

    try:
        config = load_pit(arguments.config)
        engine = open_database(config.archive.url(config.base))
    except (ConfigError, ArchiveRefused) as error:
        return fail(str(error), EXIT_CONFIG)
    except OSError as error:
        return fail(f"{error.filename} cannot be read ({error.strerror})", EXIT_BAD)
    try:
        if arguments.number is None:
            return _list(engine)
        return _write(engine, arguments.number, arguments.output)
    except NothingSetAside as error:
        return fail(str(error), EXIT_BAD)
    except OSError as error:
        return fail(f"{arguments.output} cannot be written ({error.strerror})", EXIT_BAD)
    finally:
        engine.dispose()


def _list(engine: Engine) -> int:
    from controller.pit.archive.branches.rows import branches  # noqa: PLC0415  (an extra)
    from controller.pit.archive.overview import MOST_LISTED  # noqa: PLC0415  (an extra)

    with engine.connect().execution_options(reads_only=True) as connection:
        found = [each for each in branches(connection, MOST_LISTED) if each.last_seq]
    for each in reversed(found):
        print(
            f"{each.number}: {each.table}, records {each.first_seq} to {each.last_seq}, last hash"
            f" {each.last_hash}; said by {each.who}: {each.reason}"
        )
    if not found:
        print("nothing was set aside")
    return 0


def _write(engine: Engine, number: int, path: Path | None) -> int:
    from controller.pit.archive.branches.export import (  # noqa: PLC0415  (an extra)
        set_aside_head,
        set_aside_rows,
    )
    from controller.record.reading.set_aside import set_aside_lines  # noqa: PLC0415

    head = set_aside_head(engine, number)
    lines = set_aside_lines(head, set_aside_rows(engine, number))
    if path is None:
        sys.stdout.flush()
        sys.stdout.buffer.writelines(lines)
        sys.stdout.buffer.flush()
        return 0
    # What is there is nobody's to lose; what is written is there whole.
    with path.open("xb") as file:
        file.writelines(lines)
        file.flush()
        os.fsync(file.fileno())
    print(f"written: {path}, records {head.first_seq} to {head.last_seq} of {head.table}")
    return 0
