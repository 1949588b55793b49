"""A pit's alerts with a clock in the test's hand, on a database of SQLite or PostgreSQL."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import Engine, insert, select, update

from controller.pit.accounts.schema import SESSIONS, USERS
from controller.pit.accounts.sessions import Client, Lifetime, begin
from controller.pit.alerts.keeper import AlertKeeper
from controller.pit.alerts.schema import ALERTS
from controller.pit.alerts.settings import AlertSettings
from controller.pit.archive.findings.standstill import ArchiveStandstill
from controller.pit.wall.settings import WallSettings
from controller.pit.wall.wall import Wall
from tests.pit.wall.statuses import NOW_MS, news


class Alerting:
    """One replica of a pit: its wall, its keeper, its clock; and whether the bus is there."""

    def __init__(self, engine: Engine, folder: Path, now_ms: int = NOW_MS, **named: Any) -> None:
        self.engine = engine
        self.now_ms = now_ms
        #: By how much its clock was set since.
        self.set_ms = 0
        self.why = ""
        self.settings = AlertSettings(**{"disk_gb": 0, **named})
        self.still: ArchiveStandstill | None = None
        self.wall = Wall(WallSettings(), self.clock, lambda: self.still, lambda: self.now_ms)
        self.keeper = AlertKeeper(
            engine, self.settings, self.wall, folder, self.clock, lambda: self.why,
            lambda: self.now_ms,
        )  # fmt: skip

    def clock(self) -> int:
        return self.now_ms + self.set_ms

    def signs_in(self, name: str) -> None:
        """A user of the pit is there from now on."""
        values = {"login": name.lower(), "name": name, "roles": "floor", "made_ms": 0}
        with self.engine.begin() as connection:
            made = connection.execute(insert(USERS).values(values)).inserted_primary_key
            assert made is not None
            lifetime = Lifetime()
            begin(connection, made[0], "password", Client("192.0.2.7"), self.clock(), lifetime)

    def signs_out(self) -> None:
        """Nobody is there any more."""
        with self.engine.begin() as connection:
            connection.execute(update(SESSIONS).values(ended_ms=self.clock()))

    def hear(self, *tables: str, **other: Any) -> None:
        for each in tables:
            self.wall.hear(news(each, self.clock(), **other))

    async def after(self, seconds: float, *, judges: bool = True) -> list[str]:
        """Look after so long; the keys of what is open."""
        self.now_ms += int(seconds * 1_000)
        await self.keeper.look(judges=judges)
        return self.open()

    def open(self) -> list[str]:
        return [each.key for each in self.rows() if each.ended_ms is None]

    def rows(self) -> list[Any]:
        with self.engine.connect() as connection:
            return list(connection.execute(select(ALERTS).order_by(ALERTS.c.id)))
