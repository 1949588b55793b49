"""What is to be done about the directory of one table: pure, from what is wanted, made and known.

What was made here is not enough to go by: a pit that was put back to a backup knows less than its
tables. What a table has on its record and this pit never made is a finding, and until somebody has
looked at who may act there, nothing is sent.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from typing import Final

from controller.people.document import MOST_FOLLOWED, PersonLine, people_bytes
from controller.table.roles import Role

#: What is not in force yet is sent again this often.
AGAIN_MS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Issued:
    """A directory that was made for a table, or accepted as the one that the next follows."""

    serial: int
    digest: str
    content: str
    issued_ms: int
    good_until_ms: int
    in_force_ms: int | None = None
    accepted_by: str = ""


@dataclass(frozen=True, slots=True)
class InForce:
    """What a table has on its record: which directory is in force there, since its record `seq`.

    `at_ms` is the table's wall time.
    """

    serial: int
    digest: str
    roster: str
    seq: int
    at_ms: int


class DirectoryStanding(Enum):
    """How it is with a table's directory; the value is what people read."""

    IN_FORCE = "in force"
    SENT = "sent, not in force yet"
    NOBODY = "nobody of the floor has a PIN there yet: nothing is sent"
    OF_ANOTHER_PIT = "this pit did not make what is in force there"
    NO_KEY = "this pit has no key to sign it with"
    PINS = "PINs cannot be opened: sign_in.key is another one"


@dataclass(frozen=True, slots=True)
class Make:
    """Make and send the next one: its serial, and which ones it may follow."""

    serial: int
    follows: tuple[str, ...]


def content_of(people: tuple[PersonLine, ...], key: str) -> str:
    """The digest of all that a directory says, and to which key: another one, and it is made anew.

    Hashes of PINs have salts, so that it gives nothing away.
    """
    return sha256(bytes.fromhex(key) + people_bytes(people)).hexdigest()


def has_floor(people: tuple[PersonLine, ...]) -> bool:
    """Whether anybody there is of the floor."""
    return any(each.role == Role.FLOOR.value for each in people)


def next_step(
    people: tuple[PersonLine, ...], content: str, issued: tuple[Issued, ...],
    in_force: InForce | None, now_ms: int, good_ms: int,
) -> Make | DirectoryStanding:  # fmt: skip
    """What is to be made, or how it stands. `issued` are those of the table, the newest last."""
    if in_force is not None and not _is_ours(in_force, issued):
        return DirectoryStanding.OF_ANOTHER_PIT
    newest = issued[-1] if issued else None
    if newest is None and not has_floor(people):
        # A table that had never any is not given one by which nobody could settle a hold. Whoever
        # is taken out later is out, the last of the floor too: the table and the page say so.
        return DirectoryStanding.NOBODY
    is_new = (
        newest is None
        or newest.content != content
        or newest.good_until_ms - now_ms < good_ms / 2
        or newest.issued_ms > now_ms + good_ms  # made by a clock that was far ahead
    )
    if is_new:
        last = newest.serial if newest else 0
        return Make(max(last, in_force.serial if in_force else 0) + 1, _follows(issued, in_force))
    assert newest is not None
    known = in_force is not None and (in_force.serial, in_force.digest) == (
        newest.serial, newest.digest,
    )  # fmt: skip
    return DirectoryStanding.IN_FORCE if known else DirectoryStanding.SENT


def _is_ours(in_force: InForce, issued: tuple[Issued, ...]) -> bool:
    return any((each.serial, each.digest) == (in_force.serial, in_force.digest) for each in issued)


def _follows(issued: tuple[Issued, ...], in_force: InForce | None) -> tuple[str, ...]:
    """Those that may be in force when it comes: what the record says, and what was made since."""
    since = in_force.serial if in_force else 0
    return tuple(each.digest for each in issued if each.serial >= since)[-MOST_FOLLOWED:]
