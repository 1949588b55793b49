"""Signing in, as a browser and as whoever attacks it."""

from __future__ import annotations

import pytest
from fastapi import FastAPI

from controller.pit.accounts.accounts import SignInRefused
from controller.pit.accounts.audit.log import first_wrong_row, newest_rows
from controller.pit.accounts.codes import Purpose
from controller.pit.accounts.roles import PitRole
from controller.pit.sign_in.cookies import BROWSER, SESSION, local_path
from tests.pit.accounts.known import HERE, PASSWORD, KnownAccounts
from tests.pit.sign_in.pages_of import ORIGIN, PAGE, Browser, app_of
from tests.support.forms import long_only

pytestmark = pytest.mark.anyio


def acts(known: KnownAccounts) -> list[tuple[str, str, str]]:
    """Who did what to whom, the first one first."""
    with known.engine.connect() as connection:
        rows = newest_rows(connection, 1_000)
        assert first_wrong_row(connection) is None
    return [(each.who, each.act, each.about) for each in reversed(rows)]


async def test_a_person_sets_a_password_signs_in_and_out(
    known: KnownAccounts, app: FastAPI
) -> None:
    _, code = known.people.add("Aino Virtanen", frozenset({PitRole.FLOOR}))
    browser = Browser(app)
    page = await browser.get(f"/set-up/{code}")
    assert "A password for Aino Virtanen" in page.text
    for password, said in (
        ("short", "has 5 characters"), ("passwordpassword", "Use three or four words"),
        ("Aino Virtanen casino", "made of names"), (PASSWORD, "not the same"),
    ):  # fmt: skip
        again = password if said != "not the same" else PASSWORD + "!"
        page = await browser.post(f"/set-up/{code}", password=password, again=again)
        assert said in page.text, password
    done = await browser.post(f"/set-up/{code}", password=PASSWORD, again=PASSWORD)
    assert (done.status_code, done.headers["location"]) == (303, "/")
    assert (await browser.get("/records")).status_code == 200
    assert (await browser.post("/sign-out")).headers["location"] == "/sign-in"
    assert (await browser.get("/records")).headers["location"] == "/sign-in?next=/records"
    assert "too old" in (await browser.get(f"/set-up/{code}")).text
    wrong = await browser.post("/sign-in", name="Aino Virtanen", password="wrong")
    assert wrong.status_code == 403
    assert "The name or the password is wrong." in wrong.text
    assert 'value="Aino Virtanen"' in wrong.text
    back = await browser.post(
        "/sign-in", name=" aino virtanen", password=PASSWORD, next="/records?x=1"
    )
    assert (back.status_code, back.headers["location"]) == (303, "/records?x=1")
    assert [each[1:] for each in acts(known)] == [
        ("added_user", "Aino Virtanen: floor"), ("set_password", "Aino Virtanen"),
        ("signed_in", "link"), ("signed_out", "1"), ("sign_in_refused", "Aino Virtanen"),
        ("signed_in", "password"),
    ]  # fmt: skip


async def test_cookies_are_for_this_host_over_tls_and_for_no_script(
    known: KnownAccounts, app: FastAPI
) -> None:
    known.add("Aino", PitRole.FLOOR)
    answer = await Browser(app).post("/sign-in", name="Aino", password=PASSWORD)
    made = dict(each.split("=", 1) for each in answer.headers.get_list("set-cookie"))
    assert set(made) == {SESSION, BROWSER}
    for name, rest in made.items():
        assert name.startswith("__Host-")
        secret, *rules = rest.split("; ")
        assert len(secret) == 43
        assert {"Path=/", "Secure", "HttpOnly"} <= set(rules)
        assert not any(each.startswith("Domain") for each in rules)
        with known.engine.connect() as connection:
            for table in ("sessions", "browsers", "codes"):
                rows = connection.exec_driver_sql(f"SELECT * FROM {table}").all()
                assert secret not in str(rows)


