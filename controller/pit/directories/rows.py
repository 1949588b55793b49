"""Who may act at which table, and what was made of it, in the database. Blocks."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Subquery, and_, delete, func, insert, or_, select, update

from controller.people.document import PeopleDocument, PersonLine, roster_of
from controller.pit.accounts.factors.one_time import AppSecrets, OtherKey
from controller.pit.accounts.roles import PitRole, kept_roles
from controller.pit.accounts.schema import TABLE_IDS, TABLE_PEOPLE, USERS
from controller.pit.archive.findings.findings import FindingKind
from controller.pit.archive.storage.schema import DIRECTORIES, FINDINGS, TABLES
from controller.pit.directories.schema import ISSUED, TABLE_GRANTS
from controller.pit.directories.steps import InForce, Issued
from controller.table.roles import Role

#: All tables that take their people from this pit.
EVERYWHERE: Final = "*"
_ID_BYTES: Final = 4


@dataclass(frozen=True, slots=True)
class TablePerson:
    """A user as tables know them: by `person`, at `tables` (`*`: all), as `role` (None: nothing).

    `pin` is encrypted; None: none was set. `ids` are tables that had them on record by another id
    before: it is theirs there still.
    """

    user: int
    name: str
    person: str
    role: Role | None
    tables: frozenset[str]
    pin: bytes | None
    ids: tuple[tuple[str, str], ...] = ()

    def id_at(self, table: str) -> str:
        """Who they are on the records of that table."""
        return next((person for name, person in self.ids if name == table), self.person)

    def may_act(self, table: str) -> bool:
        """Whether they are in the directory of that table."""
        is_granted = table in self.tables or EVERYWHERE in self.tables
        return is_granted and self.role is not None and self.pin is not None


def role_at_tables(roles: frozenset[PitRole]) -> Role | None:
    """What somebody with these roles of the pit is at a table; None: nothing."""
    if roles & {PitRole.FLOOR, PitRole.PIT_BOSS}:
        return Role.FLOOR
    return Role.DEALER if PitRole.DEALER in roles else None


def table_people(connection: Connection) -> list[TablePerson]:
    """Everybody who has a PIN for tables or may act at one, and is not closed; by name."""
    grants: dict[int, set[str]] = {}
    for user, name in connection.execute(select(TABLE_GRANTS.c.user_id, TABLE_GRANTS.c.name)):
        grants.setdefault(user, set()).add(name)
    ids: dict[int, list[tuple[str, str]]] = {}
    before = select(TABLE_IDS.c.user_id, TABLE_IDS.c.name, TABLE_IDS.c.person)
    for user, name, person in connection.execute(before.where(TABLE_IDS.c.user_id.is_not(None))):
        ids.setdefault(user, []).append((name, person))
    query = (
        select(USERS.c.id, USERS.c.name, USERS.c.roles, TABLE_PEOPLE.c.person, TABLE_PEOPLE.c.pin)
        .join(TABLE_PEOPLE, TABLE_PEOPLE.c.user_id == USERS.c.id)
        .where(USERS.c.closed_ms.is_(None))
        .order_by(USERS.c.login)
    )
    return [
        TablePerson(
            row.id,
            row.name,
            row.person,
            role_at_tables(kept_roles(row.roles)),
            frozenset(grants.get(row.id, ())),
            row.pin,
            tuple(sorted(ids.get(row.id, ()))),
        )
        for row in connection.execute(query)
    ]


def people_at(table: str, people: list[TablePerson], key: AppSecrets) -> tuple[PersonLine, ...]:
    """The directory of a table. Raises `OtherKey` where a PIN was kept under another key."""
    found = []
    for each in people:
        if each.may_act(table) and each.pin is not None and each.role is not None:
            try:
                pin = key.opened(each.pin, each.user).decode("ascii")
            except UnicodeDecodeError as error:
                raise OtherKey from error
            found.append(PersonLine(each.id_at(table), each.name, each.role.value, pin))
    return tuple(sorted(found, key=lambda each: each.id))


def set_pin(connection: Connection, user: int, pin: bytes | None, now_ms: int) -> None:
    """Keep the encrypted hash of a PIN; None: there is none any more."""
    _make_person(connection, user)
    changed = update(TABLE_PEOPLE).where(TABLE_PEOPLE.c.user_id == user)
    connection.execute(changed.values(pin=pin, pin_ms=now_ms))


def set_tables(connection: Connection, user: int, tables: frozenset[str]) -> None:
    """Let a user act at these tables, and at no other."""
    _make_person(connection, user)
    connection.execute(delete(TABLE_GRANTS).where(TABLE_GRANTS.c.user_id == user))
    for name in sorted(tables):
        connection.execute(insert(TABLE_GRANTS).values(user_id=user, name=name))


def person_of(connection: Connection, user: int) -> str:
    """Who a user is on the records of tables; empty: nobody there yet."""
    query = select(TABLE_PEOPLE.c.person).where(TABLE_PEOPLE.c.user_id == user)
    return str(connection.execute(query).scalar() or "")


def name_person(connection: Connection, user: int, person: str) -> None:
    """Have records know a user by that id, unless they know them by one already."""
    if not person_of(connection, user):
        connection.execute(insert(TABLE_PEOPLE).values(user_id=user, person=person))


def add_table(connection: Connection, user: int, table: str) -> None:
    """Let a user act at one more table."""
    query = select(TABLE_GRANTS.c.name).where(TABLE_GRANTS.c.user_id == user)
    if {EVERYWHERE, table}.isdisjoint(connection.scalars(query)):
        connection.execute(insert(TABLE_GRANTS).values(user_id=user, name=table))


def has_pin(connection: Connection, user: int) -> bool:
    """Whether a user has a PIN for tables."""
    query = select(TABLE_PEOPLE.c.pin).where(TABLE_PEOPLE.c.user_id == user)
    return connection.execute(query).scalar() is not None


def _make_person(connection: Connection, user: int) -> None:
    if person_of(connection, user):
        return
    person = secrets.token_hex(_ID_BYTES)
    while _is_taken(connection, person):
        person = secrets.token_hex(_ID_BYTES)
    connection.execute(insert(TABLE_PEOPLE).values(user_id=user, person=person))


def _is_taken(connection: Connection, person: str) -> bool:
    """Whether an id is somebody's, or was."""
    found = (
        select(TABLE_PEOPLE.c.person).where(TABLE_PEOPLE.c.person == person)
        .union(select(TABLE_IDS.c.person).where(TABLE_IDS.c.person == person))
    )  # fmt: skip
    return connection.execute(found).first() is not None


