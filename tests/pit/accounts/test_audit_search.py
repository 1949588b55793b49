"""Rows of the audit are found by user, act, time and words, the newest first."""

from __future__ import annotations

import pytest

from controller.pit.accounts.audit import search as audit_search
from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import AuditRow, record_act
from controller.pit.accounts.audit.search import AuditSearch, TooManyUsers, all_rows, find_rows
from controller.pit.accounts.roles import PitRole
from controller.pit.archive.storage.database import open_database
from tests.pit.accounts.known import KnownAccounts
from tests.pit.archive.databases import new_postgresql

ROWS = (
    ("Aino", AuditAct.SET_ROLES, "Olli: floor", "192.0.2.7"),
    ("Olli", AuditAct.ASKS_TABLE, "T1, close table", "192.0.2.8"),
    ("Olli-Pekka", AuditAct.ASKS_TABLE, "T2, close table 50% _", "192.0.2.9"),
    ("command line", AuditAct.ADDED_USER, "Ulla: dealer", ""),
)


@pytest.fixture
def told(known: KnownAccounts) -> KnownAccounts:
    return tell(known)


def tell(known: KnownAccounts) -> KnownAccounts:
    """Nine rows of three users who were added, then what is looked for, a minute apart."""
    for name in ("Aino", "Olli", "Olli-Pekka"):
        known.add(name, PitRole.ENGINEER)
    with known.engine.begin() as connection:
        for number, (who, act, about, address) in enumerate(ROWS):
            record_act(connection, 60_000 * number, who, act, about, address)
    return known


def found(known: KnownAccounts, search: AuditSearch) -> list[str]:
    return [each.about for each in find_rows(known.engine, search, 3) if each.seq > 9]


def test_who_did_it_and_whom_it_was_done_to(told: KnownAccounts) -> None:
    whose = [ROWS[1][2], ROWS[0][2]]
    assert [each for each in found(told, AuditSearch("olli")) if each in whose] == whose
    assert found(told, AuditSearch("olli-pekka")) == [ROWS[2][2]]
    assert found(told, AuditSearch("command")) == [ROWS[3][2]]
    assert found(told, AuditSearch("nobody of that name")) == []


def test_an_erased_user_is_found_by_the_number(told: KnownAccounts) -> None:
    number = told.add("Ulla", PitRole.FLOOR)
    assert [each.about for each in find_rows(told.engine, AuditSearch("Ulla"), 9)]
    told.people.close(number)
    told.people.erase(number)
    assert not find_rows(told.engine, AuditSearch("Ulla"), 9)
    assert f"user {number}" in found(told, AuditSearch(f"user {number}"))[0]


def test_acts_times_and_words(told: KnownAccounts) -> None:
    asked = AuditSearch(act=AuditAct.ASKS_TABLE)
    assert found(told, asked) == [ROWS[2][2], ROWS[1][2]]
    assert found(told, AuditSearch(act=AuditAct.ASKS_TABLE, words="T2")) == [ROWS[2][2]]
    assert found(told, AuditSearch(words="192.0.2.8")) == [ROWS[1][2]]
    assert found(told, AuditSearch(first_ms=60_000, last_ms=60_000)) == [ROWS[1][2]]
    # What stands for anything in a pattern stands for itself here.
    assert found(told, AuditSearch(words="%")) == [ROWS[2][2]]
    assert found(told, AuditSearch(words="_")) == [ROWS[2][2]]


def test_all_of_it_is_read_some_at_a_time(
    told: KnownAccounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_search, "_A_TURN", 2)
    rows: list[AuditRow] = list(all_rows(told.engine, AuditSearch()))
    assert [each.seq for each in rows] == list(range(13, 0, -1))


def test_too_many_of_a_name_are_said(told: KnownAccounts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_search, "MOST_USERS", 1)
    with pytest.raises(TooManyUsers, match="give more"):
        find_rows(told.engine, AuditSearch("olli"), 3)


def test_postgresql_finds_the_same() -> None:
    engine = open_database(new_postgresql())
    known = tell(KnownAccounts(engine))
    assert found(known, AuditSearch("OLLI-pekka")) == [ROWS[2][2]]
    assert found(known, AuditSearch(words="t2")) == [ROWS[2][2]]
    assert found(known, AuditSearch(words="_")) == [ROWS[2][2]]
    engine.dispose()
