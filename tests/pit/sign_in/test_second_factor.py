"""The second step of signing in, as a browser and as whoever attacks it."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI

from controller.pit.accounts.accounts import Accounts
from controller.pit.accounts.audit.log import first_wrong_row, newest_rows
from controller.pit.accounts.codes import Purpose
from controller.pit.accounts.factors.one_time import STEP_S, AppSecrets, OtherKey, code_at, step_of
from controller.pit.accounts.passwords import Passwords
from controller.pit.accounts.roles import PitRole
from controller.pit.accounts.sessions import Lifetime
from controller.pit.archive.overview import Overview
from controller.pit.server.app import create_pit_app
from controller.pit.wall.settings import WallSettings
from controller.pit.wall.wall import Wall
from tests.pit.accounts.known import CHEAP, HERE, PASSWORD, KnownAccounts, known_in
from tests.pit.sign_in.pages_of import ORIGIN, Browser

pytestmark = pytest.mark.anyio

STEP_MS = STEP_S * 1_000
KEY = AppSecrets(bytes(range(32)))
#: RFC 6238, appendix B: the secret of its examples with SHA-1, and the end of its codes.
RFC_SECRET = b"12345678901234567890"
RFC_CODES = {
    59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924",
    2000000000: "279037", 20000000000: "353130",
}  # fmt: skip


@pytest.fixture
def known(tmp_path: Path) -> Iterator[KnownAccounts]:
    """Accounts of a house that asks engineers for a second factor."""
    found = known_in(tmp_path)
    found.accounts = Accounts(
        found.engine, found.clock, Lifetime(), Passwords(CHEAP), frozenset({PitRole.ENGINEER})
    )
    found.people = type(found.people)(found.accounts, found.people.who)
    yield found
    found.engine.dispose()


@pytest.fixture
def app(known: KnownAccounts) -> FastAPI:
    return app_with(known, KEY)


def app_with(known: KnownAccounts, key: AppSecrets | None) -> FastAPI:
    wall = Wall(WallSettings(), known.clock)
    nothing = Overview(0, "", True, (), ())
    return create_pit_app(wall, lambda: nothing, known.accounts, 10, ORIGIN, secret_key=key)


class Phone:
    """A person's app: it has read the page's secret, and shows codes by the test's clock."""

    def __init__(self, page: str, clock: Callable[[], int]) -> None:

        typed = found(r"<code>([A-Z2-7 ]+)</code>", page)
        self.secret = base64.b32decode(typed.replace(" ", ""))
        self.clock = clock

    def code(self) -> str:
        return code_at(self.secret, self.clock())


def found(pattern: str, page: str) -> str:
    match = re.search(pattern, page)
    assert match is not None, page
    return match[1]


def recovery_codes(page: str) -> list[str]:
    return re.findall(r"<code>([a-z2-7]{4}(?:-[a-z2-7]{4}){3})</code>", page)


def acts(known: KnownAccounts) -> list[tuple[str, str]]:
    with known.engine.connect() as connection:
        rows = newest_rows(connection, 1_000)
        assert first_wrong_row(connection) is None
    return [(each.act, each.about) for each in reversed(rows)]


async def password(browser: Browser, name: str = "Eeva") -> str:
    """Type the password; where that leads to."""
    answer = await browser.post("/sign-in", name=name, password=PASSWORD, next="/users")
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


async def set_up(known: KnownAccounts, app: FastAPI, browser: Browser) -> tuple[Phone, list[str]]:
    """Sign in as an engineer for the first time; the app that was set up, and recovery codes."""
    assert await password(browser) == "/sign-in/second?next=/users"
    page = (await browser.get("/sign-in/second?next=/users")).text
    phone = Phone(page, known.clock)
    handle = found(r'name="handle" value="([^"]+)"', page)
    wrong = await browser.post(
        "/sign-in/second/app", handle=handle, next="/users", code=other(phone.code())
    )
    assert (wrong.status_code, "The code is wrong" in wrong.text) == (422, True)
    assert (await browser.get("/users")).headers["location"] == "/sign-in?next=/users"
    shown = phone.code()
    done = await browser.post(
        "/sign-in/second/app", handle=handle, next="/users", code=f"{shown[:3]} {shown[3:]}"
    )
    assert done.status_code == 200
    return phone, recovery_codes(done.text)


