"""What a new configuration can take from the machine: ports, cameras, its time zone."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from serial.tools import list_ports

#: The name that our udev rule gives the scanner (systemd/udev/99-tablectl.rules).
OWN_PORT: Final = Path("/dev/tablectl-scanner")
SERIAL_LINKS: Final = Path("/dev/serial/by-id")
#: The names that our udev rules give a scanner that types, or that sends HID reports.
OWN_KEYS: Final = Path("/dev/tablectl-scanner-keys")
OWN_HID: Final = Path("/dev/tablectl-scanner-hid")
KEYBOARD_LINKS: Final = Path("/dev/input/by-id")
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


def typing_scanners() -> list[Device]:
    """What may be a scanner on no serial line: ours by their names, and everything that types."""
    ours = ((OWN_KEYS, "the scanner, which types"), (OWN_HID, "the scanner, by HID reports"))
    found = [Device(str(path), what) for path, what in ours if path.exists()]
    typing = [each for each in _links(KEYBOARD_LINKS) if each.name.endswith("-event-kbd")]
    return found + [Device(str(each), "types like a keyboard") for each in typing]


def scanner_protocol(path: str) -> str:
    """What a scanner at that node speaks, as far as its name says it."""
    if path == str(OWN_HID) or path.startswith("/dev/hidraw"):
        return "hid-pos"
    return "keyboard" if path == str(OWN_KEYS) or path.startswith("/dev/input/") else "plain"


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
