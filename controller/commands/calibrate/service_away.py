"""The installed service and the guard of its lights, out of the way while a device is measured."""

from __future__ import annotations

import json
import os
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from controller.commands.doctor.machine import GUARD, SERVICE, Machine
from controller.config.sections import Config
from controller.table.state.phases import Phase

_ANSWER_S: Final = 5


class InARound(Exception):
    """A round is in play: the table is not stopped for a calibration."""


@contextmanager
def service_away(path: Path, config: Config, machine: Machine) -> Iterator[bool]:
    """Stop table and guard where systemd runs them by this configuration; start them afterwards.

    Yields whether they were stopped. Raises `InARound`.
    """
    if os.geteuid() != 0 or not _runs(path, machine):
        yield False
        return
    if _in_a_round(config):
        raise InARound("a round is in play: calibrate when it has ended")
    # The guard has the pins of the lights.
    machine.said("systemctl", "stop", SERVICE, GUARD)
    try:
        yield True
    finally:
        machine.said("systemctl", "start", GUARD, SERVICE)


def _runs(path: Path, machine: Machine) -> bool:
    if machine.shown(SERVICE, "ActiveState") != "active":
        return False
    started = " ".join(machine.unit(SERVICE).get("ExecStart", [])).split()
    return str(path.resolve()) in started


def _in_a_round(config: Config) -> bool:
    host = f"[{config.web.host}]" if ":" in config.web.host else config.web.host
    address = f"http://{host}:{config.web.port}/api/v1/table"
    try:
        with urllib.request.urlopen(address, timeout=_ANSWER_S) as answer:
            return bool(json.load(answer)["phase"] == Phase.ROUND.value)
    except OSError:
        return False  # it serves nothing, so it plays nothing
