"""Looks at what is wrong every second, and keeps the alerts of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from sqlalchemy import Engine

from controller.pit.accounts.sessions import LIFETIME, Lifetime
from controller.pit.alerts.archived_troubles import ArchivedTroubles, disk_free, read_troubles
from controller.pit.alerts.causes import causes, may_go_on
from controller.pit.alerts.settings import AlertSettings
from controller.pit.alerts.sight import Sight
from controller.pit.alerts.store import alerts, judge, open_keys
from controller.pit.wall.alert_view import AlertView
from controller.pit.wall.wall import Wall

#: The books are read this often.
_CACHE_MS: Final = 5_000


class AlertKeeper:
    """Alerts of one pit, of several that may share a database: the one on duty judges.

    `why` says why the bus is not there, empty while it is; `folder` is on the archive's disk.
    `steady_ms` is a clock that nobody sets; None: `clock_ms` is one. `lifetime`: of sessions
    and tokens.
    """

    def __init__(
        self, engine: Engine, settings: AlertSettings, wall: Wall, folder: Path,
        clock_ms: Callable[[], int], why: Callable[[], str],
        steady_ms: Callable[[], int] | None = None, lifetime: Lifetime = LIFETIME,
    ) -> None:  # fmt: skip
        self._engine = engine
        self._settings = settings
        self._wall = wall
        self._folder = folder
        self._clock_ms = clock_ms
        self._why = why
        self._steady_ms = steady_ms or clock_ms
        self._lifetime = lifetime
        #: Since when the bus is there, or is not, by that.
        self._up_ms: int | None = None
        self._down_ms = self._steady_ms()
        self._troubles: ArchivedTroubles | None = None
        self._troubles_ms = 0

    async def look(self, *, judges: bool) -> None:
        """Bring alerts up to what is wrong, if this pit judges; show them. Raises `DBAPIError`."""
        sight = self._sight()
        shown = await asyncio.to_thread(self._look, sight if judges else None)
        self._wall.show_alerts(tuple(shown))

    def _sight(self) -> Sight:
        heard = dict(self._wall.heard)
        now_ms, steady_ms, why = self._clock_ms(), self._steady_ms(), self._why()
        if why and self._up_ms is not None:
            self._up_ms, self._down_ms = None, steady_ms
        elif not why and self._up_ms is None:
            self._up_ms = steady_ms
        ahead_ms = now_ms - steady_ms
        up_ms = None if self._up_ms is None else self._up_ms + ahead_ms
        return Sight(
            now_ms, heard, up_ms, self._down_ms + ahead_ms, why, self._wall.named,
            unread=dict(self._wall.unread), retired=self._wall.retired,
            silent_s=self._wall.settings.offline_s, standstill=self._wall.standstill(),
        )  # fmt: skip

    def _cached_troubles(self, now_ms: int) -> ArchivedTroubles:
        """What the database says, as of the last seconds: books are large. Blocks."""
        if self._troubles is None or not 0 <= now_ms - self._troubles_ms < _CACHE_MS:
            with self._engine.connect().execution_options(reads_only=True) as connection:
                self._troubles = read_troubles(connection, self._settings, now_ms, self._lifetime)
            self._troubles_ms = now_ms
        return self._troubles

    def _look(self, sight: Sight | None) -> list[AlertView]:
        """Blocks."""
        if sight is not None:
            troubles = self._cached_troubles(sight.now_ms)
            whole = replace(
                sight, findings=troubles.findings, packs=troubles.packs, wins=troubles.wins,
                fills=troubles.fills,
                wrong_tries=troubles.wrong_tries, untaken=troubles.untaken,
                tokens=troubles.tokens, refused=troubles.refused,
                disk_free=disk_free(self._folder),
                # After a start the wall does not know of them yet; one that speaks is none.
                retired=sight.retired | (troubles.retired - sight.heard.keys()),
            )  # fmt: skip
            with self._engine.begin() as connection:
                known = open_keys(connection)
                found = causes(whole, self._settings, known)
                unjudged = partial(may_go_on, whole, self._settings)
                judge(connection, found, unjudged, self._settings, sight.now_ms, self._lifetime)
        with self._engine.connect().execution_options(reads_only=True) as connection:
            return alerts(connection, self._settings)
