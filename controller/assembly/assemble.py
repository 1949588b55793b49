"""Puts a table together from its configuration and runs it: the one place that knows all parts."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from calibration.certificate import CertificateRefused
from controller.access.directory import PeopleError
from controller.access.pin_tries import REPORT_AFTER_S
from controller.access.staff import Staff
from controller.access.token import TokenError, read_token
from controller.assembly import card_reader as readers
from controller.assembly.certificates import check_certificates
from controller.assembly.devices import DeviceRefused, Devices, build_devices
from controller.assembly.health_checks import check_record, check_software, report_trial
from controller.assembly.pit_bus import BusRefused, forward, line_to
from controller.assembly.reload import Reloader
from controller.assembly.wiring import load
from controller.config.sections import Config, RecordSection
from controller.log.service_log import LogRing, ServiceLog
from controller.record.build import build
from controller.record.card_images import Evidence, evidence_folder
from controller.record.days.retention import Retention
from controller.record.journal import JournalBusy
from controller.record.reading.expected import known_edge
from controller.record.software import Software, installed_release
from controller.sd_notify import sd_notify, watchdog_s
from controller.service.against_odds import AgainstOdds
from controller.service.archivist import keep_days
from controller.service.calendar import (
    Almanac,
    Calendar,
    CalendarError,
    clock_synchronised,
    trusted,
)
from controller.service.event_log import log_changes, where
from controller.service.house_edges import log_edge
from controller.service.loop import Service
from controller.service.recorder import RecordSettings
from controller.service.recovery import SetupRefused
from controller.table.alarms import ODDS
from controller.table.gaming_day import Schedule
from controller.table.inputs import Start
from controller.table.roles import NOBODY_NAMED
from controller.web.app import create_app
from controller.web.server.connections import Connections
from controller.web.server.descriptors import TooFewDescriptors, reserve_descriptors
from controller.web.server.server import WebServer
from controller.web.settings import WebSettings, page_languages
from drivers.code_book import CodeBookError
from drivers.io.pins import PinFactoryError, real_pins

if TYPE_CHECKING:
    from controller.bus.forwarder import Forwarder

log = logging.getLogger(__name__)

#: How long the web may take to let its viewers go when the service stops.
WEB_STOP_S: Final = 2


class CannotStart(Exception):
    """The table cannot start as configured; the text says what to change."""


def run_table(path: Path, *, allow_simulated: bool) -> int:
    """Run the table that `path` configures until it is told to stop; the exit status.

    Raises `ConfigError`, `CannotStart`.
    """
    config = load(path)
    log_ = ServiceLog(config.log.format, config.log.lines)
    log_.start()
    try:
        return asyncio.run(_run(path, config, log_, allow_simulated=allow_simulated))
    except (
        CertificateRefused,
        TokenError,
        PeopleError,
        CalendarError,
        JournalBusy,
        SetupRefused,
        PinFactoryError,
        TooFewDescriptors,
        CodeBookError,
        readers.ReaderRefused,
        DeviceRefused,
        BusRefused,
    ) as error:
        raise CannotStart(str(error)) from error
    finally:
        log_.stop()


async def _run(path: Path, config: Config, log_: ServiceLog, *, allow_simulated: bool) -> int:
    if config.simulated and not allow_simulated:
        raise CannotStart(
            "the configuration has a section [simulated]: take it out of a real table's, or start "
            "with --allow-simulated"
        )
    check_certificates(config, time.time_ns() // 1_000_000)
    odds = AgainstOdds(config.record.folder)
    web = replace(web_settings(config, log_.ring), odds=odds)
    log_edge(config.game, known_edge(config.record.folder, config.game))
    reserve_descriptors(web.max_connections)
    listening = listen(config.web.host, config.web.port)
    release = installed_release()
    software = None if release is None else Software(release)
    with contextlib.closing(listening):
        service = Service(
            Start(
                config.setup,
                build(),
                (readers.source(config.devices, config.drivers),),
                allow_simulated and not real_pins(),
                config.alarms,
            ),
            _record_settings(config.record, software),
            almanac=_almanac(config.record),
            evidence=_evidence(config),
            names=lambda: web.people.names if web.people else NOBODY_NAMED,
        )
        devices = build_devices(config, service, allow_simulated=allow_simulated)
        service.outputs.append(devices.supervisor)
        service.failures = devices.supervisor.failures
        log_.about = lambda: where(service)
        reloader = Reloader(path, config, service, log_)
        bus = line_to(config, service)
        try:
            await service.recover()
            await _serve(service, devices, web, listening, config.record, reloader, software, bus)
        finally:
            service.close()
    return 0


def _evidence(config: Config) -> Evidence | None:
    """Where the pictures of cards are kept, if a camera takes any."""
    if config.devices.camera is None:
        return None
    folder = evidence_folder(config.record.folder)
    return Evidence(folder, config.record.pictures_mb, config.devices.camera.keep_frames_h)


def _record_settings(record: RecordSection, software: Software | None) -> RecordSettings:
    if software is None:
        return RecordSettings(record.folder, record.second_copy, record.key_file)
    return RecordSettings(
        record.folder, record.second_copy, record.key_file, lambda: software.reads
    )


#: A style is a few rules; it is kept in memory.
OVERLAY_CSS_CHARS: Final = 262_144


def _almanac(record: RecordSection) -> Almanac:
    """When gaming days end. Raises `CalendarError`."""
    calendar = Calendar(Schedule(record.day_ends, record.zone))
    return Almanac(calendar, trusted if record.trust_clock else clock_synchronised)


def web_settings(config: Config, log_: LogRing | None = None) -> WebSettings:
    """The settings of the web. Raises `TokenError`, `PeopleError`, `CannotStart`."""
    web = config.web
    record = config.record.folder
    counts = record.with_name(f"{record.name}.pins")
    people = None if config.people is None else Staff(config.people, counts=counts)
    try:
        return WebSettings(
            token=read_token(web.token_file), people=people, hosts=web.hosts, origins=web.origins,
            frame_ancestors=web.frame_ancestors, max_viewers=web.max_viewers,
            log=log_, record=record, overlay_css=overlay_style(web.overlay_css),
            languages=page_languages(web.language, web.dealer_language, web.players_language),
        )  # fmt: skip
    except (TokenError, PeopleError):
        raise
    except ValueError as error:
        raise CannotStart(f"web.{error}") from None


def overlay_style(path: Path | None) -> str:
    """The house's own style of the overlay. Raises `CannotStart`."""
    if path is None:
        return ""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CannotStart(f"web.overlay_css: {path} cannot be read as a style: {error}") from None
    if len(text) > OVERLAY_CSS_CHARS:
        raise CannotStart(
            f"web.overlay_css: {path} has more than {OVERLAY_CSS_CHARS} letters: leave pictures out"
        )
    return text


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens at that port (0: any). Raises `CannotStart`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise CannotStart(
            f"port {port} of {host} cannot be used ({error.strerror}): "
            "stop what has it, or choose another web.port"
        ) from None
    return listening


