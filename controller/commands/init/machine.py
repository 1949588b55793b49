"""What a new configuration can take from the machine: ports, cameras, its time zone."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from serial.tools import list_ports

#: The name that our udev rule gives the scanner (systemd/99-tablectl.rules).
OWN_PORT: Final = Path("/dev/tablectl-scanner")
SERIAL_LINKS: Final = Path("/dev/serial/by-id")
CAMERA_LINKS: Final = Path("/dev/v4l/by-id")
LOCALTIME: Final = Path("/etc/localtime")
SERVICE_FOLDER: Final = Path("/etc/tablectl")


class Device(NamedTuple):
    """A device that was found: the path that stays the same over a restart, and what it is."""

    path: str
    what: str


def serial_ports() -> list[Device]:
    """The serial ports of this machine; the one that our udev rule names comes first."""
    found = [Device(str(OWN_PORT), "the scanner, by its udev rule")] if OWN_PORT.exists() else []
    known = {str(OWN_PORT.resolve())} if found else set()
    links = {str(each.resolve()): str(each) for each in _links(SERIAL_LINKS)}
    for port in sorted(list_ports.comports()):
        if port.device not in known and port.device.startswith(("/dev/ttyUSB", "/dev/ttyACM")):
            found.append(Device(links.get(port.device, port.device), port.description))
    return found


def cameras() -> list[Device]:
    """The cameras of this machine, by links that name the device and not its turn."""
    links = _links(CAMERA_LINKS)
    if links:
        return [Device(str(each), each.name) for each in links if each.name.endswith("index0")]
    return [Device(str(each), "camera") for each in sorted(Path("/dev").glob("video*"))[:1]]


def _links(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def local_zone() -> str:
    """The IANA name of this machine's time zone; UTC where it does not say."""
    variable = os.environ.get("TZ", "").removeprefix(":")
    linked = str(LOCALTIME.resolve()).partition("/zoneinfo/")[2] if LOCALTIME.exists() else ""
    return next((each for each in (variable, linked) if is_zone(each)), "UTC")


def is_zone(name: str) -> bool:
    """Whether there is an IANA time zone of that name."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True
