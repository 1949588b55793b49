"""What runs in a pit: the line to the bus, the archive, the wall, alerts and directories."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from time import monotonic, monotonic_ns, time_ns
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import Engine, select

from controller.host.tried_again import tried_again
from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import record_act
from controller.pit.accounts.factors.one_time import AppSecrets
from controller.pit.alerts.keeper import AlertKeeper
from controller.pit.alerts.receivers import read_receivers
from controller.pit.alerts.sender import Sender
from controller.pit.archive.findings.finding_rows import FindingRow, findings
from controller.pit.archive.findings.standstill import ArchiveWatch, why_still
from controller.pit.archive.keeper import ArchiveKeeper
from controller.pit.archive.overview import MOST_LISTED, Overview, overview
from controller.pit.archive.retired import put_back, retired
from controller.pit.archive.storage.database import NO_ANSWER, why_none
from controller.pit.archive.storage.schema import TABLES
from controller.pit.directories.keeper import DirectoryKeeper
from controller.pit.line.line import Hearers, PitLine
from controller.pit.server.alive import TURN_S
from controller.pit.server.settings import PitConfig
from controller.pit.wall.status import UnreadableStatus, read_news
from controller.pit.wall.tile import RecordFinding
from controller.pit.wall.wall import Wall
from controller.record.reading.expected import Holders

log: Final = logging.getLogger(__name__)

#: This often it is looked at alerts, and at whether records are archived.
LOOK_S: Final = 1.0
#: Beside the configuration: expectations of options that are not the default ones
#: (`tablectl odds --expectations`).
EXPECTATIONS: Final = "expectations"


def wall_ms() -> int:
    """The pit's wall time."""
    return time_ns() // 1_000_000


def steady_ms() -> int:
    """A time that nobody sets, for what lasts: the loop's."""
    return monotonic_ns() // 1_000_000