def _newest_in_force() -> Subquery:
    """By table: the newest record that says which directory is in force."""
    made = DIRECTORIES.c
    newest = select(made.table_id, func.max(made.seq).label("seq")).group_by(made.table_id)
    found = newest.subquery()
    return (
        select(TABLES.c.name, made.serial, made.digest, made.roster, made.seq, made.at_ms)
        .join(found, and_(made.table_id == found.c.table_id, made.seq == found.c.seq))
        .join(TABLES, TABLES.c.id == made.table_id)
        .subquery()
    )


def all_in_force(connection: Connection) -> dict[str, InForce]:
    """What tables have on record, as far as it is archived."""
    rows = connection.execute(select(_newest_in_force()))
    return {row[0]: InForce(*row[1:]) for row in rows}


def all_issued(connection: Connection) -> dict[str, tuple[Issued, ...]]:
    """What was made for every table since what is in force there, that included; the newest last.

    Older ones are for auditors (`rosters`): they are years of them, and this is asked twice a
    second.
    """
    columns, there = ISSUED.c, _newest_in_force()
    query = (
        select(
            columns.name, columns.serial, columns.digest, columns.content, columns.issued_ms,
            columns.good_until_ms, columns.in_force_ms, columns.accepted_by,
        )
        .outerjoin(there, there.c.name == columns.name)
        .where(or_(there.c.serial.is_(None), columns.serial >= there.c.serial))
        .order_by(columns.name, columns.serial, columns.issued_ms)
    )  # fmt: skip
    found: dict[str, list[Issued]] = {}
    for row in connection.execute(query):
        found.setdefault(row[0], []).append(Issued(*row[1:]))
    return {name: tuple(each) for name, each in found.items()}


def add_issued(
    connection: Connection, name: str, document: PeopleDocument, content: str, body: bytes
) -> None:
    """Keep what was made; the document of the one before it goes."""
    older = update(ISSUED).where(ISSUED.c.name == name)
    connection.execute(older.values(document=None))
    head = document.head
    connection.execute(
        insert(ISSUED).values(
            name=name, serial=head.serial, digest=document.digest, content=content,
            people=json.dumps(roster_of(document.people)), issued_ms=head.issued_ms,
            good_until_ms=head.good_until_ms, document=body, accepted_by="",
        )
    )  # fmt: skip


def accept(connection: Connection, name: str, found: InForce, who: str, now_ms: int) -> None:
    """Somebody has said that the next directory of a table follows one that was not made here."""
    connection.execute(
        insert(ISSUED).values(
            name=name, serial=found.serial, digest=found.digest, content="", people="[]",
            issued_ms=now_ms, good_until_ms=0, in_force_ms=now_ms, accepted_by=who,
        )
    )  # fmt: skip


def foreign(connection: Connection) -> set[str]:
    """Tables of which it stands open that a directory is in force which was not made here."""
    query = select(FINDINGS.c.name).where(
        FINDINGS.c.kind == FindingKind.DIRECTORY.value, FINDINGS.c.settled_ms.is_(None)
    )
    return set(connection.scalars(query))


def note_in_force(connection: Connection, name: str, found: InForce, now_ms: int) -> None:
    """Note when it was known that a directory is in force; the first time counts."""
    this = (
        (ISSUED.c.name == name)
        & (ISSUED.c.serial == found.serial)
        & (ISSUED.c.digest == found.digest)
        & ISSUED.c.in_force_ms.is_(None)
    )
    connection.execute(update(ISSUED).where(this).values(in_force_ms=now_ms))


def document_of(connection: Connection, name: str) -> bytes | None:
    """The newest directory of a table as it is sent; None: there is none."""
    query = select(ISSUED.c.document).where(ISSUED.c.name == name, ISSUED.c.document.is_not(None))
    found: Any = connection.execute(query).scalar()
    return None if found is None else bytes(found)


@dataclass(frozen=True, slots=True)
class Roster:
    """A directory that was made for a table: who could act by it, from when. Wall times in ms.

    `in_force_ms`: when it was known that the table has it; None: it never was.
    """

    serial: int
    digest: str
    people: tuple[tuple[str, str], ...]
    issued_ms: int
    in_force_ms: int | None
    accepted_by: str


def rosters(connection: Connection, name: str, most: int) -> list[Roster]:
    """The newest directories of a table, with who could act: for auditors."""
    columns = ISSUED.c
    query = (
        select(
            columns.serial, columns.digest, columns.people, columns.issued_ms,
            columns.in_force_ms, columns.accepted_by,
        )
        .where(columns.name == name)
        .order_by(columns.serial.desc())
        .limit(most)
    )  # fmt: skip
    return [
        Roster(row[0], row[1], tuple((one, role) for one, role in json.loads(row[2])), *row[3:])
        for row in connection.execute(query)
    ]
