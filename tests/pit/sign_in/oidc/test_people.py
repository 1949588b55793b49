"""People sign in by the house's provider: who they are at the pit, as what, and how it ends."""

from __future__ import annotations

import base64
import re
from urllib.parse import parse_qs, urlsplit

import pytest

from controller.pit.accounts.factors.one_time import code_at
from controller.pit.accounts.roles import PitRole
from tests.pit.accounts.known import PASSWORD
from tests.pit.sign_in.oidc.house import House, back, sign_in, to_provider
from tests.pit.sign_in.pages_of import Browser

pytestmark = pytest.mark.anyio


async def test_somebody_of_a_group_signs_in_and_is_the_same_person_the_next_time(
    house: House,
) -> None:
    browser = Browser(house.app)
    assert "Sign in with House" in (await browser.get("/sign-in")).text
    answer = await sign_in(house, browser)
    assert (answer.status_code, answer.headers["location"]) == (303, "/alerts")
    assert (await browser.api.me()).roles == ("floor",)
    page = (await browser.get("/sessions")).text
    assert 'data-name="By">House' in page
    assert "your roles come from there" in page
    # A new name and other groups: still the one of that subject.
    again = Browser(house.app)
    await sign_in(house, again, preferred_username="Aino Virtanen", groups=["bosses", "floor"])
    me = await again.api.me()
    assert (me.name, set(me.roles)) == ("Aino", {"floor", "pit_boss"})
    assert set((await browser.api.me()).roles) == {"floor", "pit_boss"}, "at once, everywhere"
    assert house.acts() == [
        ("House", "added_user", "Aino: floor"),
        ("Aino", "signed_in", "House"),
        ("House", "set_roles", "Aino: floor, pit boss"),
        ("Aino", "signed_in", "House"),
    ]


async def test_who_has_no_group_with_a_role_has_no_access_and_is_told_so(house: House) -> None:
    for groups in ([], ["choir"], "machine", {"floor": 1}, None, [["floor"], 7]):
        browser = Browser(house.app)
        answer = await sign_in(house, browser, groups=groups)
        assert answer.status_code == 403
        assert "House knows you, and has you in no group that has a role here" in answer.text
        assert (await browser.get("/alerts")).headers["location"].startswith("/sign-in")
    assert {act for _, act, _ in house.acts()} == {"sign_in_refused"}
    assert house.known.people.listed() == []


async def test_whoever_lost_every_group_loses_the_sessions_that_are_open(house: House) -> None:
    desk, phone = Browser(house.app), Browser(house.app)
    await sign_in(house, desk)
    assert (await sign_in(house, phone, groups=["choir"])).status_code == 403
    assert (await desk.get("/alerts")).status_code == 303


async def test_whoever_lost_every_group_takes_no_second_step_of_before(house: House) -> None:
    desk = Browser(house.app)
    await sign_in(house, desk, groups=["engineers"])
    page = (await desk.get("/sign-in/second?next=/")).text
    code = _found(r"<code>([A-Z2-7 ]+)</code>", page)
    handle = _found(r'name="handle" value="([^"]+)"', page)
    assert (await sign_in(house, Browser(house.app), groups=["choir"])).status_code == 403
    typed = code_at(base64.b32decode(code.replace(" ", "")), house.clock())
    late = await desk.post("/sign-in/second/app", handle=handle, next="/", code=typed)
    assert late.headers["location"].startswith("/sign-in?")
    assert (await desk.get("/alerts")).status_code == 303


async def test_a_name_that_somebody_has_here_is_that_ones_alone(house: House) -> None:
    local = house.known.add("Aino", PitRole.ENGINEER)
    browser, other = Browser(house.app), Browser(house.app)
    await sign_in(house, browser, email="aino@pit.example")
    assert (await browser.api.me()).name == "Aino (House)"
    assert (await browser.api.me()).roles == ("floor",)
    await sign_in(house, other, sub="a-2", preferred_username=" AINO\u2028 ")
    assert (await other.api.me()).name == "AINO (House 2)"
    await sign_in(house, Browser(house.app), sub="a-3", preferred_username="Command Line")
    names = {each.name: each.id for each in house.known.people.listed()}
    assert names["Aino"] == local
    assert "Command Line (House)" in names
    # Break-glass: the pit's own people sign in as ever, and by nothing else.
    assert house.known.sign_in("Aino").session