def other(code: str) -> str:
    """A code that is not that one."""
    return f"{(int(code) + 123_457) % 1_000_000:06}"


@pytest.mark.parametrize(("at_s", "code"), RFC_CODES.items())
def test_codes_are_those_of_the_standard(at_s: int, code: str) -> None:
    assert code_at(RFC_SECRET, at_s * 1_000) == code
    assert step_of(RFC_SECRET, code, at_s * 1_000) == at_s // STEP_S
    step = at_s // STEP_S
    # A telephone may be a step behind or before, not two.
    late = [step_of(RFC_SECRET, code, (step + off) * STEP_MS) for off in (0, 1, 2)]
    assert late == [step, step, None]
    early = [code_at(RFC_SECRET, (step + off) * STEP_MS) for off in (1, 2)]
    assert [step_of(RFC_SECRET, each, at_s * 1_000) for each in early] == [step + 1, None]


def test_a_copy_of_the_database_makes_no_codes() -> None:
    sealed = KEY.sealed(RFC_SECRET, 7)
    assert RFC_SECRET not in sealed
    assert KEY.opened(sealed, 7) == RFC_SECRET
    changed = sealed[:-1] + bytes([sealed[-1] ^ 1])
    for key, user, bytes_ in (
        (AppSecrets(bytes(32)), 7, sealed), (KEY, 8, sealed), (KEY, 7, changed), (KEY, 7, b""),
    ):  # fmt: skip
        with pytest.raises(OtherKey):
            key.opened(bytes_, user)


async def test_a_role_that_has_to_sets_up_an_app_and_signs_in_by_its_codes(
    known: KnownAccounts, app: FastAPI
) -> None:
    user, code = known.people.add("Eeva", frozenset({PitRole.ENGINEER}))
    browser = Browser(app)
    # The link sets the password, and is no way around the second factor.
    answer = await browser.post(f"/set-up/{code}", password=PASSWORD, again=PASSWORD)
    assert answer.headers["location"] == "/sign-in/second?next=/"
    phone, recovery = await set_up(known, app, browser)
    assert len(set(recovery)) == 10
    assert (await browser.get("/users")).status_code == 200
    secret = phone.secret
    with known.engine.connect() as connection:
        for table in ("apps", "recovery_codes", "audit"):
            rows = str(connection.exec_driver_sql(f"SELECT * FROM {table}").all())
            assert repr(secret)[2:-1] not in rows
            assert not any(each in rows for each in recovery)
    second = Browser(app)
    assert await password(second) == "/sign-in/second?next=/users"
    # The code that confirmed the app is used up.
    replay = await second.post("/sign-in/second", code=phone.code(), next="/users")
    assert (replay.status_code, "has been used" in replay.text) == (403, True)
    assert (await second.get("/users")).status_code == 303
    known.clock.now_ms += STEP_MS
    right = await second.post("/sign-in/second", code=phone.code(), next="/users")
    assert (right.status_code, right.headers["location"]) == (303, "/users")
    assert (await second.get("/users")).status_code == 200
    # What has signed in once does not sign in again, in this browser or another.
    assert (await second.get("/sign-in/second")).headers["location"] == "/sign-in?ended=1"
    third = Browser(app)
    await password(third)
    assert (await third.post("/sign-in/second", code=phone.code())).status_code == 403
    hows = {each.how for each in known.accounts.listed_sessions(user.id)}
    assert hows == {"password and app"}
    noted = [act for act, _ in acts(known)]
    assert noted == [
        "added_user", "set_password", "added_app", "signed_in", "code_refused", "signed_in",
        "code_refused",
    ]  # fmt: skip


