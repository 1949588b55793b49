"""What opens the sealed cards of a journal: kept apart from it, readable by the service alone."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final, NamedTuple

from controller.record.database import JournalDamaged, is_there, read_only, seals_path
from controller.rules.cards import CardError, card
from controller.rules.sealed import Sealed

SEALS: Final = """
CREATE TABLE IF NOT EXISTS openings (
    digest TEXT PRIMARY KEY, nonce BLOB NOT NULL, code TEXT NOT NULL, serial TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""


class Opening(NamedTuple):
    """What opens a commitment. Without a code it is known to be lost."""

    digest: str
    nonce: bytes
    code: str
    serial: str


class Openings:
    """The openings of sealed cards beside a journal, for reading.

    `missing` says what becomes of a commitment without an opening: an error for the service, which
    wrote it; a card that stays sealed for an audit without openings.
    """

    def __init__(self, journal: Path, *, missing_is_damage: bool) -> None:
        """Open the file beside `journal`. Raises `JournalError`, `JournalDamaged`."""
        self.path = seals_path(journal)
        self._strict = missing_is_damage
        self._base = read_only(self.path) if is_there(self.path) else None

    def row(self, digest: str) -> Opening | None:
        """The row for a commitment, checked. Raises `JournalDamaged`."""
        query = "SELECT digest, nonce, code, serial FROM openings WHERE digest = ?"
        try:
            found = self._base.execute(query, (digest,)).fetchone() if self._base else None
        except sqlite3.Error as error:
            raise JournalDamaged(self.path, str(error), 0) from error
        if found is None:
            if self._strict:
                raise JournalDamaged(self.path, f"the opening of card {digest[:12]} is gone", 0)
            return None
        opening = Opening(*found)
        try:
            fits = not opening.code or _opened(opening).digest == digest
        except (CardError, TypeError):
            fits = False
        if not fits:
            raise JournalDamaged(self.path, "an opening does not fit its commitment", 0)
        return opening

    def open(self, digest: str) -> Sealed | None:
        """The sealed card behind a commitment, None where it is not to be had."""
        if not digest:
            return None
        found = self.row(digest)
        return _opened(found) if found and found.code else None

    def close(self) -> None:
        """Let go of the file."""
        if self._base is not None:
            self._base.close()
            self._base = None


def _opened(opening: Opening) -> Sealed:
    return Sealed(card(opening.code), opening.serial, nonce=opening.nonce)
