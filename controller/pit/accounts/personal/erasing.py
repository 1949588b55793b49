"""Erases a person from the pit's database: what they did stays, by a number that tells nobody.

The audit has numbers anyway. A directory that a table has names whoever was in it until the next
one is made. Words that people typed (a note of a handover, why a branch was accepted) and what was
sent to receivers of alerts stay as they are.
"""

from __future__ import annotations

import json
import re
from typing import Any

from sqlalchemy import Connection, column, delete, select, table, update

from controller.pit.accounts import factor_rows, identities, tries
from controller.pit.accounts.personal.named import SIGNED, called
from controller.pit.accounts.schema import (
    BROWSERS,
    CODES,
    SESSIONS,
    TABLE_IDS,
    TABLE_PEOPLE,
    TOKENS,
)
from controller.pit.accounts.users import User, erased_name, set_erased


def erase(connection: Connection, user: User) -> None:
    """Erase the name of a user, and what only they need: passwords, sessions, keys, addresses."""
    for each in SIGNED:
        by = each.column
        signed = table(each.table, column(by))
        renamed = update(signed).where(signed.c[by] == user.name)
        connection.execute(renamed.values({by: erased_name(user.id)}))
    _rename_in_handovers(connection, user)
    factor_rows.remove_all(connection, user.id)
    tries.forget_account(connection, user.login)
    identities.forget_subject(connection, user.id)
    for of_user in (SESSIONS, CODES, BROWSERS, TOKENS):
        connection.execute(delete(of_user).where(of_user.c.user_id == user.id))
    connection.execute(update(TABLE_IDS).where(TABLE_IDS.c.user_id == user.id).values(called=""))
    connection.execute(
        update(TABLE_PEOPLE).where(TABLE_PEOPLE.c.user_id == user.id).values(pin=None, pin_ms=None)
    )
    set_erased(connection, user.id)


def _rename_in_handovers(connection: Connection, user: User) -> None:
    """What a handover said by itself, such as who had which alert in hand, is JSON."""
    handovers = table("handovers", column("id"), column("shown"))
    named = called(user.name)
    for number, shown in connection.execute(select(handovers.c.id, handovers.c.shown)).all():
        renamed = json.dumps(_renamed(json.loads(shown), named, erased_name(user.id)))
        if renamed != shown:
            this = update(handovers).where(handovers.c.id == number)
            connection.execute(this.values(shown=renamed))


def _renamed(value: Any, named: re.Pattern[str], to: str) -> Any:
    """Plain data in whose texts a name is another."""
    if isinstance(value, str):
        return named.sub(to, value)
    if isinstance(value, list):
        return [_renamed(each, named, to) for each in value]
    if isinstance(value, dict):
        return {key: _renamed(each, named, to) for key, each in value.items()}
    return value
