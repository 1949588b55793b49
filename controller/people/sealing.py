"""Signs a document of people by the pit's key, and seals it to one table's. Pure but for the key.

Ed25519 over head and sealed people; these are encrypted with AES-256-GCM under a key that X25519
makes of the table's key and one that is used once (as RFC 9180 does it), the head bound to them.
The signature is checked first: what nobody signed whom the table knows is not opened.
"""

from __future__ import annotations

import base64
import binascii
from typing import Final

import msgspec
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from controller.people.document import (
    MOST_BYTES,
    MOST_FOLLOWED,
    PeopleDocument,
    PeopleHead,
    PeopleRefused,
    PersonLine,
    SealedPeople,
    WhyRefused,
    document_digest,
    in_one_form,
    people_bytes,
    read_people,
)

#: What is signed begins with it: no signature of that key under a command is one of people.
_SIGNED: Final = b"tablectl people 1\0"
_SEALED: Final = b"tablectl people sealed 1\0"
_KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12


def table_public(key: X25519PrivateKey) -> str:
    """The half of a table's key that its pit is given (hex)."""
    return key.public_key().public_bytes_raw().hex()


def sealed_document(
    key: Ed25519PrivateKey, to: str, head: tuple[str, int, int, int],
    follows: tuple[str, ...], people: tuple[PersonLine, ...],
) -> tuple[bytes, PeopleDocument]:  # fmt: skip
    """A document as it crosses, and what it says.

    `head` is the table, the serial, from when and until when (wall ms). Raises `ValueError` for a
    key that no table can have.
    """
    once = X25519PrivateKey.generate()
    shown = PeopleHead(*head, follows[-MOST_FOLLOWED:], to, table_public(once))
    shared = once.exchange(X25519PublicKey.from_public_bytes(bytes.fromhex(to)))
    text = msgspec.json.encode(shown)
    cipher, nonce = _cipher(shared, shown)
    ordered = tuple(sorted(people, key=lambda each: each.id))
    sealed = cipher.encrypt(nonce, people_bytes(ordered), text)
    signature = key.sign(_SIGNED + _covered(text, sealed)).hex()
    body = SealedPeople(text.decode(), base64.b64encode(sealed).decode(), signature)
    digest = document_digest(text, sealed)
    return msgspec.json.encode(body), PeopleDocument(shown, ordered, digest)


def head_of(body: bytes) -> PeopleHead:
    """What a document says of itself, whoever made it. Raises `PeopleRefused`."""
    return _parts(body)[0]


def opened_document(
    body: bytes, table: str, keys: tuple[str, ...], own: X25519PrivateKey
) -> PeopleDocument:
    """What a document for `table` says that one of `keys` (hex) signed. Raises `PeopleRefused`."""
    head, text, sealed, signature = _parts(body)
    if head.table != table:
        raise PeopleRefused(WhyRefused.OTHER_TABLE, head.serial)
    covered = _SIGNED + _covered(text, sealed)
    by = next((each for each in keys if _is_by(each, signature, covered)), "")
    if not by:
        raise PeopleRefused(WhyRefused.NOT_SIGNED, head.serial)
    if head.to != table_public(own):
        raise PeopleRefused(WhyRefused.OTHER_KEY, head.serial)
    try:
        shared = own.exchange(X25519PublicKey.from_public_bytes(bytes.fromhex(head.one_time)))
        cipher, nonce = _cipher(shared, head)
        plain = cipher.decrypt(nonce, sealed, text)
    except (InvalidTag, ValueError) as error:
        raise PeopleRefused(WhyRefused.OTHER_KEY, head.serial) from error
    return PeopleDocument(head, read_people(plain), document_digest(text, sealed), by)


def _parts(body: bytes) -> tuple[PeopleHead, bytes, bytes, bytes]:
    """Head, its text, what is sealed, the signature. Raises `PeopleRefused`."""
    if len(body) > MOST_BYTES:
        raise PeopleRefused(WhyRefused.NO_DOCUMENT)
    sent = in_one_form(body, SealedPeople)
    text = sent.head.encode("utf-8", "surrogatepass")
    head = in_one_form(text, PeopleHead)
    try:
        sealed = base64.b64decode(sent.sealed, validate=True)
    except (binascii.Error, ValueError) as error:
        raise PeopleRefused(WhyRefused.NO_DOCUMENT) from error
    if base64.b64encode(sealed).decode() != sent.sealed:
        raise PeopleRefused(WhyRefused.NO_DOCUMENT)
    return head, text, sealed, bytes.fromhex(sent.signature)


def _covered(text: bytes, sealed: bytes) -> bytes:
    """Head and people as they are signed: where one ends is said before them."""
    return len(text).to_bytes(4, "big") + text + sealed


def _cipher(shared: bytes, head: PeopleHead) -> tuple[AESGCM, bytes]:
    """The key and its one nonce: the key is never used again."""
    halves = bytes.fromhex(head.one_time) + bytes.fromhex(head.to)
    made = HKDF(SHA256(), _KEY_BYTES + _NONCE_BYTES, salt=halves, info=_SEALED).derive(shared)
    return AESGCM(made[:_KEY_BYTES]), made[_KEY_BYTES:]


def _is_by(key: str, signature: bytes, covered: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(signature, covered)
    except (InvalidSignature, ValueError):
        return False
    return True
