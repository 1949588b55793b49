"""What stands on a tag of the house: an amount, and a code that only the house can make. Pure.

Four pages of a tag with 4 bytes a page (NTAG21x, MIFARE Ultralight), from page 4, the first that
is the user's: `tct1`, the amount in minor units (4 bytes, the highest first), and the first 8 bytes
of an HMAC-SHA-256 over the tag's own number and these 8. So an amount that was copied to another
tag, changed, or written half is none. A tag that copies the number too is not noticed.
"""

from __future__ import annotations

import hmac
import struct
from pathlib import Path
from typing import Final

PAGE: Final = 4
PAGES: Final = 4
PAGE_BYTES: Final = 4
SIZE: Final = PAGES * PAGE_BYTES
AMOUNT_MAX: Final = 0xFFFF_FFFF
KEY_MIN: Final = 16
_MARK: Final = b"tct1"
_BODY: Final = struct.Struct(">4sI")
#: As a tag comes from its maker: nothing, or an empty NDEF message.
_BLANK: Final = (bytes(SIZE), b"\x03\x00\xfe" + bytes(SIZE - 3))
#: NTAG21x leave the factory with a control field before the message (data sheet, "memory
#: content at delivery").
_BLANK_NTAG: Final = b"\x01\x03\xa0\x0c\x34\x03\x00\xfe" + bytes(SIZE - 8)


class KeyFileError(ValueError):
    """The file of the house's key is missing, readable by others, or too short."""


def read_key(path: Path) -> bytes:
    """The house's key. Raises `KeyFileError`."""
    try:
        key = path.read_bytes()
        shared = path.stat().st_mode & 0o077
    except OSError as error:
        raise KeyFileError(
            f"{path}: {error.strerror}: make one (head -c 32 /dev/urandom), or correct `key_file`"
        ) from error
    if shared & 0o007:
        raise KeyFileError(f"{path} can be read by everybody: chmod o= {path}")
    if len(key) < KEY_MIN:
        raise KeyFileError(f"{path} has {len(key)} bytes: a key has {KEY_MIN} at the least")
    return key


def contents(uid: bytes, amount: int, key: bytes) -> bytes:
    """What is to stand on the tag of that number."""
    body = _BODY.pack(_MARK, amount)
    return body + _code(uid, body, key)


def amount_of(uid: bytes, found: bytes, key: bytes) -> int | None:
    """The amount on a tag; None where it has none of this house's."""
    if len(found) != SIZE:
        return None
    body, code = found[: _BODY.size], found[_BODY.size :]
    mark, amount = _BODY.unpack(body)
    if mark != _MARK or not hmac.compare_digest(code, _code(uid, body, key)):
        return None
    return int(amount)


def is_blank(found: bytes) -> bool:
    """Whether nothing stands on a tag: it is as its maker sells it."""
    return found in _BLANK or found == _BLANK_NTAG


def _code(uid: bytes, body: bytes, key: bytes) -> bytes:
    return hmac.digest(key, uid + body, "sha256")[: SIZE - _BODY.size]
