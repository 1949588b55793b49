"""Ed25519 signatures, checked with the standard library alone (RFC 8032, section 5.1.7).

A check takes some 10 ms, of public data only: nothing here needs to run in constant time. Signing
is in no table, and not here.
"""

from __future__ import annotations

import hashlib
from typing import Final

_P: Final = 2**255 - 19
_L: Final = 2**252 + 27742317777372353535851937790883648493
_D: Final = -121665 * pow(121666, _P - 2, _P) % _P
_ROOT_OF_MINUS_1: Final = pow(2, (_P - 1) // 4, _P)

_Point = tuple[int, int, int, int]
"""Extended homogeneous coordinates: x = X/Z, y = Y/Z, x*y = T/Z."""


def verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether `signature` (64 bytes) is that of `message` by the key `public` (32 bytes)."""
    if len(public) != 32 or len(signature) != 64:
        return False
    key, r = _point(public), _point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if key is None or r is None or s >= _L or _is_neutral(_times(8, key)):
        return False
    digest = hashlib.sha512(signature[:32] + public + message).digest()
    h = int.from_bytes(digest, "little") % _L
    return _equal(_times(s, _BASE), _add(r, _times(h, key)))


def _x_of(y: int, sign: int) -> int | None:
    """The x of a point with this y; None where there is none."""
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, _P - 2, _P) % _P
    if square == 0:
        return None if sign else 0
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * _ROOT_OF_MINUS_1 % _P
    if (x * x - square) % _P:
        return None
    return _P - x if x & 1 != sign else x


def _point(data: bytes) -> _Point | None:
    """The point that 32 bytes stand for; None where they stand for none."""
    number = int.from_bytes(data, "little")
    y = number & ((1 << 255) - 1)
    x = _x_of(y, number >> 255)
    return None if x is None else (x, y, 1, x * y % _P)


def _add(a: _Point, b: _Point) -> _Point:
    left = (a[1] - a[0]) * (b[1] - b[0]) % _P
    right = (a[1] + a[0]) * (b[1] + b[0]) % _P
    t = 2 * a[3] * b[3] * _D % _P
    z = 2 * a[2] * b[2] % _P
    e, f, g, h = right - left, z - t, z + t, right + left
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _times(number: int, point: _Point) -> _Point:
    total: _Point = (0, 1, 1, 0)
    while number > 0:
        if number & 1:
            total = _add(total, point)
        point = _add(point, point)
        number >>= 1
    return total


def _equal(a: _Point, b: _Point) -> bool:
    return (a[0] * b[2] - b[0] * a[2]) % _P == 0 and (a[1] * b[2] - b[1] * a[2]) % _P == 0


def _is_neutral(a: _Point) -> bool:
    return a[0] % _P == 0 and (a[1] - a[2]) % _P == 0


_BASE_Y: Final = 4 * pow(5, _P - 2, _P) % _P
_BASE_X: Final = _x_of(_BASE_Y, 0) or 0
_BASE: Final = (_BASE_X, _BASE_Y, 1, _BASE_X * _BASE_Y % _P)
