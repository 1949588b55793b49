"""The provider says that somebody was signed out there: what ends here, and what does not."""

from __future__ import annotations

import asyncio
import base64
import re
from typing import Any

import pytest

from controller.pit.accounts.factors.one_time import code_at
from controller.pit.accounts.roles import PitRole
from controller.pit.sign_in import gate
from controller.pit.sign_in.cookies import SESSION
from tests.pit.sign_in.oidc.house import House, back, say_logout, sign_in, to_provider
from tests.pit.sign_in.pages_of import Browser

pytestmark = pytest.mark.anyio


async def signed_in(house: House, sid: str | None, subject: str = "a-1", **claims: Any) -> Browser:
    """A browser of somebody who has signed in by that session at the provider."""
    browser = Browser(house.app)
    named = {} if sid is None else {"sid": sid}
    answer = await sign_in(house, browser, sub=subject, **named, **claims)
    assert answer.status_code == 303, answer.text
    return browser


async def is_in(browser: Browser) -> bool:
    return (await browser.get("/alerts")).status_code == 200


async def say(house: House, **claims: str) -> None:
    answer = await say_logout(house, house.provider.logout_token(**claims))
    assert (answer.status_code, answer.text) == (200, "")
    assert answer.headers["cache-control"] == "no-store"


async def test_a_session_there_ends_the_one_here_that_began_by_it_and_no_other(
    house: House,
) -> None:
    desk, phone = await signed_in(house, "s-1"), await signed_in(house, "s-2")
    bea = await signed_in(house, "s-3", "b-1", preferred_username="Bea")
    await say(house, sub="a-1", sid="s-1")
    assert [await is_in(each) for each in (desk, phone, bea)] == [False, True, True]
    await say(house, sid="s-2")
    assert [await is_in(each) for each in (phone, bea)] == [False, True]
    assert house.acts()[-2:] == [("House", "ended_sessions", "Aino: 1, signed out there")] * 2
    page = await desk.get("/sign-in?ended=1")
    assert "Your session has ended: sign in again." in page.text
    assert (await sign_in(house, desk, sid="s-4")).status_code == 303


async def test_a_person_who_is_signed_out_there_is_out_everywhere_here(house: House) -> None:
    mine = [await signed_in(house, sid) for sid in ("s-1", "s-2", None)]
    bea = await signed_in(house, "s-3", "b-1", preferred_username="Bea")
    olli = Browser(house.app, house.known.enters(house.known.add("Olli", PitRole.FLOOR)).session)
    await say(house, sub="a-1")
    assert [await is_in(each) for each in mine] == [False] * 3
    assert await is_in(bea)
    assert await is_in(olli), "the pit's own people are nobody's there"
    assert house.acts()[-1] == ("House", "ended_sessions", "Aino: 3, signed out there")


async def test_a_session_whose_name_is_not_known_may_be_the_one(house: House) -> None:
    nameless, other = await signed_in(house, None), await signed_in(house, "s-2")
    await say(house, sub="a-1", sid="s-1")
    assert [await is_in(each) for each in (nameless, other)] == [False, True]
    nameless = await signed_in(house, None)
    await say(house, sid="s-9")
    assert await is_in(nameless), "of nobody that is named"


async def test_anothers_session_is_ended_by_nobodys_name(house: House) -> None:
    aino = await signed_in(house, "s-1")
    bea = await signed_in(house, "s-2", "b-1", preferred_username="Bea")
    await say(house, sub="b-1", sid="s-1")
    await say(house, sub="nobody", sid="s-1")
    await say(house, sub="s-1")
    assert [await is_in(each) for each in (aino, bea)] == [True, True]
    assert all(act != "ended_sessions" for _, act, _ in house.acts())
    again = await signed_in(house, "s-1")
    assert await is_in(again), "what was said of another person keeps this one out of nothing"


