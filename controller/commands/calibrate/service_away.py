"""The installed service and the guard of its lights, out of the way while a device is measured."""

from __future__ import annotations

import json
import os
import signal
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from typing import Final

from controller.commands.doctor.machine import GUARD, SERVICE, Machine
from controller.config.configuration import Config
from controller.table.state.phases import Phase

_ANSWER_S: Final = 5
#: The table is on this machine: no proxy of the environment is asked for it.
_DIRECT: Final = urllib.request.build_opener(urllib.request.ProxyHandler({}))

#: What ends a calibration: its terminal closes, somebody ends it (SIGQUIT: Ctrl-\\).
_ENDS: Final = (signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT)


class NotStopped(Exception):
    """The table is not stopped for a calibration: a round is in play, or may be."""


@contextmanager
def service_away(path: Path, config: Config, machine: Machine) -> Iterator[bool]:
    """Stop table and guard where systemd runs them by this configuration; start them afterwards.

    A signal that ends the calibration is a `KeyboardInterrupt` meanwhile. Yields whether they were
    stopped. Raises `NotStopped`.
    """
    if os.geteuid() != 0 or not _runs(path, machine):
        yield False
        return
    if _in_a_round(config):
        raise NotStopped("a round is in play: calibrate when it has ended")
    before = {each: signal.signal(each, signal.default_int_handler) for each in _ENDS}
    before[signal.SIGINT] = signal.getsignal(signal.SIGINT)
    try:
        # A round that began since it was asked lies on record, and goes on after the next start.
        # The guard has the pins of the lights.
        machine.said("systemctl", "stop", SERVICE, GUARD)
        yield True
    finally:
        # A second signal must not keep the table from starting.
        for each in before:
            signal.signal(each, signal.SIG_IGN)
        _start(machine)
        for each, handler in before.items():
            signal.signal(each, handler)


def _start(machine: Machine) -> None:
    """Start guard and table; what does not run then is said."""
    # systemd counts these starts too: after a few short calibrations it would refuse one.
    machine.said("systemctl", "reset-failed", GUARD, SERVICE)
    machine.said("systemctl", "start", GUARD, SERVICE)
    if machine.shown(SERVICE, "ActiveState") in ("inactive", "failed"):
        with suppress(OSError):  # the terminal may be closed
            print(
                f"The table did not start again: journalctl -u {SERVICE} -n 20 says why; then"
                f" sudo systemctl start {SERVICE}", file=sys.stderr, flush=True,
            )  # fmt: skip


def _runs(path: Path, machine: Machine) -> bool:
    if machine.shown(SERVICE, "ActiveState") != "active":
        return False
    started = " ".join(machine.unit(SERVICE).get("ExecStart", [])).split()
    return str(path.resolve()) in started


def _in_a_round(config: Config) -> bool:
    host = f"[{config.web.host}]" if ":" in config.web.host else config.web.host
    address = f"http://{host}:{config.web.port}/api/v1/table"
    try:
        with _DIRECT.open(address, timeout=_ANSWER_S) as answer:
            return Phase(json.load(answer)["phase"]) is Phase.ROUND
    except (OSError, HTTPException, ValueError, LookupError, TypeError) as error:
        if isinstance(error, urllib.error.URLError) and isinstance(
            error.reason, ConnectionRefusedError
        ):
            return False  # it serves nothing, so it plays nothing
        raise NotStopped(
            f"the table does not say whether a round is in play ({error}): calibrate when it"
            f" answers at {address}, or stop it yourself (systemctl stop {SERVICE} {GUARD})"
        ) from None
