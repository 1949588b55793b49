"""A provider that misbehaves, is somebody else, or is away; and whoever tries without it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from controller.pit.accounts.roles import PitRole
from controller.pit.sign_in.oidc.fetch import MOST_BYTES
from controller.pit.sign_in.oidc.slots import MOST_OF_ADDRESS
from tests.pit.accounts.known import PASSWORD
from tests.pit.sign_in.oidc.claims import Change, put
from tests.pit.sign_in.oidc.house import ROLES, House, back, sign_in, to_provider
from tests.pit.sign_in.oidc.provider_server import (
    CurveKey,
    Misbehaviour,
    ProviderServer,
    RsaKey,
    b64,
    served,
)
from tests.pit.sign_in.pages_of import ORIGIN, Browser

pytestmark = pytest.mark.anyio


async def nobody(house: House, browser: Browser) -> None:
    """Nobody is signed in in that browser."""
    assert (await browser.get("/alerts")).headers["location"].startswith("/sign-in")
    assert all(act == "sign_in_refused" for _, act, _ in house.acts())


CLAIMS: dict[str, Change] = {
    "another sign-in": put(nonce="of-another-one"),
    "no nonce": put(nonce=None),
    "another audience": put(aud="another-program"),
    "many audiences, and not for whom": put(aud=["pit-of-the-tests", "another-program"]),
    "for somebody else": put(aud=["pit-of-the-tests", "another-program"], azp="another-program"),
    "an authorized party of its own": put(azp="another-program"),
    "no audience": put(aud=None),
    "another issuer": put(iss="https://evil.example"),
    "the issuer with a slash": put(iss=lambda it: it["iss"] + "/"),
    "expired": put(exp=lambda it: it["iat"] - 61),
    "never expires": put(exp=None),
    "expires at no time": put(exp=float("nan")),
    "made in the future": put(iat=lambda it: it["iat"] + 120),
    "made long ago": put(iat=lambda it: it["iat"] - 700),
    "not before": put(nbf=lambda it: it["iat"] + 120),
    "nobody": put(sub=None),
    "a nobody": put(sub=""),
    "a number": put(sub=7),
    "half a character": put(sub="\ud800"),
    "a zero": put(sub="a-1\x00"),
    "a session that is none": put(sid=["s-1"]),
    "half a session": put(sid="\ud800"),
    "made at no time": put(iat=float("nan")),
    "another access token": put(at_hash=b64(bytes(16))),
    "signed in at no time": put(auth_time=None),
    "signed in before": put(auth_time=lambda it: it["iat"] - 700),
    "signs in tomorrow": put(auth_time=lambda it: it["iat"] + 86_400),
    "a truth for a time": put(auth_time=True),
}
HEADERS: dict[str, Change] = {
    "not signed": put(alg="none"),
    "signed with the public key": put(alg="HS256"),
    "a way that is not allowed": put(alg="RS512"),
    "another kind of token": put(typ="logout+jwt"),
    "a part that has to be understood": put(crit=["strange"], strange=True),
    "no such key": put(kid="key-of-nobody"),
}


async def test_a_token_that_says_something_else_lets_nobody_in(house: House) -> None:
    browser = Browser(house.app)
    for name, change in CLAIMS.items():
        house.provider.wrong.claims = change
        answer = await sign_in(house, browser)
        assert (answer.status_code, "cannot be relied on" in answer.text) == (403, True), name
        await nobody(house, browser)
    assert len(house.acts()) == len(CLAIMS), "the audit says that each was refused, and why"


async def test_a_token_that_is_not_signed_as_it_should_lets_nobody_in(house: House) -> None:
    browser = Browser(house.app)
    for name, change in HEADERS.items():
        house.provider.wrong.header = change
        answer = await sign_in(house, browser)
        assert (answer.status_code, "cannot be relied on" in answer.text) == (403, True), name
        await nobody(house, browser)
    house.provider.wrong = Misbehaviour()
    assert (await sign_in(house, browser)).status_code == 303, "nothing else was wrong"


async def test_a_token_of_another_key_under_the_same_name_lets_nobody_in(house: House) -> None:
    house.provider.key = RsaKey(house.provider.key.kid)
    browser = Browser(house.app)
    assert (await sign_in(house, browser)).status_code == 403
    await nobody(house, browser)


TOKENS: tuple[Callable[[str], str], ...] = (
    lambda token: token[:-4] + ("AAAA" if token[-4:] != "AAAA" else "BBBB"),
    lambda token: token.replace(".", "..", 1),
    lambda _: "",
    lambda _: "ä.ö.ü",
    lambda token: f"{token.split('.')[0]}.{b64(b'[]')}.{token.split('.')[2]}",
    lambda token: f"{token}.{token}",
    lambda _: f"{b64(b'[' * 3_000)}.{b64(b'{}')}.AA",
)


async def test_a_token_that_is_none_lets_nobody_in(house: House) -> None:
    browser = Browser(house.app)
    for change in TOKENS:
        house.provider.wrong.token = change
        assert (await sign_in(house, browser)).status_code == 403
        await nobody(house, browser)


async def test_a_clock_that_is_off_by_less_than_a_minute_lets_in(house: House) -> None:
    house.provider.now_s = lambda: house.clock() // 1_000 - 50
    house.provider.wrong.claims = put(exp=lambda it: it["iat"] + 1)
    assert (await sign_in(house, Browser(house.app))).status_code == 303


async def test_other_keys_let_in_where_they_are_strong(house: House) -> None:
    for key, alg, status in (
        (RsaKey("short", 1_024), "RS256", 403), (CurveKey("curve"), "ES256", 303),
        (house.provider.key, "PS256", 303), (house.provider.key, "RS256", 303),
    ):  # fmt: skip
        house.passed_s[0] += 3_700
        house.provider.key, house.provider.listed, house.provider.alg = key, [key], alg
        assert (await sign_in(house, Browser(house.app))).status_code == status
        house.provider.wrong.header = lambda header: header.pop("kid")
        assert (await sign_in(house, Browser(house.app))).status_code == status, "no name"
        house.provider.wrong = Misbehaviour()


async def test_a_new_key_is_asked_for_and_not_too_often(house: House) -> None:
    assert (await sign_in(house, Browser(house.app))).status_code == 303
    house.provider.key = RsaKey("key-2")
    house.provider.listed.append(house.provider.key)
    house.passed_s[0] += 6
    assert (await sign_in(house, Browser(house.app))).status_code == 303
    asked = house.provider.asked.count("/keys")
    assert asked == 2
    house.provider.wrong.header = put(kid="no-such-key")
    for _ in range(3):
        assert (await sign_in(house, Browser(house.app))).status_code == 403
    assert house.provider.asked.count("/keys") == asked, "asked for just now"
    assert house.provider.asked.count("/.well-known/openid-configuration") == 1
    house.passed_s[0] += 3_700
    house.provider.wrong = Misbehaviour()
    assert (await sign_in(house, Browser(house.app))).status_code == 303
    assert house.provider.asked.count("/.well-known/openid-configuration") == 2


async def test_an_answer_of_another_browser_or_sign_in_is_none(house: House) -> None:
    victim, attacker = Browser(house.app), Browser(house.app)
    address = house.provider.sign_in(await to_provider(attacker))
    # Sent to somebody who has begun nothing, and to somebody who has begun one of their own.
    assert (await back(victim, address)).status_code == 403
    await to_provider(victim)
    assert (await back(victim, address)).status_code == 403
    await nobody(house, victim)
    parts = urlsplit(house.provider.sign_in(await to_provider(attacker)))
    twice = f"{parts.geturl()}&state={parse_qs(parts.query)['state'][0]}"
    assert (await back(attacker, twice)).status_code == 403
    await nobody(house, attacker)


async def test_a_code_works_once_and_for_whoever_began(house: House) -> None:
    browser = Browser(house.app)
    address = house.provider.sign_in(await to_provider(browser))
    cookies = dict(browser.http.cookies)
    assert (await back(browser, address)).status_code == 303
    assert (await back(browser, address)).status_code == 403, "the browser has forgotten it"
    again = Browser(house.app)
    for name, value in cookies.items():
        again.http.cookies.set(name, value, domain="pit.example", path="/")
    answer = await back(again, address)
    assert (answer.status_code, "was used, or is too old" in answer.text) == (403, True)
    # A code of another's sign-in, put into one's own: another verifier, and another nonce.
    stolen = parse_qs(urlsplit(house.provider.sign_in(await to_provider(Browser(house.app)))).query)
    thief = Browser(house.app)
    for careless in (False, True):
        house.provider.wrong.careless = careless
        own = parse_qs(urlsplit(house.provider.sign_in(await to_provider(thief))).query)
        mixed = {"code": stolen["code"][0], "state": own["state"][0], "iss": own["iss"][0]}
        answer = await back(thief, f"{house.provider.back}?{urlencode(mixed)}")
        assert answer.status_code == 403
        assert (await thief.get("/alerts")).status_code == 303


async def test_an_answer_of_another_provider_is_not_asked_about(house: House) -> None:
    browser = Browser(house.app)
    for named in ("https://evil.example", None):
        house.provider.wrong.named = named
        assert (await sign_in(house, browser)).status_code == 403
        assert "/token" not in house.provider.asked
        await nobody(house, browser)


async def test_a_provider_that_names_itself_nowhere_is_taken_as_it_is(house: House) -> None:
    house.provider.wrong.description = {"authorization_response_iss_parameter_supported": False}
    house.provider.wrong.named = None
    assert (await sign_in(house, Browser(house.app))).status_code == 303


async def test_what_the_provider_refuses_is_said_in_words_and_nothing_else(house: House) -> None:
    for error, said in (
        ("access_denied", "did not let you in, or you have cancelled it"),
        ("<script>alert(1)</script>", "House did not let you in"),
    ):
        browser = Browser(house.app)
        state = parse_qs(urlsplit(await to_provider(browser)).query)["state"][0]
        sent = {"error": error, "state": state, "iss": house.provider.issuer}
        answer = await back(browser, f"{house.provider.back}?{urlencode(sent)}")
        assert (answer.status_code, said in answer.text) == (403, True)
        assert "alert(1)" not in answer.text


async def test_a_sign_in_that_began_long_ago_is_over(house: House) -> None:
    browser = Browser(house.app)
    address = house.provider.sign_in(await to_provider(browser))
    house.clock.ahead_s += 601
    answer = await back(browser, address)
    assert (answer.status_code, "took too long" in answer.text) == (403, True)
    forged = Browser(house.app)
    for value in ("", "a.b", "a.b.enter.c", f"{'x' * 43}.-5.enter.Lw", f"{'x' * 43}.1e9.enter.%%"):
        forged.http.cookies.set("__Host-pit-provider", value, domain="pit.example", path="/")
        assert (await back(forged, address)).status_code == 403


DESCRIPTIONS: dict[str, tuple[int, bytes]] = {
    "nothing": (404, b"{}"),
    "no JSON": (200, b"<html>"),
    "a list": (200, b"[]"),
    "giant": (200, b'{"issuer": "' + b"x" * MOST_BYTES + b'"}'),
    "deep": (200, b"[" * 60_000 + b"]" * 60_000),
    "elsewhere": (302, b"/keys"),
    "another issuer": (200, b'{"issuer": "https://evil.example"}'),
}


async def test_a_description_that_is_none_leads_nowhere(house: House) -> None:
    browser = Browser(house.app)
    for name, found in DESCRIPTIONS.items():
        house.provider.wrong.answers["/.well-known/openid-configuration"] = found
        house.passed_s[0] += 6
        for again in (False, True):
            answer = await browser.get("/sign-in/provider")
            said = "House does not answer as it should" in answer.text
            assert (answer.status_code, said) == (503, True), (name, again)
            assert 'name="password"' in answer.text
    assert len(house.provider.asked) == len(DESCRIPTIONS), "not twice within seconds"


async def test_addresses_of_other_hosts_are_asked_nothing(house: House) -> None:
    browser, here = Browser(house.app), urlsplit(house.provider.issuer).netloc
    for name in ("authorization_endpoint", "token_endpoint", "jwks_uri", "end_session_endpoint"):
        for place in (
            "https://evil.example/x", "http://127.0.0.1:1/x", "file:///etc/passwd", "javascript:x",
            7, "http://[", "//evil.example", f"https://{here}/x", f"http://a:b@{here}/x",
        ):  # fmt: skip
            house.provider.wrong.description = {name: place}
            house.passed_s[0] += 6
            assert (await browser.get("/sign-in/provider")).status_code == 503, (name, place)
    house.provider.wrong = Misbehaviour()
    house.passed_s[0] += 6
    assert (await browser.get("/sign-in/provider")).status_code == 303


async def test_another_host_that_the_section_names_is_its_own(house: House) -> None:
    with served(ProviderServer(house.provider.back, house.provider.now_s)) as other:
        other.listed = house.provider.listed
        house.provider.wrong.description = {"jwks_uri": f"{other.issuer}/keys"}
        assert (await Browser(house.app).get("/sign-in/provider")).status_code == 503
        house.open(hosts=(other.issuer,))
        assert (await sign_in(house, Browser(house.app))).status_code == 303
        assert other.asked == ["/keys"]


async def test_whatever_the_provider_answers_is_judged(house: House) -> None:
    token = json.dumps({"id_token": "x", "access_token": 1}).encode()
    keys = b'{"keys": [7, {}, {"kty": "RSA"}, {"kty": "oct", "k": "AAAA", "kid": "key-1"}]}'
    browser = Browser(house.app)
    for path in ("/token", "/keys"):
        for answer in (
            *DESCRIPTIONS.values(), (200, b"{}"), (200, token), (500, b"{}"), (401, b"{}"),
            (200, keys),
        ):  # fmt: skip
            house.passed_s[0] += 3_700
            house.provider.wrong.answers = {path: answer}
            assert (await sign_in(house, browser)).status_code in {403, 503}
            await nobody(house, browser)


@pytest.mark.parametrize("path", ["/.well-known/openid-configuration", "/token"])
async def test_a_slow_provider_keeps_nobody_else_out(house: House, path: str) -> None:
    house.known.add("Olli", PitRole.FLOOR)
    house.open(fetch_s=60.0)
    house.provider.wrong.silent.add(path)
    browsers = [Browser(house.app, address="198.51.100.9") for _ in range(MOST_OF_ADDRESS + 2)]
    if path == "/token":
        addresses = [house.provider.sign_in(await to_provider(each)) for each in browsers]
        waits = [back(each, at) for each, at in zip(browsers, addresses, strict=True)]
    else:
        waits = [each.get("/sign-in/provider") for each in browsers]
    waiting = asyncio.gather(*waits)
    await asyncio.to_thread(house.provider.reached.wait, 60)
    # Somebody at another address, whom nobody here knows, with a password of the pit's own.
    olli = Browser(house.app, address="192.0.2.200")
    answer = await olli.post("/sign-in", name="Olli", password=PASSWORD, next="/alerts")
    assert answer.headers["location"] == "/alerts"
    assert not waiting.done()
    house.provider.closing.set()
    found = await waiting
    assert {each.status_code for each in found} == {503}
    many = sum("Too many sign in there" in each.text for each in found)
    assert many == len(browsers) - MOST_OF_ADDRESS
    assert all("does not answer" in each.text or "Too many" in each.text for each in found)


async def test_a_provider_that_does_not_answer_is_waited_for_seconds(house: House) -> None:
    house.open(fetch_s=0.2)
    house.provider.wrong.silent.add("/keys")
    browser = Browser(house.app)
    answer = await sign_in(house, browser)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert "House does not answer" in answer.text
    await nobody(house, browser)


async def test_another_site_sends_nobody_to_the_provider(house: House) -> None:
    browser = Browser(house.app)
    answer = await browser.get(
        "/sign-in/provider?next=/users", {"Accept": "text/html", "Sec-Fetch-Site": "cross-site"}
    )
    assert answer.headers["location"] == "/sign-in"
    assert "set-cookie" not in answer.headers
    for onward in ("//evil.example", "https://evil.example", "/\\evil.example", "/a\r\nX: y"):
        one = Browser(house.app)
        address = await to_provider(one, f"/sign-in/provider?{urlencode({'next': onward})}")
        done = await back(one, house.provider.sign_in(address))
        assert done.headers["location"] == "/"


async def test_the_request_has_all_that_protects_it_and_cookies_have_too(house: House) -> None:
    browser = Browser(house.app)
    answer = await browser.get("/sign-in/provider")
    asked = parse_qs(urlsplit(answer.headers["location"]).query)
    assert asked["redirect_uri"] == [f"{ORIGIN}/sign-in/provider/back"]
    assert asked["code_challenge_method"] == ["S256"]
    assert asked["scope"] == ["openid profile"]
    kept = answer.headers["set-cookie"]
    assert kept.startswith("__Host-pit-provider=")
    for part in ("Path=/", "Secure", "HttpOnly", "SameSite=Lax", "Max-Age=600"):
        assert part in kept
    for secret in (asked["state"][0], asked["nonce"][0], asked["code_challenge"][0]):
        assert len(secret) == 43
        assert secret not in kept
    done = await back(browser, house.provider.sign_in(answer.headers["location"]))
    assert "__Host-pit-provider=; " in "".join(done.headers.get_list("set-cookie"))
    assert "form-action 'self'" in done.headers["content-security-policy"]


async def test_without_a_provider_there_is_no_button_and_no_way(house: House) -> None:
    from tests.pit.sign_in.pages_of import app_of

    browser = Browser(app_of(house.known))
    assert "Sign in with House" not in (await browser.get("/sign-in")).text
    for path in ("/sign-in/provider", "/sign-in/provider/out"):
        assert (await browser.get(path)).headers["location"] == "/sign-in"
    assert (await browser.get("/sign-in/provider/back?code=x")).status_code == 403


def test_roles_are_those_of_the_groups_that_are_named(house: House) -> None:
    rules = house.section().rules
    assert rules.roles_of(frozenset({"bosses", "choir"})) == {PitRole.PIT_BOSS}
    assert rules.given == {PitRole(role) for roles in ROLES.values() for role in roles}
