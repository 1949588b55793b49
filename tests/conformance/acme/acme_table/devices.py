"""Lights that are told by lines of text, and a reader of cards on a serial line."""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from controller.devices.contracts import DeviceAbsent, DeviceBusy, DeviceError, DeviceLost
from controller.devices.inputs import Doubt, Press, Reading, Repeats
from controller.devices.lights import LOOKS
from controller.devices.scene import Scene
from controller.rules.messages import message
from controller.rules.sealed import Sealed
from drivers.code_book import PrintedCode
from drivers.driver import Driver, DriverRole, Made, SystemNeeds
from drivers.settings.checks import SettingsError, Wrong


def opened(path: str, flags: int) -> int:
    """A descriptor that no other program has. Raises `DeviceError`."""
    try:
        fd = os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY)
    except OSError as error:
        raise DeviceAbsent(message("port-absent", port=path)) from error
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(fd)
        raise DeviceBusy(message("port-in-use", port=path)) from error
    return fd


@dataclass(frozen=True, slots=True)
class LampSettings:
    """`[acme_lamps]`: the file that the lamps follow, one colour a spot."""

    file: str
    spots: int
    gain: int = 5

    def __post_init__(self) -> None:
        if not 1 <= self.gain <= 9:
            raise SettingsError([Wrong("gain", f"gain is {self.gain}: choose 1 to 9")])


class AcmeLamps:
    """The lights: each picture is one line."""

    name = "acme_lamps"

    def __init__(self, settings: LampSettings) -> None:
        self._settings = settings
        self._fd: int | None = None

    async def open(self) -> None:
        """Open the file. Raises `DeviceError`."""
        await self.close()
        self._fd = opened(self._settings.file, os.O_WRONLY | os.O_APPEND)
        self._say("-")

    def show(self, scene: Scene) -> None:
        """Write the colours. Raises `DeviceError`."""
        self._say(
            " ".join(
                "".join("RGB"[n] for n, on in enumerate(LOOKS[light].colour) if on) or "-"
                for light in scene.lights
            )
        )

    async def run(self) -> None:
        """There are no patterns."""
        await asyncio.Event().wait()

    async def close(self) -> None:
        """Dark."""
        if self._fd is not None:
            self._say("-")
            os.close(self._fd)
            self._fd = None

    def _say(self, line: str) -> None:
        if self._fd is None:
            raise DeviceError(message("device-stopped", device=self.name))
        os.write(self._fd, f"{line}\n".encode())


LAMPS = Driver(
    "acme_lamps", DriverRole.OUTPUT, LampSettings, lambda settings, _: Made(AcmeLamps(settings)),
    lambda _: SystemNeeds(device_nodes=("/dev/acme0",), groups=("acme",)),
    spots=lambda settings: int(settings.spots),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class AcmeShoeSettings:
    """`[acme_shoe]`: the line that codes come on, each with a line feed."""

    line: str


class AcmeShoe:
    """The reader."""

    name = "acme_shoe"

    def __init__(self, settings: AcmeShoeSettings) -> None:
        self._settings = settings
        self._fd: int | None = None

    async def open(self) -> None:
        """Open the line and drop what came before. Raises `DeviceError`."""
        await self.close()
        self._fd = opened(self._settings.line, os.O_RDWR)
        self._read()

    async def inputs(self) -> AsyncGenerator[Reading | Press | Repeats]:
        """The cards. Raises `DeviceLost`."""
        assert self._fd is not None
        loop, come, rest = asyncio.get_running_loop(), asyncio.Event(), b""
        fd = self._fd
        loop.add_reader(fd, come.set)
        try:
            while True:
                await come.wait()
                come.clear()
                *codes, rest = (rest + self._read()).split(b"\n")
                for code in codes:
                    yield self._reading(code.decode("ascii", "replace"))
        finally:
            loop.remove_reader(fd)

    def _reading(self, text: str) -> Reading:
        code = PrintedCode().look_up(text)
        if isinstance(code, Doubt) or code.kind is None:
            return Reading(self.name, None, Doubt.UNKNOWN_CODE)
        return Reading(self.name, Sealed(code.kind, code.serial), apart=True)

    def _read(self) -> bytes:
        assert self._fd is not None
        try:
            data = os.read(self._fd, 4_096)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise DeviceLost(message("port-lost", port=self._settings.line)) from error
        if not data:  # the line hung up
            raise DeviceLost(message("port-lost", port=self._settings.line))
        return data

    async def close(self) -> None:
        """Let go of the line."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


SHOE = Driver(
    "acme_shoe", DriverRole.READER, AcmeShoeSettings, lambda settings, _: Made(AcmeShoe(settings))
)
