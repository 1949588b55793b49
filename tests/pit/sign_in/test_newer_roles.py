"""A role that another, newer pit of the same database gave: here it opens nothing, and is named."""

from __future__ import annotations

from html import unescape

import pytest
from fastapi import FastAPI
from sqlalchemy import update

from controller.pit.accounts.accounts import SignInRefused
from controller.pit.accounts.codes import Purpose
from controller.pit.accounts.roles import PitRole, kept_roles, newer_roles
from controller.pit.accounts.schema import USERS
from tests.pit.accounts.known import HERE, PASSWORD, KnownAccounts
from tests.pit.sign_in.pages_of import Browser

pytestmark = pytest.mark.anyio


def newer(known: KnownAccounts, number: int, roles: str) -> None:
    """A newer pit has given the user these roles."""
    with known.engine.begin() as connection:
        connection.execute(update(USERS).where(USERS.c.id == number).values(roles=roles))
    known.accounts.forget()


def test_roles_that_are_known_are_kept_beside_one_that_is_not() -> None:
    text = "floor,surveillance"
    assert kept_roles(text) == {PitRole.FLOOR}
    assert newer_roles(text) == ("surveillance",)


async def test_it_takes_nothing_from_the_roles_beside_it(
    known: KnownAccounts, app: FastAPI
) -> None:
    number = known.add("Aino", PitRole.FLOOR)
    newer(known, number, "floor,surveillance")
    browser = Browser(app, known.sign_in("Aino").session)
    assert (await browser.get("/rounds")).status_code == 200
    page = await browser.get("/users")
    assert page.status_code == 403
    assert "does not know (surveillance)" in unescape(page.text)


async def test_whoever_has_no_other_is_told_so_and_not_let_in(
    known: KnownAccounts, app: FastAPI
) -> None:
    number = known.add("Aino", PitRole.FLOOR)
    began_before = Browser(app, known.enters(number).session)
    newer(known, number, "surveillance")
    page = await began_before.get("/")
    assert page.status_code == 403
    assert "does not know (surveillance)" in unescape(page.text)

    page = await Browser(app).post("/sign-in", name="Aino", password=PASSWORD)
    assert page.status_code == 403
    assert "Your role was given by newer software" in page.text

    link = known.people.link(number, Purpose.SIGN_IN)
    with pytest.raises(SignInRefused, match="newer software"):
        known.accounts.enter(link, HERE)
    newer(known, number, "floor")
    assert known.accounts.enter(link, HERE).session, "the link was not used up"


async def test_an_engineer_sees_it_and_may_give_another_in_its_place(
    known: KnownAccounts, app: FastAPI
) -> None:
    number = known.add("Bo", PitRole.FLOOR)
    engineer = Browser(app, known.enters(known.add("Aino", PitRole.ENGINEER)).session)
    newer(known, number, "surveillance")
    page = (await engineer.get("/users")).text
    assert "surveillance (of newer software: opens nothing here)" in page
    assert "Setting roles takes surveillance away" in page
    assert (await engineer.get("/people")).status_code == 200
    assert (await engineer.post("/users/roles", user=str(number), role="cage")).status_code == 303
    assert "surveillance" not in (await engineer.get("/users")).text
    assert (await Browser(app, known.sign_in("Bo").session).get("/rounds")).status_code == 200
