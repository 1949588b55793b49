"""A configuration that is read anew while the service runs (SIGHUP, `systemctl reload`)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Iterator
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
from controller.table.inputs import Setup
from controller.table.views.english import say

log = logging.getLogger(__name__)

#: Keys of `[table]` that may change while the service runs, between rounds.
LIVE_IN_TABLE: Final = frozenset(
    {
        "draw_means_hit", "currency", "index", "reconcile", "blind_counts", "procedures",
        "procedures_file",
    }
)  # fmt: skip
#: What else may: the rest of a configuration takes a restart; with another game all but the log.
LIVE: Final = frozenset({"options", "alarms", "own", "chips", "studio"})
#: What is named as a whole, whatever in it differs.
_WHOLE: Final = frozenset({"people", "drivers", "admitted", "options", "alarms", "chips", "studio"})
_NOTHING: Final = frozenset[str]()
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
        unchanged = sorted(set(restart_needed(self._started_with, new)))
        self._notify(ConfigNotice(PENDING))
        if self._started_with.table.game == new.table.game:
            setup = taken_over(new.setup, self._service.setup)
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


def taken_over(new: Setup, running: Setup) -> Setup:
    """A new setup as far as a running table takes it; the rest is what `restart_needed` names.

    One of another game is not taken over at all: its options and times are that game's own.
    """
    if new.game != running.game:
        return running
    return replace(new, table=running.table, seats=running.seats, roles=running.roles)


def restart_needed(old: Config, new: Config) -> Iterator[str]:
    """The keys that differ and cannot change while the service runs, as `web.port`."""
    same_game = old.table.game == new.table.game
    live = {"log", *LIVE} if same_game else {"log"}
    for field in fields(Config):
        before, after = getattr(old, field.name), getattr(new, field.name)
        if before == after or field.name in live:
            continue
        if field.name == "table":
            yield from _but(LIVE_IN_TABLE if same_game else _NOTHING, "table", before, after)
        elif field.name == "pit" and before is not None and after is not None:
            # What the pit may ask for is part of the setup, which is taken over.
            yield from _but({"acts"} if same_game else _NOTHING, "pit", before, after)
        elif field.name == "devices":
            yield from _keys(before, after)
        elif field.name == "own":
            yield "table.procedures_file"
        elif field.name in _WHOLE or None in (before, after):
            yield field.name
        else:
            yield from _but(_NOTHING, field.name, before, after)


def _but(live: Collection[str], section: str, before: Any, after: Any) -> Iterator[str]:
    """The keys of a section that differ, but for those that are `live`."""
    return (f"{section}.{key}" for key in _keys(before, after) if key not in live)


def _keys(before: Any, after: Any) -> Iterator[str]:
    """The fields in which two values of one kind differ."""
    names = getattr(type(before), "model_fields", None) or [each.name for each in fields(before)]
    return (name for name in names if getattr(before, name) != getattr(after, name))
