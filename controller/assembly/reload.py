"""A configuration that is read anew while the service runs (SIGHUP, `systemctl reload`)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final

from controller.assembly.wiring import load
from controller.config.configuration import Config
from controller.config.problems import ConfigError
from controller.host.defects import report
from controller.host.service_log import ServiceLog
from controller.record.reading.expected import known_edge
from controller.rules.messages import message
from controller.service.house_edges import log_edge
from controller.service.loop import Service
from controller.service.ports import ConfigNotice, TableStopped
from controller.service.reload import NotTakenOver, take_over
from controller.table.views.english import say

log = logging.getLogger(__name__)

#: Keys of `[table]` that may change while the service runs, between rounds.
LIVE_IN_TABLE: Final = frozenset(
    {"draw_means_hit", "currency", "reconcile", "procedures", "procedures_file"}
)
#: What else may: the rest of a configuration takes a restart.
LIVE: Final = frozenset({"options", "alarms", "own", "log", "chips", "studio"})
REFUSED: Final = message("configuration-refused")
PENDING: Final = message("configuration-pending")


class Reloader:
    """Reads the configuration at `path` anew whenever it is `asked`."""

    def __init__(self, path: Path, config: Config, service: Service, log_: ServiceLog) -> None:
        self.asked = asyncio.Event()
        self._path = path
        self._started_with = config
        self._service = service
        self._log = log_

    async def run(self) -> None:
        """Take over what can be, until cancelled; a newer request replaces one that waits."""
        taking: asyncio.Task[None] | None = None
        try:
            while True:
                await self.asked.wait()
                self.asked.clear()
                if taking is not None:
                    taking.cancel()
                taking = asyncio.create_task(self._reload(), name="reload")
                taking.add_done_callback(self._failed)
        finally:
            if taking is not None:
                taking.cancel()
                await asyncio.wait([taking])

    async def _reload(self) -> None:
        try:
            new = await asyncio.to_thread(load, self._path)
        except ConfigError as error:
            self._refuse(error)
            return
        unchanged = sorted(restart_needed(self._started_with, new))
        self._notify(ConfigNotice(PENDING))
        if self._started_with.table.game == new.table.game:
            old = self._service.setup
            setup = replace(
                new.setup, table=old.table, game=old.game, seats=old.seats, roles=old.roles
            )
            try:
                await take_over(self._service, setup, new.alarms)
            except (TableStopped, NotTakenOver) as error:
                self._refuse(error)
                return
        self._log.change(new.log.format, new.log.lines)
        keys = ", ".join(unchanged)
        left = message("configuration-needs-restart", keys=keys) if unchanged else None
        log.info("%s", say(left) or "the configuration is in force")
        log_edge(new.game, known_edge(new.record.folder, new.game))
        self._notify(ConfigNotice(left) if left else None)

    def _failed(self, taking: asyncio.Task[None]) -> None:
        """A defect in a reload: else the page would say for ever that one is waiting."""
        error = None if taking.cancelled() else taking.exception()
        if isinstance(error, Exception):
            why = report("the configuration was not taken over", error)
            self._notify(ConfigNotice(REFUSED, why))

    def _notify(self, notice: ConfigNotice | None) -> None:
        self._service.show_beside(replace(self._service.beside, notice=notice))

    def _refuse(self, error: Exception) -> None:
        log.error("%s %s", say(REFUSED), error)
        self._notify(ConfigNotice(REFUSED, str(error)))


def restart_needed(old: Config, new: Config) -> Iterator[str]:
    """The keys that differ and cannot change while the service runs, as `web.port`."""
    for field in fields(Config):
        before, after = getattr(old, field.name), getattr(new, field.name)
        if before == after or field.name in LIVE:
            continue
        if field.name == "table":
            yield from (f"table.{key}" for key in _keys(before, after) if key not in LIVE_IN_TABLE)
        elif field.name == "pit" and before is not None and after is not None:
            # What the pit may ask for is part of the setup, which is taken over.
            yield from (f"pit.{key}" for key in _keys(before, after) if key != "acts")
        elif field.name == "devices":
            yield from _keys(before, after)
        elif field.name in ("people", "drivers", "admitted") or None in (before, after):
            yield field.name
        else:
            yield from (f"{field.name}.{key}" for key in _keys(before, after))


def _keys(before: Any, after: Any) -> Iterator[str]:
    """The fields in which two values of one kind differ."""
    names = getattr(type(before), "model_fields", None) or [each.name for each in fields(before)]
    return (name for name in names if getattr(before, name) != getattr(after, name))
