"""The shoe's code scanner on a real pty: it writes the bytes that the manual of a scanner promises.

What it speaks is one of `PROTOCOLS`, each made from its manual in `wire`.

The printed code ("tablectl-1", specified in drivers/shoe/README.md): the upper-case card code, an
optional serial number of six digits, one check character by ISO/IEC 7064 MOD 37,36, and the
terminator. This encoder was written from that text alone.

Sources: what manuals of scanners agree on (a code as ASCII text, what is put before and after it by
their labels); of each other language, its file in `wire`. Unconfirmed on a scanner: pauses within a
code, and what one says while its power comes and goes.
"""

from __future__ import annotations

import asyncio
import os
import tty
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final, Protocol

from sim_hw.devices.shoe import SERIAL_DIGITS, PhysicalCard
from sim_hw.devices.wire.datalogic import Datalogic
from sim_hw.devices.wire.gm65 import Gm65
from sim_hw.devices.wire.hid_pos import REPORT_BYTES, reports
from sim_hw.devices.wire.keyboard import EVENT_BYTES, typed
from sim_hw.devices.wire.newland import Newland
from sim_hw.devices.wire.ssi import RoughSsi, SsiScanner

_ALPHABET: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BITS_PER_BYTE: Final = 10  # start, eight of data, stop
SPLIT_PAUSE_S: Final = 0.02
#: What a line carries in less time is there at once: no sleep is so short.
AT_ONCE_S: Final = 0.00005
TERMINATOR: Final = b"\r"
#: A scanner that reads by its host's word is waited for this long; then the card has gone by.
SESSION_S: Final = 2.0
#: What a line hears of a byte that comes at another rate: its bits in wrong places, never an end.
MISHEARD: Final = b"\x00\x80\xc0\xe0\xf0\xf8\xfe\xff"
#: What no code is made of.
RUBBISH: Final = bytes(range(0x21, 0x30)) + bytes(range(0x80, 0xFF))


def check_character(text: str) -> str:
    """The check character of `text` by ISO/IEC 7064 MOD 37,36 (hybrid system, section 9).

    Raises `ValueError` for a character outside 0-9 and A-Z.
    """
    product = 36
    for each in text:
        total = (product + _ALPHABET.index(each)) % 36 or 36
        product = total * 2 % 37
    return _ALPHABET[(37 - product) % 36]


def printed_code(card: PhysicalCard, *, with_serial: bool) -> bytes:
    """The payload that is printed on `card`, without a terminator."""
    text = card.kind.code.upper()
    if with_serial:
        text += f"{card.serial:0{SERIAL_DIGITS}d}"
    return (text + check_character(text)).encode("ascii")


class Speech(Protocol):
    """What a scanner says, and what it answers."""

    def says(self, code: bytes) -> bytes:
        """What it puts on the line for a code."""
        ...

    def hears(self, data: bytes) -> bytes:
        """Its answer to what came; it may be none."""
        ...


class Text:
    """Codes as text; a GM65 or a Newland answers the commands of its set-up besides."""

    def __init__(self, hears: Callable[[bytes], bytes] = lambda _: b"") -> None:
        self.hears = hears

    def says(self, code: bytes) -> bytes:
        """The code, and what ends it."""
        return code + TERMINATOR


class Keys(Text):
    """The keys of a keyboard, Enter at the end."""

    def says(self, code: bytes) -> bytes:
        """The events of the keys."""
        return typed(super().says(code).decode("ascii"))


class HidReports(Text):
    """HID POS: reports of their own."""

    def says(self, code: bytes) -> bytes:
        """The reports."""
        return reports(code)


#: What a scanner can speak: it is made anew whenever it gets power.
PROTOCOLS: Final[dict[str, Callable[[], Speech]]] = {
    "plain": Text, "ssi": SsiScanner, "gm65": Gm65,
    "newland": lambda: Text(Newland().hears), "datalogic": Datalogic, "keyboard": Keys,
    "hid-pos": HidReports,
}  # fmt: skip
#: What leaves together, where that is more than a byte: an event of the kernel, a report.
_PIECES: Final = {"keyboard": EVENT_BYTES, "hid-pos": REPORT_BYTES}


