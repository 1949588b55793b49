"""Signatures of files in minisign's format, checked against public keys that are pinned.

https://jedisct1.github.io/minisign/: a signature file has an untrusted comment, the signature, a
trusted comment, and a signature over both. Only the form in which the file is hashed first (`ED`,
BLAKE2b) is taken; minisign makes no other today.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from systemd.releases.update import ed25519

_TRUSTED: Final = "trusted comment: "
_UNTRUSTED: Final = "untrusted comment: "
_KEY_KIND: Final = b"Ed"
_SIGNATURE_KIND: Final = b"ED"


class SignatureRefused(Exception):
    """It is not signed by a key that this table knows; the text says what is the matter."""


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A public key: the 8 bytes by which signatures name it, and the key itself (32 bytes)."""

    id: bytes
    key: bytes

    @property
    def text(self) -> str:
        """As minisign prints it."""
        return base64.b64encode(_KEY_KIND + self.id + self.key).decode()


def public_keys(text: str) -> tuple[PublicKey, ...]:
    """The keys in a file of pinned keys: one a line, comments left out. Raises `ValueError`."""
    lines = (line.strip() for line in text.splitlines())
    return tuple(
        _public_key(line) for line in lines if line and not line.startswith(("#", _UNTRUSTED))
    )


def _public_key(line: str) -> PublicKey:
    data = _decoded(line)
    if len(data) != 42 or data[:2] != _KEY_KIND:
        raise ValueError(f"{line} is no public key of minisign")
    return PublicKey(data[2:10], data[10:])


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError(f"this is not base64: {error}") from None


def check(data: bytes, signature: str, keys: Iterable[PublicKey]) -> str:
    """The trusted comment of the signature of `data`. Raises `SignatureRefused`."""
    lines = signature.splitlines()
    if len(lines) != 4 or not lines[2].startswith(_TRUSTED):
        raise SignatureRefused("its signature is not in minisign's form")
    try:
        signed, over_all = _decoded(lines[1]), _decoded(lines[3])
    except ValueError as error:
        raise SignatureRefused(f"its signature is not in minisign's form: {error}") from None
    if len(signed) != 74 or signed[:2] != _SIGNATURE_KIND:
        raise SignatureRefused("its signature is not in minisign's form")
    key = next((each for each in keys if each.id == signed[2:10]), None)
    if key is None:
        raise SignatureRefused("it is signed with a key that this table does not know")
    comment = lines[2].removeprefix(_TRUSTED)
    digest = hashlib.blake2b(data).digest()
    if not ed25519.verify(key.key, digest, signed[10:]):
        raise SignatureRefused("its signature is of something else")
    if not ed25519.verify(key.key, signed[10:] + comment.encode(), over_all):
        raise SignatureRefused("the comment of its signature was changed")
    return comment
