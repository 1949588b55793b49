"""A new person of the provider's who comes in several browsers at once is one user."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import Engine, select

from controller.pit.accounts.accounts import Accounts, SignedIn
from controller.pit.accounts.audit.log import first_wrong_row
from controller.pit.accounts.identities import ProviderRules
from controller.pit.accounts.people import COMMAND_LINE, People
from controller.pit.accounts.provider.provider_people import ProviderPeople, ProviderPerson
from controller.pit.accounts.roles import PitRole
from controller.pit.accounts.schema import IDENTITIES
from tests.pit.accounts.known import HERE, SetClock
from tests.pit.archive.databases import KINDS, database_of

RULES = ProviderRules("House", "https://id.example", {"floor": frozenset({PitRole.FLOOR})})
AT_ONCE = 6


@pytest.fixture(params=KINDS)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    with database_of(request.param, tmp_path) as engine:
        yield engine


def test_several_browsers_of_a_new_person_make_one_user(engine: Engine) -> None:
    accounts = Accounts(engine, SetClock(), provider=RULES)
    people, begins = ProviderPeople(accounts, RULES), threading.Barrier(AT_ONCE)

    def enter(number: int) -> object:
        begins.wait(60)
        # Two of them are of one subject and others of a namesake.
        person = ProviderPerson(f"s-{number % 2}", "Aino", frozenset({"floor"}))
        return people.enter(person, HERE)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        begun = list(pool.map(enter, range(AT_ONCE)))
    assert all(isinstance(each, SignedIn) for each in begun)
    names = {each.name for each in People(accounts, COMMAND_LINE).listed()}
    assert names == {"Aino", "Aino (House)"}
    assert len(accounts.listed_sessions()) == AT_ONCE
    with engine.connect() as connection:
        assert len(connection.execute(select(IDENTITIES)).all()) == 2
        assert first_wrong_row(connection) is None
