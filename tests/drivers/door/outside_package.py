"""A driver package of somebody else, as pip leaves it: files, and a `.dist-info` with its RECORD.

Its lights write each colour as a line to a file; its reader takes codes, a line each, from a pipe
or a serial line.
"""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

NAME, VERSION = "acme-table", "1.4.0"
CODE = '''\
"""Lights and a reader of the Acme company."""

import asyncio
import os
from dataclasses import dataclass

from controller.devices.contracts import DeviceAbsent, DeviceError
from controller.devices.inputs import Doubt, Reading
from controller.devices.lights import LOOKS
from controller.rules.messages import message
from controller.rules.sealed import Sealed
from drivers.code_book import PrintedCode
from drivers.driver import Driver, Made, SystemNeeds, DriverRole
from drivers.settings.checks import SettingsError, Wrong


@dataclass(frozen=True, slots=True)
class LampSettings:
    file: str
    spots: int
    gain: int = 5

    def __post_init__(self):
        if not 1 <= self.gain <= 9:
            raise SettingsError([Wrong("gain", f"gain is {self.gain}: choose 1 to 9")])


class Lamps:
    name = "acme_lamps"

    def __init__(self, settings):
        self._settings = settings
        self._file = None

    async def open(self):
        self._file = open(self._settings.file, "a", buffering=1)

    def show(self, scene):
        if self._file is None:
            raise DeviceError(message("device-stopped", device=self.name))
        colours = ["".join("RGB"[n] for n, on in enumerate(LOOKS[light].colour) if on) or "-"
                   for light in scene.lights]
        self._file.write(" ".join(colours) + "\\n")

    async def run(self):
        await asyncio.Event().wait()

    async def close(self):
        if self._file is not None:
            self._file.write("closed\\n")
            self._file.close()
            self._file = None


LAMPS = Driver(
    "acme_lamps", DriverRole.OUTPUT, LampSettings, lambda settings, around: Made(Lamps(settings)),
    lambda _: SystemNeeds(
        device_nodes=("/dev/acme0",), groups=("acme",), address_families=("AF_CAN",),
        modules=("acme",),
    ),
    spots=lambda settings: settings.spots,
)


@dataclass(frozen=True, slots=True)
class ShoeSettings:
    pipe: str


class Shoe:
    name = "acme_shoe"

    def __init__(self, settings, pack):
        self._path = settings.pipe
        self._file = None

    async def open(self):
        await self.close()
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY)
        except OSError as error:
            raise DeviceAbsent(message("port-absent", port=self._path)) from error

    async def inputs(self):
        loop, woken, rest = asyncio.get_running_loop(), asyncio.Event(), b""
        loop.add_reader(self._file, woken.set)
        try:
            while True:
                await woken.wait()
                woken.clear()
                try:
                    rest += os.read(self._file, 4096)
                except BlockingIOError:
                    continue
                *lines, rest = rest.replace(b"\\r", b"\\n").split(b"\\n")
                for line in lines:
                    code = PrintedCode().look_up(line.decode("ascii"))
                    if isinstance(code, Doubt) or code.kind is None:
                        yield Reading(self.name, None, Doubt.UNKNOWN_CODE)
                    else:
                        yield Reading(self.name, Sealed(code.kind, code.serial), apart=True)
        finally:
            loop.remove_reader(self._file)

    async def close(self):
        if self._file is not None:
            os.close(self._file)
            self._file = None


SHOE = Driver(
    "acme_shoe", DriverRole.READER, ShoeSettings,
    lambda settings, around: Made(Shoe(settings, around.pack)),
)
'''
ENTRY_POINTS = """\
[tablectl.drivers]
acme_lamps = acme_table.devices:LAMPS
acme_shoe = acme_table.devices:SHOE
"""


def install(site: Path, code: str = CODE, entry_points: str = ENTRY_POINTS) -> Path:
    """Put the package into a folder of packages; its module's file."""
    info = f"{NAME.replace('-', '_')}-{VERSION}.dist-info"
    held = {
        "acme_table/__init__.py": "",
        "acme_table/devices.py": code,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {VERSION}\n",
        f"{info}/entry_points.txt": entry_points,
        f"{info}/INSTALLER": "pip\n",
    }
    rows = []
    for name, text in held.items():
        path = site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        sha = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=")
        rows.append(f"{name},sha256={sha.decode()},{len(text.encode())}")
    (site / info / "RECORD").write_text("\n".join([*rows, f"{info}/RECORD,,"]) + "\n")
    return site / "acme_table/devices.py"
