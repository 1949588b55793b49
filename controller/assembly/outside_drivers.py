"""Drivers of others, for root: the service's user runs their code, and root sees what that says.

`doctor`, `drivers --install` and calibrations are root's on an installed table, and so is what an
update calls. A driver of somebody else is admitted by its files, not by its signature: root does
not load it. A process of the service's user does, and answers with data; what of it would open the
units too far is refused here, by root itself.
"""

from __future__ import annotations

import json
import os
import pwd
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from controller.config.device_sections import DeviceSections
from controller.config.problems import ConfigError
from controller.config.sections import DRIVERS
from controller.rules.frozen import frozen
from drivers.driver import Driver, DriverContext, DriverRole, Made, SystemNeeds, UsedNode, UsedPin

#: The user of the table's service.
USER: Final = "tablectl"
#: The option of `tablectl drivers` that describes those of others.
DESCRIBE: Final = "--describe"
TIMEOUT_S: Final = 60.0
_ANSWER_AT_MOST: Final = 1 << 20
#: A list of a driver's; one that is longer is no device's.
_LIST_AT_MOST: Final = 64
#: What the program that loads the drivers is given of root's environment.
_ENVIRONMENT: Final = ("PATH", "LANG", "PYTHONPATH")
_NOT_WHOLE: Final = (ValueError, LookupError, TypeError, AttributeError, RecursionError)


@frozen
class SettingsElsewhere:
    """Settings that only a process of the service's user has read."""


def wanted(raw: Mapping[str, Any]) -> pwd.struct_passwd | None:
    """Who loads the drivers of others in this configuration; None: whoever asks does.

    That is the service's user, where root asks and there is one: on a machine without a service
    nobody else would run the table.
    """
    admits = raw.get(DRIVERS)
    if not admits or not isinstance(admits, dict) or os.geteuid() != 0:
        return None
    try:
        user = pwd.getpwnam(USER)
    except KeyError:
        return None
    return user if user.pw_uid != 0 else None


def describe(load: Callable[[Path], Any], path: Path) -> str:
    """What root asks for, as JSON: the drivers of others, or what is wrong with the file."""
    try:
        config = load(path)
        return json.dumps({"drivers": {
            name: _plain(driver, config.devices) for name, driver in config.drivers.items()
        }})  # fmt: skip
    except ConfigError as error:
        return json.dumps({"wrong": str(error)})


def _plain(driver: Driver, devices: DeviceSections) -> dict[str, Any]:
    settings = devices.section(driver.section)
    if settings is None:  # it is admitted, and not used
        return {"role": driver.role.name}
    needs = driver.needs(settings)
    return {
        "role": driver.role.name,
        "needs": {each.name: list(getattr(needs, each.name)) for each in fields(needs)},
        "pins": [list(UsedPin(*each)) for each in driver.pins(settings)],
        "nodes": [list(UsedNode(*each)) for each in driver.nodes(settings)],
        "spots": driver.spots(settings),
    }


def described(path: Path, user: pwd.struct_passwd) -> dict[str, Driver]:
    """Stand-ins for the drivers of others in this configuration, by `user`.

    They say what the real ones do of what the table and the units need, and make no device. Raises
    `ConfigError` with what is wrong with the configuration, in that user's eyes.
    """
    who = f"as user {user.pw_name}, who runs the table and the drivers of others"
    answer = b""
    try:
        answer = _ask(path.resolve(), user)
        found = json.loads(answer)
        if "wrong" in found:
            raise ConfigError(f"{who}: {_printable(str(found['wrong']))}")
        return {str(name): _stand_in(str(name), each) for name, each in found["drivers"].items()}
    except ConfigError:
        raise
    except (OSError, *_NOT_WHOLE) as error:
        no_answer = not answer and not isinstance(error, OSError)
        why = "no answer" if no_answer else _printable(str(error))
        raise ConfigError(
            f"{path}: {who}: what they need is not known ({why}): sudo -u {user.pw_name} tablectl"
            f" drivers {path}"
        ) from None


def _printable(text: str) -> str:
    """Without what would move a terminal's cursor: it may be the driver's own text."""
    return "".join(each if each.isprintable() or each == "\n" else "?" for each in text)


def _stand_in(name: str, plain: Mapping[str, Any]) -> Driver:
    """The driver that was described so. Raises `_NOT_WHOLE`; `NeedRefused` is a `ValueError`."""
    role = DriverRole[plain["role"]]
    stated = plain.get("needs", {})
    needs = SystemNeeds(**{str(key): _texts(each) for key, each in stated.items()})
    pins = [
        UsedPin(str(key), str(whose), int(pin), bool(of_a_bus))
        for key, whose, pin, of_a_bus in _few(plain.get("pins", []))
    ]
    nodes = [UsedNode(str(key), str(node)) for key, node in _few(plain.get("nodes", []))]
    spots = int(plain.get("spots", 0))
    return Driver(
        name, role, SettingsElsewhere, _make_nothing, lambda _: needs, lambda _: pins,
        lambda _: spots, lambda _: nodes,
    )  # fmt: skip


def _few(each: Any) -> Sequence[Any]:
    if not isinstance(each, list) or len(each) > _LIST_AT_MOST:
        raise TypeError(f"a list of {_LIST_AT_MOST} at most")
    return each


def _texts(each: Any) -> tuple[str, ...]:
    return tuple(map(str, _few(each)))


def _make_nothing(settings: Any, around: DriverContext) -> Made:
    raise ValueError(f"root does not run drivers of others: sudo -u {USER} the same command")


def _ask(config: Path, user: pwd.struct_passwd) -> bytes:
    """What a process of that user says of its drivers; nothing where it fails or takes too long."""
    command = [sys.executable, "-P", "-m", "controller", "drivers", DESCRIBE, str(config)]
    environment = {each: os.environ[each] for each in _ENVIRONMENT if each in os.environ}
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        cwd="/", env=environment, user=user.pw_uid, group=user.pw_gid, extra_groups=[],
        umask=0o077, start_new_session=True,
    ) as asked:  # fmt: skip
        assert asked.stdout is not None
        try:
            return _read(asked.stdout.fileno())
        finally:
            # Whatever it started is its group's, and has nothing more to do.
            with suppress(ProcessLookupError):
                os.killpg(asked.pid, signal.SIGKILL)


def _read(descriptor: int) -> bytes:
    """All of an answer, as long as it is short and comes soon; else nothing."""
    deadline_s = time.monotonic() + TIMEOUT_S
    found = b""
    while len(found) <= _ANSWER_AT_MOST:
        left_s = max(0.0, deadline_s - time.monotonic())
        if not select.select([descriptor], [], [], left_s)[0]:
            return b""
        part = os.read(descriptor, 1 << 16)
        if not part:
            return found
        found += part
    return b""
