"""The installation around the service: its user, and what that user may read."""

from __future__ import annotations

import grp
import os
import pwd
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from controller.assembly.outside_drivers import USER
from controller.commands.doctor.finding import CheckFinding, bad, good, note
from controller.commands.doctor.machine import SERVICE, Machine
from controller.commands.drivers import units
from controller.config.configuration import Config
from controller.host.installed import installed_release
from controller.record.software import Software
from controller.table.views.english import say


@dataclass(frozen=True, slots=True)
class UnitUser:
    """A service: its unit, and the user that it runs as."""

    unit: str
    user: str


MODULES: Final = "etc/modules-load.d/tablectl.conf"
#: A release whose key is not pinned here any more has no other fault than this file.
_SIGNATURE: Final = "manifest.json.minisig"


def findings(config: Config, path: Path, machine: Machine) -> Iterator[CheckFinding]:
    """What root can see of a service that is installed; nothing on a machine without one."""
    if not machine.installed(SERVICE):
        return
    try:
        user = pwd.getpwnam(USER)
    except KeyError:
        yield bad(
            "service.user",
            f"user {USER}",
            "There is none",
            "sudo systemd-sysusers, or sudo make install",
        )
        return
    yield good("service.user", f"user {USER}")
    yield from _enabled(machine)
    yield from _running(config, machine)
    if (release := installed_release()) is not None:
        yield software(Software(release))
    yield _drop_ins(config, path, machine)
    yield from _modules(machine)
    for each in _read_by_the_service(config, path):
        yield readable(each, user)


def software(running: Software) -> CheckFinding:
    """Whether the release that runs is the one that was installed, confirmed and compared."""
    what = f"software, {running.build}"
    said = running()
    if said is None:
        return good("software.files", what)
    if said.code == "software-on-trial":
        mend = "wait until tablectl-update has ended; was it killed: sudo systemctl start"
        return note("software.trial", what, say(said), f"{mend} tablectl-update")
    if said.code == "software-went-back":
        return note("software.update", what, say(said), "sudo tablectl-update --seen")
    if said.code == "software-not-compared":
        return bad("software.compared", what, say(said), "sudo tablectl-update --compare")
    mend = "sudo tablectl-update FILE, of a release"
    if str(said["file"]).startswith("drivers/"):
        mend = "sudo tablectl-update --add-driver WHEEL, of that driver"
    elif said["file"] == _SIGNATURE:
        mend = (
            "sudo tablectl-update --compare says why; then sudo tablectl-update FILE, of a release"
            " that a key in /opt/tablectl/release-keys has signed"
        )
    return bad("software.files", what, say(said), mend)


def _enabled(machine: Machine) -> Iterator[CheckFinding]:
    state = machine.shown(SERVICE, "UnitFileState")
    if state == "enabled":
        yield good("service.enabled", f"{SERVICE} is started at boot")
    elif state:
        yield note(
            "service.enabled", f"{SERVICE} is {state}", "It is not started at boot",
            "sudo systemctl enable tablectl",
        )  # fmt: skip


def _running(config: Config, machine: Machine) -> Iterator[CheckFinding]:
    """A service that systemd gave up, or starts again and again; a table that is off.

    A calibration that was killed may have left it off.
    """
    state, log = machine.shown(SERVICE, "ActiveState"), "journalctl -u tablectl -n 20 says why"
    if state == "failed":
        why = f"systemd gave it up ({machine.shown(SERVICE, 'Result') or 'failed'})"
        mend = "sudo systemctl reset-failed tablectl; sudo systemctl start tablectl"
        yield bad("service.running", f"{SERVICE} has failed", why, f"{log}; {mend}")
    elif machine.shown(SERVICE, "SubState") == "auto-restart":
        why = f"It ended by itself {machine.shown(SERVICE, 'NRestarts')} times, and will again"
        yield bad("service.running", f"{SERVICE} is started again and again", why, log)
    elif state == "inactive" and any(config.record.folder.glob("*.day")):
        yield note(
            "service.running", f"{SERVICE} is {state}", "The table is off",
            f"{log}; sudo systemctl start tablectl",
        )  # fmt: skip


