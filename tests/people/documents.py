"""A pit's key, a table's, two people, and documents of them."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from controller.people.document import PeopleDocument, PersonLine
from controller.people.pin_hash import hashed_pin
from controller.people.sealing import sealed_document, table_public

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEYS = (KEY.public_key().public_bytes_raw().hex(),)
OWN = X25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
AINO_PIN, EINO_PIN = "471108", "badge-0815"
AINO = PersonLine("00000a01", "Aino", "dealer", hashed_pin(AINO_PIN))
EINO = PersonLine("00000e02", "Eino", "floor", hashed_pin(EINO_PIN))
#: Longer than any test lasts.
FOR_EVER_MS = 2**50


def document(
    serial: int = 1, *, table: str = "T1", issued_ms: int = 0, good_until_ms: int = FOR_EVER_MS,
    follows: tuple[str, ...] = (), people: tuple[PersonLine, ...] = (AINO, EINO),
    key: Ed25519PrivateKey = KEY, own: X25519PrivateKey = OWN,
) -> tuple[bytes, PeopleDocument]:  # fmt: skip
    """A document as it crosses, and what it says."""
    head = (table, serial, issued_ms, good_until_ms)
    return sealed_document(key, table_public(own), head, follows, people)
