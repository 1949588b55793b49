"""The archive's database: opened by its URL, and brought up to date."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final
from weakref import WeakKeyDictionary

from alembic import command
from alembic.config import Config as AlembicConfig
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoneFree

from controller.pit.archive.storage.connections import POSTGRESQL, ReadPassword, engine_of

SQLITE: Final = "sqlite"
_DRIVERS: Final = {SQLITE: "sqlite+pysqlite", POSTGRESQL: "postgresql+psycopg"}
_STEPS: Final = Path(__file__).parent / "migrations"
#: PostgreSQL's advisory locks are numbers: who changes the schema.
_MIGRATING: Final = 0x7461626C6502
#: The database does not answer, or every connection of ours to it is taken: try again. Wherever
#: it says here that `DBAPIError` is raised, the other may be too.
NO_ANSWER: Final = (DBAPIError, NoneFree)
#: Whoever only looks waits this long for a server.
_LOOK_S: Final = 3


class ArchiveRefused(Exception):
    """The archive's database cannot be used; the text says what to change."""


def open_database(address: str | URL, read_password: ReadPassword | None = None) -> Engine:
    """The database at a URL (`sqlite:///FILE`, `postgresql://…`), its schema up to date.

    `read_password` is asked at each connection to a server. Raises `ArchiveRefused`.
    """
    url = _url(address)
    shown = url.render_as_string(hide_password=True)
    if url.get_backend_name() == SQLITE:
        _make_private(Path(str(url.database)), shown)
    engine = engine_of(url, read_password)
    if url.get_backend_name() == SQLITE:
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_at_once)
    try:
        with engine.begin() as connection:
            _migrate(connection, shown)
    except NO_ANSWER as error:
        engine.dispose()
        raise _cannot_open(shown, error) from error
    except ArchiveRefused:
        engine.dispose()
        raise
    return engine


def _make_private(path: Path, shown: str) -> None:
    """Make the file, for its owner alone: people's passwords and sessions stand in it as hashes."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise ArchiveRefused(
            f"the archive {shown} cannot be opened ({error.strerror}): check archive.database, "
            "that it is there, and who may write to it"
        ) from error


class SchemaState(Enum):
    """What a database holds of an archive."""

    NONE = "none"
    OLDER = "older"
    NEWEST = "newest"


def look_at(address: str | URL) -> SchemaState:
    """What the database at a URL holds; nothing in it is changed. Raises `ArchiveRefused`."""
    with looked_into(address) as connection:
        if connection is None:
            return SchemaState.NONE
        shown = connection.engine.url.render_as_string(hide_password=True)
        current, script = _revision(connection, shown)
    if current is None:
        return SchemaState.NONE
    return SchemaState.NEWEST if current == script.get_current_head() else SchemaState.OLDER


@contextmanager
def looked_into(address: str | URL) -> Iterator[Connection | None]:
    """The database at a URL as it is, for whoever only reads; None: there is none yet.

    Raises `ArchiveRefused`, also of what is read inside.
    """
    url = _url(address)
    if url.get_backend_name() == SQLITE and not Path(str(url.database)).exists():
        yield None
        return
    engine = engine_of(url, connect_timeout_s=_LOOK_S)
    try:
        with engine.connect() as connection:
            yield connection
    except NO_ANSWER as error:
        raise _cannot_open(url.render_as_string(hide_password=True), error) from error
    finally:
        engine.dispose()


def why_none(error: SQLAlchemyError) -> str:
    """Why there is no answer, in one line: what the driver said, without the statement."""
    said = error.orig if isinstance(error, DBAPIError) else error.args[0]
    return " ".join(str(said).split())


def _cannot_open(shown: str, error: SQLAlchemyError) -> ArchiveRefused:
    return ArchiveRefused(
        f"the archive {shown} cannot be opened ({why_none(error)}): check archive.database, that "
        "it is there, and who may write to it"
    )


def _url(address: str | URL) -> URL:
    try:
        url = make_url(address)
        backend = url.get_backend_name()
    except ArgumentError as error:
        raise ArchiveRefused("archive.database is no URL: write sqlite:///archive.db") from error
    if backend not in _DRIVERS:
        raise ArchiveRefused(
            f"archive.database names {backend}: use sqlite:///FILE or postgresql://…"
        )
    if backend == SQLITE and not url.database:
        raise ArchiveRefused("archive.database names no file: write sqlite:///archive.db")
    return url.set(drivername=_DRIVERS[backend])


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # The driver would begin transactions by itself, and too late.
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_at_once(connection: Connection) -> None:
    """Readers go on beside a writer; who may write is decided at the beginning."""
    reads = connection.get_execution_options().get("reads_only", False)
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


_WRITERS: Final[WeakKeyDictionary[Engine, Lock]] = WeakKeyDictionary()


@contextmanager
def written_in_turn(engine: Engine) -> Iterator[None]:
    """One thread of this process writes after the other, where the database lets one write at all.

    Whoever waits for SQLite itself looks again after pauses that grow to a tenth of a second.
    """
    if engine.dialect.name != SQLITE:
        yield
        return
    with _WRITERS.setdefault(engine, Lock()):
        yield


def _migrate(connection: Connection, shown: str) -> None:
    """Bring the schema up to date; raises `ArchiveRefused` where newer software wrote it."""
    if connection.dialect.name == POSTGRESQL:
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATING})
    current, script = _revision(connection, shown)
    if current == script.get_current_head():
        return
    config = _steps()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _steps() -> AlembicConfig:
    config = AlembicConfig()
    config.set_main_option("script_location", str(_STEPS))
    return config


@cache
def _script() -> ScriptDirectory:
    """The steps that there are, loaded once in a process: they are part of the program."""
    return ScriptDirectory.from_config(_steps())


def _revision(connection: Connection, shown: str) -> tuple[str | None, ScriptDirectory]:
    """The schema's revision, None without one, and all that are known.

    Raises `ArchiveRefused` where newer software wrote it.
    """
    script = _script()
    current = MigrationContext.configure(connection).get_current_revision()
    try:
        if current is not None:
            script.get_revision(current)
    except CommandError as error:
        raise ArchiveRefused(
            f"the archive {shown} has the schema {current}, which newer software wrote: start that"
        ) from error
    return current, script
