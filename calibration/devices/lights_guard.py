"""The guard of the lights, for `tablectl doctor`: is there one, does it run, does it answer?

It looks and changes nothing: the guard refuses the doctor's greeting, and that is its answer.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Final

from calibration.measure import Measurement
from drivers.panel.guard_protocol import SILENT_S, VERSION, decode_line, encode_line
from drivers.panel.guarded import VARIABLE

UNIT: Final = "tablectl-guard.service"
SERVICE: Final = "tablectl.service"
ANSWER_MAX_BYTES: Final = 4096
SYSTEMCTL_TIMEOUT_S: Final = 5.0
#: A scene and its answer go over the socket while a dealer's hand is still on the card.
ANSWER_AT_MOST_MS: Final = 50.0


def _shown(unit: str, name: str) -> str:
    """A property of a unit as systemd has it; empty where there is no systemd, or no such unit."""
    systemctl = shutil.which("systemctl")
    if systemctl is None:
        return ""
    try:
        done = subprocess.run(
            [systemctl, "show", unit, f"--property={name}", "--value"],
            capture_output=True, text=True, timeout=SYSTEMCTL_TIMEOUT_S, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()


def guard_socket() -> Path | None:
    """Where the service finds its guard: by the environment, or by the unit of the service."""
    if path := os.environ.get(VARIABLE):
        return Path(path)
    for each in _shown(SERVICE, "Environment").split():
        name, _, path = each.partition("=")
        if name == VARIABLE and path:
            return Path(path)
    return None


def unit() -> Measurement | None:
    """Whether the guard's unit runs; None on a machine on which it is not installed."""
    if _shown(UNIT, "LoadState") != "loaded":
        return None
    state = _shown(UNIT, "ActiveState")
    return Measurement(
        f"guard, {UNIT} ({state})", int(state == "active"), "running", at_least=1,
        remedy="Start it: systemctl enable --now tablectl-guard",
    )  # fmt: skip


def answer(path: Path | None) -> Measurement:
    """How long the guard takes to answer at its socket, in ms."""
    if path is None:
        return Measurement(
            "guard", None,
            remedy=f"{VARIABLE} is not set: lights stay as they were when the service hangs. Set"
            " it for the service and start tablectl-guard (drivers/panel/README.md)",
        )  # fmt: skip
    name = f"guard, {path}"
    began = time.perf_counter()
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(SILENT_S)
            line.connect(str(path))
            line.sendall(encode_line({"guard": VERSION, "device": "doctor"}))
            decode_line(_line(line))
    except PermissionError:
        return Measurement(name, None, remedy="Its socket is the service's. sudo tablectl doctor …")
    except TimeoutError:
        return Measurement(
            name, None, remedy="It does not answer. systemctl restart tablectl-guard"
        )
    except (OSError, ValueError) as error:
        why = error.strerror or str(error) if isinstance(error, OSError) else "it is no guard"
        return Measurement(name, None, remedy=f"{why}. systemctl start tablectl-guard")
    took_ms = round((time.perf_counter() - began) * 1000, 2)
    return Measurement(
        name, took_ms, "ms to an answer", at_most=ANSWER_AT_MOST_MS,
        remedy="Look what keeps the machine busy",
    )  # fmt: skip


def _line(line: socket.socket) -> bytes:
    answer = b""
    while not answer.endswith(b"\n") and len(answer) < ANSWER_MAX_BYTES:
        more = line.recv(ANSWER_MAX_BYTES)
        if not more:
            break
        answer += more
    return answer
