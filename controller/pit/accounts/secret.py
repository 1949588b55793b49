"""The pit's own secrets: 256 random bits each, kept as their hash alone.

A hash without salt or cost is enough for what nobody can guess.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

_BYTES: Final = 32
#: What is longer is none of ours: it is not hashed.
_MOST_CHARS: Final = 64


def new_secret() -> tuple[str, bytes]:
    """A secret for its bearer, and what the database has of it."""
    secret = secrets.token_urlsafe(_BYTES)
    return secret, hash_of(secret)


def hash_of(secret: str) -> bytes:
    """What the database has of a secret."""
    return hashlib.sha256(secret[:_MOST_CHARS].encode("utf-8", "replace")).digest()
