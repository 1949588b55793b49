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
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from calibration.certificate import CertificateRefused
from controller.access.directory import PeopleError
from controller.access.people_keeper import PeopleKeeper
from controller.access.pin_tries import REPORT_AFTER_S
from controller.access.staff import Staff
from controller.access.token import TokenError
from controller.assembly import card_reader as readers
from controller.assembly.cannot_start import CannotStart
from controller.assembly.certificates import check_certificates
from controller.assembly.devices import DeviceRefused, Devices, build_devices
from controller.assembly.health_checks import check_record, check_software, report_trial
from controller.assembly.pit_bus import BusRefused, forward, line_to
from controller.assembly.pit_people import keep_people, sent_people
from controller.assembly.reload import Reloader
from controller.assembly.web import WEB_STOP_S, bind, listen, web_settings
from controller.assembly.wiring import load
from controller.config.configuration import Config
from controller.config.sections import RecordSection
from controller.host.installed import installed_release
from controller.host.sd_notify import sd_notify, watchdog_s
from controller.host.service_log import ServiceLog
from controller.host.tried_again import tried_again
from controller.record.build import build
from controller.record.card_images import Evidence, evidence_folder
from controller.record.days.retention import Retention
from controller.record.journal import JournalBusy
from controller.record.reading.expected import known_edge
from controller.record.software import Software
from controller.service.archivist import keep_days
from controller.service.event_log import log_changes, where
from controller.service.house_edges import log_edge
from controller.service.loop import Service
from controller.service.odds.against_odds import AgainstOdds
from controller.service.ports import Clock
from controller.service.recorder import RecordSettings
from controller.service.recovery import SetupRefused
from controller.service.shown_pictures import UNSEEN_NS
from controller.service.timekeeping.calendar import (
    Almanac,
    Calendar,
    CalendarError,
    clock_synchronised,
    trusted,
)
from controller.table.alarms import ODDS
from controller.table.gaming_day import Schedule
from controller.table.inputs import Start
from controller.table.roles import NOBODY_NAMED
from controller.web.app import create_app
from controller.web.server.connections import Connections
from controller.web.server.descriptors import TooFewDescriptors, reserve_descriptors
from controller.web.server.server import WebServer
from controller.web.settings import WebSettings
from drivers.code_book import CodeBookError
from drivers.io.pins import PinFactoryError, real_pins

if TYPE_CHECKING:
    from controller.bus.forwarder import Forwarder

log = logging.getLogger(__name__)

#: systemd starts a service that ended with it again.
EXIT_AGAIN: Final = 1


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
    clock = Clock()
    sent = sent_people(config, clock.wall_ms)
    web = replace(web_settings(config, log_.ring, sent), odds=odds)
    log_edge(config.game, known_edge(config.record.folder, config.game))
    reserve_descriptors(web.max_connections)
    # Before the record is opened: a table whose port is taken has changed nothing. It listens once
    # there is a table to be asked.
    listening = bind(config.web.host, config.web.port)
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
            clock=clock,
            almanac=_almanac(config.record),
            evidence=_evidence(config),
            names=lambda: web.people.names if web.people else NOBODY_NAMED,
            unseen_ns=round(UNSEEN_NS / (config.simulated.pace if config.simulated else 1.0)),
        )
        devices = build_devices(config, service, allow_simulated=allow_simulated)
        service.outputs.append(devices.supervisor)
        service.failures = devices.supervisor.failures
        log_.about = lambda: where(service)
        reloader = Reloader(path, config, service, log_)
        keeper = None if sent is None else PeopleKeeper(sent, service.note)
        bus = line_to(config, service, keeper)
        try:
            await service.recover()
            again = await _serve(
                service, devices, web, listening, config.record, reloader, software, bus, keeper
            )
        finally:
            service.close()
    return EXIT_AGAIN if again else 0


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


