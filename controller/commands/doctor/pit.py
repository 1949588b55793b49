"""The doctor of a pit: its installation, and as the service's user broker, archive, disk, port."""

from __future__ import annotations

import asyncio
import os
import pwd
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

from cryptography.x509 import load_pem_x509_certificates

from controller.commands.doctor import as_service, board
from controller.commands.doctor.bundle import BundleSubject
from controller.commands.doctor.disk import free_space, worst_sync
from controller.commands.doctor.finding import CheckFinding, bad, good, measured, not_yet, note
from controller.commands.doctor.installation import UnitUser, readable, software
from controller.commands.doctor.machine import Machine
from controller.commands.doctor.pit_servers import broker, database, user_names
from controller.commands.doctor.start import SOON_DAYS
from controller.commands.doctor.web_server import open_files, web_port
from controller.commands.drivers.units import write_files
from controller.commands.pit import unit
from controller.host.installed import installed_release
from controller.pit.alerts.receivers import read_receivers
from controller.pit.alerts.sender import ReceiverRefused
from controller.pit.server.settings import PitConfig
from controller.pit.sign_in.oidc.reader import read_provider
from controller.pit.sign_in.oidc.refusals import ProviderAway, ProviderRefused
from controller.record.software import Software

PIT: Final = UnitUser(unit.SERVICE, "tablectl-pit")


def findings(
    config: PitConfig, path: Path, machine: Machine, synchronised: Callable[[], bool]
) -> list[CheckFinding]:
    """Everything, as far as whoever runs this may look."""
    found = [*_installation(config, path, machine)]
    if as_service.wanted(machine, PIT):
        found += as_service.ask(path.resolve(), machine, who=PIT)
    else:
        found += as_service.not_asked(machine, PIT)
        found += as_whoever_runs(config, machine)
    found.append(_clock(synchronised))
    return [*found, *board.computer(machine)]


def as_whoever_runs(config: PitConfig, machine: Machine) -> list[CheckFinding]:
    """What the pit asks for when it starts."""
    return [
        *broker(config.bus, pit_runs=_runs(machine)),
        database(config),
        *_disk(config),
        *_certificate(config),
        *_receivers(config),
        *_provider(config),
        web_port(config.web.host, config.web.port, running=_runs(machine)),
        open_files(config.web.max_viewers, "tablectl-pit"),
    ]


def _installation(config: PitConfig, path: Path, machine: Machine) -> Iterator[CheckFinding]:
    """What root can see of a pit that is installed; nothing on a machine without its unit."""
    if not machine.installed(PIT.unit):
        return
    try:
        user = pwd.getpwnam(PIT.user)
    except KeyError:
        yield bad("service.user", f"user {PIT.user}", "There is none", "sudo systemd-sysusers")
        return
    yield good("service.user", f"user {PIT.user}")
    state = machine.shown(PIT.unit, "UnitFileState")
    if state == "enabled":
        yield good("service.enabled", f"{PIT.unit} is started at boot")
    elif state:
        yield note(
            "service.enabled", f"{PIT.unit} is {state}", "It is not started at boot",
            "sudo systemctl enable --now tablectl-pit",
        )  # fmt: skip
    if (release := installed_release()) is not None:
        yield software(Software(release))
    yield _reach(config, path, machine)
    yield readable(path.resolve(), user)
    for file in _secrets(config):
        if file.exists() and file.stat().st_mode & stat.S_IRWXO:
            yield bad(
                f"service.reads.{file.name}", f"{file}", "Everybody on this machine may read it",
                f"sudo chgrp {PIT.user} {file} && sudo chmod 640 {file}",
                partial(_close, file, user.pw_gid),
            )  # fmt: skip
        else:
            yield readable(file, user)


def _close(file: Path, group: int) -> None:
    os.chown(file, -1, group)
    file.chmod(0o640)


def _secrets(config: PitConfig) -> Iterator[Path]:
    """The files of passwords and keys that the configuration names."""
    web = config.web
    for name in (
        config.bus.password_file, config.bus.key_file, config.archive.password_file, web.key_file,
        None if config.oidc is None else config.oidc.secret_file, *_alert_files(config),
    ):  # fmt: skip
        if name is not None:
            yield config.base / name
    if (key := config.base / config.acts.key_file).exists():
        yield key


def _alert_files(config: PitConfig) -> list[Path]:
    """What receivers of alerts are known by."""
    alerts = config.alerts
    secrets = [each.secret_file for each in alerts.webhooks]
    return secrets + [each.address_file for each in alerts.apprise]


def of_pit(config: PitConfig, path: Path) -> BundleSubject:
    """For a bundle: its configuration in `path`, its unit, and nothing of its archive.

    Raises `OSError`.
    """
    return BundleSubject(
        {"pit.toml": path.read_text(encoding="utf-8")},
        [*_passwords(config), *user_names(config)],
        (PIT.unit,),
        "tablectl-pit*",
    )