async def test_a_closed_account_is_not_opened_by_the_provider(house: House) -> None:
    await sign_in(house, Browser(house.app))
    (aino,) = house.known.people.listed()
    house.known.people.close(aino.id)
    answer = await sign_in(house, Browser(house.app))
    assert (answer.status_code, "closed" in answer.text) == (403, True)
    house.known.people.reopen(aino.id)
    assert (await sign_in(house, Browser(house.app))).status_code == 303


async def test_a_providers_person_has_no_other_way_in_and_no_other_roles(house: House) -> None:
    engineer = house.known.add("Eeva", PitRole.ENGINEER)
    eeva = Browser(house.app, house.known.enters(engineer).session)
    browser = Browser(house.app)
    await sign_in(house, browser)
    aino = next(each.id for each in house.known.people.listed() if each.name == "Aino")
    link = await eeva.post("/users/link", user=str(aino))
    assert (link.status_code, "signs in at House" in link.text) == (422, True)
    roles = await eeva.post("/users/roles", user=str(aino), role="engineer")
    assert (roles.status_code, "roles that House gives" in roles.text) == (422, True)
    own = await browser.post("/sessions/password")
    assert (own.status_code, "signs in at House" in own.text) == (422, True)
    passkey = await browser.http.post(
        "/passkeys/begin", headers={"Origin": "https://pit.example"}, json={}
    )
    assert passkey.status_code == 422
    typed = await Browser(house.app).post("/sign-in", name="Aino", password=PASSWORD)
    assert typed.status_code == 403


async def test_a_session_ends_with_the_section_and_a_role_with_its_group(house: House) -> None:
    browser = Browser(house.app)
    await sign_in(house, browser, groups=["floor", "everybody"])
    cookies = browser.http.cookies
    house.open(roles={"everybody": ("viewer",)})
    browser = Browser(house.app)
    browser.http.cookies = cookies
    assert (await browser.api.me()).roles == ("viewer",)
    house.open()
    house.known.accounts.provider = None
    assert (await browser.get("/alerts")).status_code == 200, "its own pit is the older one"
    browser = Browser(house.app)
    browser.http.cookies = cookies
    assert (await browser.get("/alerts")).status_code == 303


