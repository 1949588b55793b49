"""Whether a camera is there that is no node: on the ribbon, at a network's end, a film."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from controller.commands.doctor.finding import CheckFinding, bad, good
from controller.commands.doctor.machine import Machine
from drivers.settings.camera import CameraSettings

#: A stream's server that does not answer within this many seconds is away.
_CONNECT_S: Final = 3.0
_PORTS: Final = {"http": 80, "https": 443}
#: What libcamera finds sensors by: one a pipeline of a sensor on the ribbon, and of its decoder.
_MEDIA: Final = "dev/media*"


def findings(camera: CameraSettings, base: Path, machine: Machine) -> Iterator[CheckFinding]:
    """The findings of a ribbon, a stream or a film; none of a node, which is looked at as such.

    No frame is asked for: one program at a time has a camera.
    """
    if camera.is_csi:
        yield _ribbon(machine)
    elif camera.is_stream:
        yield _stream(camera.source)
    elif not camera.is_device:
        yield _film(base / camera.source)


def _ribbon(machine: Machine) -> CheckFinding:
    what = "camera on the ribbon"
    if find_spec("picamera2") is None:
        return bad(
            "camera.ribbon", what, "picamera2 cannot be found",
            "sudo apt install python3-picamera2, and an environment that sees system packages",
        )  # fmt: skip
    if not machine.files(_MEDIA):
        return bad(
            "camera.ribbon", what, "This machine has found no sensor",
            "look after the ribbon at both ends, start again, then rpicam-hello --list-cameras",
        )  # fmt: skip
    return good("camera.ribbon", what)


def _stream(source: str) -> CheckFinding:
    """Whether somebody listens where the frames are to come from. Nothing is sent."""
    parts = urlsplit(source)
    # Never the whole URL: it may hold a password.
    where = f"{parts.hostname}:{parts.port or _PORTS[parts.scheme]}"
    what = f"camera, stream of {where}"
    try:
        address = (parts.hostname or "", parts.port or _PORTS[parts.scheme])
        socket.create_connection(address, _CONNECT_S).close()
    except OSError as error:
        why = f"It does not answer ({error.strerror or error})"
        return bad("camera.stream", what, why, "plug it in, or correct `source` in [camera]")
    return good("camera.stream", what)


def _film(path: Path) -> CheckFinding:
    what = f"camera, film {path}"
    if not os.access(path, os.R_OK):
        why = "The service's user may not read it" if path.exists() else "It is not there"
        return bad("camera.film", what, why, "correct `source` in [camera]")
    return good("camera.film", what)
