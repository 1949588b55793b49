"""What is settled with a scanner at each opening, before its first code is taken."""

from __future__ import annotations

import asyncio
import time
from typing import Final, Protocol

from controller.devices.contracts import DeviceError
from controller.rules.messages import message
from drivers.io.byte_stream import ByteStream
from drivers.settings.scanner import ScannerSettings

#: A scanner answers each command within half a second, most within 10 ms.
ANSWERS_S: Final = 3.0


class SetUp(Protocol):
    """An exchange with a scanner, without a clock: what is to be sent, and what came."""

    to_send: bytes
    """What the scanner is to hear; whoever sends it empties it."""
    refused: str
    """The setting that it did not take; empty while it takes all."""

    @property
    def done(self) -> bool:
        """Whether everything is settled."""
        ...

    def feed(self, data: bytes, at_ns: int) -> None:
        """What the scanner sends, and when, on the caller's clock."""
        ...


async def settle(stream: ByteStream, set_up: SetUp, settings: ScannerSettings) -> None:
    """Hold the exchange to its end. What is read meanwhile is lost. Raises `DeviceError`."""
    loop = asyncio.get_running_loop()
    over = asyncio.Event()
    lost: list[DeviceError] = []

    def step(data: bytes) -> None:
        set_up.feed(data, time.monotonic_ns())
        answer, set_up.to_send = set_up.to_send, b""
        if answer:
            stream.write(answer)
        if set_up.done or set_up.refused:
            over.set()

    def answered() -> None:
        try:
            step(stream.read())
        except DeviceError as error:
            lost.append(error)
            over.set()
            loop.remove_reader(stream.fileno())

    loop.add_reader(stream.fileno(), answered)
    try:
        step(b"")
        async with asyncio.timeout(ANSWERS_S):
            await over.wait()
    except TimeoutError:
        raise DeviceError(message(
            "scanner-does-not-answer", port=str(settings.port), protocol=settings.protocol
        )) from None  # fmt: skip
    finally:
        loop.remove_reader(stream.fileno())
    if lost:
        raise lost[0]
    if set_up.refused:
        raise DeviceError(message(
            "scanner-refuses", port=str(settings.port), setting=set_up.refused
        ))  # fmt: skip
