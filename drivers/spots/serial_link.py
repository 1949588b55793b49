"""A PN532 on a serial line of its own (HSU): asked, one command after another."""

from __future__ import annotations

import asyncio
from typing import Final

from controller.devices.contracts import DeviceError
from controller.rules.messages import message
from drivers.io.device_node import DeviceNode
from drivers.io.serial_line import at_rate
from drivers.spots import pn532
from drivers.spots.pn532_chip import confused
from drivers.spots.reader_chip import Broken

#: Every command is answered within some 50 ms; a tag that went away takes the chip no longer.
ANSWERS_S: Final = 0.5


class SerialLink:
    """The line. `section` is where it stands in the configuration, for errors."""

    def __init__(self, port: str, section: str) -> None:
        self._port = port
        self._node = DeviceNode(port, section, at_rate(pn532.BAUD))
        self._answers = pn532.FrameBuffer()
        self._came: asyncio.Future[bytes] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def open(self) -> None:
        """Take the line, and wake the chip."""
        self._node.open()
        self._answers = pn532.FrameBuffer()
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._node.fileno(), self._readable)
        self._node.write(pn532.WAKE)

    async def ask(self, command: bytes) -> bytes:
        """The parameters of the answer to a command."""
        self._came = asyncio.get_running_loop().create_future()
        self._node.write(pn532.frame(command))
        try:
            async with asyncio.timeout(ANSWERS_S):
                answer = await self._came
            return pn532.parameters(command, answer)
        except TimeoutError:
            raise DeviceError(message("spot-reader-silent", port=self._port)) from None
        except Broken as error:
            raise confused(self._port, error) from error
        finally:
            self._came = None

    def close(self) -> None:
        """Release the line; safe at any time, more than once."""
        if self._loop is not None and self._node.is_open:
            self._loop.remove_reader(self._node.fileno())
        self._node.close()

    def _readable(self) -> None:
        came = self._came
        try:
            answers = self._answers.feed(self._node.read())
        except (DeviceError, Broken) as error:
            if isinstance(error, DeviceError):
                assert self._loop is not None
                self._loop.remove_reader(self._node.fileno())
            if came is not None and not came.done():
                came.set_exception(error)
            return
        if answers and came is not None and not came.done():
            came.set_result(answers[-1])
