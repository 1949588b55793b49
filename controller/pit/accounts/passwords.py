"""Passwords: which are good enough, and their hashes (Argon2id, RFC 9106).

A password has 12 to 128 characters, of any kind, and is not one that a guesser tries early:
`zxcvbn` knows common passwords, names, dates and keyboard walks, and counts guesses.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

MIN_CHARS: Final = 12
MAX_CHARS: Final = 128
#: Of 0 to 4: more than 10^8 guesses.
_GOOD_ENOUGH: Final = 3
MOST_SCORE: Final = 4
#: zxcvbn reads no more: what follows can only make a password better.
_READ_CHARS: Final = 72
#: It tries each way to read signs as letters (`(` or `[` as c): of 72 characters some take seconds.
_MOST_WAYS: Final = 32
#: Of a password that could be read in more ways.
_READ_OF_SIGNS: Final = 16
_HOUSE_WORDS: Final = ("tablectl", "casino", "table", "dealer", "blackjack", "floor", "pit boss")


class PasswordRefused(ValueError):
    """No password that may be set; the text says what to change."""


class Passwords:
    """Hashes and checks passwords. One check takes some 50 ms and 64 MiB by default."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        """`hasher`: another cost, for tests; by default RFC 9106's for 64 MiB."""
        self._hasher = hasher or PasswordHasher()

    @cached_property
    def _nobody(self) -> str:
        """What a password of nobody is held against, so that it takes as long.

        Made for the first password that is checked, whoever's it is: a command that checks none
        starts without it.
        """
        return self._hasher.hash("nobody has this password")

    def hash(self, password: str, name: str) -> str:
        """The hash of a new password of a user. Raises `PasswordRefused`."""
        check_new(password, name)
        return self._hasher.hash(password)

    def matches(self, password: str, known: str | None) -> bool:
        """Whether it is the one that was hashed; as slow for None, which nothing matches."""
        nobody = self._nobody
        if len(password) > MAX_CHARS:
            password = ""
        try:
            self._hasher.verify(known or nobody, password)
        except (VerificationError, InvalidHashError):
            return False
        return known is not None

    def renewed(self, password: str, known: str) -> str | None:
        """The hash of a right password at the cost of today; None: `known` has that already."""
        return self._hasher.hash(password) if self._hasher.check_needs_rehash(known) else None


@dataclass(frozen=True, slots=True)
class Strength:
    """How early a password would be guessed: 0 (at once) to `MOST_SCORE`, and that in words.

    `said` says what to change where it is not good enough (`PasswordRefused` does with the same).
    """

    score: int
    said: str

    @property
    def is_enough(self) -> bool:
        """Whether it may be set."""
        return self.score >= _GOOD_ENOUGH


def strength(password: str, name: str) -> Strength:
    """How good a new password of the user of that name would be."""
    if len(password) < MIN_CHARS:
        return Strength(0, f"The password has {len(password)} characters: use {MIN_CHARS}")
    if len(password) > MAX_CHARS:
        return Strength(0, f"The password is too long: use {MAX_CHARS} characters at most")
    # Loaded where a password is set, which is seldom: its lists take a while.
    from zxcvbn import zxcvbn  # noqa: PLC0415
    from zxcvbn.matching import L33T_TABLE  # noqa: PLC0415

    # The user's name and words of the house cost a guesser nothing. A letter may fold to three.
    rest = password.casefold()
    for known in (*name.casefold().split(), *_HOUSE_WORDS):
        rest = rest.replace(known, "")
    if not rest.strip():
        return Strength(0, "It is made of names that everybody knows. Use other words")
    ways = prod(max(1, sum(sign in rest for sign in signs)) for signs in L33T_TABLE.values())
    found = zxcvbn(rest[: _READ_CHARS if ways <= _MOST_WAYS else _READ_OF_SIGNS])
    score = int(found["score"])
    if score >= _GOOD_ENOUGH:
        return Strength(score, "Very good" if score >= MOST_SCORE else "Good")
    why = found["feedback"]["warning"] or "It would be guessed early"
    said = f"{why.rstrip('.')}. Use three or four words that do not go together"
    return Strength(score, said)


def check_new(password: str, name: str) -> None:
    """Refuse what may not be a user's password. Raises `PasswordRefused`."""
    found = strength(password, name)
    if not found.is_enough:
        raise PasswordRefused(found.said)
