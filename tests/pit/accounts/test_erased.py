"""A user whose name was erased: what they did stays, and nothing tells who that was."""

from __future__ import annotations

import dataclasses
import json

import pytest
from sqlalchemy import Engine, MetaData, select

from controller.pit.accounts import identities
from controller.pit.accounts.accounts import SignInRefused
from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import first_wrong_row, newest_rows, record_act
from controller.pit.accounts.people import People
from controller.pit.accounts.roles import Identity, PitRole
from controller.pit.accounts.schema import TABLE_IDS
from controller.pit.accounts.users import UserRefused
from controller.pit.alerts.schema import ALERTS
from controller.pit.archive.retired import retire
from controller.pit.archive.storage.database import open_database
from controller.pit.archive.storage.schema import BRANCHES
from controller.pit.reports.handover.handover import draft, give, take
from tests.pit.accounts.known import BEGAN_MS, HERE, KnownAccounts
from tests.pit.archive.databases import new_postgresql

NAME = "Zacharías"


def rows_that_say(engine: Engine, words: str) -> list[str]:
    """The tables of the whole database that have a row with these words, in any letters."""
    known = MetaData()
    known.reflect(engine)
    found = []
    with engine.connect() as connection:
        for table in known.sorted_tables:
            rows = connection.execute(select(table)).all()
            said = "".join(f"{row} " for row in rows).casefold()
            ways = (words, json.dumps(words).strip('"'))
            if any(each.casefold() in said.replace("\\\\", "\\") for each in ways):
                found.append(table.name)
    return found


def lived(known: KnownAccounts) -> int:
    """Somebody has signed in, erred, made a user, given and taken shifts, and left."""
    number = known.add(NAME, PitRole.ENGINEER)
    known.add("Fia", PitRole.ENGINEER)
    signed_in = known.sign_in(NAME)
    with pytest.raises(SignInRefused):
        known.sign_in(NAME, "wrong")
    found = known.accounts.recognize(signed_in.session)
    assert found is not None
    People(known.accounts, found, HERE.address).add("Bo", frozenset({PitRole.VIEWER}))
    with known.engine.begin() as connection:
        texts = {"key": "held T1", "kind": "held", "table_name": "T1", "text": "it is held"}
        times = dict.fromkeys(("since_ms", "opened_ms", "step_ms", "answered_ms"), BEGAN_MS)
        connection.execute(
            ALERTS.insert().values(**texts, **times, count=1, step=0, answered_by=NAME)
        )
    fia = Identity(number + 1, "Fia", frozenset({PitRole.FLOOR}))
    for giver, taker in ((found, fia), (fia, found)):
        shift = give(known.engine, giver, "all is well", BEGAN_MS, HERE.address)
        take(known.engine, taker, shift, BEGAN_MS, HERE.address)
    with known.engine.begin() as connection:
        identities.add(connection, "https://house", "subject-9", number, BEGAN_MS)
        connection.execute(
            TABLE_IDS.insert().values(name="T1", person="00aa", user_id=number, called=NAME)
        )
        branch = {each.name: b"" if each.name == "last_hash" else 0 for each in BRANCHES.c}
        retire(connection, "T3", NAME, "sold", BEGAN_MS)
        words = {"name": "T1", "who": NAME, "reason": "it is right", "said": ""}
        connection.execute(BRANCHES.insert().values({**branch, **words, "id": 1}))
    known.people.close(number)
    return number


def is_erased(known: KnownAccounts) -> None:
    number = lived(known)
    said = {"users", "handovers", "branches", "retired", "alerts", "table_ids", "tries"}
    assert set(rows_that_say(known.engine, NAME)) == said
    assert "audit" not in rows_that_say(known.engine, NAME)
    with known.engine.connect() as connection:
        before = newest_rows(connection, 100)
    assert {each.who for each in before} >= {NAME, "Fia", "command line"}
    assert any(each.about == f"{NAME}: engineer" for each in before)

    known.people.erase(number)

    assert rows_that_say(known.engine, NAME) == []
    assert rows_that_say(known.engine, "subject-9") == []
    gone = f"user {number}"
    with known.engine.connect() as connection:
        after = newest_rows(connection, 100)[1:]
        assert first_wrong_row(connection) is None
        assert identities.user_of(connection, "https://house", "subject-9") == number
    assert after == [
        dataclasses.replace(
            each, who=each.who.replace(NAME, gone), about=each.about.replace(NAME, gone)
        )
        for each in before
    ]
    shown = draft(known.engine, BEGAN_MS + 1).newest
    assert f"({gone} has it in hand)" in repr(shown[1].shown)
    assert [(each.given_name, each.taken_name) for each in shown] == [("Fia", gone), (gone, "Fia")]
    (user,) = [each for each in known.people.listed() if each.id == number]
    assert (user.name, user.erased, user.password) == (gone, True, None)
    with pytest.raises(UserRefused, match="add a new user"):
        known.people.reopen(number)
    with pytest.raises(UserRefused, match="erased already"):
        known.people.erase(number)
    assert known.add(NAME, PitRole.VIEWER) != number, "the name is free"


def test_nothing_in_the_database_tells_who_that_was(known: KnownAccounts) -> None:
    is_erased(known)


def test_nor_in_one_of_postgresql() -> None:
    known = KnownAccounts(open_database(new_postgresql()))
    is_erased(known)
    known.engine.dispose()


def test_an_account_that_is_open_is_closed_first(known: KnownAccounts) -> None:
    number = known.add(NAME, PitRole.ENGINEER)
    with pytest.raises(UserRefused, match="close the account first"):
        known.people.erase(number)
    assert known.sign_in(NAME).session


def test_nobody_is_made_to_look_like_somebody_who_was_erased(known: KnownAccounts) -> None:
    with pytest.raises(UserRefused, match="use another"):
        known.add("User  7", PitRole.VIEWER)
    with known.engine.begin() as connection:
        record_act(connection, 1, "", AuditAct.SIGN_IN_REFUSED, "⟦user 1⟧", "")
        assert newest_rows(connection, 1)[0].about == "?user 1?"


def test_a_name_within_another_word_stays_that_word(known: KnownAccounts) -> None:
    number = known.add("Al", PitRole.VIEWER)
    also = known.add("Al Capone", PitRole.VIEWER)
    for each in (number, also):
        known.people.close(each)
        known.people.erase(each)
    with known.engine.begin() as connection:
        rows = newest_rows(connection, 100)
    added = [each.about for each in rows if each.act == "added_user"]
    assert added == [f"user {also}: viewer", f"user {number}: viewer"]
