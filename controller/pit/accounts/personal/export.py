"""What the pit has of one person, as JSON for them: no secret, and nobody else's name.

Records of tables have ids; what somebody did there is counted by the ids that were theirs. A copy
of the rounds that they dealt or played is not theirs to have.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct
from sqlalchemy import Column, Connection, column, func, or_, select, table

from controller.pit.accounts import factor_rows, schema, tries
from controller.pit.accounts.audit.log import rows_of_user
from controller.pit.accounts.personal.named import SIGNED, called
from controller.pit.accounts.users import User
from controller.pit.archive.storage import schema as s
from controller.table.roles import pit_person

Rows = list[dict[str, Any]]
"""Rows as their columns call them; times in wall ms."""

_S: Final = schema.SESSIONS.c
#: What is kept under a user's number, by the name that it has in the file: the columns that are no
#: secret, nor the hash of one.
_OF_USER: Final[dict[str, Sequence[Column[Any]]]] = {
    "sessions": (
        _S.how, _S.browser, _S.address, _S.made_ms, _S.seen_ms, _S.proved_ms, _S.ends_ms,
        _S.ended_ms, _S.sid,
    ),
    "links": (schema.CODES.c.purpose, schema.CODES.c.ends_ms, schema.CODES.c.sid),
    "browsers": (schema.BROWSERS.c.made_ms,),
    "passkeys": (schema.PASSKEYS.c.browser, schema.PASSKEYS.c.made_ms),
    "apps": (schema.APPS.c.made_ms,),
    "tokens": (schema.TOKENS.c.made_ms,),
    "provider": (
        schema.IDENTITIES.c.issuer, schema.IDENTITIES.c.subject, schema.IDENTITIES.c.made_ms,
    ),
    "at_tables": (schema.TABLE_PEOPLE.c.person, schema.TABLE_PEOPLE.c.pin_ms),
    "at_tables_before": (
        schema.TABLE_IDS.c.name, schema.TABLE_IDS.c.person, schema.TABLE_IDS.c.called,
    ),
}  # fmt: skip


class PersonExport(Struct, frozen=True):
    """All that the pit has of a user. Times are wall ms.

    `kept` is what is kept under their number, `wrong_tries` those for their account, `signed` where
    their name stands and what for, `audit` what they did and what was done with them (others by
    number), `acts` what records of tables have of their ids.
    """

    made_ms: int
    number: int
    name: str
    login: str
    roles: tuple[str, ...]
    since_ms: int
    closed_ms: int | None
    has_password: bool
    has_pin: bool
    recovery_codes: int
    may_act_at: tuple[str, ...]
    kept: dict[str, Rows]
    wrong_tries: Rows
    signed: Rows
    audit: Rows
    acts: Rows


def export(connection: Connection, user: User, now_ms: int) -> PersonExport:
    """All of it. Blocks, for some seconds where the audit is long."""
    kept = {
        name: _rows(connection, columns, columns[0].table.c.user_id == user.id)
        for name, columns in _OF_USER.items()
    }
    t, people = schema.TRIES.c, schema.TABLE_PEOPLE.c
    account = tries.of_account(user.login)
    grants = table("table_grants", column("user_id"), column("name"))
    may_act = select(grants.c.name).where(grants.c.user_id == user.id).order_by(grants.c.name)
    has_pin = select(people.pin.is_not(None)).where(people.user_id == user.id)
    return PersonExport(
        made_ms=now_ms,
        number=user.id,
        name=user.name,
        login=user.login,
        roles=(*sorted(each.value for each in user.roles), *user.newer),
        since_ms=user.made_ms,
        closed_ms=user.closed_ms,
        has_password=user.password is not None,
        has_pin=bool(connection.scalar(has_pin)),
        recovery_codes=factor_rows.factors(connection, user.id).recovery,
        may_act_at=tuple(connection.scalars(may_act)),
        kept=kept,
        wrong_tries=_rows(
            connection, (t.wrong, t.last_ms, t.until_ms),
            t.counted.in_((account, tries.SECOND + account)),
        ),
        signed=_signed(connection, user),
        audit=[
            {"seq": it.seq, "at_ms": it.at_ms, "who": it.who, "act": it.act, "about": it.about,
             "address": it.address}
            for it in rows_of_user(connection, user)
        ],
        acts=_acts(connection, user, kept),
    )  # fmt: skip


def _rows(connection: Connection, columns: Sequence[Any], where: Any) -> Rows:
    return [dict(each) for each in connection.execute(select(*columns).where(where)).mappings()]


def _signed(connection: Connection, user: User) -> Rows:
    found: Rows = []
    for each in SIGNED:
        signed = table(each.table, *map(column, (each.column, each.at_ms, *each.about)))
        columns = [signed.c[name] for name in each.about]
        rows = _rows(
            connection, (signed.c[each.at_ms].label("at_ms"), *columns),
            signed.c[each.column] == user.name,
        )  # fmt: skip
        found += ({"in": each.table, "as": each.column, **row} for row in rows)
    handovers = table("handovers", column("given_ms"), column("shown"))
    named = called(user.name)
    for given_ms, shown in connection.execute(select(handovers.c.given_ms, handovers.c.shown)):
        said = [text for text in _texts(json.loads(shown)) if named.search(text)]
        found += ({"in": "handovers", "as": "shown", "at_ms": given_ms, "text": it} for it in said)
    return found


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for each in inner for text in _texts(each)]


def _acts(connection: Connection, user: User, kept: dict[str, Rows]) -> Rows:
    """What the archived records have of the ids that are theirs alone, and of those that a table
    called them by before.
    """
    p, t = s.PEOPLE.c, s.TABLES.c
    own = [pit_person(user.id), *(each["person"] for each in kept["at_tables"])]
    before = [each["person"] for each in kept["at_tables_before"]]
    theirs = [
        p.person.in_(own),
        *(
            (t.name == each["name"]) & (p.person == each["person"])
            for each in kept["at_tables_before"]
        ),
    ]
    columns = (
        t.name.label("table"), p.person, p.role, p.act, func.count().label("times"),
        func.min(p.at_ms).label("first_ms"), func.max(p.at_ms).label("last_ms"),
    )  # fmt: skip
    query = (
        select(*columns)
        .join_from(s.PEOPLE, s.TABLES, t.id == p.table_id)
        .where(p.person.in_([*own, *before]), or_(*theirs))
        .group_by(t.name, p.person, p.role, p.act)
        .order_by(t.name, p.act, p.person)
    )
    return [dict(each) for each in connection.execute(query).mappings()]
