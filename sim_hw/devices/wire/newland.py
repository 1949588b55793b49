"""A Newland scanner at the other end of a line: settings by the unified command set.

Source: Newland, NLS-HR52 User Manual, "Use of Programming Command" and its example of a command and
its response. Unconfirmed on a scanner: what it answers to a setting that it does not have (NAK,
here) and how it prints a present value (tag, subtag, value).
"""

from __future__ import annotations

import re
from typing import Final

_COMMAND: Final = re.compile(rb"~\x010000[@#]([A-Z0-9]{6})([^;]*);\x03")


class Newland:
    """The scanner: what it answers to what it hears. `forgets`: acknowledged, and not kept."""

    def __init__(self, forgets: tuple[str, ...] = ()) -> None:
        self.settings = {"SCNMOD": "0", "ILLSCN": "1"}
        self._forgets = forgets
        self._heard = b""

    def hears(self, data: bytes) -> bytes:
        """Its answer to what came."""
        self._heard += data
        answer = b""
        while (command := _COMMAND.search(self._heard)) is not None:
            self._heard = self._heard[command.end() :]
            answer += self._done(command[1].decode(), command[2].decode())
        return answer

    def _done(self, name: str, value: str) -> bytes:
        known = name in self.settings
        if known and value != "*" and name not in self._forgets:
            self.settings[name] = value
        said = self.settings[name] if known and value == "*" else value
        return f"\x02\x010000#{name}{said}{chr(6 if known else 21)};\x03".encode()
