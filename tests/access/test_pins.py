"""What a PIN costs who guesses it: the file of people is worth little to a thief."""

from __future__ import annotations

import base64
import hashlib

import pytest

from controller.access import pins

#: As it is delivered: read before the other tests of this folder make it cheap.
DELIVERED_N = pins._N


def test_a_pin_is_hashed_as_dearly_as_was_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scrypt of RFC 7914: 16 MB, some 50 ms."""
    monkeypatch.setattr(pins, "_N", DELIVERED_N)
    salt = bytes(range(16))
    known = hashlib.scrypt(b"4711", salt=salt, n=2**14, r=8, p=1, maxmem=2**26)
    assert pins.hashed("4711", salt).partition("$")[2] == base64.b64encode(known).decode()
