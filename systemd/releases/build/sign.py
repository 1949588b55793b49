"""Keys that sign releases, and signatures, in minisign's format: `minisign -V` checks them too.

The secret key is a file without a password (`minisign -G -W` makes the same): it belongs on the
machine that builds releases, its spare in a safe.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from systemd.releases.update.minisign import PublicKey

_NO_PASSWORD: Final = b"Ed\0\0B2" + bytes(48)
_NO_CHECKSUM: Final = bytes(32)
_COMMENT: Final = "untrusted comment: "


class KeyRefused(Exception):
    """This is no secret key that signs without a password; the text says what to do."""


@dataclass(frozen=True, slots=True, repr=False)
class SecretKey:
    """A secret key: the 8 bytes by which signatures name it, and its seed (32 bytes)."""

    id: bytes
    seed: bytes

    @property
    def public(self) -> PublicKey:
        """What tables pin."""
        return PublicKey(self.id, self._private.public_key().public_bytes_raw())

    @property
    def _private(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.seed)

    def sign(self, data: bytes, comment: str) -> str:
        """The signature of `data` as minisign writes it, with a comment that is signed too."""
        signed = self._private.sign(hashlib.blake2b(data).digest())
        over_all = self._private.sign(signed + comment.encode())
        return (
            f"{_COMMENT}signature of a release of tablectl\n{_text(b'ED' + self.id + signed)}\n"
            f"trusted comment: {comment}\n{_text(over_all)}\n"
        )

    @property
    def file_text(self) -> str:
        """The key as minisign keeps it in a file without a password."""
        secret = _text(_NO_PASSWORD + self.id + self.seed + self.public.key + _NO_CHECKSUM)
        return f"{_COMMENT}secret key that signs releases of tablectl\n{secret}\n"


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def new_key() -> SecretKey:
    """A new key."""
    return SecretKey(secrets.token_bytes(8), secrets.token_bytes(32))


def read_key(path: Path) -> SecretKey:
    """The secret key in a file. Raises `KeyRefused`, `OSError`."""
    try:
        data = base64.b64decode(path.read_text().splitlines()[1], validate=True)
    except (ValueError, IndexError):
        raise KeyRefused(f"{path} is no secret key of minisign") from None
    if len(data) != 158 or data[:2] != b"Ed":
        raise KeyRefused(f"{path} is no secret key of minisign")
    if data[2:4] != _NO_PASSWORD[2:4]:
        raise KeyRefused(f"{path} has a password: make one without, with minisign -G -W")
    return SecretKey(data[54:62], data[62:94])