async def test_a_plain_page_of_this_machine_is_signed_in_to_with_every_browser(
    known: KnownAccounts,
) -> None:
    # WebKit (Safari) keeps no cookie with `Secure` of a page without TLS, loopback or not.
    known.add("Aino", PitRole.FLOOR)
    here = "http://127.0.0.1:8020"
    browser = Browser(app_of(known, origin=""))
    browser.http.base_url = here
    own = {"Origin": here}
    answer = await browser.post("/sign-in", own, name="Aino", password=PASSWORD)
    kept = answer.headers.get_list("set-cookie")
    assert sorted(each.partition("=")[0] for each in kept) == ["pit-browser", "pit-session"]
    for each in kept:
        assert "Secure" not in each
        assert "; HttpOnly; SameSite=Lax" in each
    assert (await browser.get("/sessions")).status_code == 200
    out = await browser.post("/sign-out", own)
    assert "pit-session=; Path=/; HttpOnly" in "".join(out.headers.get_list("set-cookie"))
    assert (await browser.get("/sessions")).status_code == 303


async def test_a_proxy_with_tls_that_asks_for_the_pit_by_its_own_port_hands_on_bound_cookies(
    known: KnownAccounts, app: FastAPI
) -> None:
    """As nginx and Apache do where nobody tells them to keep the name that browsers ask for."""
    known.add("Aino", PitRole.FLOOR)
    browser = Browser(app)
    browser.http.base_url = "http://127.0.0.1:8040"
    answer = await browser.post("/sign-in", name="Aino", password=PASSWORD)
    assert answer.status_code == 303
    kept = answer.headers.get_list("set-cookie")
    assert sorted(each.partition("=")[0] for each in kept) == [BROWSER, SESSION]
    assert all("; Secure" in each for each in kept)


@pytest.mark.parametrize("at", [
    "https://pit.example", "http://pit.example", "https://127.0.0.1", "http://127.0.0.1:8040",
])  # fmt: skip
async def test_a_cookie_without_its_prefix_is_nobodys_where_there_is_tls(
    known: KnownAccounts, app: FastAPI, at: str
) -> None:
    # Any page of the same domain, or of a plain connection, could have planted it. Plain with the
    # pit's own name, or by its own port: a proxy with TLS stands before it.
    user = known.add("Aino", PitRole.FLOOR)
    browser = Browser(app)
    browser.http.base_url = at
    session = known.enters(user).session
    sent = {**PAGE, "Cookie": f"{SESSION.removeprefix('__Host-')}={session}"}
    assert (await browser.get("/sessions", sent)).status_code == 303
    sent = {**PAGE, "Cookie": f"{SESSION}={session}"}
    assert (await browser.get("/sessions", sent)).status_code == 200


async def test_a_session_that_was_planted_is_not_the_one_that_is_signed_in(
    known: KnownAccounts, app: FastAPI
) -> None:
    known.add("Aino", PitRole.FLOOR)
    victim = Browser(app, session="planted" + "x" * 36)
    answer = await victim.post("/sign-in", name="Aino", password=PASSWORD)
    assert SESSION in answer.headers["set-cookie"]
    assert (await Browser(app, "planted" + "x" * 36).get("/")).status_code == 303
    first = victim.http.cookies[SESSION]
    await victim.post("/sign-in", name="Aino", password=PASSWORD)
    assert victim.http.cookies[SESSION] != first
    assert (await Browser(app, first).get("/")).status_code == 303, "the one before has ended"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"}, long_only({"Origin": "null"}),
        long_only({"Origin": ""}),
        long_only({"Origin": "https://pit.example.evil.example"}),
        long_only({"Origin": "http://pit.example"}),
        {"Sec-Fetch-Site": "cross-site"}, long_only({"Sec-Fetch-Site": "same-site"}),
    ],
)  # fmt: skip
async def test_another_page_writes_nothing(
    known: KnownAccounts, app: FastAPI, headers: dict[str, str]
) -> None:
    session = known.enters(known.add("Aino", PitRole.ENGINEER)).session
    for path in ("/users/add", "/sign-out"):
        answer = await Browser(app, session).post(path, headers, name="Eve", role="engineer")
        assert answer.status_code == 403
    assert (await Browser(app, session).get("/")).status_code == 200
    refused = await Browser(app).post("/sign-in", headers, name="Aino", password=PASSWORD)
    assert refused.status_code == 403
    assert "set-cookie" not in refused.headers


