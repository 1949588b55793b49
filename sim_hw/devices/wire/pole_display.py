"""A customer display of two rows: what stands on it after the bytes that it was sent.

Source: Epson, ESC/POS commands of the DM-D110 and DM-D210. Unconfirmed on a display: what one of
another make does at the end of the last row (here: goes on in the first).
"""

from __future__ import annotations


class PoleDisplayFace:
    """The glass. An unknown command is an assertion: a real one would print it."""

    def __init__(self, columns: int = 20) -> None:
        self._columns = columns
        self._cells = [" "] * (2 * columns)
        self._at = 0
        self._command = b""
        self.cursor = True
        self.cleared = 0
        self.overwrites = True

    @property
    def rows(self) -> tuple[str, str]:
        """What the two rows say."""
        text = "".join(self._cells)
        return text[: self._columns], text[self._columns :]

    def hears(self, data: bytes) -> None:
        """The bytes on its line."""
        for byte in data:
            if self._command or byte in (0x1B, 0x1F):
                self._command += bytes((byte,))
                self._obey()
            elif byte == 0x0B:
                self._at = 0
            elif byte == 0x0C:
                self._cells = [" "] * (2 * self._columns)
                self._at = 0
                self.cleared += 1
            else:
                assert byte >= 0x20, f"{byte:#x} is no character"
                self._cells[self._at] = bytes((byte,)).decode("cp437")
                self._at = (self._at + 1) % len(self._cells)

    def _obey(self) -> None:
        if self._command == b"\x1b@":
            self.cursor, self.overwrites, self._at = True, True, 0
            self._cells = [" "] * (2 * self._columns)
            self.cleared += 1
        elif self._command == b"\x1f" + b"C\0":
            self.cursor = False
        elif self._command == b"\x1f\x01":
            self.overwrites = True
        elif self._command != b"\x1bt\0":
            assert len(self._command) < 3, f"{self._command!r} is no command"
            return
        self._command = b""
