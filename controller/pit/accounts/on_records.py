"""Who the ids on records are, as far as this pit knows them. Blocks."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, select

from controller.pit.accounts.schema import TABLE_PEOPLE, USERS
from controller.pit.accounts.users import login_of
from controller.table.roles import PersonId, pit_person


def names_on_records(connection: Connection) -> Mapping[PersonId, str]:
    """The names of this pit's users by what records call them: at tables, and where they asked from
    the pit. Whoever left is named still: what they did stays on record.
    """
    query = select(USERS.c.id, USERS.c.name, TABLE_PEOPLE.c.person).outerjoin(
        TABLE_PEOPLE, TABLE_PEOPLE.c.user_id == USERS.c.id
    )
    found: dict[PersonId, str] = {}
    for user, name, person in connection.execute(query):
        found[pit_person(user)] = name
        if person is not None:
            found[PersonId(person)] = name
    return found


def person_called(connection: Connection, who: str) -> PersonId:
    """The id at tables of whoever has that name; what is nobody's name is taken for an id."""
    query = (
        select(TABLE_PEOPLE.c.person)
        .join(USERS, USERS.c.id == TABLE_PEOPLE.c.user_id)
        .where(USERS.c.login == login_of(who))
    )
    return PersonId(connection.execute(query).scalar() or who)
