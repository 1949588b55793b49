"""The service's end of a guarded device: lights or buzzer whose pins the guard process holds."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from controller.devices.contracts import DeviceAbsent, DeviceError, DeviceLost
from controller.devices.scene import Scene
from controller.rules.messages import Message, from_plain, message
from drivers.panel.guard_protocol import BEAT_S, SILENT_S, VERSION, decode_line, encode_line

VARIABLE: Final = "TABLECTL_GUARD"
#: This many scenes without an answer, and the guard hangs.
UNANSWERED_MAX: Final = int(SILENT_S / BEAT_S)
CLOSE_TIMEOUT_S: Final = 0.5


def guard_path() -> Path | None:
    """Where the guard listens, by the environment; None: the service holds the pins itself."""
    path = os.environ.get(VARIABLE, "")
    return Path(path) if path else None


class GuardedOutput:
    """An output device by way of the guard: scenes, and a heartbeat, go over a socket.

    `admitted` are version and digest of a driver that is no part of tablectl.

    Closed, it leaves the table held rather than dark: a table that is stopped must not look free.
    """

    def __init__(
        self, name: str, settings: Any, path: Path, admitted: dict[str, str] | None = None
    ) -> None:
        self._name = name
        self._greeting = {
            "guard": VERSION, "device": name, "settings": asdict(settings), "admitted": admitted,
        }  # fmt: skip
        self._path = path
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._scene_line = b""

    @property
    def name(self) -> str:
        """The device's name in the configuration, which the guard knows it by."""
        return self._name

    async def open(self) -> None:
        """Connect to the guard; the device is well. Bounded by `SILENT_S`. Raises `DeviceError`."""
        await self.close()
        try:
            async with asyncio.timeout(SILENT_S):
                self._reader, self._writer = await asyncio.open_unix_connection(self._path)
                self._send(encode_line(self._greeting))
                failed = await self._answer()
        except TimeoutError:
            raise self._silent() from None
        except OSError as error:
            absent = message(
                "guard-absent", device=self._name, path=str(self._path),
                detail=error.strerror or type(error).__name__,
            )  # fmt: skip
            raise DeviceAbsent(absent) from error
        if failed is not None:
            raise DeviceError(failed)

    def show(self, scene: Scene) -> None:
        """Send the scene's lights and sound. Raises `DeviceError`."""
        fields = {"lights": [light.name for light in scene.lights], "sound": scene.sound.name}
        self._scene_line = encode_line(fields)
        self._send(self._scene_line)

    def darken(self, dark: bool) -> None:
        """Be dark while a card passes a camera, or shine again. Raises `DeviceError`."""
        self._send(encode_line({"dark": dark}))

    async def run(self) -> None:
        """Send the heartbeat, and receive how the device is. Raises `DeviceError`."""
        clock = asyncio.get_running_loop().time
        due_s, unanswered = clock(), 0
        while True:
            if clock() >= due_s:
                # Counted, not timed: where this service was suspended the guard is not to blame.
                if unanswered > UNANSWERED_MAX:
                    raise self._silent()
                if self._scene_line:
                    self._send(self._scene_line)
                    unanswered += 1
                due_s = clock() + BEAT_S
            try:
                async with asyncio.timeout_at(due_s):
                    failed = await self._answer()
            except TimeoutError:
                continue
            unanswered = 0
            if failed is not None:
                raise DeviceError(failed)

    async def close(self) -> None:
        """Send `bye` and disconnect: the guard shows a held table."""
        writer, self._writer, self._reader, self._scene_line = self._writer, None, None, b""
        if writer is None:
            return
        if not writer.is_closing():
            writer.write(encode_line({"bye": True}))
        writer.close()
        try:
            async with asyncio.timeout(CLOSE_TIMEOUT_S):
                with suppress(OSError):
                    await writer.wait_closed()
        except TimeoutError:
            writer.transport.abort()  # a guard that hangs reads no `bye`

    def _send(self, line: bytes) -> None:
        if self._writer is None or self._writer.is_closing():
            raise self._gone()
        self._writer.write(line)

    async def _answer(self) -> Message | None:
        """What the guard says of the device; None while it is well."""
        if self._reader is None:
            raise self._gone()
        try:
            line = await self._reader.readline()
        except OSError as error:
            raise self._gone() from error
        if not line.endswith(b"\n"):
            raise self._gone()
        failure = decode_line(line)["failure"]
        return None if failure is None else from_plain(failure)

    def _gone(self) -> DeviceLost:
        return DeviceLost(message("guard-gone", device=self._name))

    def _silent(self) -> DeviceLost:
        return DeviceLost(message("guard-silent", device=self._name))
