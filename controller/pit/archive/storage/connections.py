"""Connections to the archive's database: either end of one to a server notices that the other is
gone, within seconds.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Final

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL

log: Final = logging.getLogger(__name__)

POSTGRESQL: Final = "postgresql"
ReadPassword = Callable[[], str]
"""Reads the password of a database's user as it is now. Blocks. Raises `OSError`, `ValueError`."""
#: Where the URL does not say otherwise. A server that vanished would be waited for a quarter of an
#: hour by whoever had sent something, and for two hours by whoever had not.
_OURS: Final[dict[str, int]] = {
    "keepalives": 1,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
#: The same of the server's end: a pit that lost its power would keep its locks for two hours, the
#: duty to archive among them. Servers before PostgreSQL 12 do not know the last.
_THEIRS: Final = """
    SELECT set_config(known.name, ours.value, false)
    FROM pg_settings AS known JOIN (VALUES
        ('tcp_keepalives_idle', '5'), ('tcp_keepalives_interval', '2'),
        ('tcp_keepalives_count', '3'), ('tcp_user_timeout', '15000')
    ) AS ours (name, value) ON known.name = ours.name
    WHERE known.source <> 'client'
"""


def engine_of(
    url: URL, read_password: ReadPassword | None = None, *, connect_timeout_s: int = 5
) -> Engine:
    """The database at `url`, not connected yet; what the URL says of a connection holds.

    `read_password` is asked at each connection to a server; None: the URL's password stays.
    """
    if url.get_backend_name() != POSTGRESQL:
        # A file is there or is not: only of a server is it asked first whether it is.
        return create_engine(url, hide_parameters=True)
    asked = {"connect_timeout": connect_timeout_s, **_OURS}.items()
    options = {name: value for name, value in asked if name not in url.query}
    engine = create_engine(url, pool_pre_ping=True, connect_args=options, hide_parameters=True)
    event.listen(engine, "connect", _prepare_server)
    if read_password is not None:
        event.listen(engine, "do_connect", _PasswordAnew(read_password, url.password or "").put)
    return engine


class _PasswordAnew:
    """Puts what `read` says into each connection, or the `known` one while it cannot be read."""

    def __init__(self, read: ReadPassword, known: str) -> None:
        self._read = read
        self._known = known

    def put(self, _dialect: object, _record: object, _args: object, named: dict[str, Any]) -> None:
        try:
            self._known = self._read()
        except (OSError, ValueError) as error:
            log.warning("archive: the database's password cannot be read anew (%s)", error)
        named["password"] = self._known


def _prepare_server(connection: Any, _record: object) -> None:
    connection.execute(_THEIRS)
    connection.commit()
