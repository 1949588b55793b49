"""`[scanner]`: what reads printed codes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final, Literal

from drivers.settings.checks import Wrong, refuse, within

Terminator = Literal["cr", "lf", "crlf", "etx", "idle"]
#: The longest that a scanner puts before or after a code.
AROUND_MAX: Final = 16

Parity = Literal["none", "even", "odd", "mark", "space"]
#: What is no line has neither rate nor bits.
_OF_A_LINE: Final = ("baud", "bytesize", "parity", "stopbits")

#: Who has the scanner read: it itself as its labels have it, what moves before it, or the beam.
Trigger = Literal["own", "presentation", "beam"]
Protocol = Literal["plain", "ssi", "gm65", "newland", "datalogic", "keyboard", "hid-pos"]
#: A setting of Newland's unified command set: tag, subtag, value.
_NEWLAND: Final = re.compile(r"[A-Z0-9]{6}[A-Za-z0-9.-]{1,32}")


@dataclass(frozen=True, slots=True)
class ScannerSettings:
    """`[scanner]`: what reads the printed codes; `port` is its device node.

    `protocol`: "plain", codes as text on a serial line; "ssi", packets that are acknowledged;
    "gm65" and "newland", text from a scanner that is set up at opening (`setup`: what a Newland
    has to take); "datalogic", text that is acknowledged; "keyboard", one that types; "hid-pos",
    HID reports. Of text
    `terminator` is what the scanner sends after each ("idle": nothing, a pause of `idle_ms`
    ends it), `prefix` and `suffix` what else it puts before and after a code; `max_bytes` the
    longest code; `aim` whether it sends AIM identifiers before the code
    (ISO/IEC 15424), of which only the kinds in `symbologies` are taken; `codes` names the code
    book: the printed code "tablectl-1" or the path of a code book. `trigger` of an "ssi": "own",
    its mode stays as its manual's labels have it; "presentation"; or "beam", where it reads only
    while a card is in the beam.
    """

    port: Path
    baud: int = 9_600
    bytesize: Literal[7, 8] = 8
    parity: Parity = "none"
    stopbits: Literal[1, 2] = 1
    terminator: Terminator = "cr"
    idle_ms: int = 60
    max_bytes: int = 64
    aim: Literal["absent", "required"] = "absent"
    symbologies: tuple[str, ...] = ("C",)
    codes: str = "tablectl-1"
    protocol: Protocol = "plain"
    prefix: str = ""
    suffix: str = ""
    setup: tuple[str, ...] = ()
    trigger: Trigger = "own"

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        yield from within("baud", self.baud, 300, 4_000_000)
        yield from within("idle_ms", self.idle_ms, 10, 1_000)
        yield from within("max_bytes", self.max_bytes, 4, 1_024)
        for name in ("prefix", "suffix"):
            text = getattr(self, name)
            if not text.isascii() or len(text) > AROUND_MAX:
                yield Wrong(name, f'at most {AROUND_MAX} ASCII characters, as "\\u0002" for STX')
            if text and self.protocol in ("ssi", "hid-pos"):
                yield Wrong(name, "its packets have none: leave it out")
        yield from self._of_its_protocol()
        if self.aim == "required" and not self.symbologies:
            yield Wrong("symbologies", "it is empty: name the kinds of code to take, as in ['C']")
        if any(len(each) != 1 or not each.isascii() for each in self.symbologies):
            yield Wrong(
                "symbologies",
                "one AIM letter for each kind, such as C for Code 128, Q for QR or d for Data"
                " Matrix",
            )

    def _of_its_protocol(self) -> Iterator[Wrong]:
        """Keys that its language does not have, or that it cannot take."""
        usual = {each.name: each.default for each in fields(self)}
        if not self.is_line:
            for name in _OF_A_LINE:
                if getattr(self, name) != usual[name]:
                    yield Wrong(name, "it is no serial line: leave it out")
        if self.protocol == "keyboard" and self.terminator not in ("cr", "idle"):
            yield Wrong("terminator", 'its Enter key is "cr"; without one it is "idle"')
        if self.setup and self.protocol != "newland":
            yield Wrong("setup", "only a Newland takes it: leave it out")
        if self.trigger != "own" and self.protocol != "ssi":
            yield Wrong("trigger", 'only protocol "ssi" has it: leave it out')
        for each in self.setup:
            if not _NEWLAND.fullmatch(each):
                yield Wrong(
                    "setup",
                    "write tag, subtag and value of each setting in one word, as the manual's"
                    ' "Programming Command" has them',
                )

    @property
    def is_line(self) -> bool:
        """Whether it is on a serial line."""
        return self.protocol not in ("keyboard", "hid-pos")
