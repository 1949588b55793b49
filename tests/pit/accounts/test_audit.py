"""The audit: rows that follow from each other, which nobody changes unseen."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import DBAPIError

from controller.pit.accounts.accounts import SignInRefused
from controller.pit.accounts.audit.acts import AuditAct, act_words
from controller.pit.accounts.audit.log import (
    MOST_CHARS,
    CheckedChain,
    check_chain,
    first_wrong_row,
    newest_rows,
    record_act,
)
from controller.pit.accounts.roles import PitRole
from controller.pit.archive.storage.database import open_database
from tests.pit.accounts.known import KnownAccounts
from tests.pit.archive.databases import new_postgresql


def first_wrong(engine: Engine) -> int | None:
    with engine.connect() as connection:
        return first_wrong_row(connection)


@pytest.fixture
def filled(known: KnownAccounts) -> KnownAccounts:
    known.add("Aino", PitRole.ENGINEER)
    known.sign_in("Aino")
    assert first_wrong(known.engine) is None
    return known


@pytest.mark.parametrize(
    "change",
    ["UPDATE audit SET who = 'Eve'", "DELETE FROM audit", "DELETE FROM audit WHERE seq = 4",
     "INSERT OR REPLACE INTO audit SELECT seq, at_ms, 'Eve', act, about, address, hash FROM audit"],
)  # fmt: skip
def test_the_database_refuses_a_change(filled: KnownAccounts, change: str) -> None:
    with pytest.raises(DBAPIError), filled.engine.begin() as connection:
        connection.exec_driver_sql(change)
    assert first_wrong(filled.engine) is None


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ("UPDATE audit SET who = 'Eve' WHERE seq = 2", 2),
        ("UPDATE audit SET at_ms = at_ms + 1 WHERE seq = 3", 3),
        ("DELETE FROM audit WHERE seq = 2", 2),
        ("UPDATE audit SET about = 'x', hash = zeroblob(32) WHERE seq = 4", 4),
    ],
)
def test_whoever_takes_the_refusal_away_first_is_seen(
    filled: KnownAccounts, change: str, wrong: int
) -> None:
    bare = create_engine(filled.engine.url)
    with bare.begin() as connection:
        for trigger in ("audit_stays_update", "audit_stays_delete"):
            connection.exec_driver_sql(f"DROP TRIGGER {trigger}")
        connection.exec_driver_sql(change)
    bare.dispose()
    assert first_wrong(filled.engine) == wrong


def test_only_what_has_come_since_is_looked_at_again(filled: KnownAccounts) -> None:
    with filled.engine.connect() as connection:
        before = check_chain(connection, CheckedChain())
    assert (before.wrong, before.seq) == (None, 4)
    filled.sign_in("Aino")
    statements: list[tuple[object, object]] = []
    event.listen(
        filled.engine, "before_cursor_execute", lambda *it: statements.append((it[2], it[3]))
    )
    with filled.engine.connect() as connection:
        after = check_chain(connection, before)
    assert (after.wrong, after.seq) == (None, 5)
    assert [params for _, params in statements if params] == [(4,)]


def test_what_follows_a_wrong_row_does_not_make_it_right(filled: KnownAccounts) -> None:
    bare = create_engine(filled.engine.url)
    with bare.begin() as connection:
        connection.exec_driver_sql("DROP TRIGGER audit_stays_update")
        connection.exec_driver_sql("UPDATE audit SET who = 'Eve' WHERE seq = 2")
        found = check_chain(connection, CheckedChain())
        assert found.wrong == 2
    filled.sign_in("Aino")
    with bare.connect() as connection:
        assert check_chain(connection, found).wrong == 2
    bare.dispose()


def test_every_act_has_words_of_its_own() -> None:
    said = [act_words(each.value) for each in AuditAct]
    assert len(set(said)) == len(said)
    assert not any("_" in each for each in said)
    assert act_words("asked_by_newer_software") == "asked by newer software"


def test_a_text_of_a_stranger_stays_one_line(known: KnownAccounts) -> None:
    with known.engine.begin() as connection:
        record_act(
            connection, 1, "", AuditAct.SIGN_IN_REFUSED, "a\r\n9 Aino signed in\x1b[2J", "x" * 999
        )
        row = newest_rows(connection, 1)[0]
    assert row.about == "a??9 Aino signed in?[2J"
    assert len(row.address) == MOST_CHARS


def test_postgresql_keeps_users_and_refuses_a_change_too() -> None:
    known = KnownAccounts(open_database(new_postgresql()))
    aino = known.add("Aino", PitRole.ENGINEER)
    signed_in = known.sign_in("Aino")
    with pytest.raises(SignInRefused):
        known.sign_in("Aino", "wrong")
    found = known.accounts.recognize(signed_in.session)
    assert found is not None
    assert found.user == aino
    for change in ("UPDATE audit SET who = 'Eve'", "DELETE FROM audit", "TRUNCATE audit"):
        with pytest.raises(DBAPIError), known.engine.begin() as connection:
            connection.exec_driver_sql(change)
    assert first_wrong(known.engine) is None
    known.people.close(known.add("Eve", PitRole.VIEWER))
    known.engine.dispose()
