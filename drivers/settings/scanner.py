"""`[scanner]`: what reads printed codes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from drivers.settings.checks import Wrong, refuse, within

Terminator = Literal["cr", "lf", "crlf", "etx", "idle"]
#: The longest that a scanner puts before or after a code.
AROUND_MAX: Final = 16

Parity = Literal["none", "even", "odd", "mark", "space"]


@dataclass(frozen=True, slots=True)
class ScannerSettings:
    """`[scanner]`: a line scanner on a serial port.

    `protocol`: "plain", codes as text, or "ssi", packets that are acknowledged. Of plain codes
    `terminator` is what the scanner sends after each ("idle": nothing, a pause of `idle_ms`
    ends it), `prefix` and `suffix` what else it puts before and after a code; `max_bytes` the
    longest code; `aim` whether it sends AIM identifiers before the code
    (ISO/IEC 15424), of which only the kinds in `symbologies` are taken; `codes` names the code
    book: the printed code "tablectl-1" or the path of a code book.
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
    protocol: Literal["plain", "ssi"] = "plain"
    prefix: str = ""
    suffix: str = ""

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
            if text and self.protocol == "ssi":
                yield Wrong(name, "SSI packets have none: leave it out")
        if self.aim == "required" and not self.symbologies:
            yield Wrong("symbologies", "it is empty: name the kinds of code to take, as in ['C']")
        if any(len(each) != 1 or not each.isascii() for each in self.symbologies):
            yield Wrong(
                "symbologies",
                "one AIM letter for each kind, such as C for Code 128, Q for QR or d for Data"
                " Matrix",
            )
