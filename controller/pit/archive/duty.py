"""Who archives: one pit at a time of all that share a database."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Final

from sqlalchemy import Engine, text
from sqlalchemy.exc import SQLAlchemyError

from controller.pit.archive.storage.connections import POSTGRESQL

#: PostgreSQL's advisory lock of whoever archives.
_ARCHIVING: Final = 0x7461626C6501
#: For how long the connection that holds the lock has been silent; who holds it asks once a second.
_SILENT: Final = """
    SELECT CAST(1000 * extract(epoch FROM clock_timestamp() - holder.state_change) AS bigint)
    FROM pg_locks AS held JOIN pg_stat_activity AS holder USING (pid)
    WHERE held.locktype = 'advisory' AND held.granted AND held.objsubid = 1
        AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND held.classid::bigint = :key >> 32 AND held.objid::bigint = :key & 4294967295
"""


class Duty:
    """Who archives: one pit of all that share a database. The others look on, and take over.

    Held by the process: it is free as soon as that ends, however it does.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._let_go: Callable[[], None] | None = None
        self._is_held: Callable[[], bool] = lambda: False
        #: For how long the pit that archives had been silent at the last try to take over (ms);
        #: None: this one archives, or nobody knows.
        self.silent_ms: int | None = None
        #: When the file beside SQLite's was last touched, and when that was seen.
        self._touched: tuple[int, float] | None = None

    def take(self) -> bool:
        """Whether this pit archives, from now on or still. Raises `DBAPIError`, `OSError`."""
        self.silent_ms = None
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
            self.silent_ms = self._untouched_ms(os.fstat(descriptor).st_mtime_ns)
            os.close(descriptor)
            return False
        except OSError:  # a disk without locks: this is tried each second
            os.close(descriptor)
            raise

        def is_held() -> bool:
            """The lock is the process's; the others see by the file that it goes on."""
            with suppress(OSError):  # a disk that takes nothing takes no lock away
                os.utime(descriptor)
            return True

        self._let_go, self._is_held = lambda: os.close(descriptor), is_held
        return True

    def _untouched_ms(self, touched_ns: int) -> int:
        """For how long whoever archives has not touched the file, as far as this pit has seen it;
        by no clock that somebody may set.
        """
        now_s = monotonic()
        if self._touched is None or self._touched[0] != touched_ns:
            self._touched = (touched_ns, now_s)
        return int((now_s - self._touched[1]) * 1_000)

    def _take_row(self) -> bool:
        connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        # Its own for as long as the lock is held: one of the pool would keep the lock.
        connection.detach()
        try:
            key = {"key": _ARCHIVING}
            got = connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), key)
            if not got:
                self.silent_ms = connection.scalar(text(_SILENT), key)
        except SQLAlchemyError:
            connection.close()
            raise
        if not got:
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