class RunningPit:
    """What runs: the line to the bus, the archive, the wall."""

    def __init__(
        self,
        config: PitConfig,
        engine: Engine,
        clock_ms: Callable[[], int] = wall_ms,
        key: Ed25519PrivateKey | None = None,
        secret_key: AppSecrets | None = None,
    ) -> None:
        self.engine = engine
        self.watch = ArchiveWatch(clock_ms, monotonic)
        self.wall = Wall(config.wall, clock_ms, lambda: self.watch.standstill, steady_ms)
        self.line = PitLine(config.bus, config.archive.limits)
        self.archive = ArchiveKeeper(
            engine, Holders(config.base / EXPECTATIONS), self.line.ask, clock_ms
        )
        self.alerts = AlertKeeper(
            engine, config.alerts, self.wall, config.base, clock_ms, self._line_why, steady_ms,
            config.sign_in.lifetime,
        )  # fmt: skip
        self.directories = DirectoryKeeper(engine, config.people, key, secret_key, clock_ms)
        self.sender = Sender(
            engine, read_receivers(config.alerts, config.base, config.house), clock_ms
        )
        self._clock_ms = clock_ms
        #: Tables that the wall shows a finding of.
        self._found: frozenset[str] = frozenset()
        #: Tables that the archive has: one that is missing later was renamed.
        self._archived: frozenset[str] = frozenset()
        #: Since when the database has not answered, by the loop's time; None: it does.
        self._no_answer_s: float | None = None
        #: Tables whose newest status was none.
        self._unreadable: set[str] = set()

    def _line_why(self) -> str:
        return self.line.why

    def overview(self) -> Overview:
        """The archive as it is. Blocks."""
        return overview(
            self.engine, self._clock_ms(), self.line.why, archives=self.archive.archives
        )

    def line_hearers(self) -> Hearers:
        """Who takes what comes over the bus."""
        return Hearers(self.archive.hear_records, self.archive.hear_head, self._status)

    async def run(self) -> None:
        """Run until cancelled. An error of ours in one part ends none of the others: it rests, and
        is tried again.

        But for the archive watch: it says on the wall that another part rests, and without it a
        wall would show that all is well. It ends the pit, which systemd starts anew.
        """
        async with asyncio.TaskGroup() as group:
            group.create_task(
                tried_again("no picture of the wall is drawn", self.wall.run), name="wall"
            )
            group.create_task(
                self.archive.run(self._show_findings, self.wall.expect, self.line.begin_anew),
                name="archive",
            )
            group.create_task(self._watch(), name="archive watch")
            group.create_task(tried_again("nobody judges alerts", self._alert), name="alerts")
            group.create_task(
                tried_again("directories of people are not made", self._direct), name="directories"
            )
            group.create_task(self.sender.run(lambda: self.archive.judges), name="alert sender")
            group.create_task(
                self.line.run(self.line_hearers(), self.archive.buffer_read),
                name="bus line",
            )

    async def _direct(self) -> None:
        """Make and send the directories of tables."""
        await self.directories.run(self.line.send_people, lambda: self.archive.archives)

    async def _alert(self) -> None:
        """Judge while this pit is on duty, or nobody is; show what is open either way."""
        while True:
            try:
                await self.alerts.look(judges=self.archive.judges)
            except NO_ANSWER as error:
                log.warning("alerts: the database does not answer (%s)", why_none(error))
            await asyncio.sleep(LOOK_S)

    async def _watch(self) -> None:
        """Note whether records are archived; whatever the database does, this goes on."""
        while True:
            of, waits_s = self.archive, self._waits_since_s()
            still = (self.line.why, waits_s, of.silent_since_s, of.failed_since_s)
            self.watch.look(*why_still(monotonic(), *still))
            await asyncio.sleep(LOOK_S)

    def _waits_since_s(self) -> float | None:
        """Since when something waits for the database, or it does not answer; None: nothing."""
        both = (self.archive.waits_since_s, self._no_answer_s)
        return min((each for each in both if each is not None), default=None)

    def why_dead(self) -> str:
        """Why the pit should be started anew, for its log; empty: it is alive.

        The archive's part begins a turn every second, or waits for the database, which the wall
        says: another start would mend nothing of that, and take the wall from people.
        """
        stands_s = monotonic() - self.archive.turned_s
        if stands_s < TURN_S or self._waits_since_s() is not None:
            return ""
        return f"the archive's part has stood for {stands_s:.0f} s, and waits for no database"

    def _status(self, name: str, body: bytes) -> None:
        try:
            news = read_news(body)
        except UnreadableStatus as error:
            if name not in self._unreadable:  # five a second may come
                log.warning("%s: %s", name, error)
            self._unreadable.add(name)
            self.wall.hear_unread(name, str(error))
            return
        self._unreadable.discard(name)
        if news.table != name:
            log.warning("a status under the name of %s says that it is of %r", name, news.table)
            return
        self.wall.hear(news)

    async def _show_findings(self) -> None:
        """Show on the wall what is open, and no longer what is over."""
        try:
            if self._no_answer_s is None:
                self._no_answer_s = monotonic()
            found, tables, out = await asyncio.to_thread(self._open_findings, self.wall.speaking)
        except NO_ANSWER as error:
            log.warning("archive: the database cannot be read (%s)", why_none(error))
            return
        self._no_answer_s = None
        newest = {each.table: each for each in reversed(found)}
        for name in self._found - newest.keys():
            self.wall.find(name, None)
        for name, each in newest.items():
            self.wall.find(name, RecordFinding(each.text, each.since_ms))
        self._found = frozenset(newest)
        self.wall.forget(self._archived - tables)
        self._archived = tables
        self.wall.retire(out)

    def _open_findings(
        self, speaking: frozenset[str]
    ) -> tuple[list[FindingRow], frozenset[str], frozenset[str]]:
        """What is wrong with records, the names of all tables that have one, and of those that are
        out of service: none of the tables that speak is.
        """
        with self.engine.connect().execution_options(reads_only=True) as connection:
            found = findings(connection, only_open=True, most=MOST_LISTED)
            tables = frozenset(connection.scalars(select(TABLES.c.name)))
            out = frozenset(retired(connection))
        for name in out & speaking:
            with self.engine.begin() as connection:
                if put_back(connection, name):
                    now_ms = self._clock_ms()
                    record_act(
                        connection, now_ms, "the pit", AuditAct.PUT_BACK_TABLE, f"{name}: heard", ""
                    )
        return found, tables, out - speaking
