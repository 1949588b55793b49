"""What a pit tells a table of its people: the document, and what a table holds against it. Pure.

A document is for one table and says who may act there, in which role, by which PIN: nobody else,
and nothing of their other tables. It crosses as JSON in one form alone: read and written again it
is the same bytes, or it is refused.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from hashlib import sha256
from typing import Annotated, Final, TypeVar

import msgspec

from controller.people.pin_hash import is_pin_hash
from controller.rules.frozen import frozen
from controller.table.roles import Role, is_person_id

#: No house has more people at one table, and a document is no longer.
MOST_PEOPLE: Final = 2_000
MOST_BYTES: Final = 800_000
#: A document names so many of those that it may follow; an older pit's are forgotten.
MOST_FOLLOWED: Final = 200
#: Clocks of pit and table may differ by so much.
TOLERANCE_MS: Final = 5 * 60_000
#: Longer a document is not good, whatever it says: somebody meant seconds.
MOST_GOOD_MS: Final = 400 * 86_400_000

Digest = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
_Ms = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Serial = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
MOST_NAME: Final = 40
_Name = Annotated[str, msgspec.Meta(min_length=1, max_length=MOST_NAME)]


class PersonLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who may act at the table: `role` as `table.roles.Role` names it, `pin` the hash."""

    id: str
    name: _Name
    role: str
    pin: str


class PeopleHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What anybody on the way may read: for which table, which one, from when until when.

    `follows` are the digests of the documents that may be in force before it; `to` is the table's
    key to which it is sealed, `one_time` the other half of the key that it is sealed with (hex).
    Wall times in ms, by the pit's clock.
    """

    table: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    serial: Serial
    issued_ms: _Ms
    good_until_ms: _Ms
    follows: Annotated[tuple[Digest, ...], msgspec.Meta(max_length=MOST_FOLLOWED)]
    to: Digest
    one_time: Digest


class SealedPeople(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The document as it crosses: its head (JSON), its people sealed, the pit's signature (hex)."""

    head: Annotated[str, msgspec.Meta(max_length=100_000)]
    sealed: Annotated[str, msgspec.Meta(max_length=MOST_BYTES)]
    signature: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{128}$")]


class WhyRefused(Enum):
    """Why a document is not taken; the value is the name of the message."""

    NO_DOCUMENT = "people-no-document"
    OTHER_TABLE = "people-of-another-table"
    NOT_SIGNED = "people-not-signed"
    OTHER_KEY = "people-sealed-to-another-key"
    OLDER = "people-older"
    OTHER_HISTORY = "people-of-another-history"
    NOT_YET = "people-not-good-yet"
    NO_LONGER = "people-no-longer-good"
    NOT_KEPT = "people-cannot-be-kept"


class PeopleRefused(ValueError):
    """A document that is not taken; what is in force stays. `serial`: which one, 0: unreadable."""

    def __init__(self, why: WhyRefused, serial: int = 0) -> None:
        super().__init__(why.value)
        self.why = why
        self.serial = serial


@frozen
class PeopleMark:
    """Which document: its serial and its digest (hex)."""

    serial: int
    digest: str


@frozen
class PeopleDocument:
    """A document that holds: who may act, and which one it is.

    `roster` is the digest of ids and roles alone: who has them can tell who could act. `by` is the
    pit's key (hex) that its signature was held against, empty where it was not.
    """

    head: PeopleHead
    people: tuple[PersonLine, ...]
    digest: str
    by: str = field(default="", compare=False)

    @property
    def mark(self) -> PeopleMark:
        """Which one it is."""
        return PeopleMark(self.head.serial, self.digest)

    @property
    def has_floor(self) -> bool:
        """Whether anybody in it may release what takes the floor."""
        return any(each.role == Role.FLOOR.value for each in self.people)

    @property
    def roster(self) -> str:
        """The digest of who may act, without names and PINs."""
        return roster_digest(self.head.table, self.people)


_T = TypeVar("_T")
_LINES: Final = tuple[PersonLine, ...]
_ROSTER: Final = b"tablectl roster 1\0"
_DIGEST: Final = b"tablectl people digest 1\0"


def roster_of(people: tuple[PersonLine, ...]) -> list[list[str]]:
    """Ids and roles, in their order."""
    return [[each.id, each.role] for each in people]


def roster_digest(table: str, people: tuple[PersonLine, ...]) -> str:
    """The digest (hex) of who may act at a table, and as what."""
    return sha256(_ROSTER + msgspec.json.encode([table, roster_of(people)])).hexdigest()


def document_digest(head: bytes, sealed: bytes) -> str:
    """The digest (hex) of a document as it was signed."""
    return sha256(_DIGEST + len(head).to_bytes(4, "big") + head + sealed).hexdigest()


def in_one_form(body: bytes, kind: type[_T]) -> _T:
    """What JSON says. Raises `PeopleRefused` for any other bytes than it is written with again."""
    try:
        found = msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise PeopleRefused(WhyRefused.NO_DOCUMENT) from error
    if msgspec.json.encode(found) != body:
        raise PeopleRefused(WhyRefused.NO_DOCUMENT)
    return found


def people_bytes(people: tuple[PersonLine, ...]) -> bytes:
    """People as they are sealed, in the order of their ids."""
    return msgspec.json.encode(tuple(sorted(people, key=lambda each: each.id)))


def read_people(body: bytes) -> tuple[PersonLine, ...]:
    """People as they were sealed. Raises `PeopleRefused` for what a table could not act by."""
    people = in_one_form(body, _LINES)
    ids = [each.id for each in people]
    names = {each.name for each in people}
    roles = {each.value for each in Role}
    if (
        len(people) > MOST_PEOPLE
        or ids != sorted(set(ids))
        or len(names) < len(people)
        or not all(map(is_person_id, ids))
        or any(each.role not in roles or not is_pin_hash(each.pin) for each in people)
    ):
        raise PeopleRefused(WhyRefused.NO_DOCUMENT)
    return people


def check_next(
    document: PeopleDocument, in_force: PeopleMark | None, now_ms: int, *, at_start: bool = False
) -> None:
    """Raises `PeopleRefused` where a document may not come after the one that is `in_force`.

    `at_start`: it is what a table took before and finds on its disk. Then it is asked for nothing
    but to be as new as the record says: the clock of a machine that comes up may be any, and a
    record that was put back to a backup knows less than the disk.
    """
    head = document.head

    def refuse(why: WhyRefused) -> None:
        raise PeopleRefused(why, head.serial)

    if in_force is not None and document.mark != in_force:
        if head.serial < in_force.serial:
            refuse(WhyRefused.OLDER)
        follows = at_start or in_force.digest in head.follows
        if head.serial == in_force.serial or not follows:
            # Made by a pit that does not know what is in force here: it was put back to a backup,
            # and may have let people in again who are out.
            refuse(WhyRefused.OTHER_HISTORY)
    # What is in force already stays so, whatever the clock says.
    if not at_start and document.mark != in_force:
        if head.issued_ms > now_ms + TOLERANCE_MS:
            refuse(WhyRefused.NOT_YET)
        if head.good_until_ms <= now_ms:
            refuse(WhyRefused.NO_LONGER)