async def test_a_recovery_code_signs_in_once(known: KnownAccounts, app: FastAPI) -> None:
    known.add("Eeva", PitRole.ENGINEER)
    _, recovery = await set_up(known, app, Browser(app))
    lost = Browser(app)
    await password(lost)
    typed = recovery[3].upper().replace("-", " ")
    assert (await lost.post("/sign-in/second", code=typed, next="/users")).status_code == 303
    assert (await lost.get("/users")).status_code == 200
    again = Browser(app)
    await password(again)
    refused = await again.post("/sign-in/second", code=recovery[3])
    assert (refused.status_code, "The code is wrong" in refused.text) == (403, True)
    assert ("used_recovery_code", "Eeva: 9 left") in acts(known)
    # Somebody else's is nobody's.
    known.add("Olli", PitRole.ENGINEER)
    stranger = Browser(app)
    await password(stranger, "Olli")
    page = (await stranger.get("/sign-in/second")).text
    assert "set up an app" in page
    assert (await stranger.post("/sign-in/second", code=recovery[4])).status_code == 403


async def test_wrong_codes_wait_and_a_known_browser_waits_for_no_stranger(
    known: KnownAccounts, app: FastAPI
) -> None:
    known.add("Eeva", PitRole.ENGINEER)
    mine = Browser(app)
    phone, _ = await set_up(known, app, mine)
    known.clock.now_ms += STEP_MS
    stranger = Browser(app, address="198.51.100.9")
    await password(stranger)
    wrong = other(phone.code())
    tried = [await stranger.post("/sign-in/second", code=wrong) for _ in range(8)]
    assert [each.status_code for each in tried] == [403, 403, 403, 403, 403, 429, 429, 429]
    assert "Retry-After" in tried[-1].headers
    # The right one waits as well: nobody learns by it.
    assert (await stranger.post("/sign-in/second", code=phone.code())).status_code == 429
    await mine.post("/sign-out")
    await password(mine)
    assert (await mine.post("/sign-in/second", code=phone.code())).status_code == 303


async def test_whoever_wants_an_app_has_one_and_proves_by_it(
    known: KnownAccounts, app: FastAPI
) -> None:
    number = known.add("Aino", PitRole.FLOOR)
    browser = Browser(app, known.enters(number).session)
    page = (await browser.get("/sessions/app")).text
    phone, handle = Phone(page, known.clock), found(r'name="handle" value="([^"]+)"', page)
    assert 'src="data:image/svg+xml' in page
    confirmed = await browser.post("/sessions/app", handle=handle, code=phone.code())
    assert len(recovery_codes(confirmed.text)) == 10
    assert (
        await browser.post("/sessions/app", handle=handle, code=phone.code())
    ).status_code == 422
    fresh = Browser(app)
    assert (await password(fresh, "Aino")).startswith("/sign-in/second")
    known.clock.now_ms += 11 * 60_000
    asked = await browser.get("/sessions/app")
    assert asked.headers["location"] == "/prove?next=/sessions/app"
    assert "Code that your app shows" in (await browser.get("/prove")).text
    no_code = await browser.post("/prove", password=PASSWORD, next="/sessions")
    assert (no_code.status_code, "The code is wrong" in no_code.text) == (403, True)
    assert (await browser.get("/sessions/app")).status_code == 303
    proven = await browser.post("/prove", password=PASSWORD, code=phone.code(), next="/sessions")
    assert proven.status_code == 303
    more = await browser.post("/sessions/recovery")
    assert len(recovery_codes(more.text)) == 10
    assert (await browser.post("/sessions/app/remove")).status_code == 303
    assert await password(Browser(app), "Aino") == "/users"
    with known.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM recovery_codes").scalar() == 0
    assert (await browser.post("/sessions/recovery")).status_code == 422


