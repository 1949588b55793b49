"""What `tablectl run` would refuse: everything that it asks for before the first card."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

from calibration.certificate import CertificateRefused, is_yet_to_come, read
from controller.access.directory import PeopleError
from controller.access.people_words import refused_said
from controller.access.sent_files import examined
from controller.access.staff import Staff
from controller.access.token import TokenError, read_token
from controller.assembly import card_reader as readers
from controller.assembly.cannot_start import CannotStart
from controller.assembly.certificates import check_certificates
from controller.assembly.pit_bus import BusRefused, check_bus
from controller.assembly.pit_people import sent_settings
from controller.assembly.web import overlay_style
from controller.commands.doctor.finding import CheckFinding, bad, good, not_checked, note
from controller.commands.doctor.machine import SERVICE, Machine
from controller.commands.doctor.web_server import open_files, web_port
from controller.config.configuration import Config
from controller.people.document import PeopleRefused
from controller.record.reading.expected import known_edge
from controller.rules.game import Edge, Game
from controller.rules.games.edges import exact_at
from controller.service.odds.expectation_files import command_for
from controller.table.views.english import say
from drivers.code_book import CodeBookError

_DAY_MS: Final = 86_400_000
#: A certificate that ends within this many days is to be renewed at the next quiet hour.
SOON_DAYS: Final = 30
#: A server of the bus that does not answer within this many seconds is away.
_CONNECT_S: Final = 3.0
#: Seconds that the house's edge by options of its own may take: it is some five, and the first time
#: after an installation some ten more.
_COMPUTE_S: Final = 60.0


def findings(config: Config, machine: Machine, *, allow_simulated: bool) -> Iterator[CheckFinding]:
    """The findings, in the order in which `run` asks."""
    if config.simulated and not allow_simulated:
        yield bad(
            "simulated", "[simulated]", "A table whose devices are not real is no table to deal on",
            "take [simulated] out of the configuration, or start with --allow-simulated",
        )  # fmt: skip
    yield _options(config)
    yield from _certificates(config)
    yield token(config, machine)
    if config.people is not None:
        yield _people(config)
    if config.bus is not None:
        yield _bus(config)
    yield from _reader(config)
    if config.web.overlay_css is not None:
        yield _overlay(config.web.overlay_css)
    yield web_port(
        config.web.host, config.web.port, running=machine.shown(SERVICE, "ActiveState") == "active"
    )
    yield open_files(config.web.max_viewers, "tablectl")


def _options(config: Config) -> CheckFinding:
    """Whether the house loses by its own options."""
    plays = config.game
    what = f"options of {plays.title}"
    edge, why = known_edge(config.record.folder, plays), ""
    if edge is None or not edge.exact:
        edge, why = _computed(plays, edge)
    if edge is not None and edge.loses:
        command = f"tablectl odds {plays.name} --compare OPTION, then change [options]"
        said = f"{edge}. It was not computed exactly: {why}" if why else str(edge)
        return note("options", what, said, command)
    if edge is None:
        why = f"What the house earns by these options is not known: {why}"
        return note("options", what, why, f"tablectl odds {plays.name} --option NAME=VALUE …")
    return good("options", f"{what}: {edge}")


def _computed(plays: Game, bound: Edge | None) -> tuple[Edge | None, str]:
    """The edge by the best play, as a running table computes it; else what was known, and why."""
    program = command_for(plays, "--strategy=best", "--near-sd", "--json")
    try:
        done = subprocess.run(
            program, capture_output=True, text=True, timeout=_COMPUTE_S, check=False
        )
    except subprocess.TimeoutExpired:
        return bound, f"it takes longer than {_COMPUTE_S:.0f} s; a running table computes it"
    except OSError as error:
        return bound, str(error)
    if done.returncode:
        return bound, done.stderr.strip()
    found = json.loads(done.stdout)
    return Edge(found["edge_per_cent"], exact_at(found["wager"])), ""


def _certificates(config: Config) -> Iterator[CheckFinding]:
    now_ms = time.time_ns() // 1_000_000
    for kind, path in config.certified.items():
        id_, what = f"certificate.{kind}", f"certificate of {kind}, {path}"
        try:
            check_certificates(config, now_ms, kind)
            found = read(path)
        except CertificateRefused as error:
            yield bad(id_, what, str(error), f"tablectl calibrate {kind}")
            continue
        if is_yet_to_come(found, now_ms):
            why = "The clock is behind it, and nothing keeps the clock: its age cannot be told"
            yield note(id_, what, why, "timedatectl says what keeps it; then ask again")
            continue
        ends_ms = found.made_ms + config.certificates.max_age_days * _DAY_MS
        left = (ends_ms - now_ms) // _DAY_MS
        ends = datetime.fromtimestamp(ends_ms / 1000, UTC).date()
        if left < SOON_DAYS:
            yield note(
                id_, f"{what}: {left} days left", f"From {ends} on the table refuses it",
                f"tablectl calibrate {kind}",
            )  # fmt: skip
        else:
            yield good(id_, f"{what}: {left} days left")


def token(config: Config, machine: Machine) -> CheckFinding:
    """The API token, or where systemd takes it from."""
    path = config.web.token_file
    credentials = Path(f"/run/credentials/{SERVICE}")
    if path.is_relative_to(credentials):
        return _credential(path.name, machine)
    try:
        read_token(path)
    except TokenError as error:
        return _token_refused(f"token, {path}", error, path, f"tablectl token {path}")
    return good("token", f"token, {path}")


def _token_refused(
    what: str, error: TokenError, path: Path, mend: str, named: str = ""
) -> CheckFinding:
    """A token that is none; one that others may read is closed, not made anew."""
    if "others may read" in str(error):
        command = f"chmod 600 {named or path}"
        return bad("token", what, str(error), command, partial(path.chmod, 0o600))
    return bad("token", what, str(error), mend)


def _credential(name: str, machine: Machine) -> CheckFinding:
    """The token as systemd hands it over: root alone can look at its source."""
    loaded = dict(
        each.partition(":")[::2] for each in machine.unit(SERVICE).get("LoadCredential", [])
    )
    source = loaded.get(name, "")
    what = f"token, {source or name} by way of systemd"
    if not source:
        return bad(
            "token", what, f"{SERVICE} has no LoadCredential={name}:",
            "sudo make install, or LoadCredential= by systemctl edit tablectl",
        )  # fmt: skip
    path = machine.root / source.lstrip("/")
    try:
        read_token(path)
    except TokenError as error:
        if os.geteuid() != 0 and "denied" in str(error):
            return not_checked("token", what, "Root alone may read it", "sudo tablectl doctor ...")
        return _token_refused(what, error, path, f"sudo tablectl token {source}", source)
    return good("token", what)


def _people(config: Config) -> CheckFinding:
    if config.people is None or config.people.directory is not None:
        return _sent_people(config)
    path = config.people.file
    assert path is not None  # the section names it, or a directory
    try:
        Staff(path)
    except PeopleError as error:
        mend = f"tablectl person list {path}"
        if not path.exists():
            mend = f"tablectl person add {path} NAME --role floor"
        return bad("people", f"people, {path}", str(error), mend)
    return good("people", f"people, {path}")


def _sent_people(config: Config) -> CheckFinding:
    """Whether the pit's directory of people is here, and for how long it is good."""
    settings = sent_settings(config)
    assert settings is not None
    what = f"people, {settings.path}"
    folder = settings.path.parent
    if not os.access(folder, os.W_OK | os.X_OK):
        return bad(
            "people", what, f"{folder} cannot be written by the service",
            "name a place of its own: directory = \"/var/lib/tablectl/people.sealed\"",
        )  # fmt: skip
    try:
        found = examined(settings)
        if settings.own is not None:
            Staff(settings.own)
    except PeopleError as error:
        return bad("people", what, str(error), "sudo tablectl person key CONFIG")
    except PeopleRefused as error:
        why = say(refused_said(error))
        return bad("people", what, why, "look at the pit's page of people")
    if found is None:
        return note("people", what, "none has come from the pit yet", "see that the pit sends it")
    left_days = (found.head.good_until_ms - time.time_ns() // 1_000_000) // _DAY_MS
    if left_days < 0:
        return bad(
            "people", what, f"its time is over since {-left_days} days",
            "see why none has come from the pit since",
        )  # fmt: skip
    return good("people", f"{what}: number {found.head.serial}, good for {left_days} days")


def _bus(config: Config) -> CheckFinding:
    """What of this machine the line to the pit needs; whether the pit answers is its own matter."""
    assert config.bus is not None
    what = f"bus, {', '.join(config.bus.servers)}"
    try:
        check_bus(config)
    except BusRefused as error:
        return bad("bus", what, str(error), "change [bus], or install what is missing")
    for host, port in config.bus.hosts:
        try:
            socket.create_connection((host, port), _CONNECT_S).close()
        except OSError as error:
            why = f"{host}:{port} does not answer ({error}): the table plays without the pit"
            return note(
                "bus", what, why, f"ping {host}; on the pit's machine: systemctl status nats-server"
            )
    return good("bus", what)


def _reader(config: Config) -> Iterator[CheckFinding]:
    """What reads the cards: code book, captured deck, networks, libraries."""
    if config.devices.camera and (missing := readers.camera_libraries_missing()):
        yield bad("camera.libraries", "camera, libraries", missing, "sudo make install CAMERA=1")
        return
    name = readers.source(config.devices, config.drivers)
    try:
        readers.build(config, None)
    except (CodeBookError, readers.ReaderRefused) as error:
        yield bad("reader", f"{name}, as configured", str(error), f"change [{name}]")
        return
    yield good("reader", f"{name}, as configured")


def _overlay(path: Path) -> CheckFinding:
    """The house's own style of the overlay, read as the start reads it."""
    what = f"style of the overlay, {path}"
    try:
        overlay_style(path)
    except CannotStart as error:
        return bad("web.overlay", what, str(error), "mend the file, or take web.overlay_css out")
    return good("web.overlay", what)