async def test_engineers_of_the_provider_have_a_second_factor_here_besides(house: House) -> None:
    browser = Browser(house.app)
    answer = await sign_in(house, browser, groups=["engineers"])
    assert answer.headers["location"] == "/sign-in/second?next=/alerts"
    assert (await browser.get("/users")).status_code == 303
    page = (await browser.get("/sign-in/second?next=/alerts")).text
    code = _found(r"<code>([A-Z2-7 ]+)</code>", page)
    handle = _found(r'name="handle" value="([^"]+)"', page)
    secret = base64.b32decode(code.replace(" ", ""))
    done = await browser.post(
        "/sign-in/second/app", handle=handle, next="/users", code=code_at(secret, house.clock())
    )
    assert done.status_code == 200
    assert (await browser.api.me()).roles == ("engineer",)
    assert ("Aino", "signed_in", "House and app") in house.acts()
    # The next time it is asked for its code, and proves by it: the provider alone is no proof.
    house.clock.ahead_s += 60
    second = Browser(house.app)
    assert (await sign_in(house, second, groups=["engineers"])).status_code == 303
    assert (await second.get("/users")).status_code == 303
    house.clock.ahead_s += 660
    late = await browser.post("/users/add", name="Olli", role="floor")
    assert late.headers["location"].startswith("/prove")
    page = (await browser.get("/prove?next=/users")).text
    assert "Password of" not in page
    assert "Code that your app shows" in page
    address = await to_provider(browser, "/prove/provider?next=/users")
    await back(browser, house.provider.sign_in(address, auth_time=house.clock() // 1_000))
    late = await browser.post("/users/add", name="Olli", role="floor")
    assert late.headers["location"].startswith("/prove")
    proved = await browser.post("/prove", code=code_at(secret, house.clock()), next="/users")
    assert proved.headers["location"] == "/users"
    added = await browser.post("/users/add", name="Olli", role="floor")
    assert (added.status_code, "Olli sets a password" in added.text) == (200, True)


async def test_an_act_asks_the_provider_again_and_takes_nobody_else(house: House) -> None:
    browser = Browser(house.app)
    await sign_in(house, browser, groups=["bosses"])
    assert (await browser.post("/handover")).status_code != 303, "proved at the sign-in"
    house.clock.ahead_s += 660
    assert (await browser.post("/handover")).headers["location"].startswith("/prove")
    page = (await browser.get("/prove?next=/handover")).text
    assert "Sign in at House again" in page
    address = await to_provider(browser, "/prove/provider?next=/handover")
    asked = parse_qs(urlsplit(address).query)
    assert (asked["prompt"], asked["max_age"]) == (["login"], ["0"])
    other = await back(browser, house.provider.sign_in(address, sub="b-1", groups=["bosses"]))
    assert (other.status_code, "Somebody else signed in" in other.text) == (403, True)
    assert (await browser.post("/handover")).headers["location"].startswith("/prove")
    address = await to_provider(browser, "/prove/provider?next=/handover")
    assert (await back(browser, house.provider.sign_in(address))).headers["location"] == "/handover"
    assert (await browser.post("/handover")).status_code != 303
    local = Browser(house.app, house.known.enters(house.known.add("Olli", PitRole.FLOOR)).session)
    assert (await local.get("/prove/provider")).headers["location"] == "/prove"


async def test_whom_the_provider_remembers_has_proved_nothing_now(house: House) -> None:
    house.open(fresh=False)
    browser = Browser(house.app)
    address = await to_provider(browser)
    assert "prompt" not in address
    an_hour_ago = house.clock() // 1_000 - 3_600
    answer = await back(
        browser, house.provider.sign_in(address, groups=["bosses"], auth_time=an_hour_ago)
    )
    assert answer.headers["location"] == "/alerts"
    assert (await browser.post("/handover")).headers["location"].startswith("/prove")
    silent = Browser(house.app)
    assert (await sign_in(house, silent, groups=["bosses"], auth_time=None)).status_code == 303
    assert (await silent.post("/handover")).headers["location"].startswith("/prove")


async def test_signing_out_leads_out_of_the_provider_too(house: House) -> None:
    browser = Browser(house.app)
    await sign_in(house, browser)
    out = await browser.post("/sign-out")
    assert out.headers["location"] == "/sign-in?out=1"
    assert "sign out there too" in (await browser.get("/sign-in?out=1")).text
    there = (await browser.get("/sign-in/provider/out")).headers["location"]
    query = parse_qs(urlsplit(there).query)
    assert there.startswith(f"{house.provider.issuer}/out?")
    assert query["post_logout_redirect_uri"] == ["https://pit.example/sign-in"]
    sent = {"Accept": "text/html", "Sec-Fetch-Site": "cross-site"}
    by_another = await Browser(house.app).get("/sign-in/provider/out", sent)
    assert by_another.headers["location"] == "/sign-in", "another site signs nobody out there"
    house.provider.wrong.description = {"end_session_endpoint": ""}
    house.open()
    nowhere = await Browser(house.app).get("/sign-in/provider/out")
    assert nowhere.headers["location"] == "/sign-in"


def _found(pattern: str, page: str) -> str:
    match = re.search(pattern, page)
    assert match is not None, page
    return match[1]