async def test_an_engineer_takes_a_lost_app_away_and_nobody_their_own(
    known: KnownAccounts, app: FastAPI
) -> None:
    eeva = known.add("Eeva", PitRole.ENGINEER)
    own = Browser(app)
    await set_up(known, app, own)
    assert "Your role asks" in (await own.post("/sessions/app/remove")).text
    mine = await own.post("/users/factors", user=str(eeva))
    assert (mine.status_code, "ask another engineer" in mine.text) == (422, True)
    olli = known.add("Olli", PitRole.ENGINEER)
    other_one = Browser(app, known.enters(olli).session)
    page = (await other_one.get("/users")).text
    assert "app, 10 recovery codes" in page
    assert "at the next sign-in" in page
    assert (await other_one.post("/users/factors", user=str(eeva))).status_code == 303
    assert (await own.get("/users")).status_code == 303
    assert ("took_factors", "Eeva") in acts(known)
    await set_up(known, app, Browser(app))


async def test_a_role_that_is_given_ends_sessions_that_began_without_a_second_factor(
    known: KnownAccounts, app: FastAPI
) -> None:
    number = known.add("Aino", PitRole.FLOOR)
    browser = Browser(app, known.sign_in("Aino").session)
    assert (await browser.get("/sessions")).status_code == 200
    known.people.set_roles(number, frozenset({PitRole.FLOOR, PitRole.ENGINEER}))
    assert (await browser.get("/sessions")).status_code == 303


async def test_a_pit_without_a_key_or_with_another_says_so_and_recovery_codes_still_sign_in(
    known: KnownAccounts, app: FastAPI
) -> None:
    known.add("Eeva", PitRole.ENGINEER)
    phone, recovery = await set_up(known, app, Browser(app))
    known.clock.now_ms += STEP_MS
    for number, (key, said) in enumerate(
        ((None, "no key for codes"), (AppSecrets(bytes(32)), "another key of the pit"))
    ):
        elsewhere = Browser(app_with(known, key))
        await password(elsewhere)
        refused = await elsewhere.post("/sign-in/second", code=phone.code())
        assert (refused.status_code, said in refused.text) == (403, True)
        signed_in = await elsewhere.post("/sign-in/second", code=recovery[number])
        assert signed_in.status_code == 303
    known.add("Olli", PitRole.ENGINEER)
    olli = Browser(app_with(known, None))
    await password(olli, "Olli")
    page = await olli.get("/sign-in/second")
    assert (page.status_code, "tablectl pit CONFIG --key" in page.text) == (403, True)
    # Also where a form of before is sent: it was an error of ours.
    here = Browser(app_with(known, None), known.enters(known.add("Aino", PitRole.FLOOR)).session)
    for browser, address in ((olli, "/sign-in/second/app"), (here, "/sessions/app")):
        answer = await browser.post(address, handle="of before", code="123456")
        assert (answer.status_code, "tablectl pit CONFIG --key" in answer.text) == (422, True)


async def test_a_first_step_is_over_after_ten_minutes_and_with_its_account(
    known: KnownAccounts, app: FastAPI
) -> None:
    eeva = known.add("Eeva", PitRole.ENGINEER)
    phone, _ = await set_up(known, app, Browser(app))
    late = Browser(app)
    await password(late)
    known.clock.now_ms += 10 * 60_000
    answer = await late.post("/sign-in/second", code=phone.code())
    assert answer.headers["location"] == "/sign-in?ended=1"
    closed = Browser(app)
    await password(closed)
    known.people.close(eeva)
    known.clock.now_ms += STEP_MS
    answer = await closed.post("/sign-in/second", code=phone.code())
    assert answer.headers["location"] == "/sign-in?ended=1"


async def test_whoever_stands_before_the_second_step_goes_with_the_old_password(
    known: KnownAccounts, app: FastAPI
) -> None:
    """A thief of the password waits there; its owner sets another, or an engineer ends sessions."""
    number = known.add("Eeva", PitRole.ENGINEER)
    owner = Browser(app)
    phone, _ = await set_up(known, app, owner)
    for ends in (
        lambda: known.accounts.set_up(known.people.link(number, Purpose.SET_UP), PASSWORD, HERE),
        lambda: known.people.end_sessions(number),
    ):
        thief = Browser(app)
        assert await password(thief) == "/sign-in/second?next=/users"
        ends()
        known.clock.now_ms += STEP_MS
        answer = await thief.post("/sign-in/second", code=phone.code(), next="/users")
        assert answer.headers["location"] == "/sign-in?ended=1"