def _almanac(record: RecordSection) -> Almanac:
    """When gaming days end. Raises `CalendarError`."""
    calendar = Calendar(Schedule(record.day_ends, record.zone))
    return Almanac(calendar, trusted if record.trust_clock else clock_synchronised)


async def _serve(
    service: Service,
    built: Devices,
    settings: WebSettings,
    listening: socket.socket,
    record: RecordSection,
    reloader: Reloader,
    software: Software | None,
    bus: Forwarder | None,
    keeper: PeopleKeeper | None,
) -> bool:
    """Devices, table, web and the look at the disk together, until a signal.

    True: it is to be started again, now that the clock may name a new table's first day.
    """
    listen(listening)
    stop_asked = _stop_signals(reloader)
    host, port = listening.getsockname()[:2]
    slots = Connections(settings.max_connections)
    web = WebServer(create_app(service, settings, slots), slots, WEB_STOP_S)
    # Before anything else is asked: nothing is played until the release is confirmed.
    await report_trial(service, software)
    parts = {
        "table": service.run(),
        "devices": built.supervisor.run(),
        "watchdog": _watchdog(service),
    }
    beside: dict[str, Callable[[], Coroutine[None, None, None]]] = {
        "reloads": reloader.run,
        "bus": partial(forward, bus, service),
        "people": partial(keep_people, keeper, service, bus.link if bus else None),
        **_from_time_to_time(service, built, settings, record, software),
    }
    # None of them may take the table with it, now or at each new start.
    parts |= {name: tried_again(f"{name}: an error of ours", run) for name, run in beside.items()}
    async with asyncio.TaskGroup() as group:
        running = [group.create_task(part, name=name) for name, part in parts.items()]
        pages = group.create_task(web.serve(sockets=[listening]), name="web")
        stopping = group.create_task(stop_asked.wait(), name="stop")
        up = group.create_task(web.up.wait(), name="web is up")
        in_step = group.create_task(service.first_clock(), name="first clock")
        await asyncio.wait((up, pages), return_when=asyncio.FIRST_COMPLETED)
        up.cancel()
        # What is there now stays: the collector need not look at it again between two cards.
        gc.collect()
        gc.freeze()
        sd_notify("READY=1")
        sys.stdout.write(f"ready http://{host}:{port}/\n")
        sys.stdout.flush()
        ends = (stopping, pages, in_step)
        ended, _ = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        if in_step in ended:
            log.warning("the clock is in step now: the next start opens the first gaming day")
        sd_notify("STOPPING=1")
        service.let_viewers_go()
        web.should_exit = True
        await pages
        # The table last: until then it takes what the others have to say.
        for task in (stopping, in_step, *reversed(running)):
            task.cancel()
    return in_step in ended


def _stop_signals(reloader: Reloader) -> asyncio.Event:
    """Take the signals; the event is set by those that stop the table."""
    loop = asyncio.get_running_loop()
    stop_asked = asyncio.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(each, stop_asked.set)
    # A terminal that is closed hangs up, too: what was started by hand there stops with it.
    hung_up = stop_asked.set if os.isatty(0) else reloader.asked.set
    loop.add_signal_handler(signal.SIGHUP, hung_up)
    return stop_asked


def _from_time_to_time(
    service: Service,
    built: Devices,
    settings: WebSettings,
    record: RecordSection,
    software: Software | None,
) -> dict[str, Callable[[], Coroutine[None, None, None]]]:
    """What is done at a running table from time to time, by the name of its task."""
    checks = dict(built.checks)
    if settings.odds is not None:
        checks[ODDS] = settings.odds.warning
    retention = Retention(record.keep_days, record.archive, record.delete_unarchived)
    return {
        "health checks": partial(check_record, service, record, checks),
        "odds": partial(_hold_against_odds, service, settings),
        "closed days": partial(keep_days, service, record.folder, retention),
        "software": partial(check_software, service, software),
        "pins": partial(_report_pins, service, settings.people),
        "event log": partial(log_changes, service),
    }


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
