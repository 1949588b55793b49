"""`tablectl pit CONFIG people TABLE`: the directory of a table's people, in a file for it."""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

from controller.commands.terminal.parsers import Subcommands, add_command
from controller.commands.terminal.status import EXIT_BAD, EXIT_CONFIG, fail
from controller.config.problems import ConfigError


def add_parser(parts: Subcommands) -> None:
    """Add `people` to what there is besides the pit itself."""
    parser = add_command(
        parts,
        "people",
        "Write the directory of a table's people to a file, for a table without a bus: signed by"
        " this pit, sealed to the table. There `tablectl person take` takes it.",
        "tablectl pit pit.toml people T1 --output T1.people",
        summary="write out who may act at a table, for that table",
    )
    parser.add_argument("table", help="as [people.tables] names it")
    parser.add_argument("--output", type=Path, metavar="FILE", required=True, help="a new file")
    parser.set_defaults(pit_command=run)


def run(arguments: argparse.Namespace) -> int:
    """Write it; the exit status."""
    from controller.pit.accounts.factors.one_time import made_secret_key  # noqa: PLC0415  (an extra)
    from controller.pit.acts.key import read_key  # noqa: PLC0415  (an extra)
    from controller.pit.archive.storage.database import ArchiveRefused, open_database  # noqa: PLC0415
    from controller.pit.directories.keeper import DirectoryKeeper  # noqa: PLC0415  (an extra)
    from controller.pit.server.settings import load_pit  # noqa: PLC0415  (an extra)

    table: str = arguments.table
    try:
        config = load_pit(arguments.config)
        key = read_key(config.base / config.acts.key_file)
        pins = made_secret_key(config.base / config.sign_in.key_file)
        engine = open_database(config.archive.url(config.base))
    except (ConfigError, ArchiveRefused, ValueError) as error:
        return fail(str(error), EXIT_CONFIG)
    except OSError as error:
        return fail(f"{error.filename} cannot be read ({error.strerror})", EXIT_BAD)
    try:
        keeper = DirectoryKeeper(engine, config.people, key, pins, _wall_ms)
        if table not in keeper.tables:
            return fail(f"{table} does not stand in [people.tables]", EXIT_CONFIG)
        body = keeper.document(table)
        if body is None:
            [why] = [e.standing.value for e in keeper.standings() if e.name == table]
            return fail(f"there is no directory for {table}: {why}", EXIT_BAD)
        _write(arguments.output, body)
    except OSError as error:
        return fail(f"{arguments.output} cannot be written ({error.strerror})", EXIT_BAD)
    finally:
        engine.dispose()
    print(f"written: {arguments.output}")
    return 0


def _write(path: Path, body: bytes) -> None:
    """What is there is nobody's to lose; what is written is there whole. Raises `OSError`."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "wb") as file:
        file.write(body)
        file.flush()
        os.fsync(file.fileno())


def _wall_ms() -> int:
    return time.time_ns() // 1_000_000