async def test_a_stream_that_is_open_ends_with_its_session(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "LOOK_S", 0.02)
    browser = await signed_in(house, "s-1")
    secret = browser.http.cookies[SESSION]
    began = asyncio.Event()

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            assert message["status"] == 200
            began.set()

    async def receive() -> Any:
        await asyncio.Event().wait()

    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET",
        "scheme": "https", "path": "/events/wall", "raw_path": b"/events/wall",
        "query_string": b"", "root_path": "", "client": ("192.0.2.7", 1),
        "server": ("pit.example", 443),
        "headers": [(b"host", b"pit.example"), (b"cookie", f"{SESSION}={secret}".encode())],
    }  # fmt: skip
    stream = asyncio.ensure_future(house.app(scope, receive, send))
    await asyncio.wait((stream, asyncio.ensure_future(began.wait())), return_when="FIRST_COMPLETED")
    assert not stream.done()
    await say(house, sid="s-1")
    await asyncio.wait_for(stream, 60)


async def test_whoever_stands_before_the_second_step_has_to_begin_again(house: House) -> None:
    browser = await signed_in(house, "s-1", groups=["engineers"])
    page = (await browser.get("/sign-in/second?next=/")).text
    await say(house, sub="a-1", sid="s-1")
    handle, secret = _app(page)
    late = await browser.post(
        "/sign-in/second/app", handle=handle, next="/", code=code_at(secret, house.clock())
    )
    assert late.headers["location"].startswith("/sign-in?")
    assert not await is_in(browser)


async def test_a_session_of_two_steps_ends_as_one_of_one_does(house: House) -> None:
    browser = await signed_in(house, "s-1", groups=["engineers"])
    handle, secret = _app((await browser.get("/sign-in/second?next=/")).text)
    code = code_at(secret, house.clock())
    await browser.post("/sign-in/second/app", handle=handle, next="/", code=code)
    assert await is_in(browser)
    house.clock.ahead_s += 60
    again = await signed_in(house, "s-2", groups=["engineers"])
    code = code_at(secret, house.clock())
    done = await again.post("/sign-in/second", code=code, next="/alerts")
    assert (done.status_code, done.headers["location"]) == (303, "/alerts")
    await say(house, sid="s-1")
    assert [await is_in(each) for each in (browser, again)] == [False, True]
    await say(house, sid="s-2")
    assert not await is_in(again)


async def test_a_sign_in_that_comes_later_than_its_end_begins_nothing(house: House) -> None:
    browser, other = Browser(house.app), Browser(house.app)
    address = house.provider.sign_in(await to_provider(browser), sid="s-1")
    await say(house, sub="a-1", sid="s-1")
    answer = await back(browser, address)
    assert (answer.status_code, "signed you out meanwhile" in answer.text) == (403, True)
    assert not await is_in(browser)
    assert house.acts()[-1][1] == "sign_in_refused"
    # The whole person, a moment after the token was made; and the next sign-in is another one.
    address = house.provider.sign_in(await to_provider(other))
    await say(house, sub="a-1")
    house.provider.wrong.claims = lambda claims: claims.update(iat=claims["iat"] - 2)
    assert (await back(other, address)).status_code == 403
    house.provider.wrong.claims = lambda _: None
    assert (await sign_in(house, other)).status_code == 303


async def test_whoever_proves_at_the_provider_is_there_by_that_session_from_now_on(
    house: House,
) -> None:
    browser = await signed_in(house, "s-1", groups=["bosses"])
    house.clock.ahead_s += 660
    address = await to_provider(browser, "/prove/provider?next=/handover")
    proved = house.provider.sign_in(address, groups=["bosses"], sid="s-2")
    assert (await back(browser, proved)).headers["location"] == "/handover"
    await say(house, sid="s-2")
    assert not await is_in(browser)


def _app(page: str) -> tuple[str, bytes]:
    typed = re.search(r"<code>([A-Z2-7 ]+)</code>", page)
    handle = re.search(r'name="handle" value="([^"]+)"', page)
    assert typed is not None, page
    assert handle is not None, page
    return handle[1], base64.b32decode(typed[1].replace(" ", ""))
