"""The archive's database: opened by its URL, brought up to date, and held by one pit at a time."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from pathlib import Path
from threading import Lock
from typing import Any, Final
from weakref import WeakKeyDictionary

from alembic import command
from alembic.config import Config as AlembicConfig
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

SQLITE: Final = "sqlite"
POSTGRESQL: Final = "postgresql"
_DRIVERS: Final = {SQLITE: "sqlite+pysqlite", POSTGRESQL: "postgresql+psycopg"}
_STEPS: Final = Path(__file__).parent / "migrations"
#: PostgreSQL's advisory locks are numbers: who archives, and who changes the schema.
_ARCHIVING: Final = 0x7461626C6501
_MIGRATING: Final = 0x7461626C6502
#: Whoever only looks waits this long for a server.
_LOOK_S: Final = 3


class ArchiveRefused(Exception):
    """The archive's database cannot be used; the text says what to change."""


def open_database(address: str | URL) -> Engine:
    """The database at a URL (`sqlite:///FILE`, `postgresql://…`), its schema up to date.

    Raises `ArchiveRefused`.
    """
    url = _url(address)
    shown = url.render_as_string(hide_password=True)
    if url.get_backend_name() == SQLITE:
        _make_private(Path(str(url.database)), shown)
    engine = create_engine(url, pool_pre_ping=True)
    if url.get_backend_name() == SQLITE:
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_at_once)
    try:
        with engine.begin() as connection:
            _migrate(connection, shown)
    except DBAPIError as error:
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
    options = {"connect_timeout": _LOOK_S} if url.get_backend_name() == POSTGRESQL else {}
    engine = create_engine(url, connect_args=options)
    try:
        with engine.connect() as connection:
            yield connection
    except DBAPIError as error:
        raise _cannot_open(url.render_as_string(hide_password=True), error) from error
    finally:
        engine.dispose()


def _cannot_open(shown: str, error: DBAPIError) -> ArchiveRefused:
    why = " ".join(str(error.orig).split())
    return ArchiveRefused(
        f"the archive {shown} cannot be opened ({why}): check archive.database, that it is "
        "there, and who may write to it"
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
    config = _steps()
    config.attributes["connection"] = connection
    if connection.dialect.name == POSTGRESQL:
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATING})
    _revision(connection, shown)
    command.upgrade(config, "head")


def _steps() -> AlembicConfig:
    config = AlembicConfig()
    config.set_main_option("script_location", str(_STEPS))
    return config


def _revision(connection: Connection, shown: str) -> tuple[str | None, ScriptDirectory]:
    """The schema's revision, None without one, and all that are known.

    Raises `ArchiveRefused` where newer software wrote it.
    """
    script = ScriptDirectory.from_config(_steps())
    current = MigrationContext.configure(connection).get_current_revision()
    try:
        if current is not None:
            script.get_revision(current)
    except CommandError as error:
        raise ArchiveRefused(
            f"the archive {shown} has the schema {current}, which newer software wrote: start that"
        ) from error
    return current, script


class Duty:
    """Who archives: one pit of all that share a database. The others look on, and take over.

    Held by the process: it is free as soon as that ends, however it does.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._let_go: Callable[[], None] | None = None
        self._is_held: Callable[[], bool] = lambda: False

    def take(self) -> bool:
        """Whether this pit archives, from now on or still. Raises `DBAPIError`, `OSError`."""
        if self._let_go is not None and self._is_held():
            return True
        self.give_back()
        return self._take_row() if self._engine.dialect.name == POSTGRESQL else self._take_file()

    def _take_file(self) -> bool:
        path = Path(f"{self._engine.url.database}.archiving")
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return False
        self._let_go, self._is_held = lambda: os.close(descriptor), lambda: True
        return True

    def _take_row(self) -> bool:
        connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        # Its own for as long as the lock is held: one of the pool would keep the lock.
        connection.detach()
        got = connection.execute(text("SELECT pg_try_advisory_lock(:key)"), {"key": _ARCHIVING})
        if not got.scalar():
            connection.close()
            return False

        def is_held() -> bool:
            """The lock goes with the connection."""
            try:
                connection.execute(text("SELECT 1"))
            except SQLAlchemyError:
                return False
            return True

        def let_go() -> None:
            # A server that is away has let go of it by itself.
            with suppress(SQLAlchemyError):
                connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": _ARCHIVING})
            connection.close()

        self._let_go, self._is_held = let_go, is_held
        return True

    def give_back(self) -> None:
        """Let another pit archive; safe to call twice."""
        if self._let_go is not None:
            self._let_go()
            self._let_go = None
