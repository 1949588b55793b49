"""Runs part of the doctor as the service: its user, and where systemd runs, its sandbox too.

What root may do says nothing of what the service may.
"""

from __future__ import annotations

import json
import os
import pwd
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from controller.assembly.outside_drivers import USER
from controller.commands.doctor.finding import CheckFinding, from_plain, good, not_checked, note
from controller.commands.doctor.installation import UnitUser, groups
from controller.commands.doctor.machine import SERVICE, Machine

#: The part of the doctor that the service's user runs.
PART: Final = "--service-part"
TIMEOUT_S: Final = 120
#: Settings of the unit that make the sandbox of a program; the others say when it is run.
_OTHERS: Final = frozenset({
    "Type", "NotifyAccess", "ExecStart", "ExecStartPre", "ExecReload", "TimeoutStartSec",
    "TimeoutStopSec", "WatchdogSec", "Restart", "RestartSec", "RestartPreventExitStatus",
    "StartLimitIntervalSec", "StartLimitBurst", "Description", "Documentation", "Wants", "After",
    "WantedBy", "RuntimeDirectory", "RuntimeDirectoryMode", "WorkingDirectory", "LoadCredential",
})  # fmt: skip


def _table() -> UnitUser:
    return UnitUser(SERVICE, USER)


def wanted(machine: Machine, who: UnitUser | None = None) -> bool:
    """Whether there is a service to be (None: the table's), and we may become it."""
    who = who or _table()
    return os.geteuid() == 0 and machine.installed(who.unit) and _user(who) is not None


def _user(who: UnitUser) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(who.user)
    except KeyError:
        return None


def ask(
    config: Path, machine: Machine, *words: str, who: UnitUser | None = None
) -> list[CheckFinding]:
    """What the doctor finds as the service (None: the table's)."""
    who = who or _table()
    user = _user(who)
    assert user is not None, "who asks looked"
    if machine.root != Path("/"):
        words = (*words, "--root", str(machine.root))
    program = [sys.executable, "-P", "-m", "controller", "doctor", PART, *words, str(config)]
    # The service's own folders are made with it: before its first start it has none to be in.
    sandboxed = machine.has_systemd
    done = None
    try:
        if sandboxed:
            done = subprocess.run(
                [*sandbox(machine, who.unit), *program], capture_output=True, text=True,
                timeout=TIMEOUT_S, check=False, cwd="/",
            )  # fmt: skip
        else:
            done = subprocess.run(
                program, capture_output=True, text=True, timeout=TIMEOUT_S, check=False, cwd="/",
                user=user.pw_uid, group=user.pw_gid, extra_groups=sorted(groups(user)),
                env=environment(machine, who.unit),
            )  # fmt: skip
        found = [from_plain(each) for each in json.loads(done.stdout)]
    except (OSError, subprocess.TimeoutExpired, ValueError, KeyError, TypeError) as error:
        said = done.stderr.strip().splitlines()[-1:] if done is not None else []
        return [not_checked(
            "service.part", f"what the service sees, as user {who.user}",
            said[0] if said else f"{type(error).__name__}: {error}",
            f"sudo -u {who.user} {shlex.join(program)}",
        )]  # fmt: skip
    return [_asked_as(who, sandboxed=sandboxed), *found]


def _asked_as(who: UnitUser, *, sandboxed: bool) -> CheckFinding:
    if sandboxed:
        return good("service.part", f"what the service sees, as user {who.user}, in its sandbox")
    return note(
        "service.part", f"what the service sees, as user {who.user}",
        f"systemd does not run here: the restrictions of {who.unit} were not tried",
        "the same command under systemd",
    )  # fmt: skip


def not_asked(machine: Machine, who: UnitUser | None = None) -> Iterator[CheckFinding]:
    """That a service is installed (None: the table's), and that it was not looked with its eyes."""
    who = who or _table()
    if machine.installed(who.unit):
        user = pwd.getpwuid(os.geteuid()).pw_name
        yield note(
            "service.part", f"what user {user} sees", f"{who.unit} runs as {who.user}",
            "sudo tablectl doctor, with the same words",
        )  # fmt: skip


def sandbox(machine: Machine, unit: str = SERVICE) -> list[str]:
    """The command that runs a program with every restriction of a service's unit."""
    command = ["systemd-run", "--pipe", "--wait", "--collect", "--quiet"]
    for name, values in machine.unit(unit).items():
        if name not in _OTHERS:
            command += [f"--property={name}={each}" for each in values]
    return command


def environment(machine: Machine, unit: str = SERVICE) -> dict[str, str]:
    """A service's environment, as its unit says."""
    said = dict(each.partition("=")[::2] for each in machine.unit(unit).get("Environment", []))
    return {"PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8", **said}
