"""Connections to the archive's database: either end of one to a server notices that the other is
gone, within seconds.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL

POSTGRESQL: Final = "postgresql"
#: Where the URL does not say otherwise. A server that vanished would be waited for a quarter of an
#: hour by whoever had sent something, and for two hours by whoever had not.
_OURS: Final[dict[str, int]] = {
    "connect_timeout": 5,
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


def engine_of(url: URL, **otherwise: int) -> Engine:
    """The database at `url`, not connected yet; `otherwise` are other parameters of a connection to
    a server, which the URL's own still go before.
    """
    if url.get_backend_name() != POSTGRESQL:
        return create_engine(url, pool_pre_ping=True)
    asked = {**_OURS, **otherwise}.items()
    options = {name: value for name, value in asked if name not in url.query}
    engine = create_engine(url, pool_pre_ping=True, connect_args=options)
    event.listen(engine, "connect", _prepare_server)
    return engine


def _prepare_server(connection: Any, _record: object) -> None:
    connection.execute(_THEIRS)
    connection.commit()
