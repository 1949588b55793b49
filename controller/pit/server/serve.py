"""A pit, from its configuration, until it is stopped: line, archive, wall and pages together."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import socket
import ssl
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.config.sections import LogSection
from controller.host.sd_notify import sd_notify
from controller.host.service_log import ServiceLog
from controller.host.tried_again import tried_again
from controller.pit.accounts.accounts import Accounts
from controller.pit.accounts.factors.one_time import AppSecrets, made_secret_key
from controller.pit.acts.commander import Commander
from controller.pit.acts.key import read_key
from controller.pit.alerts.sender import ReceiverRefused
from controller.pit.archive.storage.database import ArchiveRefused, open_database
from controller.pit.reports.search.pictures import TablePictures
from controller.pit.server.alive import give_signs_of_life
from controller.pit.server.app import create_pit_app
from controller.pit.server.renewed_tls import RenewedTls
from controller.pit.server.running import RunningPit, wall_ms
from controller.pit.server.settings import PitConfig, PitRefused, load_pit
from controller.pit.sign_in.oidc.reader import read_provider
from controller.pit.sign_in.oidc.refusals import ProviderRefused
from controller.web.server.connections import REQUEST_SLOTS, Connections
from controller.web.server.descriptors import reserve_descriptors
from controller.web.server.listening import bound_socket, cannot_listen, start_listening
from controller.web.server.server import WebServer

if TYPE_CHECKING:
    from controller.pit.sign_in.oidc.provider import Provider  # of an extra

log: Final = logging.getLogger(__name__)

WEB_STOP_S: Final = 2
#: The collector of garbage looks at what was made last once so many more things are there. Of what
#: a pit makes of a message nearly nothing refers to itself: at Python's own figure of 700 it was a
#: seventh of the pit's time, and of those that wait for the interpreter meanwhile.
_NEW_THINGS: Final = 20_000


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
        secret_key, provider, pit.directories, config.house, TablePictures(pit.line.pictures),
    )  # fmt: skip
    web = WebServer(app, slots, WEB_STOP_S, tls)
    with closing(_listen(config.web.host, config.web.port)) as listening:
        host, port = listening.getsockname()[:2]
        async with asyncio.TaskGroup() as group:
            running = group.create_task(pit.run(), name="pit")
            pages = group.create_task(web.serve(sockets=[listening]), name="web")
            beside = (
                group.create_task(_renew(web, config), name="certificate"),
                group.create_task(give_signs_of_life(pit.why_dead), name="watchdog"),
            )
            stopping = group.create_task(stop_asked.wait(), name="stop")
            await web.up.wait()
            # What is there now stays: the collector need not look at it again.
            gc.collect()
            gc.freeze()
            gc.set_threshold(_NEW_THINGS)
            sd_notify("READY=1")
            sys.stdout.write(f"ready {'http' if tls is None else 'https'}://{host}:{port}/\n")
            sys.stdout.flush()
            await asyncio.wait((stopping, pages), return_when=asyncio.FIRST_COMPLETED)
            sd_notify("STOPPING=1")
            running.cancel()
            for task in beside:
                task.cancel()
            web.should_exit = True
            await pages
            stopping.cancel()
    return 0


async def _renew(web: WebServer, config: PitConfig) -> None:
    """Use the certificate of the pages as its files have it; nothing to do where there is none."""
    if web.tls is None:
        return

    def use(made: ssl.SSLContext) -> None:
        web.tls = made

    renewed = RenewedTls(config.web, config.base, use)
    await tried_again("a renewed certificate of the pages is not looked for", renewed.run)


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
