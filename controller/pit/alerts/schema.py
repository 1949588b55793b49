"""The tables of alerts, and of what is to be sent of them. Times: the pit's, in ms."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, Table, Text

from controller.pit.archive.storage.schema import METADATA


def _whole(name: str) -> Column[int]:
    return Column(name, BigInteger, nullable=False)


def _text(name: str) -> Column[str]:
    return Column(name, Text, nullable=False)


#: `key` tells causes apart; `step`: how often it went further; `by` who answered.
ALERTS: Final = Table(
    "alerts", METADATA,
    Column("id", Integer, primary_key=True), _text("key"), _text("kind"), _text("table_name"),
    _text("text"), _whole("since_ms"), _whole("opened_ms"), _whole("count"),
    Column("step", Integer, nullable=False), _whole("step_ms"),
    Column("answered_ms", BigInteger), _text("answered_by"), Column("ended_ms", BigInteger),
    sqlite_autoincrement=True,
)  # fmt: skip

#: What a receiver is to be told, until it has it: one row for each word of an alert. `first_ms`:
#: since when it waits; `answer`: what the last try came to; `left_ms`: it is tried no more.
DELIVERIES: Final = Table(
    "alert_deliveries", METADATA,
    Column("id", Integer, primary_key=True), _text("message"), _text("receiver"), _text("body"),
    Column("alert_id", Integer, ForeignKey("alerts.id"), nullable=False),
    Column("tries", Integer, nullable=False), _whole("next_ms"),
    Column("first_ms", BigInteger, nullable=False, server_default="0"),
    Column("answer", Text, nullable=False, server_default=""), Column("left_ms", BigInteger),
    sqlite_autoincrement=True,
)  # fmt: skip

_OPEN: Final = ALERTS.c.ended_ms.is_(None)
#: Two replicas open no cause twice, whatever they do at once.
Index("alerts_open", ALERTS.c.key, unique=True, sqlite_where=_OPEN, postgresql_where=_OPEN)
Index("alerts_ended", ALERTS.c.ended_ms)
Index("alert_deliveries_message", DELIVERIES.c.message, DELIVERIES.c.receiver, unique=True)
Index("alert_deliveries_next", DELIVERIES.c.next_ms)