def _passwords(config: PitConfig) -> Iterator[str]:
    """Those of broker, database, receivers and provider, where whoever runs this may read them."""
    # What stands after the host of such an address is often all that protects it.
    yield from (each.url for each in config.alerts.webhooks)
    of_provider = None if config.oidc is None else config.oidc.secret_file
    named = (
        config.bus.password_file, config.archive.password_file, of_provider, *_alert_files(config),
    )  # fmt: skip
    for name in named:
        if name is not None:
            with suppress(OSError, UnicodeDecodeError):
                if password := (config.base / name).read_text(encoding="utf-8").strip():
                    yield password


def _reach(config: PitConfig, path: Path, machine: Machine) -> CheckFinding:
    """Whether the unit lets the pit reach its servers, and nothing else."""
    what = "servers that the unit lets it reach"
    made = unit.files(config, machine.root)
    wrong = [name for name, text in made.items() if machine.text(name) != text.strip()]
    if not wrong:
        return good("service.reach", what)

    def mend() -> None:
        write_files(machine.root, made)
        machine.said("systemctl", "daemon-reload")

    return bad(
        "service.reach", what, f"/{wrong[0]} is not what the configuration needs",
        f"sudo tablectl pit --install / {path}", mend,
    )  # fmt: skip


def _disk(config: PitConfig) -> Iterator[CheckFinding]:
    """The disk of an archive in a file; a database elsewhere looks after its own."""
    file = config.archive.file(config.base)
    if file is None:
        return
    there = next(each for each in file.parents if each.is_dir())
    yield measured("disk.free", free_space(there))
    if there != file.parent and not os.access(there, os.W_OK):
        yield not_yet("disk.sync", f"archive, {file}", "The first start makes its folder")
    else:
        yield measured("disk.sync", worst_sync(there, PIT.user))


def _receivers(config: PitConfig) -> Iterator[CheckFinding]:
    """Whether receivers of alerts can be reached; nothing is sent to them."""
    names = config.alerts.receivers
    what = f"receivers of alerts: {', '.join(names)}"
    try:
        read_receivers(config.alerts, config.base)
    except ReceiverRefused as error:
        yield bad(
            "alerts.receivers", what, str(error), "change [alerts], or the file that it names"
        )
    else:
        if names:
            yield good("alerts.receivers", what)


def _provider(config: PitConfig) -> Iterator[CheckFinding]:
    """Whether people can sign in by the provider: it is asked what it says of itself."""
    if config.oidc is None:
        return
    what = f"sign-in by {config.oidc.name}, {config.oidc.issuer}"
    try:
        provider = read_provider(config.oidc, config.base, lambda: time.time_ns() // 1_000_000)
        described = asyncio.run(provider.described())
    except ProviderRefused as error:
        yield bad("sign_in.provider", what, str(error), "change [oidc], or the file that it names")
    except ProviderAway as error:
        mend = "look at the provider and oidc.issuer; people of the pit's own sign in meanwhile"
        yield bad("sign_in.provider", what, str(error), mend)
    else:
        yield good("sign_in.provider", what)
        if not described.says_logouts:
            yield note(
                "sign_in.logouts", f"sign-out at {config.oidc.name}",
                "It does not say that it tells others who signs out there (back-channel logout):"
                " sessions of the pit end by themselves",
                "keep sign_in.hours short, or end sessions on /users when somebody leaves",
            )  # fmt: skip


def _certificate(config: PitConfig) -> Iterator[CheckFinding]:
    """The certificate of the pages, where the pit has one, and the days that it has left."""
    if config.web.cert_file is None:
        return
    path = config.base / config.web.cert_file
    what = f"certificate of the pages, {path}"
    try:
        config.web.context(config.base)
        ends = load_pem_x509_certificates(path.read_bytes())[0].not_valid_after_utc
    except (OSError, ValueError) as error:
        yield bad("web.certificate", what, str(error), "name PEM files that belong together")
        return
    left = (ends - datetime.now(UTC)).days
    if left < 0:
        why = f"It ended on {ends:%Y-%m-%d}: browsers refuse the pit"
        yield bad("web.certificate", what, why, "renew it: the pit takes the new one by itself")
    elif left < SOON_DAYS:
        why = f"{left} days left"
        yield note("web.certificate", what, why, "renew it: the pit takes the new one by itself")
    else:
        yield good("web.certificate", f"{what}: {left} days left")


def _runs(machine: Machine) -> bool:
    return machine.shown(PIT.unit, "ActiveState") == "active"


def _clock(synchronised: Callable[[], bool]) -> CheckFinding:
    if synchronised():
        return good("clock", "clock, in step with a time source")
    return note(
        "clock", "clock",
        "No time source keeps it: tables whose clocks are right would be found wrong",
        "sudo timedatectl set-ntp true",
    )  # fmt: skip
