"""PINs of people whom a pit knows: Argon2id with a salt of its own, as PHC text.

19 MiB and two passes (OWASP's least), some 30 ms on a PC: a table judges one at a time. What keeps
a PIN of six digits from being guessed is that the hash is shown to nobody: it crosses sealed, and
lies encrypted under a key that is in no copy of what it lies in. The library is loaded where such
a hash is made or judged: a table whose people are its own has none.
"""

from __future__ import annotations

import re
import secrets
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

#: A PIN that tables of a pit take is tried at each of them: it has more digits than a table's own.
LEAST_CHARS: Final = 6
MOST_CHARS: Final = 64
_SALT_BYTES: Final = 16
_HASH_BYTES: Final = 32
_MEMORY_KIB: Final = 19 * 1024
_PASSES: Final = 2
#: What a document may ask of a table: no more memory or passes than these.
_MOST_MEMORY_KIB: Final = 64 * 1024
_MOST_PASSES: Final = 8
#: How such a hash begins; those of a table's own people begin otherwise.
ARGON2ID: Final = "$argon2id$"
_FORM: Final = re.compile(
    r"\$argon2id\$v=19\$m=([1-9][0-9]{0,6}),t=([1-9][0-9]?),p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}"
)
_UP: Final = "0123456789"


class PinRefused(ValueError):
    """No PIN that a pit takes; the text says what one is."""


def hashed_pin(pin: str) -> str:
    """What is kept of a PIN. Raises `PinRefused` for one that is too short, or the first guess."""
    if not LEAST_CHARS <= len(pin) <= MOST_CHARS or not pin.isprintable():
        raise PinRefused(f"A PIN has {LEAST_CHARS} to {MOST_CHARS} characters")
    if len(set(pin)) < 3 or pin in _UP or pin in _UP[::-1]:
        raise PinRefused("That is what is tried first: choose another PIN")
    salt = secrets.token_bytes(_SALT_BYTES)
    return _argon2(salt).derive_phc_encoded(pin.encode())


def pin_matches(pin: str, known: str) -> bool:
    """Whether a PIN is the one that was hashed. False also for what is no hash."""
    if len(pin) > MOST_CHARS or not is_pin_hash(known):
        return False
    from cryptography.exceptions import InvalidKey
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

    try:
        Argon2id.verify_phc_encoded(pin.encode("utf-8", "replace"), known)
    except InvalidKey:
        return False
    return True


def is_pin_hash(text: str) -> bool:
    """Whether it is a hash that a table judges, at a cost that it can bear."""
    found = _FORM.fullmatch(text)
    return (
        found is not None
        and 8 <= int(found[1]) <= _MOST_MEMORY_KIB
        and int(found[2]) <= _MOST_PASSES
    )


def _argon2(salt: bytes) -> Argon2id:
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

    return Argon2id(
        salt=salt, length=_HASH_BYTES, iterations=_PASSES, lanes=1, memory_cost=_MEMORY_KIB
    )


#: What a PIN for an unknown name is held against, so that it takes as long. Its digest is that of
#: no PIN: zero bits.
NOBODY: Final = f"{ARGON2ID}v=19$m={_MEMORY_KIB},t={_PASSES},p=1${'A' * 22}${'A' * 43}"