def _drop_ins(config: Config, path: Path, machine: Machine) -> CheckFinding:
    """Whether the units allow what the configured drivers need, and nothing else."""
    what = "devices that the units allow"
    wrong = [name for name, text in units.files(config, machine.root).items()
             if machine.text(name) != text.strip()]  # fmt: skip
    if not wrong:
        return good("service.devices", what)
    return bad(
        "service.devices", what, f"/{wrong[0]} is not what the configured drivers need",
        f"sudo tablectl drivers --install / {path}", partial(_write_drop_ins, config, machine),
    )  # fmt: skip


def _write_drop_ins(config: Config, machine: Machine) -> None:
    units.write(machine.root, config)
    machine.said("systemctl", "daemon-reload")


def _modules(machine: Machine) -> Iterator[CheckFinding]:
    """Modules that make classes of devices known: the unit looks these up when it starts.

    A scanner that is plugged in later would be refused where its class was not known by then.
    """
    lines = (machine.text(MODULES) or "").splitlines()
    asked = [line for line in lines if line and not line.startswith("#")]
    if not asked or not machine.files("sys/module/*"):
        return
    absent = [each for each in asked if not machine.files(f"sys/module/{each.replace('-', '_')}")]
    if absent:
        yield note(
            "service.modules", f"modules of /{MODULES}",
            f"{', '.join(absent)} is not loaded: what is plugged in later would be refused",
            "sudo systemctl restart systemd-modules-load tablectl",
        )  # fmt: skip
    else:
        yield good("service.modules", f"modules of devices, {', '.join(asked)}")


def _read_by_the_service(config: Config, path: Path) -> Iterator[Path]:
    """The files that belong to the configuration."""
    yield path.resolve()
    yield from config.certified.values()
    scanner, camera = config.devices.scanner, config.devices.camera
    if scanner and scanner.codes.endswith(".toml"):
        yield config.base / scanner.codes
    if camera and camera.deck is not None:
        yield from sorted((config.base / camera.deck).iterdir())


def readable(file: Path, user: pwd.struct_passwd) -> CheckFinding:
    """Whether a service's user may read a file, and the folders on the way to it."""
    name = user.pw_name
    id_, what = f"service.reads.{file.name}", f"{file}, for user {name}"
    if not file.exists():
        return bad(id_, what, "It is not there", "put it back, or take it out of the configuration")
    for folder in reversed(file.parents):
        if not may(folder.stat(), user, stat.S_IXOTH):
            return bad(id_, what, f"{folder} is closed to it", f"sudo chgrp {name} {folder}")
    if may(file.stat(), user, stat.S_IROTH):
        return good(id_, what)
    return bad(
        id_, what, "It cannot read this", f"sudo chgrp {name} {file} && sudo chmod g+r {file}",
        partial(_let_read, file, user.pw_gid),
    )  # fmt: skip


def may(status: os.stat_result, user: pwd.struct_passwd, right: int) -> bool:
    """Whether `user` has a right (of others: `S_IROTH`, `S_IXOTH`) on a file, by its mode bits."""
    if user.pw_uid == 0:
        return True
    if status.st_uid == user.pw_uid:
        return bool(status.st_mode & right << 6)
    if status.st_gid in groups(user):
        return bool(status.st_mode & right << 3)
    return bool(status.st_mode & right)


def groups(user: pwd.struct_passwd) -> set[int]:
    """The groups of a user."""
    return {user.pw_gid, *(each.gr_gid for each in grp.getgrall() if user.pw_name in each.gr_mem)}


def _let_read(file: Path, group: int) -> None:
    os.chown(file, -1, group)
    file.chmod(stat.S_IMODE(file.stat().st_mode) | stat.S_IRGRP)
