"""A pit, from its configuration, until it is stopped: line, archive, wall and pages together."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import ssl
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import Engine

from controller.config.sections import LogSection
from controller.log.service_log import ServiceLog
from controller.pit.accounts.accounts import Accounts
from controller.pit.accounts.one_time import AppSecrets, made_secret_key
from controller.pit.acts.commander import Commander
from controller.pit.acts.key import read_key
from controller.pit.alerts.keeper import AlertKeeper
from controller.pit.alerts.receivers import read_receivers
from controller.pit.alerts.sender import ReceiverRefused, Sender
from controller.pit.app import create_pit_app
from controller.pit.archive.database import NO_ANSWER, ArchiveRefused, open_database, why_none
from controller.pit.archive.finding_rows import FindingRow, findings
from controller.pit.archive.keeper import ArchiveKeeper
from controller.pit.archive.overview import MOST_LISTED, Overview, overview
from controller.pit.archive.standstill import ArchiveWatch, why_still
from controller.pit.directories.keeper import DirectoryKeeper
from controller.pit.line import Hearers, PitLine
from controller.pit.settings import PitConfig, PitRefused, load_pit
from controller.pit.sign_in.oidc.reader import read_provider
from controller.pit.sign_in.oidc.refusals import ProviderRefused
from controller.pit.tried_again import tried_again
from controller.pit.wall.status import UnreadableStatus, read_news
from controller.pit.wall.tile import RecordFinding
from controller.pit.wall.wall import Wall
from controller.record.reading.expected import Holders
from controller.sd_notify import sd_notify
from controller.web.server.connections import REQUEST_SLOTS, Connections
from controller.web.server.descriptors import reserve_descriptors
from controller.web.server.listening import bound_socket, cannot_listen, start_listening
from controller.web.server.server import WebServer

if TYPE_CHECKING:
    from controller.pit.sign_in.oidc.provider import Provider  # of an extra

log: Final = logging.getLogger(__name__)

#: This often it is looked at alerts, and at whether records are archived.
LOOK_S: Final = 1.0
WEB_STOP_S: Final = 2
#: Beside the configuration: expectations of options that are not the default ones
#: (`tablectl odds --expectations`).
EXPECTATIONS: Final = "expectations"


def wall_ms() -> int:
    """The pit's wall time."""
    return time.time_ns() // 1_000_000


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
        self.watch = ArchiveWatch(clock_ms)
        self.wall = Wall(config.wall, clock_ms, lambda: self.watch.standstill)
        self.line = PitLine(config.bus, config.archive.limits)
        self.archive = ArchiveKeeper(
            engine, Holders(config.base / EXPECTATIONS), self.line.ask, clock_ms
        )
        self.alerts = AlertKeeper(
            engine, config.alerts, self.wall, config.base, clock_ms, self._line_why
        )
        self.directories = DirectoryKeeper(engine, config.people, key, secret_key, clock_ms)
        self.sender = Sender(engine, read_receivers(config.alerts, config.base), clock_ms)
        self._clock_ms = clock_ms
        #: Tables that the wall shows a finding of.
        self._found: frozenset[str] = frozenset()
        #: Since when the database has not answered; None: it does.
        self._no_answer_ms: int | None = None
        #: Tables whose newest status was none.
        self._unreadable: set[str] = set()

    def _line_why(self) -> str:
        return self.line.why

    def overview(self) -> Overview:
        """The archive as it is. Blocks."""
        return overview(
            self.engine, self._clock_ms(), self.line.why, archives=self.archive.archives
        )

    async def run(self) -> None:
        """Run until cancelled. A defect in books, alerts, their sending or directories ends none of
        the others.
        """
        async with asyncio.TaskGroup() as group:
            group.create_task(self.wall.run(), name="wall")
            group.create_task(
                self.archive.run(self._show_findings, self.wall.expect, self.line.begin_anew),
                name="archive",
            )
            group.create_task(self._watch(), name="archive watch")
            group.create_task(tried_again("nobody judges alerts", self._alert), name="alerts")
            group.create_task(
                tried_again("directories of people are not made", self._direct), name="directories"
            )
            group.create_task(self.sender.run(lambda: self.archive.archives), name="alert sender")
            group.create_task(
                self.line.run(
                    Hearers(self.archive.hear_records, self.archive.hear_head, self._status),
                    self.archive.buffer_read,
                ),
                name="bus line",
            )

    async def _direct(self) -> None:
        """Make and send the directories of tables."""
        await self.directories.run(self.line.send_people, lambda: self.archive.archives)

    async def _alert(self) -> None:
        """Judge while this pit is on duty; show what is open either way."""
        while True:
            try:
                await self.alerts.look(judges=self.archive.archives)
            except NO_ANSWER as error:
                log.warning("alerts: the database does not answer (%s)", why_none(error))
            await asyncio.sleep(LOOK_S)

    async def _watch(self) -> None:
        """Note whether records are archived; whatever the database does, this goes on."""
        while True:
            waits_ms = self.archive.waits_since_ms
            database_ms = min(
                (each for each in (waits_ms, self._no_answer_ms) if each is not None),
                default=None,
            )
            duty_ms = self.archive.silent_since_ms
            self.watch.look(*why_still(self._clock_ms(), self.line.why, database_ms, duty_ms))
            await asyncio.sleep(LOOK_S)

    async def _status(self, name: str, body: bytes) -> None:
        try:
            news = read_news(body)
        except UnreadableStatus as error:
            if name not in self._unreadable:  # five a second may come
                log.warning("%s: %s", name, error)
            self._unreadable.add(name)
            return
        self._unreadable.discard(name)
        if news.table != name:
            log.warning("a status under the name of %s says that it is of %r", name, news.table)
            return
        self.wall.hear(news)

    async def _show_findings(self) -> None:
        """Show on the wall what is open, and no longer what is over."""
        try:
            if self._no_answer_ms is None:
                self._no_answer_ms = self._clock_ms()
            found = await asyncio.to_thread(self._open_findings)
        except NO_ANSWER as error:
            log.warning("archive: the database cannot be read (%s)", why_none(error))
            return
        self._no_answer_ms = None
        newest = {each.table: each for each in reversed(found)}
        for name in self._found - newest.keys():
            self.wall.find(name, None)
        for name, each in newest.items():
            self.wall.find(name, RecordFinding(each.text, each.since_ms))
        self._found = frozenset(newest)

    def _open_findings(self) -> list[FindingRow]:
        with self.engine.connect().execution_options(reads_only=True) as connection:
            return findings(connection, only_open=True, most=MOST_LISTED)


