"""What the provider says of a person at its UserInfo endpoint, where the ID token does not."""

from __future__ import annotations

from typing import Any

import pytest

from controller.pit.sign_in.oidc.fetch import MOST_BYTES
from tests.pit.sign_in.oidc.house import House, sign_in
from tests.pit.sign_in.oidc.provider_server import Misbehaviour
from tests.pit.sign_in.pages_of import Browser

pytestmark = pytest.mark.anyio

TOLD: dict[str, Any] = {
    "sub": "a-1", "preferred_username": "Aino Virtanen", "groups": ["bosses"],
    "realm_access": {"roles": ["floor"]},
}  # fmt: skip


@pytest.fixture
def asks(house: House) -> House:
    """A house whose provider says no more than who it is in the ID token."""
    house.provider.claims = {"sub": "a-1"}
    house.provider.userinfo = dict(TOLD)
    house.open(userinfo=True)
    return house


async def test_roles_and_name_come_from_there_where_the_token_has_none(asks: House) -> None:
    browser = Browser(asks.app)
    assert (await sign_in(asks, browser)).status_code == 303
    me = await browser.api.me()
    assert (me.name, me.roles) == ("Aino Virtanen", ("pit_boss",))
    asks.open(userinfo=True, roles_claim="realm_access.roles", name_claim="nickname")
    again = Browser(asks.app)
    assert (await sign_in(asks, again)).status_code == 303
    assert (await again.api.me()).roles == ("floor",)


async def test_what_the_signed_token_says_is_what_counts(asks: House) -> None:
    browser = Browser(asks.app)
    await sign_in(asks, browser, groups=["floor"], preferred_username="Aino")
    me = await browser.api.me()
    assert (me.name, me.roles) == ("Aino", ("floor",))
    answer = await sign_in(asks, Browser(asks.app), groups=[])
    assert answer.status_code == 403, "in no group, says the token"


@pytest.mark.parametrize("subject", ["b-1", "A-1", "a-1 ", "", 1, None, ["a-1"], "missing"])
async def test_what_is_said_of_somebody_else_lets_nobody_in(asks: House, subject: object) -> None:
    asks.provider.userinfo["sub"] = subject
    if subject == "missing":
        del asks.provider.userinfo["sub"]
    browser = Browser(asks.app)
    answer = await sign_in(asks, browser)
    assert (answer.status_code, "cannot be relied on" in answer.text) == (403, True)
    assert (await browser.get("/alerts")).status_code == 303
    (act,) = asks.acts()
    assert act[1:] == ("sign_in_refused", "House: what UserInfo says is of somebody else: its sub")


ANSWERS: dict[str, tuple[int, bytes]] = {
    "HTML": (200, b"<html>Sign in</html>"),
    "nothing": (200, b""),
    "a list": (200, b"[]"),
    "giant": (200, b'{"sub": "a-1", "x": "' + b"x" * MOST_BYTES + b'"}'),
    "deep": (200, b"[" * 60_000 + b"]" * 60_000),
    "elsewhere": (302, b"/keys"),
    "not allowed": (401, b'{"error": "invalid_token"}'),
    "not allowed, in HTML": (403, b"<html>"),
    "broken": (500, b"{}"),
}


async def test_whatever_else_it_answers_is_said_in_words_and_lets_nobody_in(
    asks: House, caplog: pytest.LogCaptureFixture
) -> None:
    browser = Browser(asks.app)
    for name, answer in ANSWERS.items():
        asks.provider.wrong.answers = {"/userinfo": answer}
        found = await sign_in(asks, browser)
        said = "House does not answer as it should" in found.text
        assert (found.status_code, said) == (503, True), name
        assert (await browser.get("/alerts")).status_code == 303
    assert "200 with 'text/html', and no JSON" in caplog.text, "an engineer reads what came"
    assert asks.provider.access not in caplog.text
    asks.provider.wrong = Misbehaviour()
    assert (await sign_in(asks, browser)).status_code == 303, "one answer keeps no next one out"


async def test_an_answer_that_is_signed_is_checked(asks: House) -> None:
    asks.provider.signs_userinfo = {}
    browser = Browser(asks.app)
    assert (await sign_in(asks, browser)).status_code == 303
    assert (await browser.api.me()).roles == ("pit_boss",)
    for more in (
        {"aud": "another-program"}, {"aud": None}, {"iss": "https://evil.example"}, {"iss": None},
        {"sub": "b-1"}, {"sub": None}, {"exp": 1_000},
    ):  # fmt: skip
        asks.provider.signs_userinfo = more
        answer = await sign_in(asks, Browser(asks.app))
        assert (answer.status_code, "cannot be relied on" in answer.text) == (403, True), more


@pytest.mark.parametrize(
    "token", ["eyJhbGciOiJSUzI1NiJ9.e30.AA", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhLTEifQ.", "ey", "eyä",
              "eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ.AA.AA.AA.AA"],
)  # fmt: skip
async def test_a_signed_answer_of_somebody_else_is_not_believed(asks: House, token: str) -> None:
    asks.provider.wrong.answers = {"/userinfo": (200, token.encode())}
    answer = await sign_in(asks, Browser(asks.app))
    assert (answer.status_code, "cannot be relied on" in answer.text) == (403, True)


async def test_an_endpoint_that_never_answers_is_waited_for_seconds(asks: House) -> None:
    asks.open(fetch_s=0.2, userinfo=True)
    asks.provider.wrong.silent.add("/userinfo")
    answer = await sign_in(asks, Browser(asks.app))
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert "House does not answer" in answer.text


async def test_it_is_asked_on_the_providers_own_host_alone(asks: House) -> None:
    for place in ("https://evil.example/userinfo", "", 7, "file:///etc/passwd"):
        asks.passed_s[0] += 3_700
        asks.provider.wrong.description = {"userinfo_endpoint": place}
        assert (await Browser(asks.app).get("/sign-in/provider")).status_code == 503, place
    asks.provider.wrong.description = {"userinfo_endpoint": "https://graph.evil.example/me"}
    asks.provider.claims = {"sub": "a-1", "groups": ["floor"]}
    asks.open()
    assert (await sign_in(asks, Browser(asks.app))).status_code == 303, "not asked, and none's"
    assert "/userinfo" not in asks.provider.asked


async def test_a_token_that_is_none_is_sent_nowhere(asks: House) -> None:
    for access in ("a b", "a\r\nX-Evil: 1", "ä", "", "x" * 9_000):
        asks.provider.access = access
        assert (await sign_in(asks, Browser(asks.app))).status_code == 503, access[:20]
    assert "/userinfo" not in asks.provider.asked
