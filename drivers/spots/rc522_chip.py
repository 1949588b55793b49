"""An MFRC522 as the chip of a reader, on an SPI bus: it sends and hears, tags are found by us.

Sources: NXP, MFRC522 data sheet rev. 3.9, 8.1.2 (SPI: mode 0, 10 MHz at most; the address of a
register in bits 1 to 6 of the first byte, bit 7 to read) and 9.3 (registers); what is written to
them at the start, and how the place of a collision is counted, are as Arduino's MFRC522 library
(miguelbalboa) has them. Proved with a chip made from that data sheet, transfer by transfer at the
node; not tried on one, nor on the clones that are sold as one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

from controller.devices.contracts import DeviceAbsent, DeviceError, DeviceLost
from controller.rules.messages import Message, message
from drivers.spots import iso14443a
from drivers.spots.bus_turn import BusTurn, SpiSelect
from drivers.spots.pn532_chip import confused
from drivers.spots.reader_chip import Broken, FieldTag

T = TypeVar("T")

HERTZ: Final = 1_000_000
_COMMAND, _IRQ, _ERROR, _FIFO, _LEVEL = 0x01, 0x04, 0x06, 0x09, 0x0A
_CONTROL, _FRAMING, _COLLISION, _MODE = 0x0C, 0x0D, 0x0E, 0x11
_FIELD, _ASK, _TIMER, _PRESCALER, _RELOAD_HIGH, _RELOAD_LOW = 0x14, 0x15, 0x2A, 0x2B, 0x2C, 0x2D
_VERSION: Final = 0x37
_READ: Final = 0x80
_IDLE, _TRANSCEIVE, _RESET = 0x00, 0x0C, 0x0F
_ANTENNA: Final = 0x83
_NO_ANTENNA: Final = 0x80
_START: Final = 0x80
_FLUSH: Final = 0x80
_ALL_IRQS: Final = 0x7F
_CAME, _TIME_IS_UP = 0x30, 0x01
_SPOILT, _COLLIDED = 0x13, 0x08
_NO_PLACE: Final = 0x20
#: 1.0, 2.0, and the copy that is sold most.
VERSIONS: Final = (0x91, 0x92, 0x88)
#: What a line says at whose end nobody is.
_NOBODY: Final = (0x00, 0xFF)
#: The timer starts as a frame has gone, and ends 12 ms later (480 steps of 25 µs): a tag has 10 ms
#: for a page that it writes.
_SET_UP: Final = (
    (_TIMER, 0x80), (_PRESCALER, 0xA9), (_RELOAD_HIGH, 0x01), (_RELOAD_LOW, 0xE0),
    (_ASK, 0x40), (_MODE, 0x3D), (_COLLISION, 0x00),
)  # fmt: skip
#: Its oscillator starts anew after a reset; a tag needs 5 ms in the field before it answers.
WAKES_S: Final = 0.05
FIELD_S: Final = 0.005
ANSWERS_S: Final = 0.1
LOOK_AGAIN_S: Final = 0.001
TAGS_MAX: Final = 2


class HeardFrame(NamedTuple):
    """What came back over the air: bytes, how many bits the last has (0: all), and the place of
    the first collision, from 1 (0: none).
    """

    data: bytes
    last_bits: int
    collision: int


class Rc522Place(SpiSelect):
    """The registers of the chip at a select."""

    def __init__(self, path: str, section: str) -> None:
        super().__init__(path, section, HERTZ)

    def put(self, register: int, *values: int) -> None:
        """Write a register, or one after the other into it."""
        self.transfer(bytes((register << 1, *values)))

    def get(self, register: int, count: int = 1) -> bytes:
        """Read a register so many times."""
        return self.transfer(bytes((register << 1 | _READ,)) * count + b"\0")[1:]


class Rc522Chip:
    """The chip at a select; `port` is what a person knows it by."""

    def __init__(self, place: Rc522Place, port: str) -> None:
        self._place = place
        self._port = port
        self._turn = BusTurn(place)

    async def open(self) -> None:
        """Take its select and set it up. `DeviceAbsent` where nobody answers."""
        await self._turn.begin(lambda: self._place.put(_COMMAND, _RESET))
        await self._turn.run(self._set_up)

    async def tags(self) -> tuple[FieldTag, ...]:
        """The tags in the field, two at the most; one that is alone can be read and written."""
        return await self._asked(self._tags)

    async def read(self, tag: FieldTag, page: int) -> bytes | None:
        """Four pages of a tag, from `page` on; None where it does not answer."""
        heard = await self._asked(lambda: self._exchange(iso14443a.read_pages(page)))
        said = None if heard is None else iso14443a.checked(heard.data)
        return said if said and len(said) == iso14443a.PAGES_BYTES else None

    async def write(self, tag: FieldTag, page: int, data: bytes) -> bool:
        """Write one page of a tag, four bytes; whether it took them."""
        heard = await self._asked(lambda: self._exchange(iso14443a.write_page(page, data)))
        return heard is not None and (heard.last_bits, heard.data[:1]) == (
            iso14443a.ACK_BITS, bytes((iso14443a.ACK,)),
        )  # fmt: skip

    async def quiet(self) -> None:
        """Switch the field off: tags forget that they were found."""
        await self._asked(lambda: self._place.put(_FIELD, _NO_ANTENNA))

    def close(self) -> None:
        """Leave its select; safe at any time, more than once."""
        self._turn.close()

    async def _asked(self, work: Callable[[], T]) -> T:
        try:
            return await self._turn.run(work)
        except Broken as error:
            raise confused(self._port, error) from error

    def _silent(self) -> Message:
        return message("spot-reader-silent", port=self._port)

    def _set_up(self) -> None:
        time.sleep(WAKES_S)
        (version,) = self._place.get(_VERSION)
        if version in _NOBODY:
            raise DeviceAbsent(self._silent())
        if version not in VERSIONS:
            raise DeviceError(message("spot-reader-other-chip", port=self._port))
        for register, value in _SET_UP:
            self._place.put(register, value)

    def _tags(self) -> tuple[FieldTag, ...]:
        if self._place.get(_VERSION)[0] not in VERSIONS:
            raise DeviceLost(self._silent())
        self._place.put(_FIELD, _ANTENNA)
        time.sleep(FIELD_S)
        found: list[FieldTag] = []
        while len(found) < TAGS_MAX and (tag := self._called(iso14443a.REQA)) is not None:
            found.append(tag)
            # Until it is called by the other word it says nothing, so that a second one is heard.
            self._exchange(iso14443a.with_crc(iso14443a.HALT))
        if len(found) != 1:
            return tuple(found)
        again = self._called(iso14443a.WUPA)
        return (found[0],) if again is not None and again.uid == found[0].uid else ()

    def _called(self, word: bytes) -> FieldTag | None:
        """Call the tags, and select one of those that answer; None where none does."""
        if self._exchange(word, bits=iso14443a.SHORT_BITS) is None:
            return None
        uid = b""
        for level in iso14443a.LEVELS:
            if (part := self._part(level)) is None:
                return None
            heard = self._exchange(iso14443a.selection(level, part))
            kind = None if heard is None else iso14443a.checked(heard.data)
            if kind is None:
                return None
            if not iso14443a.goes_on(kind[0]):
                return FieldTag(1, kind[0], uid + part)
            uid += part[1:]
        return None

    def _part(self, level: int) -> bytes | None:
        """Four bytes of the number of one tag, of as many as answer; None where none does."""
        known, count = 0, 0
        while True:
            whole, over = divmod(count, 8)
            sent = known.to_bytes(iso14443a.PART_BYTES, "little")[: whole + bool(over)]
            asked = bytes((level, (2 + whole) << 4 | over)) + sent
            heard = self._exchange(asked, bits=over, align=over)
            if heard is None:
                return None
            said = int.from_bytes(heard.data, "little") >> over << count | known
            if not heard.collision:
                part = said.to_bytes(max(len(heard.data) + whole, 1), "little")
                return iso14443a.part_of(part)
            if heard.collision <= count:
                raise Broken("tags answer as no tags do")
            # Of the two, that with a 1 there: the other one is found when this one is halted.
            count = heard.collision
            known = said & (1 << count) - 1 | 1 << count - 1

    def _exchange(self, data: bytes, *, bits: int = 0, align: int = 0) -> HeardFrame | None:
        """Send a frame, of whose last byte so many bits (0: all); None where nobody answers."""
        put, get = self._place.put, self._place.get
        framing = align << 4 | bits
        for register, *values in (
            (_COMMAND, _IDLE), (_IRQ, _ALL_IRQS), (_LEVEL, _FLUSH), (_FIFO, *data),
            (_FRAMING, framing), (_COMMAND, _TRANSCEIVE), (_FRAMING, _START | framing),
        ):  # fmt: skip
            put(register, *values)
        until_s = time.monotonic() + ANSWERS_S
        while not (happened := get(_IRQ)[0] & (_CAME | _TIME_IS_UP)):
            if self._turn.closing or time.monotonic() > until_s:
                raise DeviceLost(self._silent())
            time.sleep(LOOK_AGAIN_S)
        wrong = get(_ERROR)[0]
        if not happened & _CAME or (wrong & _SPOILT and not wrong & _COLLIDED):
            return None
        said = get(_FIFO, get(_LEVEL)[0])
        last_bits = get(_CONTROL)[0] & 7
        if not wrong & _COLLIDED:
            return HeardFrame(said, last_bits, 0)
        (place,) = get(_COLLISION)
        if place & _NO_PLACE:
            raise Broken("tags answer at once, nobody knows where they differ")
        return HeardFrame(said, last_bits, place & 0x1F or 32)