def run_pit(path: Path) -> int:
    """Run the pit that `path` configures until it is told to stop; the exit status.

    Raises `ConfigError`, `PitRefused`.
    """
    config = load_pit(path)
    if why := config.bus.unusable():
        raise PitRefused(why)
    log_ = ServiceLog(LogSection().format, LogSection().lines)
    log_.start()
    try:
        tls = config.web.context(config.base)
    except OSError as error:
        log_.stop()
        raise PitRefused(
            f"web.cert_file and web.key_file cannot be used ({error}): check that they are there, "
            "belong together, and may be read"
        ) from error
    try:
        key = read_key(config.base / config.acts.key_file)
    except (OSError, ValueError) as error:
        log_.stop()
        raise PitRefused(
            f"acts.key_file cannot be used ({error}): `tablectl pit CONFIG --key` makes one that"
            " the pit may read, where there is none"
        ) from error
    try:
        secret_key = _secret_key(config)
    except ValueError as error:
        log_.stop()
        raise PitRefused(f"sign_in.key_file: {error}") from error
    try:
        provider = _provider(config)
    except ProviderRefused as error:
        log_.stop()
        raise PitRefused(str(error)) from error
    try:
        archive, base = config.archive, config.base
        engine = open_database(archive.url(base), archive.password_reader(base))
    except (ArchiveRefused, OSError) as error:
        log_.stop()
        raise PitRefused(str(error)) from error
    try:
        pit = RunningPit(config, engine, key=key, secret_key=secret_key)
        return asyncio.run(_serve(pit, config, tls, key, secret_key, provider))
    except ReceiverRefused as error:
        raise PitRefused(str(error)) from error
    finally:
        engine.dispose()
        log_.stop()


def _secret_key(config: PitConfig) -> AppSecrets | None:
    """The key of secrets of apps, made where there is none and the folder may be written.

    Raises `ValueError` for a file that is none.
    """
    try:
        return made_secret_key(config.base / config.sign_in.key_file)
    except OSError as error:
        log.warning(
            "sign_in.key_file can be neither read nor made (%s): apps for codes cannot be used"
            " until `tablectl pit CONFIG --key` has made it and the pit is started again",
            error,
        )
        return None


def _provider(config: PitConfig) -> Provider | None:
    """By whom people sign in besides. Raises `ProviderRefused`."""
    return None if config.oidc is None else read_provider(config.oidc, config.base, wall_ms)


async def _serve(
    pit: RunningPit, config: PitConfig, tls: ssl.SSLContext | None, key: Ed25519PrivateKey | None,
    secret_key: AppSecrets | None, provider: Provider | None,
) -> int:  # fmt: skip
    stop_asked = asyncio.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(each, stop_asked.set)
    viewers = config.web.max_viewers
    slots = Connections(viewers + REQUEST_SLOTS)
    reserve_descriptors(slots.most)
    accounts = Accounts(
        pit.engine, wall_ms, config.sign_in.lifetime, second_factor=config.sign_in.asked,
        provider=None if config.oidc is None else config.oidc.rules,
    )  # fmt: skip
    commander = Commander(key, pit.line.command, wall_ms, config.acts.tables)
    app = create_pit_app(
        pit.wall, pit.overview, accounts, viewers, config.web.address, commander, config.alerts,
        secret_key, provider, pit.directories,
    )  # fmt: skip
    web = WebServer(app, slots, WEB_STOP_S, tls)
    with closing(_listen(config.web.host, config.web.port)) as listening:
        host, port = listening.getsockname()[:2]
        async with asyncio.TaskGroup() as group:
            running = group.create_task(pit.run(), name="pit")
            pages = group.create_task(web.serve(sockets=[listening]), name="web")
            stopping = group.create_task(stop_asked.wait(), name="stop")
            await web.up.wait()
            sd_notify("READY=1")
            sys.stdout.write(f"ready {'http' if tls is None else 'https'}://{host}:{port}/\n")
            sys.stdout.flush()
            await asyncio.wait((stopping, pages), return_when=asyncio.FIRST_COMPLETED)
            sd_notify("STOPPING=1")
            running.cancel()
            web.should_exit = True
            await pages
            stopping.cancel()
    return 0


def _listen(host: str, port: int) -> socket.socket:
    try:
        bound = bound_socket(host, port)
    except OSError as error:
        raise PitRefused(cannot_listen(host, port, error)) from None
    try:
        start_listening(bound)
    except OSError as error:
        bound.close()
        raise PitRefused(cannot_listen(host, port, error)) from None
    return bound
