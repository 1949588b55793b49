"""Sign-outs at the provider that come twice, or at the moment of a sign-in, in each database."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Engine, func, select

from controller.pit.accounts.accounts import Accounts, SignedIn, SignInRefused
from controller.pit.accounts.audit.log import first_wrong_row, newest_rows
from controller.pit.accounts.identities import ProviderRules
from controller.pit.accounts.provider.provider_logouts import (
    LogoutRepeated,
    ProviderLogout,
    ProviderLogouts,
)
from controller.pit.accounts.provider.provider_people import ProviderPeople, ProviderPerson
from controller.pit.accounts.roles import PitRole
from controller.pit.accounts.schema import PROVIDER_LOGOUTS
from tests.pit.accounts.known import BEGAN_MS, HERE, SetClock
from tests.pit.archive.databases import KINDS, database_of

RULES = ProviderRules("House", "https://id.example", {"floor": frozenset({PitRole.FLOOR})})
AT_ONCE = 6
LASTS_MS = 60_000


@pytest.fixture(params=KINDS)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    with database_of(request.param, tmp_path) as engine:
        yield engine


def person(sid: str, made_ms: int = BEGAN_MS) -> ProviderPerson:
    return ProviderPerson("s-1", "Aino", frozenset({"floor"}), None, sid, made_ms)


def said(jti: str, subject: str = "", sid: str = "", made_ms: int = BEGAN_MS) -> ProviderLogout:
    return ProviderLogout(jti, subject, sid, made_ms, made_ms + LASTS_MS)


def at_once(works: list[Callable[[], object]]) -> list[object]:
    """What each comes to, all begun together; an error of ours is what it comes to, too."""
    begins = threading.Barrier(len(works))

    def go(work: Callable[[], object]) -> object:
        begins.wait(60)
        try:
            return work()
        except (SignInRefused, LogoutRepeated) as error:
            return error

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(go, works))


def test_of_one_token_that_comes_several_times_at_once_one_is_taken(engine: Engine) -> None:
    accounts = Accounts(engine, SetClock(), provider=RULES)
    people, logouts = ProviderPeople(accounts, RULES), ProviderLogouts(accounts, RULES)
    for number in range(3):
        people.enter(person(f"p-{number}"), HERE)
    found = at_once([partial(logouts.end, said("j-1", "s-1"), HERE)] * AT_ONCE)
    assert sum(isinstance(each, LogoutRepeated) for each in found) == AT_ONCE - 1
    assert [each for each in found if isinstance(each, int)] == [3]
    assert accounts.listed_sessions() == []
    with engine.connect() as connection:
        rows = newest_rows(connection, 100)
        assert first_wrong_row(connection) is None
    assert [each.about for each in rows if each.act == "ended_sessions"] == [
        "Aino: 3, signed out there"
    ]


def test_a_sign_in_at_the_moment_of_its_end_leaves_nothing_open(engine: Engine) -> None:
    accounts = Accounts(engine, SetClock(), provider=RULES)
    people, logouts = ProviderPeople(accounts, RULES), ProviderLogouts(accounts, RULES)
    people.enter(person("p-0"), HERE)
    for turn in range(1, 6):
        sid = f"p-{turn}"
        entering, ending = at_once([
            partial(people.enter, person(sid), HERE),
            partial(logouts.end, said(sid, "s-1", sid), HERE),
        ])  # fmt: skip
        # Whichever was first: a session that was ended, or one that never began.
        assert (isinstance(entering, SignedIn), ending) in {(True, 1), (False, 0)}
        assert len(accounts.listed_sessions()) == 1, "the one of before"


def test_what_was_said_is_forgotten_after_its_time(engine: Engine) -> None:
    clock = SetClock()
    accounts = Accounts(engine, clock, provider=RULES)
    people, logouts = ProviderPeople(accounts, RULES), ProviderLogouts(accounts, RULES)
    for number in range(5):
        logouts.end(said(f"j-{number}", "s-1", made_ms=clock.now_ms), HERE)
    with pytest.raises(SignInRefused, match="signed you out meanwhile"):
        people.enter(person("", clock.now_ms - 1), HERE)
    people.enter(person("", clock.now_ms), HERE)
    clock.now_ms += LASTS_MS
    logouts.end(said("j-9", "somebody", made_ms=clock.now_ms), HERE)
    with engine.connect() as connection:
        assert connection.scalar(select(func.count()).select_from(PROVIDER_LOGOUTS)) == 1


def test_another_providers_people_are_not_its_to_sign_out(engine: Engine) -> None:
    accounts = Accounts(engine, SetClock(), provider=RULES)
    ProviderPeople(accounts, RULES).enter(person("p-1"), HERE)
    other = ProviderRules("Other", "https://other.example", RULES.roles)
    logouts = ProviderLogouts(accounts, other)
    assert logouts.end(said("j-1", "s-1", "p-1"), HERE) == 0
    assert logouts.end(said("j-2", "s-1"), HERE) == 0
    assert logouts.end(said("j-3", "", "p-1"), HERE) == 0
    assert len(accounts.listed_sessions()) == 1
