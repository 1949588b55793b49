"""From a scanner's bytes to codes: a bounded line framer, and the AIM identifier. No clock."""

from __future__ import annotations

from typing import Final

from controller.devices.inputs import Doubt
from drivers.code_book import Code, CodeBook
from drivers.settings.scanner import ScannerSettings
from drivers.shoe.scanners.raw_code import RawCode, checked

UNFINISHED_MS: Final = 1_000
"""A code that still lacks its terminator after this long never gets it: it would spoil the next."""

_TERMINATORS: Final = {"cr": b"\r", "lf": b"\n", "crlf": b"\r\n", "etx": b"\x03", "idle": b""}


class Framer:
    """Cuts a byte stream into raw codes, however the bytes come.

    Where the scanner puts a `prefix` before each code, or a `suffix` after it, a code without them
    is garbled: a byte was lost, and who knows which others.

    An overlong code is dropped whole, up to the next terminator, and is one `Doubt.TOO_LONG`; a
    code with control characters or bytes outside ASCII, or one that was left unfinished, is
    `Doubt.GARBLED`. Empty codes are ignored.
    """

    def __init__(self, settings: ScannerSettings) -> None:
        self.to_send = b""
        self._terminator = _TERMINATORS[settings.terminator]
        self._prefix, self._suffix = settings.prefix.encode(), settings.suffix.encode()
        self._around = len(self._prefix) + len(self._suffix)
        self._max_bytes = settings.max_bytes + self._around
        quiet_ms = UNFINISHED_MS if self._terminator else settings.idle_ms
        self._quiet_ns = quiet_ms * 1_000_000
        self._buffer = bytearray()
        self._skipping = False
        self._last_ns = 0

    @property
    def due_ns(self) -> int | None:
        """When to call `tick`, on the caller's clock; None while nothing is unfinished."""
        return self._last_ns + self._quiet_ns if self._buffer or self._skipping else None

    def feed(self, data: bytes, at_ns: int) -> list[RawCode]:
        """The codes that are whole once `data` has come."""
        end = self._terminator
        if end and not self._buffer and not self._skipping and data.endswith(end):
            code = data[: -len(end)]
            if 0 < len(code) <= self._max_bytes and end not in code:
                return [self._code(code)]  # as scanners send them: a whole code at once
        codes = self.tick(at_ns)
        self._last_ns = at_ns
        for byte in data:
            self._buffer.append(byte)
            if self._terminator and self._buffer.endswith(self._terminator):
                del self._buffer[-len(self._terminator) :]
                self._finish(codes)
            elif len(self._buffer) > self._limit():
                if not self._skipping:
                    codes.append(Doubt.TOO_LONG)
                    self._skipping = True
                # The first half of a terminator may be among what is dropped.
                del self._buffer[: len(self._buffer) - max(len(self._terminator) - 1, 0)]
        return codes

    def tick(self, at_ns: int) -> list[RawCode]:
        """The code that a silence until `at_ns` has ended, if any."""
        codes: list[RawCode] = []
        if self.due_ns is not None and at_ns >= self.due_ns:
            if self._terminator and not self._skipping:
                self._buffer.clear()
                codes.append(Doubt.GARBLED)
            else:
                self._finish(codes)
        return codes

    def _limit(self) -> int:
        """How many bytes may wait: in a code of full length the terminator may have begun."""
        begun = self._terminator[:-1]
        return self._max_bytes + (len(begun) if begun and self._buffer.endswith(begun) else 0)

    def _finish(self, codes: list[RawCode]) -> None:
        whole, skipped = bytes(self._buffer), self._skipping
        self._buffer.clear()
        self._skipping = False
        if skipped or not whole:
            return
        codes.append(self._code(whole))

    def _code(self, whole: bytes) -> RawCode:
        if not self._around:
            return checked(whole)
        fits = whole.startswith(self._prefix) and whole.endswith(self._suffix)
        if not fits or len(whole) <= self._around:
            return Doubt.GARBLED
        return checked(whole[len(self._prefix) : len(whole) - len(self._suffix)])


class ScanDecoder:
    """Checks and strips the AIM identifier (ISO/IEC 15424) of a raw code, and asks the book."""

    def __init__(self, settings: ScannerSettings, book: CodeBook) -> None:
        self._book = book
        self._required = settings.aim == "required"
        self._symbologies = frozenset(settings.symbologies)

    def decode(self, raw: RawCode) -> Code | Doubt:
        """The code, or why there is none."""
        if isinstance(raw, Doubt):
            return raw
        text = raw.decode("ascii")
        if self._required:
            if len(text) < 3 or text[0] != "]" or text[1] not in self._symbologies:
                return Doubt.WRONG_SYMBOLOGY
            text = text[3:]
        return self._book.look_up(text)