async def test_a_body_of_another_kind_is_no_form(known: KnownAccounts, app: FastAPI) -> None:
    session = known.enters(known.add("Aino", PitRole.ENGINEER)).session
    browser = Browser(app, session)
    for kind, body, status in (
        ("text/plain", b"name=Eve", 415), ("application/json", b'{"name":"Eve"}', 415),
        ("application/x-www-form-urlencoded", b"name=a&name=b&role=floor", 400),
        ("application/x-www-form-urlencoded", b"name=\xff", 400),
        ("application/x-www-form-urlencoded", b"name=" + b"a" * 20_000, 413),
    ):  # fmt: skip
        headers = {"Origin": ORIGIN, "Content-Type": kind}
        answer = await browser.http.post("/users/add", headers=headers, content=body)
        assert answer.status_code == status, (kind, answer.text)


@pytest.mark.parametrize("host", ["evil.example", "pit.example.evil", ""])
async def test_another_host_name_is_refused(app: FastAPI, host: str) -> None:
    answer = await Browser(app).get("/sign-in", {"Host": host})
    assert answer.status_code == 421
    assert "evil" not in answer.text


@pytest.mark.parametrize(
    ("asked", "onward"),
    [
        ("/records", "/records"), ("/audit?before=9", "/audit?before=9"),
        ("//evil.example", "/"), long_only("/\\evil.example", "/"),
        long_only("https://evil.example", "/"),
        long_only("javascript:alert(1)", "/"),
        ("/\r\nSet-Cookie: a=b", "/"), long_only("/a\tb", "/"),
        long_only("", "/"),
        long_only("/%0d%0aSet-Cookie:a=b", "/%0d%0aSet-Cookie:a=b"), long_only("/\u0661", "/"),
    ],
)  # fmt: skip
async def test_nobody_is_sent_to_another_site(
    known: KnownAccounts, app: FastAPI, asked: str, onward: str
) -> None:
    known.add("Aino", PitRole.FLOOR)
    assert local_path(asked) == onward
    answer = await Browser(app).post("/sign-in", name="Aino", password=PASSWORD, next=asked)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/")
    assert not answer.headers["location"].startswith("//")
    assert "a" not in answer.cookies


async def test_every_answer_has_the_headers(known: KnownAccounts, app: FastAPI) -> None:
    for path in ("/", "/sign-in", "/nothing", "/healthz", "/set-up/x", "/static/none"):
        headers = (await Browser(app).get(path)).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["strict-transport-security"] == "max-age=63072000"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"


async def test_a_session_ends_by_itself(known: KnownAccounts, app: FastAPI) -> None:
    idle = known.enters(known.add("Aino", PitRole.FLOOR)).session
    minute = 60_000

    async def looks(session: str, **headers: str) -> int:
        known.accounts.forget()
        answer = await Browser(app, session).get("/records", {"Accept": "text/html", **headers})
        return answer.status_code

    for _ in range(20):
        known.clock.now_ms += 29 * minute
        assert await looks(idle) == 200
    known.clock.now_ms += 29 * minute
    by_itself = {"Sec-Fetch-Mode": "navigate"}
    assert await looks(idle, **by_itself) == 200, "a page that is read anew by itself"
    known.clock.now_ms += 2 * minute
    assert await looks(idle) == 303, "is nobody who is there"
    used = known.enters(1).session
    for _ in range(24):
        assert await looks(used) == 200
        known.clock.now_ms += 29 * minute
    known.clock.now_ms += 25 * minute
    known.accounts.forget()
    answer = await Browser(app, used).get("/records")
    assert answer.headers["location"] == "/sign-in?next=/records&ended=1"
    page = await Browser(app).get(answer.headers["location"])
    assert "Your session has ended: sign in again." in page.text


