"""Cards that nobody may see yet: a type whose repr, str and JSON reveal nothing.

A card is sealed by the reader and opened by the engine when it lies face up. A burned or
face-down card keeps its seal; what is written down of it is a commitment: HMAC-SHA256 of the card
code under a fresh random nonce. The commitment shows nothing before the opening is known and
cannot be opened as another card afterwards (hiding and binding as HMAC-SHA256 is).
"""

from __future__ import annotations

import hmac
from typing import Final, NoReturn

from controller.rules.cards import Card

NONCE_BYTES: Final = 16


def commitment(nonce: bytes, kind: Card, serial: str = "") -> str:
    """The hexadecimal commitment to `kind` (and its serial number, if it has one) under `nonce`."""
    return hmac.digest(nonce, f"{kind.code}{serial}".encode(), "sha256").hex()


class Sealed:
    """A card that must not be seen, or one that could not be read (`known` is False).

    Only `open()` reveals it; printing, formatting, comparing and pickling do not: two are equal
    where they are one object, since that two cards are alike is a secret, too (who may know
    compares commitments, `digest`). The serial number
    of the physical card, where the deck has them, is sealed with it: together with an earlier
    record it would give the card away.
    """

    __slots__ = ("_card", "_digest", "_nonce", "_serial")

    def __init__(
        self, kind: Card | None, serial: str = "", *, nonce: bytes = b"", digest: str = ""
    ) -> None:
        self._card = kind
        self._serial = serial
        self._nonce = nonce
        self._digest = digest

    @property
    def known(self) -> bool:
        """Whether the reader could tell the card."""
        return self._card is not None

    @property
    def digest(self) -> str:
        """The commitment, empty until the card is stamped with a nonce."""
        if not self._digest and self._card and self._nonce:
            self._digest = commitment(self._nonce, self._card, self._serial)
        return self._digest

    @property
    def nonce(self) -> bytes:
        """The opening's nonce: goes to the access-restricted store only."""
        return self._nonce

    def stamped(self, nonce: bytes) -> Sealed:
        """The same card, committed to under `nonce` (at least 16 random bytes)."""
        if len(nonce) < NONCE_BYTES:
            raise ValueError(f"a seal needs a nonce of {NONCE_BYTES} bytes")
        return Sealed(self._card, self._serial, nonce=nonce)

    def open(self) -> Card | None:
        """The card itself, None when it could not be read. For the engine and the store only."""
        return self._card

    def open_serial(self) -> str:
        """The physical card's serial number, empty if it has none. For the engine and the store."""
        return self._serial

    def __repr__(self) -> str:
        return "<sealed card>"

    def __deepcopy__(self, _memo: object) -> Sealed:
        return Sealed(self._card, self._serial, nonce=self._nonce, digest=self._digest)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a sealed card is not pickled")
