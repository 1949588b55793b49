"""Who the ids on records are, as far as this pit knows them. Blocks."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, select

from controller.pit.accounts.schema import TABLE_IDS, TABLE_PEOPLE, USERS
from controller.pit.accounts.users import login_of, names_by_number
from controller.table.roles import PersonId, pit_person


def names_on_records(connection: Connection) -> Mapping[PersonId, str]:
    """The names of this pit's users by what records call them: at tables, before their people came
    from here too, and where they asked from the pit. Whoever left is named still: what they did
    stays on record.
    """
    names = names_by_number(connection)
    found = {pit_person(user): name for user, name in names.items()}
    ids = TABLE_IDS.c
    for person, user, called in connection.execute(select(ids.person, ids.user_id, ids.called)):
        if name := called if user is None else names[user]:
            found[PersonId(person)] = name
    for user, person in connection.execute(select(TABLE_PEOPLE.c.user_id, TABLE_PEOPLE.c.person)):
        found[PersonId(person)] = names[user]
    return found


def ids_called(connection: Connection, who: str) -> tuple[PersonId, ...]:
    """The ids at tables of whoever has that name; what is nobody's name is taken for an id."""
    login = login_of(who)
    people, ids = TABLE_PEOPLE.c, TABLE_IDS.c
    user = select(USERS.c.id).where(USERS.c.login == login).scalar_subquery()
    now = select(people.person).where(people.user_id == user)
    before = select(ids.person).where(ids.user_id == user)
    left = select(ids.person).where(ids.user_id.is_(None), ids.called == who.strip())
    found = connection.scalars(now.union(before, left))
    return tuple(sorted(map(PersonId, found))) or (PersonId(who),)
