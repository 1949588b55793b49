"""Runs part of the doctor as the service: its user, and where systemd runs, its sandbox too.

What root may do says nothing of what the service may.
"""

from __future__ import annotations

import json
import os
import pwd
import subprocess
import sys
from pathlib import Path
from typing import Final

from controller.commands.doctor.finding import CheckFinding, from_plain, not_checked
from controller.commands.doctor.installation import USER, groups
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


def wanted(machine: Machine) -> bool:
    """Whether there is a service to be, and we may become it."""
    return os.geteuid() == 0 and machine.installed(SERVICE) and _user() is not None


def _user() -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(USER)
    except KeyError:
        return None


def ask(config: Path, machine: Machine, *words: str) -> list[CheckFinding]:
    """What the doctor finds as the service."""
    user = _user()
    assert user is not None, "who asks looked"
    program = [sys.executable, "-P", "-m", "controller", "doctor", PART, *words, str(config)]
    # The service's own folders are made with it: before its first start it has none to be in.
    sandboxed = Path("/run/systemd/system").is_dir()
    try:
        if sandboxed:
            done = subprocess.run(
                [*sandbox(machine), *program], capture_output=True, text=True, timeout=TIMEOUT_S,
                check=False, cwd="/",
            )  # fmt: skip
        else:
            done = subprocess.run(
                program, capture_output=True, text=True, timeout=TIMEOUT_S, check=False, cwd="/",
                user=user.pw_uid, group=user.pw_gid, extra_groups=sorted(groups(user)),
                env=environment(machine),
            )  # fmt: skip
        return [from_plain(each) for each in json.loads(done.stdout)]
    except (OSError, subprocess.TimeoutExpired, ValueError, KeyError, TypeError) as error:
        return [not_checked(
            "service.part", f"what the service sees, as user {USER}", f"{type(error).__name__}",
            f"sudo -u {USER} {sys.executable} -m controller doctor {config}",
        )]  # fmt: skip


def sandbox(machine: Machine) -> list[str]:
    """The command that runs a program with every restriction of the service's unit."""
    command = ["systemd-run", "--pipe", "--wait", "--collect", "--quiet"]
    for name, values in machine.unit(SERVICE).items():
        if name not in _OTHERS:
            command += [f"--property={name}={each}" for each in values]
    return command


def environment(machine: Machine) -> dict[str, str]:
    """The service's environment, as its unit says."""
    said = dict(each.partition("=")[::2] for each in machine.unit(SERVICE).get("Environment", []))
    return {"PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8", **said}