async def test_a_clock_that_is_put_back_ends_sessions(known: KnownAccounts, app: FastAPI) -> None:
    session = known.enters(known.add("Aino", PitRole.FLOOR)).session
    known.clock.now_ms -= 3_600_000
    known.accounts.forget()
    assert (await Browser(app, session).get("/")).status_code == 303


async def test_sessions_are_listed_and_ended_by_their_user_alone(
    known: KnownAccounts, app: FastAPI
) -> None:
    aino, eve = known.add("Aino", PitRole.FLOOR), known.add("Eve", PitRole.FLOOR)
    here, there = known.enters(aino).session, known.enters(aino).session
    mine = {each.id for each in known.accounts.listed_sessions(aino)}
    current = known.accounts.recognize(here)
    assert current is not None
    browser = Browser(app, here)
    page = (await browser.get("/sessions")).text
    assert page.count("Chrome on Linux</td>") + page.count("(this one)") == len(mine)
    intruder = Browser(app, known.enters(eve).session)
    for number in mine:
        assert (await intruder.post("/sessions/end", session=str(number))).status_code == 404
    for number in mine - {current.session}:
        assert (await browser.post("/sessions/end", session=str(number))).status_code == 303
    assert (await Browser(app, there).get("/")).status_code == 303
    assert (await browser.get("/")).status_code == 200
    await browser.post("/sessions/end", session=str(current.session))
    assert SESSION not in browser.http.cookies


async def test_an_act_on_users_asks_again_after_ten_minutes(
    known: KnownAccounts, app: FastAPI
) -> None:
    session = known.enters(known.add("Aino", PitRole.ENGINEER)).session
    browser = Browser(app, session)
    assert (await browser.post("/users/add", name="Eino", role="floor")).status_code == 200
    known.clock.now_ms += 11 * 60_000
    asked = await browser.post("/users/add", name="Helmi", role="floor")
    assert (asked.status_code, asked.headers["location"]) == (303, "/prove?next=/users")
    wrong = await browser.post("/prove", password="wrong", next="/users")
    assert "The password is wrong." in wrong.text
    right = await browser.post("/prove", password=PASSWORD, next="/users")
    assert right.headers["location"] == "/users"
    assert (await browser.post("/users/add", name="Helmi", role="floor")).status_code == 200
    assert {each.name for each in known.people.listed()} == {"Aino", "Eino", "Helmi"}


async def test_users_are_changed_by_engineers_and_nobody_changes_oneself(
    known: KnownAccounts, app: FastAPI
) -> None:
    aino, eino = known.add("Aino", PitRole.ENGINEER), known.add("Eino", PitRole.FLOOR)
    browser = Browser(app, known.enters(aino).session)
    his = Browser(app, known.enters(eino).session)
    page = await browser.post("/users/add", name="<b>Eve</b>", role="cage")
    assert "&lt;b&gt;Eve" in page.text
    assert f"{ORIGIN}/set-up/" in page.text
    token = (await browser.post("/users/add", name="grafana", role="machine")).text
    assert "The token of grafana" in token
    refused: tuple[tuple[str, dict[str, str], str], ...] = (
        ("/users/roles", {"user": str(aino), "role": "auditor"}, "Nobody changes"),
        ("/users/close", {"user": str(aino)}, "Nobody changes"),
        ("/users/roles", {"user": str(eino), "role": "machine"}, "A machine stays one"),
        ("/users/roles", {"user": str(eino)}, "choose of"),
        ("/users/add", {"name": "EINO", "role": "floor"}, "there already"),
        ("/users/close", {"user": "999"}, "There is no such user"),
    )
    for path, fields, said in refused:
        answer = await browser.post(path, {}, **fields)
        assert answer.status_code == 422, path
        assert said in answer.text
    assert (await his.get("/users")).status_code == 403
    await browser.post("/users/roles", user=str(eino), role="pit_boss")
    assert (await his.get("/users")).status_code == 200, "a role holds at once"
    await browser.post("/users/close", user=str(eino))
    assert (await his.get("/")).status_code == 303
    closed = await Browser(app).post("/sign-in", name="Eino", password=PASSWORD)
    assert "The name or the password is wrong." in closed.text
    await browser.post("/users/reopen", user=str(eino))
    again = await Browser(app).post("/sign-in", name="Eino", password=PASSWORD)
    assert again.status_code == 303
    assert ("Aino", "closed_user", "Eino") in acts(known)


