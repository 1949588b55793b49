"""Displays at which people have proven themselves: a signed list of them, which the display keeps.

Wrong PINs that others enter do not lock such a person out at such a display. The list holds ids of
people, no names, and is worth nothing to others: it authorizes nothing. It is signed with a key
made of the table's token, so it outlasts a restart, and ends when the token is changed.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

from controller.table.roles import ID_CHARS, PersonId, is_person_id

#: This many people are known at one display; who proved themselves longest ago is forgotten.
PEOPLE_MAX: Final = 16
SIGNATURE_CHARS: Final = 32
LIST_CHARS_MAX: Final = SIGNATURE_CHARS + PEOPLE_MAX * (ID_CHARS + 1)


class KnownDisplays:
    """Makes and reads the lists."""

    def __init__(self, token: str) -> None:
        self._key = hmac.digest(token.encode(), b"tablectl known display", "sha256")

    def read(self, text: str) -> tuple[PersonId, ...]:
        """Who is known at the display; nobody without a good list."""
        body, _, signature = text.rpartition("~")
        if len(text) > LIST_CHARS_MAX or not hmac.compare_digest(
            signature.encode("utf-8", "replace"), self._signature(body).encode()
        ):
            return ()
        return tuple(PersonId(each) for each in body.split("~") if is_person_id(each))

    def write(self, people: tuple[PersonId, ...]) -> str:
        """The list as the display is to keep it."""
        body = "~".join(people[-PEOPLE_MAX:])
        return f"{body}~{self._signature(body)}"

    def _signature(self, body: str) -> str:
        made = hmac.new(self._key, body.encode("utf-8", "replace"), hashlib.sha256)
        return made.hexdigest()[:SIGNATURE_CHARS]