async def _serve(
    service: Service,
    built: Devices,
    settings: WebSettings,
    listening: socket.socket,
    record: RecordSection,
    reloader: Reloader,
    software: Software | None,
    bus: Forwarder | None,
) -> None:
    """Devices, table, web and the look at the disk together, until a signal."""
    loop = asyncio.get_running_loop()
    stop_asked = asyncio.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(each, stop_asked.set)
    # A terminal that is closed hangs up, too: what was started by hand there stops with it.
    hung_up = stop_asked.set if os.isatty(0) else reloader.asked.set
    loop.add_signal_handler(signal.SIGHUP, hung_up)
    host, port = listening.getsockname()[:2]
    slots = Connections(settings.max_connections)
    web = WebServer(create_app(service, settings, slots), slots, WEB_STOP_S)
    # Before anything else is asked: nothing is played until the release is confirmed.
    await report_trial(service, software)
    async with asyncio.TaskGroup() as group:
        table = group.create_task(service.run(), name="table")
        devices = group.create_task(built.supervisor.run(), name="devices")
        watchdog = group.create_task(_watchdog(service), name="watchdog")
        checks = dict(built.checks)
        if settings.odds is not None:
            checks[ODDS] = settings.odds.warning
        health = group.create_task(check_record(service, record, checks), name="health checks")
        odds = group.create_task(_hold_against_odds(service, settings), name="odds")
        retention = Retention(record.keep_days, record.archive, record.delete_unarchived)
        archive = group.create_task(
            keep_days(service, record.folder, retention), name="closed days"
        )
        release = group.create_task(check_software(service, software), name="software")
        pins = group.create_task(_report_pins(service, settings.people), name="pins")
        events = group.create_task(log_changes(service), name="event log")
        reloads = group.create_task(reloader.run(), name="reloads")
        mirror = group.create_task(forward(bus, service), name="bus")
        pages = group.create_task(web.serve(sockets=[listening]), name="web")
        stopping = group.create_task(stop_asked.wait(), name="stop")
        up = group.create_task(web.up.wait(), name="web is up")
        await asyncio.wait((up, pages), return_when=asyncio.FIRST_COMPLETED)
        up.cancel()
        # What is there now stays: the collector need not look at it again between two cards.
        gc.collect()
        gc.freeze()
        sd_notify("READY=1")
        sys.stdout.write(f"ready http://{host}:{port}/\n")
        sys.stdout.flush()
        await asyncio.wait((stopping, pages), return_when=asyncio.FIRST_COMPLETED)
        sd_notify("STOPPING=1")
        service.let_viewers_go()
        web.should_exit = True
        await pages
        for task in (
            stopping,
            watchdog,
            health,
            odds,
            archive,
            release,
            pins,
            events,
            reloads,
            mirror,
            devices,
            table,
        ):
            task.cancel()


async def _hold_against_odds(service: Service, settings: WebSettings) -> None:
    """Hold the table's rounds against what they were worth."""
    if settings.odds is not None:
        await settings.odds.run(service)


async def _report_pins(service: Service, people: Staff | None) -> None:
    """Put wrong PINs on record that nobody's next PIN did."""
    while people is not None:
        await asyncio.sleep(REPORT_AFTER_S)
        await people.report(service.note)


async def _watchdog(service: Service) -> None:
    """Tell systemd that the loop and the journal's thread run; never that a disk is fast."""
    every_s = watchdog_s()
    while every_s:
        await service.ping()
        sd_notify("WATCHDOG=1")
        await asyncio.sleep(every_s / 3)
