"""The spots' lights as fixtures of a DMX line, by an interface on USB that sends by itself.

It is a DMX USB Pro of ENTTEC's, or one that speaks as it does (`dmx_messages`). At opening it has
to say its serial number and its parameters: a cable without a processor of its own (Open DMX) is
silent, and is refused, as its host would have to keep the line's time. In use it is asked for its
parameters with every repetition: that ends no output, and one that leaves two of them unanswered is
lost. Fixtures answer nothing: whether one is lit, only people see. Proved byte by byte on a line,
against an interface made from the same text; not tried on one.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import AbstractContextManager
from typing import Final

from controller.devices.contracts import DeviceError, DeviceLost
from controller.devices.lights import OFF, Colour
from controller.rules.messages import message
from drivers.io.device_node import DeviceNode
from drivers.io.serial_line import at_rate
from drivers.panel.lights.dmx_messages import (
    NO_USER_BYTES,
    PARAMETERS,
    PARAMETERS_BYTES,
    SERIAL_BYTES,
    SERIAL_NUMBER,
    DmxMessages,
    packet,
    request,
)
from drivers.panel.lights.slots import slots
from drivers.settings.dmx import DmxSettings

log: Final = logging.getLogger(__name__)

SECTION: Final = "dmx"
REPEAT_NS: Final = 800_000_000
#: It answers at once; USB and a busy machine take some milliseconds.
ANSWERS_S: Final = 1.0
#: So often it is asked in vain, at a repetition each.
UNANSWERED_MAX: Final = 2
#: Of no meaning to the interface, whose USB has none; one on a real serial line would need its own.
_BAUD: Final = 115_200
#: So many reads take whatever waits; one that never stops must not keep the lights waiting.
_READS_MAX: Final = 16
#: Packets a second below which a light that blinks is not seen to (0: as many as the line takes).
_RATE_MIN: Final = 10


class DmxLamps:
    """The fixtures of all spots."""

    refresh_ns = REPEAT_NS

    def __init__(self, settings: DmxSettings) -> None:
        self.spots = settings.spots
        self._settings = settings
        self._line = DeviceNode(settings.port, SECTION, at_rate(_BAUD))
        self._messages = DmxMessages()
        self._colours = [OFF] * self.spots
        self._shown: list[Colour] | None = None
        #: How often it was asked since it answered last.
        self._unanswered = 0

    def errors(self) -> AbstractContextManager[None]:
        """Turns what the line raises into `DeviceError`."""
        return self._line.errors()

    def open(self) -> None:
        """Take the line. Nothing is lit by it before the interface was met."""
        self._line.open()
        self._messages = DmxMessages()
        self._unanswered = 0

    async def meet(self) -> None:
        """Let the interface say what it is; all fixtures are dark then. Raises `DeviceError`."""
        try:
            # In this order, and before the first picture: asking for the number ends the output.
            number = await self._answer(SERIAL_NUMBER, b"", SERIAL_BYTES)
            parameters = await self._answer(PARAMETERS, NO_USER_BYTES, PARAMETERS_BYTES)
            self._dark()
        except BaseException:
            self._line.close()
            raise
        self._tell(number, parameters)

    def put(self, spot: int, was: Colour, colour: Colour) -> None:
        """Let a spot have a colour at the next flush."""
        self._colours[spot] = colour

    def flush(self) -> None:
        """Send the picture, if it is another than was sent last."""
        if self._shown is None:
            self._must_answer()
        if self._colours != self._shown:
            self._send()

    def again(self) -> None:
        """Send the picture at the next flush in any case: the interface may have lost it."""
        self._shown = None

    def close(self) -> None:
        """Leave all fixtures dark and release the line."""
        if self._line.is_open:
            try:
                self._dark()
            finally:
                self._line.close()

    def _dark(self) -> None:
        self._colours = [OFF] * self.spots
        self._send()

    def _send(self) -> None:
        self._line.write(packet(slots(self._settings, self._colours)))
        self._shown = list(self._colours)

    def _must_answer(self) -> None:
        """What was asked with the repetitions before is answered by now; ask anew."""
        if self._heard(PARAMETERS, PARAMETERS_BYTES) is not None:
            self._unanswered = 0
        if self._unanswered >= UNANSWERED_MAX:
            raise DeviceLost(message("dmx-silent", port=self._settings.port))
        self._line.write(request(PARAMETERS, NO_USER_BYTES))
        self._unanswered += 1

    async def _answer(self, label: int, data: bytes, least: int) -> bytes:
        """What the interface says to a request. Raises `DeviceError` where that is nothing."""
        self._line.write(request(label, data))
        there, readable = asyncio.get_running_loop(), asyncio.Event()
        there.add_reader(self._line.fileno(), readable.set)
        try:
            async with asyncio.timeout(ANSWERS_S):
                while (answer := self._heard(label, least)) is None:
                    readable.clear()
                    await readable.wait()
        except TimeoutError:
            raise DeviceError(message("dmx-not-a-pro", port=self._settings.port)) from None
        finally:
            there.remove_reader(self._line.fileno())
        return answer

    def _heard(self, label: int, least: int) -> bytes | None:
        """The newest message of that label among those that came, of so many bytes at least."""
        found = None
        for _ in range(_READS_MAX):
            if not (data := self._line.read()):
                break
            for said, content in self._messages.of(data):
                if said == label and len(content) >= least:
                    found = content
        return found

    def _tell(self, number: bytes, parameters: bytes) -> None:
        """Say in the log which interface it is, and what of its set-up is of trouble."""
        version, rate = f"{parameters[1]}.{parameters[0]}", parameters[4]
        log.info(
            "%s: interface %s, firmware %s, %d packets a second (0: as many as fit)",
            SECTION, number[::-1].hex(), version, rate, extra={"device": SECTION},
        )  # fmt: skip
        if 0 < rate < _RATE_MIN:
            log.warning(
                "%s: the interface is set to %d packets a second: lights that blink are not seen to"
                " below %d; set it to 40 by its maker's program",
                SECTION, rate, _RATE_MIN, extra={"device": SECTION},
            )  # fmt: skip
