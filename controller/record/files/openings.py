"""What opens the sealed cards of a gaming day: kept apart from it, for the service alone."""

from __future__ import annotations

import hmac
from pathlib import Path
from typing import Final, NamedTuple

from controller.record.files.database import UNREADABLE, JournalDamaged, is_there, read_only
from controller.rules.cards import CardError, card
from controller.rules.sealed import Sealed
from controller.table.evolve.carry_over import hidden_commitment

#: Kept letter by letter, as `chain_store.RECORDS`.
OPENINGS: Final = (
    """CREATE TABLE openings (
        digest TEXT PRIMARY KEY, nonce BLOB NOT NULL, code TEXT NOT NULL, serial TEXT NOT NULL
    ) STRICT, WITHOUT ROWID""",
)


#: In place of a card's code: `nonce` is the key of the digests that tell one command from another
#: (`CommandPrints.of`). The cards in commands are few: a digest without a key would tell them.
PRINTS: Final = "prints"
PRINT_KEY_BYTES: Final = 32
#: In place of a card's code: `serial` is the hidden part of a carry-over, as JSON.
CARRIED: Final = "carried"


class Opening(NamedTuple):
    """What opens a commitment. Without a code it is known to be lost."""

    digest: str
    nonce: bytes
    code: str
    serial: str


class Openings:
    """The openings of sealed cards beside a day's file, for reading.

    `missing_is_damage`: a commitment without an opening is an error, as for the service, which
    wrote it; for an audit without openings it is a card that stays sealed.
    """

    def __init__(self, path: Path, *, missing_is_damage: bool) -> None:
        """Open the file at `path`. Raises `JournalError`, `JournalDamaged`."""
        self.path = path
        self._strict = missing_is_damage
        self._base = read_only(self.path, OPENINGS) if is_there(self.path) else None

    def row(self, digest: str) -> Opening | None:
        """The row for a commitment, checked. Raises `JournalDamaged`."""
        found = self._found(digest)
        if found is None:
            if self._strict:
                raise JournalDamaged(self.path, f"the opening of {digest[:12]} is gone", 0)
            return None
        opening = Opening(*found)
        try:
            fits = not opening.code or _commits(opening) == digest
        except (CardError, TypeError):
            fits = False
        if not fits:
            raise JournalDamaged(self.path, "an opening does not fit its commitment", 0)
        return opening

    def _found(self, digest: str) -> tuple[str, bytes, str, str] | None:
        query = "SELECT digest, nonce, code, serial FROM openings WHERE digest = ?"
        try:
            found: tuple[str, bytes, str, str] | None = (
                self._base.execute(query, (digest,)).fetchone() if self._base else None
            )
            if found is not None and tuple(map(type, found)) != (str, bytes, str, str):
                raise TypeError("an opening is of another type than it was written with")
        except (*UNREADABLE, TypeError) as error:
            raise JournalDamaged(self.path, str(error), 0) from error
        return found

    def print_key(self, digest: str) -> bytes | None:
        """The key of commands' digests behind a commitment, None where it is known to be lost."""
        found = self.row(digest)
        return found.nonce if found and found.code else None

    def open(self, digest: str) -> Sealed | None:
        """The sealed card behind a commitment, None where it is not to be had."""
        if not digest:
            return None
        found = self.row(digest)
        return _opened(found) if found and found.code else None

    def open_carried(self, digest: str) -> tuple[bytes, bytes] | None:
        """Nonce and bytes of the hidden part of a carry-over, None where it is not to be had."""
        found = self.row(digest)
        return (found.nonce, found.serial.encode()) if found and found.code else None

    def close(self) -> None:
        """Close the file."""
        if self._base is not None:
            self._base.close()
            self._base = None


def print_opening(key: bytes) -> Opening:
    """The row with the key of commands' digests."""
    return Opening(print_commitment(key), key, PRINTS, "")


def print_commitment(key: bytes) -> str:
    """The commitment, hexadecimal, to the key of commands' digests."""
    return hmac.digest(key, b"tablectl prints", "sha256").hex()


def _commits(opening: Opening) -> str:
    if opening.code == CARRIED:
        return hidden_commitment(opening.nonce, opening.serial.encode())
    if opening.code == PRINTS:
        return print_commitment(opening.nonce)
    return _opened(opening).digest


def _opened(opening: Opening) -> Sealed:
    return Sealed(card(opening.code), opening.serial, nonce=opening.nonce)