async def test_a_link_that_somebody_looks_at_first_still_signs_in(
    known: KnownAccounts, app: FastAPI
) -> None:
    """Scanners of mail and previews of messengers fetch what they find."""
    code = known.people.link(known.add("Aino", PitRole.FLOOR), Purpose.SIGN_IN)
    for _ in range(2):
        looked = await Browser(app).get(f"/enter/{code}")
        assert "Sign in as Aino" in looked.text
        assert "set-cookie" not in looked.headers
    entered = await Browser(app).post(f"/enter/{code}")
    assert entered.headers["location"] == "/"
    assert "set-cookie" in entered.headers
    for again in (
        await Browser(app).get(f"/enter/{code}"),
        await Browser(app).post(f"/enter/{code}"),
    ):
        assert again.status_code == 403


def test_a_link_that_was_made_while_the_clock_was_ahead_does_not_outlive_it(
    known: KnownAccounts,
) -> None:
    number = known.add("Aino", PitRole.ENGINEER)
    known.clock.now_ms += 86_400_000
    link = known.people.link(number, Purpose.SIGN_IN)
    known.clock.now_ms -= 86_400_000
    with pytest.raises(SignInRefused):
        known.accounts.enter(link, HERE)


def test_a_link_works_once_for_ten_minutes_and_for_what_it_is(known: KnownAccounts) -> None:
    from controller.pit.accounts.accounts import SignInRefused

    aino = known.add("Aino", PitRole.FLOOR)
    code = known.people.link(aino, Purpose.SIGN_IN)
    known.accounts.enter(code, HERE)
    late = known.people.link(aino, Purpose.SIGN_IN)
    other = known.people.link(aino, Purpose.SET_UP)
    for wrong in (code, other, "none"):
        with pytest.raises(SignInRefused):
            known.accounts.enter(wrong, HERE)
    known.clock.now_ms += 10 * 60_000
    with pytest.raises(SignInRefused):
        known.accounts.enter(late, HERE)


async def test_a_person_sets_another_password_after_the_old_one(
    known: KnownAccounts, app: FastAPI
) -> None:
    other = "lanterns juggle quiet badgers"
    aino = Browser(app, known.enters(known.add("Aino", PitRole.VIEWER)).session)
    elsewhere = Browser(app, known.sign_in("Aino").session)
    assert "Set another password" in (await aino.get("/sessions")).text
    known.clock.now_ms += 11 * 60_000
    asked = await aino.post("/sessions/password")
    assert asked.headers["location"] == "/prove?next=/sessions"
    proven = await aino.post("/prove", password=PASSWORD, next="/sessions")
    assert proven.headers["location"] == "/sessions"
    way = (await aino.post("/sessions/password")).headers["location"]
    assert way.startswith("/set-up/")
    done = await aino.post(way, password=other, again=other)
    assert done.status_code == 303
    assert (await elsewhere.get("/api/v1/me", {})).status_code == 401, "every session has ended"
    with pytest.raises(SignInRefused):
        known.sign_in("Aino")
    assert known.sign_in("Aino", other).session
    assert (await aino.post(way, password=other, again=other)).status_code == 403, "once"
