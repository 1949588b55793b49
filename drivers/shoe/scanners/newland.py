"""Newland scanners: text codes, and settings that are sent, acknowledged and read back.

Source: Newland, NLS-HR52 and FM530 User Manuals, "Use of Programming Command": ~ SOH 0000, # (until
the power goes), tag, subtag and data, ; ETX. The scanner answers STX SOH 0000, the same, and ACK
(06) or NAK (15 hex) before ; ETX; data `*` asks for the present value. Which settings a model has
its manual says. Proved with an answering scanner made from that text, not tried on a scanner.
"""

from __future__ import annotations

import re
from typing import Final

#: Tag and subtag of three characters each, and the value.
SETTING: Final = re.compile(r"([A-Z0-9]{6})(.+)")
#: Answered by every scanner of the family: how it is triggered.
_ASKED: Final = "SCNMOD"
_BEFORE: Final = b"~\x010000#"
_ANSWER: Final = re.compile(rb"\x02\x010000[@#]([^\x06\x15\x05;]*)([\x06\x15\x05]);\x03")
_ACK: Final = b"\x06"
_ANSWER_MAX: Final = 512


def command(text: str) -> bytes:
    """A command of the host, until the power goes."""
    return _BEFORE + text.encode() + b";\x03"


class NewlandSetUp:
    """Sends each setting and reads it back. Without any, it has to answer what its mode is."""

    def __init__(self, settings: tuple[str, ...]) -> None:
        self.refused = ""
        self._left: list[tuple[str, str]] = []
        for each in settings:
            wanted = SETTING.fullmatch(each)
            assert wanted is not None, "the configuration was checked"
            self._left += [(each, each), (f"{wanted[1]}*", each)]
        self._left = self._left or [(f"{_ASKED}*", "")]
        self._buffer = b""
        self.to_send = command(self._left[0][0])

    @property
    def done(self) -> bool:
        """Whether the scanner has all that it was asked to have."""
        return not self._left

    def feed(self, data: bytes, at_ns: int) -> None:
        """What the scanner sends. A code that it reads meanwhile is skipped."""
        self._buffer += data
        while not self.done and not self.refused and (answer := _ANSWER.search(self._buffer)):
            self._buffer = self._buffer[answer.end() :]
            self._take(answer[1].decode("ascii", "replace"), answer[2] == _ACK)
        self._buffer = self._buffer[-_ANSWER_MAX:]

    def _take(self, text: str, acknowledged: bool) -> None:
        asked, wanted = self._left.pop(0)
        fits = text == wanted if wanted else text.startswith(_ASKED)
        if not acknowledged or not fits:
            self.refused = wanted or asked
            self._left = [(asked, wanted)]
        elif self._left:
            self.to_send += command(self._left[0][0])
