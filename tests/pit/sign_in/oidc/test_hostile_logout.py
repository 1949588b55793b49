"""Logout tokens that are forged, repeated, of something else, or sent by whoever likes to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest
from starlette.applications import Starlette

from controller.pit.accounts.roles import PitRole
from controller.pit.sign_in.gate import MAX_BODY_BYTES
from controller.pit.sign_in.oidc.logout_routes import MOST_WAIT, LogoutRoutes
from tests.pit.accounts.known import PASSWORD
from tests.pit.sign_in.oidc.claims import Change, put
from tests.pit.sign_in.oidc.house import LOGOUT_PATH, House, say_logout, sign_in
from tests.pit.sign_in.oidc.provider_server import CLIENT, LOGOUT, Misbehaviour, RsaKey, b64
from tests.pit.sign_in.pages_of import ORIGIN, Browser

pytestmark = pytest.mark.anyio
FORM = {"Content-Type": "application/x-www-form-urlencoded"}

CLAIMS: dict[str, Change] = {
    "another audience": put(aud="another-program"),
    "other audiences": put(aud=["another-program", f"{CLIENT}2"]),
    "no audience": put(aud=None),
    "an audience of none": put(aud=[]),
    "another issuer": put(iss="https://evil.example"),
    "no issuer": put(iss=None),
    "expired": put(exp=lambda it: it["iat"] - 61),
    "never expires": put(exp=None),
    "expires at no time": put(exp=float("nan")),
    "made in the future": put(iat=lambda it: it["iat"] + 120),
    "made long ago": put(iat=lambda it: it["iat"] - 700),
    "made at no time": put(iat=float("nan")),
    "made never": put(iat=None),
    "made in words": put(iat="now"),
    "not before": put(nbf=lambda it: it["iat"] + 120),
    "no name of its own": put(jti=None),
    "an empty name": put(jti=""),
    "a list for a name": put(jti=["x"]),
    "a long name": put(jti="x" * 300),
    "half a character": put(jti="\ud800"),
    "half a character of a person": put(sub="\ud800"),
    "a zero in a session": put(sid="s-1\x00"),
    "made at the end of time": put(iat=float("inf")),
    "made before there was time": put(iat=float("-inf")),
    "a thousand digits": put(iat=10**1_000),
    "no events": put(events=None),
    "another event": put(events={"http://schemas.openid.net/event/other": {}}),
    "events in a list": put(events=[LOGOUT]),
    "an event that is none": put(events={LOGOUT: True}),
    "a nonce": put(nonce="of-a-sign-in"),
    "an empty nonce": put(nonce=""),
    "nobody": put(sub=None, sid=None),
    "two empty names": put(sub="", sid=""),
    "an empty person": put(sub=""),
    "a number for a person": put(sub=7),
    "an empty session": put(sid=""),
    "a session in a list": put(sid=["s-1"]),
    "a long session": put(sid="s" * 300),
}
HEADERS: dict[str, Change] = {
    "not signed": put(alg="none"),
    "signed with the public key": put(alg="HS256"),
    "a way that is not allowed": put(alg="RS512"),
    "another kind of token": put(typ="at+jwt"),
    "a kind that is no word": put(typ=7),
    "a part that has to be understood": put(crit=["strange"], strange=True),
    "no such key": put(kid="key-of-nobody"),
}


async def aino(house: House) -> Browser:
    browser = Browser(house.app)
    assert (await sign_in(house, browser, sid="s-1")).status_code == 303
    return browser


async def refused(house: House, token: str, name: str = "") -> str:
    """Such a token is refused; why."""
    answer = await say_logout(house, token)
    assert answer.status_code == 400, name
    assert answer.headers["cache-control"] == "no-store"
    said = answer.json()
    assert set(said) == {"error", "error_description"}, name
    assert said["error"] == "invalid_request", (name, said)
    return str(said["error_description"])


async def test_a_token_that_says_something_else_ends_nothing(house: House) -> None:
    browser = await aino(house)
    for name, change in CLAIMS.items():
        house.provider.wrong.claims = change
        why = await refused(house, house.provider.logout_token(sub="a-1", sid="s-1"), name)
        assert "evil" not in why
        assert "x" * 300 not in why
    house.provider.wrong = Misbehaviour()
    for name, change in HEADERS.items():
        house.provider.wrong.header = change
        await refused(house, house.provider.logout_token(sub="a-1", sid="s-1"), name)
    assert (await browser.get("/alerts")).status_code == 200
    noted = [about for _, act, about in house.acts() if act == "sign_out_refused"]
    assert len(noted) == 1, "a row a minute, however many are sent"
    house.provider.wrong = Misbehaviour()
    token = house.provider.logout_token(sub="a-1", sid="s-1")
    assert (await say_logout(house, token)).status_code == 200, "nothing else was wrong"
    assert (await browser.get("/alerts")).status_code == 303


async def test_a_token_of_another_key_under_the_same_name_ends_nothing(house: House) -> None:
    browser, true_key = await aino(house), house.provider.key
    house.provider.key = RsaKey(true_key.kid)
    await refused(house, house.provider.logout_token(sub="a-1"))
    house.provider.key = true_key
    token = house.provider.logout_token(sub="a-1")
    head, _, signature = token.split(".")
    for none in (
        "", ".", "..", "ä.ö.ü", token[:-4], f"{head}.{b64(b'[]')}.{signature}", f"{token}.{token}",
        f"{b64(b'[' * 3_000)}.{b64(b'{}')}.AA", f"{head}..{signature}",
    ):  # fmt: skip
        await refused(house, none, none[:20])
    assert (await browser.get("/alerts")).status_code == 200


async def test_a_token_works_once(house: House) -> None:
    token = house.provider.logout_token(sub="a-1")
    await aino(house)
    assert (await say_logout(house, token)).status_code == 200
    browser = await aino_again(house)
    assert "come before" in await refused(house, token)
    house.clock.ahead_s += 300
    await refused(house, token)
    assert (await browser.get("/alerts")).status_code == 200
    house.clock.ahead_s += 3_600
    assert "expired" in await refused(house, token), "also when its name is forgotten"


async def aino_again(house: House) -> Browser:
    browser = Browser(house.app)
    assert (await sign_in(house, browser, sid="s-2")).status_code == 303
    return browser


async def test_a_token_of_a_sign_in_ends_nothing_and_the_other_way_round(house: House) -> None:
    seen: list[str] = []

    def keep(token: str) -> str:
        seen.append(token)
        return token

    house.provider.wrong.token = keep
    browser = await aino(house)
    await refused(house, seen[0])
    # One that says everything that both say.
    logout = house.provider.logout_token(sub="a-1", sid="s-1", auth_time=house.provider.now_s())
    house.provider.wrong.token = lambda _: logout
    assert (await sign_in(house, Browser(house.app))).status_code == 403
    assert (await browser.get("/alerts")).status_code == 200


async def test_a_kind_that_older_providers_name_is_believed(house: House) -> None:
    for kind in ("JWT", "logout+jwt", "LOGOUT+JWT", "application/logout+jwt", None):
        browser = await aino_again(house)
        house.provider.wrong.header = put(typ=kind)
        token = house.provider.logout_token(sub="a-1", aud=[CLIENT, "another-program"])
        house.provider.wrong = Misbehaviour()
        assert (await say_logout(house, token)).status_code == 200, kind
        assert (await browser.get("/alerts")).status_code == 303
        house.clock.ahead_s += 2


async def test_whatever_is_sent_in_place_of_a_form_is_refused(house: House) -> None:
    browser, token = await aino(house), house.provider.logout_token(sub="a-1")
    transport = httpx.ASGITransport(app=house.app)
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as program:
        for body, headers in (
            (b"", {}), (b"", FORM), (b"logout_token=", FORM), (b"token=" + token.encode(), FORM),
            (f"logout_token={token}&logout_token={token}".encode(), FORM), (b"\xff=\xff", FORM),
            (b'{"logout_token": "x"}', {"Content-Type": "application/json"}),
            (b"&".join([b"a=b"] * 50), FORM),
        ):  # fmt: skip
            answer = await program.post(LOGOUT_PATH, content=body, headers=headers)
            assert answer.status_code == 400, body[:40]
            assert answer.json()["error"] == "invalid_request"
        huge = b"logout_token=" + b"x" * MAX_BODY_BYTES
        assert (await program.post(LOGOUT_PATH, content=huge, headers=FORM)).status_code == 413

        async def parts() -> AsyncIterator[bytes]:
            for _ in range(20):
                yield b"x" * 1_024

        many = await program.post(LOGOUT_PATH, content=parts(), headers=FORM)
        assert many.status_code == 413, "whatever length it says, or none"
        # A page of another site that got hold of a token sends it from somebody's browser.
        for own in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
            answer = await program.post(LOGOUT_PATH, data={"logout_token": token}, headers=own)
            assert answer.status_code == 403
        assert (await program.get(f"{LOGOUT_PATH}?logout_token={token}")).status_code == 401
    assert (await browser.get("/alerts")).status_code == 200


async def test_a_body_that_never_ends_keeps_no_other_token_out(house: House) -> None:
    browser = await aino(house)
    never, asked = asyncio.Event(), asyncio.Event()

    async def slow() -> AsyncIterator[bytes]:
        yield b"logout_token="
        asked.set()
        await never.wait()

    transport = httpx.ASGITransport(app=house.app)
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as program:
        waiting = asyncio.ensure_future(program.post(LOGOUT_PATH, content=slow(), headers=FORM))
        await asked.wait()
        token = house.provider.logout_token(sub="a-1")
        assert (await say_logout(house, token)).status_code == 200
        assert not waiting.done()
        never.set()
        assert (await waiting).status_code == 400
    assert (await browser.get("/alerts")).status_code == 303


async def test_keys_that_nobody_has_ask_the_provider_seldom(house: House) -> None:
    browser = await aino(house)
    house.provider.wrong.header = put(kid="key-of-nobody")
    forged = house.provider.logout_token(sub="a-1")
    house.provider.wrong = Misbehaviour()
    for _ in range(5):
        await refused(house, forged)
    assert house.provider.asked.count("/keys") == 1, "asked for at the sign-in, just now"
    house.passed_s[0] += 6
    for _ in range(5):
        await refused(house, forged)
    assert house.provider.asked.count("/keys") == 2
    # The provider has another key, and the first word of it is a sign-out.
    house.provider.key = RsaKey("key-2")
    house.provider.listed = [house.provider.key]
    house.passed_s[0] += 6
    assert (await say_logout(house, house.provider.logout_token(sub="a-1"))).status_code == 200
    assert (await browser.get("/alerts")).status_code == 303


async def test_after_a_start_and_after_an_hour_the_keys_are_asked_for(house: House) -> None:
    for count in (1, 2):
        assert (await say_logout(house, house.provider.logout_token(sub="a-1"))).status_code == 200
        assert (await say_logout(house, house.provider.logout_token(sub="a-1"))).status_code == 200
        assert house.provider.asked.count("/keys") == count
        house.passed_s[0] += 3_700


async def test_what_is_refused_is_counted_and_written_once_a_minute(house: House) -> None:
    browser = await aino(house)
    passed_s = [0.0]
    assert house.provider_of_pit is not None
    routes = LogoutRoutes(house.known.accounts, house.provider_of_pit, lambda: passed_s[0])
    app = Starlette(routes=routes.routes())
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app=app), base_url=ORIGIN
    ) as program:
        for at_s in (0.0, 1.0, 59.0, 60.0, 61.0):
            passed_s[0] = at_s
            answer = await program.post(LOGOUT_PATH, data={"logout_token": "x.y.z"})
            assert answer.status_code == 400
    noted = [about for _, act, about in house.acts() if act == "sign_out_refused"]
    assert [each.partition("Error")[2] for each in noted] == ["", ", and 2 before it"]
    assert (await browser.get("/alerts")).status_code == 200


async def test_while_the_provider_is_silent_known_keys_work_and_nobody_waits(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    house.known.add("Olli", PitRole.FLOOR)
    house.open(fetch_s=60.0)
    browser = await aino(house)
    house.provider.wrong.silent.add("/keys")
    house.provider.wrong.header = put(kid="key-of-nobody")
    forged = house.provider.logout_token(sub="a-1")
    house.provider.wrong.header = lambda _: None
    house.passed_s[0] += 6
    flood = [asyncio.ensure_future(say_logout(house, forged)) for _ in range(MOST_WAIT + 5)]
    await asyncio.to_thread(house.provider.reached.wait, 60)
    stranger = Browser(house.app, address="192.0.2.200")
    answer = await stranger.post("/sign-in", name="Olli", password=PASSWORD, next="/alerts")
    assert answer.headers["location"] == "/alerts"
    assert (await say_logout(house, house.provider.logout_token(sub="a-1"))).status_code == 200
    assert (await browser.get("/alerts")).status_code == 303
    house.provider.closing.set()
    found = [each.json()["error"] for each in await asyncio.gather(*flood)]
    assert set(found) == {"temporarily_unavailable"}
    assert caplog.text.count("cannot be judged") == 1, "strangers fill no log"


async def test_a_pit_without_a_provider_believes_nobody(house: House) -> None:
    from tests.pit.sign_in.pages_of import app_of

    house.app = app_of(house.known)
    token = house.provider.logout_token(sub="a-1")
    assert (await say_logout(house, token)).status_code == 404