class Scanner:
    """A scanner that can be plugged in and out. `link` is the stable name that udev would give.

    `rough`: an SSI scanner on a bad line. `baud` paces the bytes; a pty does not. `stroke_s` is how
    often an adapter hands bytes on.
    """

    stroke_s = 0.0

    def __init__(
        self, link: Path, *, baud: int, with_serial: bool, seed: int, protocol: str = "plain",
        rough: bool = False,
    ) -> None:  # fmt: skip
        self.link = link
        self._protocol = protocol
        self._made = RoughSsi if rough and protocol == "ssi" else PROTOCOLS[protocol]
        self._speech = self._made()
        self._piece = _PIECES.get(protocol, 1)
        self.busy = False
        self._byte_s = BITS_PER_BYTE / baud
        self._with_serial = with_serial
        self._noise = Random(f"{seed}/rubbish")
        self._ends: tuple[int, int] | None = None
        self._wrong_until_s = 0.0

    @property
    def plugged(self) -> bool:
        """Whether the scanner is there for the service."""
        return self._ends is not None

    def plug(self) -> None:
        """Appear: a new pty behind the link. Nothing happens if it is there already."""
        if self._ends is not None:
            return
        ours, theirs = os.openpty()
        # Our hold on the far end keeps the line raw while no service has it open.
        tty.setraw(theirs)
        os.set_blocking(ours, False)
        fresh = self.link.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(os.ttyname(theirs))
        fresh.replace(self.link)
        self._ends = ours, theirs
        self._speech = self._made()
        if self._protocol != "plain":
            asyncio.get_running_loop().add_reader(ours, self._heard)

    def unplug(self) -> None:
        """Disappear as a USB plug that is pulled: the line hangs up and the link is gone."""
        if self._ends is not None:
            if self._protocol != "plain":
                asyncio.get_running_loop().remove_reader(self._ends[0])
            self.link.unlink(missing_ok=True)
            for end in self._ends:
                os.close(end)
            self._ends = None

    async def reading_enabled(self) -> None:
        """Wait until the host enables reading, or `SESSION_S` have passed."""
        loop = asyncio.get_running_loop()
        until = loop.time() + SESSION_S
        while isinstance(self._speech, SsiScanner) and not self._speech.reads:
            if loop.time() > until or not self.plugged:
                return
            await asyncio.sleep(0.001)

    async def scan(self, card: PhysicalCard, *, split: bool = False) -> None:
        """Say the code of `card`; in two pieces with a pause between if `split`."""
        line = self._line(card)
        if split:
            await self._say(line[:2])
            await asyncio.sleep(SPLIT_PAUSE_S)
            line = line[2:]
        await self._say(line)

    async def merged(self, card: PhysicalCard) -> None:
        """Say the code twice, and leave out the end of the first."""
        line = self._line(card)
        await self._say(line.removesuffix(TERMINATOR) + line)

    async def half(self, card: PhysicalCard) -> None:
        """Say the first half of the code."""
        line = self._line(card)
        await self._say(line[: len(line) // 2])

    async def rubbish(self) -> None:
        """Say three to nine bytes that are no code."""
        count = self._noise.randint(3, 9)
        await self._say(bytes(self._noise.choice(RUBBISH) for _ in range(count)) + TERMINATOR)

    async def noise(self) -> None:
        """Say random bytes without an end."""
        count = self._noise.randint(8, 40)
        await self._say(self._noise.randbytes(count).rstrip(TERMINATOR) + b"\xff")

    def talk_at_wrong_rate(self, for_s: float) -> None:
        """For that long from now on, the line distorts what is said."""
        until_s = asyncio.get_running_loop().time() + for_s
        self._wrong_until_s = max(self._wrong_until_s, until_s)

    def _line(self, card: PhysicalCard) -> bytes:
        return self._speech.says(printed_code(card, with_serial=self._with_serial))

    def _heard(self) -> None:
        assert self._ends is not None
        answer = self._speech.hears(os.read(self._ends[0], 4_096))
        if answer:
            self._put(answer)

    async def _say(self, data: bytes) -> None:
        """Put `data` on the line at its rate. Unplugged meanwhile, the rest is lost.

        On a line so fast that no pause is so short, all of it at once.
        """
        loop = asyncio.get_running_loop()
        if loop.time() < self._wrong_until_s:
            data = bytes(self._noise.choice(MISHEARD) for _ in data)
        at_once = not self.stroke_s and len(data) * self._byte_s < AT_ONCE_S
        began, said = loop.time(), 0
        line = self._ends
        self.busy = True
        try:
            while said < len(data):
                await asyncio.sleep(0 if at_once else max(self._byte_s, self.stroke_s))
                if not self.plugged or self._ends is not line:
                    break  # one that got power again meanwhile knows of no half code
                # As many bytes as the line has carried by now: sleeping is coarser than a byte.
                carried = int((loop.time() - began) / self._byte_s)
                whole = carried - carried % self._piece
                due = len(data) if at_once else min(len(data), whole)
                if due > said:
                    if not self._put(data[said:due]):
                        break  # Nobody reads and the line's buffer is full: a UART overruns too.
                    said = due
        finally:
            self.busy = False

    def _put(self, data: bytes) -> bool:
        """Put bytes on the line; False where it has no room for them."""
        assert self._ends is not None
        try:
            os.write(self._ends[0], data)
        except BlockingIOError:
            return False
        return True
