"""A table's page in the pit: who may ask for what, the table's own answer, and the audit of it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from html import escape, unescape
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient
from sqlalchemy import insert

from controller.bus.command_desk import CommandDesk
from controller.bus.commands import public_key
from controller.pit.accounts.audit.log import first_wrong_row, newest_rows
from controller.pit.accounts.roles import PitRole
from controller.pit.acts.commander import Commander
from controller.pit.archive.books.schema import ASKED
from controller.pit.archive.storage.schema import TABLES
from controller.pit.directories import rows
from controller.pit.directories.keeper import DirectoryKeeper
from controller.pit.line.questions import NobodyThere
from controller.pit.server.app import create_pit_app
from controller.pit.wall.settings import WallSettings
from controller.pit.wall.wall import Wall
from controller.service.loop import Service
from controller.table import inputs as i
from controller.table.inputs.pit import PIT_ACTS
from tests.pit.accounts.known import KnownAccounts, known_in
from tests.pit.directories.at_tables import PitOfTables
from tests.pit.directories.test_keeper import add
from tests.pit.sign_in.pages_of import NOTHING, ORIGIN, Browser
from tests.pit.wall.statuses import alarm, news
from tests.service.test_loop import running
from tests.support.forms import long_only
from tests.support.pit import setup

pytestmark = pytest.mark.anyio
KEY = Ed25519PrivateKey.generate()
TABLE_KEY = Ed25519PrivateKey.generate()
SHOWN = {"pit_acts": PIT_ACTS, "options": [["max_bet", "100000"]], "phase": "betting"}


class PitWithPages:
    """A pit with its pages, and T1, which runs; T2 has been heard and is away."""

    def __init__(self, known: KnownAccounts, service: Service) -> None:
        self.known, self.service = known, service
        self.desk = CommandDesk("T1", (public_key(KEY),), service, TABLE_KEY.sign)
        self.wall = Wall(WallSettings(), known.clock)
        self.wall.hear(news("T1", at_ms=known.clock(), seq=0, alarms=[alarm()], **SHOWN))
        self.wall.hear(news("T2", at_ms=known.clock(), **SHOWN))
        self.app = self.started()

    def started(self, ahead_ms: int = 0, directories: DirectoryKeeper | None = None) -> FastAPI:
        """The pit as it starts; both clocks are the table's, but for so much."""
        wall_ms, tables = self.service.clock.wall_ms, {"T1": public_key(TABLE_KEY)}
        commander = Commander(KEY, self.request, lambda: wall_ms() + ahead_ms, tables)
        return create_pit_app(
            self.wall, lambda: NOTHING, self.known.accounts, 10, ORIGIN, commander,
            directories=directories,
        )  # fmt: skip

    async def request(self, table: str, body: bytes, wait_s: float) -> bytes:
        if table != "T1":
            raise NobodyThere
        answer = await self.desk.answer(body)
        assert answer is not None
        state = self.service.state
        assert state is not None
        # The table says how it is by now.
        shown = SHOWN | {"closed": state.pit.closed, "notes": len(state.pit.notes)}
        heard = news("T1", at_ms=self.known.clock(), seq=state.seq, alarms=[alarm()], **shown)
        asyncio.get_running_loop().call_later(0.05, self.wall.hear, heard)
        asyncio.get_running_loop().call_later(0.06, self.wall.draw)
        return answer

    def enters(self, name: str, *roles: PitRole) -> Browser:
        return Browser(self.app, self.known.enters(self.known.add(name, *roles)).session)

    def audited(self) -> list[tuple[str, str, str]]:
        """The newest two rows of the audit, the older one first."""
        with self.known.engine.connect() as connection:
            assert first_wrong_row(connection) is None
            rows = newest_rows(connection, 2)
        return [(each.who, each.act, each.about) for each in reversed(rows)]


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[PitWithPages]:
    known = known_in(tmp_path)
    allowed = replace(setup(3), pit_acts=PIT_ACTS)
    async with running(tmp_path / "record", allowed) as (service, _):
        # Once this is answered, what the scanner said before is on record too.
        await service.submit(i.RemoveWager(1), None, None)
        yield PitWithPages(known, service)
    known.engine.dispose()


async def form_of(browser: Browser, path: str = "/tables/T1") -> str:
    """The number of the forms that a page shows."""
    found = re.search(r'name="form" value="([0-9a-f]{32})"', (await browser.get(path)).text)
    assert found
    return found[1]


async def said(browser: Browser, path: str = "/tables/T1", **fields: str) -> str:
    """What the page says after a form was pressed."""
    fields.setdefault("form", await form_of(browser))
    answer = await browser.post(path, {}, **fields)
    found = re.search(r'id="said"[^>]*>([^<]*)<', answer.text)
    assert found, answer.text
    return found[1]


async def test_a_pit_boss_closes_a_table_and_the_audit_has_both_halves(house: PitWithPages) -> None:
    boss = house.enters("Aino", PitRole.PIT_BOSS)
    before = await boss.get("/tables/T1")
    assert "Close the table" in before.text
    assert 'id="most" name="most" value="1000"' in before.text, "limits stand there as they are"
    form = await form_of(boss)
    after = await boss.post("/tables/T1/settings", {}, do="close_table", form=form)
    assert "Done. T1 is closed: a round in play is played to its end" in after.text
    assert "Open the table" in after.text, "the page shows what was done, and not how it was"
    assert house.service.state is not None
    assert house.service.state.pit.closed
    asked, answered = house.audited()
    assert asked == ("Aino", "asks_table", "T1, close table")
    assert answered[:2] == ("Aino", "table_answers")
    assert re.fullmatch(r"T1: done \(record \d+\)", answered[2])
    refused = await said(boss, "/tables/T1/settings", do="close_table")
    assert refused == "T1: The table is closed already"
    assert "closed already" in house.audited()[1][2]


async def test_the_same_form_pressed_twice_acts_once(house: PitWithPages) -> None:
    floor = house.enters("Eino", PitRole.FLOOR)
    form = await form_of(floor)
    for _ in range(2):
        assert (await said(floor, do="send_note", text="once", form=form)).startswith("Done")
    assert house.service.state is not None
    assert [each.text for each in house.service.state.pit.notes] == ["once"]


async def test_the_same_form_acts_once_also_after_a_restart_of_the_pit(house: PitWithPages) -> None:
    floor = house.enters("Eino", PitRole.FLOOR)
    form = await form_of(floor)
    assert (await said(floor, do="send_note", text="once", form=form)).startswith("Done")
    restarted = ASGITransport(app=house.started(ahead_ms=1))
    floor.http = AsyncClient(transport=restarted, base_url=ORIGIN, cookies=floor.http.cookies)
    text = await said(floor, do="send_note", text="once", form=form)
    assert text == "T1 was asked by this form before: look at it"
    assert house.service.state is not None
    assert [each.text for each in house.service.state.pit.notes] == ["once"]


async def test_the_floor_sends_messages_and_changes_no_play(house: PitWithPages) -> None:
    floor = house.enters("Eino", PitRole.FLOOR)
    page = (await floor.get("/tables/T1")).text
    assert "Message to the dealer" in page
    assert "Close the table" not in page
    assert "Set limits" not in page
    for fields in (
        {"do": "close_table"}, {"do": "set_option", "option": "max_bet", "value": "1"},
        {"do": "set_limits", "least": "5", "most": "10"},
    ):  # fmt: skip
        assert await said(floor, **fields) == "That takes a pit boss"
        answer = await floor.post("/tables/T1/settings", {}, **fields)
        assert answer.status_code == 403
    done = await said(floor, do="ask_fill", amount="5000.50")
    assert done == "Done. T1 expects a fill of 5,000.50"


async def test_what_was_typed_stays_where_nothing_came_of_it(house: PitWithPages) -> None:
    boss = house.enters("Aino", PitRole.PIT_BOSS)
    for path, field, fields, what in (
        ("/tables/T1", "amount", {"do": "ask_fill", "amount": "12.345"}, "is no amount"),
        ("/tables/T1", "amount", {"do": "ask_fill", "amount": "9999999999"}, "is too large"),
        ("/tables/T2", "text", {"do": "send_note", "text": "Seat 3 <waits>"}, "T2 is offline"),
        ("/tables/T1/settings", "value", {
            "do": "set_option", "option": "penetration_cards", "value": "much"
        }, "T1: penetration_cards must be a whole number, not &#39;much&#39;"),
        ("/tables/T1/settings", "value", {
            "do": "set_option", "option": "max_bet", "value": "1e5"
        }, "is no amount"),
        ("/tables/T1/settings", "least", {
            "do": "set_limits", "least": "70", "most": "60"
        }, "min_bet must be above 0"),
    ):  # fmt: skip
        form = await form_of(boss, "/tables/T1")
        page = (await boss.post(path, {}, form=form, **fields)).text
        assert what in page
        typed = escape(fields[field])
        assert re.search(rf'id="{field}" name="{field}" value="{re.escape(typed)}"', page), field
    done = await boss.post(
        "/tables/T1", {}, form=await form_of(boss), do="send_note", text="Seat 3 waits"
    )
    assert "Done. T1 shows the message to its dealer" in done.text
    assert 'name="text" value=""' in done.text
    least = await said(boss, "/tables/T1/settings", do="set_limits", least="10", most="1,50")
    assert least == "T1: 21-24-27: min_bet must be above 0 and not above max_bet"


async def test_a_form_of_which_nobody_knows_what_came_acts_once_when_it_is_pressed_again(
    house: PitWithPages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was typed stays there: a press more would be another fill, or another message."""
    answers, there = [b"lost"], house.request

    async def asked(table: str, body: bytes, wait_s: float) -> bytes:
        answer = await there(table, body, wait_s)
        return answers.pop() if answers else answer

    monkeypatch.setattr(house, "request", asked)
    house.app = house.started()
    floor = house.enters("Eino", PitRole.FLOOR)
    page = (
        await floor.post(
            "/tables/T1", {}, form=await form_of(floor), do="send_note", text="once"
        )
    ).text  # fmt: skip
    assert "T1 answered what is no answer: look at it" in page
    assert 'name="text" value="once"' in page
    (form,) = set(re.findall(r'name="form" value="([0-9a-f]{32})"', page))
    again = await floor.post("/tables/T1", {}, form=form, do="send_note", text="once")
    assert "Done. T1 shows the message" in again.text
    assert house.service.state is not None
    assert [each.text for each in house.service.state.pit.notes] == ["once"]
    assert form not in again.text, "what is sent from now on is another one"


async def test_what_changes_play_asks_who_is_there_and_comes_back_to_the_page(
    house: PitWithPages,
) -> None:
    boss = house.enters("Aino", PitRole.PIT_BOSS)
    form = await form_of(boss)
    house.known.clock.now_ms += 11 * 60_000
    answer = await boss.post("/tables/T1/settings", do="close_table", form=form)
    assert answer.headers["location"] == "/prove?next=/tables/T1"
    assert house.service.state is not None
    assert not house.service.state.pit.closed


async def test_options_that_lose_the_house_are_said_to_where_they_are_set(
    house: PitWithPages,
) -> None:
    boss, loses = house.enters("Aino", PitRole.PIT_BOSS), "THE HOUSE LOSES: the players' edge is"
    assert "loses" not in (await boss.get("/tables/T2")).text
    shown = SHOWN | {"house_loses": f"{loses} 20.93 %"}
    house.wall.hear(news("T2", at_ms=house.known.clock(), seq=99, **shown))
    page = unescape((await boss.get("/tables/T2")).text)
    assert f'<p class="loses">{loses} 20.93 %' in page


async def test_a_table_that_is_away_is_said_to_be(house: PitWithPages) -> None:
    floor = house.enters("Eino", PitRole.FLOOR)
    form = await form_of(floor, "/tables/T2")
    text = await said(floor, "/tables/T2", do="send_note", text="hello", form=form)
    assert text == "T2 is offline, or does not listen to the pit"
    assert (await floor.get("/tables/T3")).status_code == 404


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"do": "resolve"}, "no such act"),
        long_only({}, "no such act"),
        ({"do": "send_note", "text": "x" * 201}, "one line"),
        long_only({"do": "send_note", "text": "a\nb"}, "one line"),
        ({"do": "ask_fill", "amount": "-5"}, "no amount: write it as 10"),
        long_only({"do": "ask_fill", "amount": "1e9"}, "no amount: write it as 10"),
        long_only({"do": "ask_fill", "amount": "\u0665"}, "no amount: write it as 10"),
        ({"do": "change_dealer", "person": "Aino"}, "eight digits"),
        ({"do": "silence_alarms", "upto": "x"}, "no alarm"),
        ({"do": "send_note", "text": "hi", "form": "../../x"}, "from this page"),
    ],
    ids=str,
)
async def test_a_form_that_no_page_of_ours_sends_asks_nothing(
    house: PitWithPages, fields: dict[str, str], why: str
) -> None:
    floor = house.enters("Eino", PitRole.FLOOR)
    assert house.service.state is not None
    before = house.service.state.seq
    assert why in await said(floor, **fields)
    assert house.service.state.seq == before


async def test_a_live_page_leads_where_its_reader_may_go(house: PitWithPages) -> None:
    """A viewer sees the felt; what may be asked, and what was won, is for others."""
    for role, asks, replays in (
        (PitRole.VIEWER, False, False), (PitRole.CAGE, False, True), (PitRole.FLOOR, True, True),
    ):  # fmt: skip
        browser = house.enters(role.value, role)
        page = (await browser.get("/tables/T2/live")).text
        assert ('href="/tables/T2"' in page, 'href="/tables/T2/chips"' in page) == (asks, replays)
        assert ("data-replays" in page) == replays
    browser = house.enters("Fia", PitRole.FLOOR)
    assert (await browser.get("/tables/T9/live")).status_code == 404
    assert (await browser.http.head("/events/tables/T9")).status_code == 404
    chips = [(await browser.get(f"/tables/{table}/chips")).status_code for table in ("T2", "T9")]
    assert chips == [200, 404]


async def test_what_a_table_calls_itself_is_no_markup(house: PitWithPages) -> None:
    house.wall.hear(
        news("T2", at_ms=house.known.clock(), game="<script>x</script>", seq=9,
             pit_acts=["<b>"], options=[["<i>", "<u>"]], alarms=[alarm(title="<img>")])
    )  # fmt: skip
    page = (await house.enters("Aino", PitRole.PIT_BOSS).get("/tables/T2")).text
    for each in ("<script>x", "<b>", "<i>", "<img>"):
        assert each not in page


async def test_a_dealer_is_chosen_by_name_of_those_who_may_act_there(
    house: PitWithPages, tmp_path: Path
) -> None:
    """A table whose people come from the pit; of another one only an id can be typed."""
    tables = PitOfTables(house.known, tmp_path, "T1")
    aino = add(tables, "Aino", PitRole.DEALER, "T1")
    add(tables, "Olli", PitRole.DEALER, "T9")
    add(tables, "Newby", PitRole.DEALER, "T1", pin="")
    house.app = house.started(directories=tables.keeper)
    floor = house.enters("Eino", PitRole.FLOOR)
    house.wall.hear(news("T1", at_ms=house.known.clock(), seq=0, deals="Aino", **SHOWN))
    page = (await floor.get("/tables/T1")).text
    with house.known.engine.connect() as connection:
        person = rows.person_of(connection, aino)
    assert re.findall(r'<option value="(\w*)"( selected)?>([^<]+)<', page) == [
        (person, " selected", "Aino"), ("", "", "not known"),
    ]  # fmt: skip
    # This table's shoe is not cut yet: it was asked for that person, and decides itself.
    answer = await said(floor, do="change_dealer", person=person)
    assert answer == "T1: Dealers change between rounds, while bets are open"
    assert house.audited()[0] == ("Eino", "asks_table", f"T1, change dealer: {person}")
    form = await form_of(floor)
    for chosen in ("", person):
        page = (
            await floor.post("/tables/T1", {}, do="change_dealer", person=chosen, form=form)
        ).text
        assert "Dealers change between rounds" in page
        assert re.findall(r'<option value="(\w*)" selected', page) == [chosen]
    assert "Id in the table" in (await floor.get("/tables/T2")).text


async def test_a_tables_page_says_which_directory_is_in_force_and_how_late_a_change_is(
    house: PitWithPages,
) -> None:
    viewer = house.enters("Eino", PitRole.FLOOR)
    assert 'id="directory"' not in (await viewer.get("/tables/T1")).text
    now_ms = house.known.clock()
    there = {
        "serial": 12, "issued_ms": now_ms, "good_until_ms": now_ms + 86_400_000, "people": 1,
        "by": "6f0c2a1b", "away_since_ms": None, "by_file": False,
    }  # fmt: skip
    for by_file, said in ((True, "It is brought there as a file"), (False, "within seconds")):
        shown = SHOWN | {"directory": there | {"by_file": by_file}}
        house.wall.hear(news("T1", at_ms=now_ms, seq=0, **shown))
        page = (await viewer.get("/tables/T1")).text
        assert "directory 12</a>" in page
        assert "1 person, signed by the key 6f0c2a1b" in page
        assert said in page
    house.known.clock.now_ms += 60_000
    page = (await viewer.get("/tables/T1")).text
    assert "Not heard from the table since" in page
    assert "can act there until it is back" in page


async def test_a_fill_that_has_not_come_stands_beside_the_next_one(house: PitWithPages) -> None:
    table = {"id": 1, "name": "T1", "identity": b"", "seq": 9, "hash": b"", "at_ms": 0,
             "archived_ms": 0, "software": "", "game": "", "day": "", "dealer": "",
             "round": 1}  # fmt: skip
    row = {"table_id": 1, "kind": "fill", "day": "", "at_ms": house.known.clock(), "who": "",
           "text": "", "slip": 0, "brought": 0}  # fmt: skip
    with house.known.engine.begin() as connection:
        connection.execute(insert(TABLES).values(table))
        for seq, amount, ended_ms, became in ((7, 50_000, None, ""), (8, 2_500, 5, "came")):
            of = {"seq": seq, "amount": amount, "ended_ms": ended_ms, "became": became}
            connection.execute(insert(ASKED).values({**row, **of}))
    page = (await house.enters("Aino", PitRole.FLOOR).get("/tables/T1")).text
    found = re.findall(r">([\d.,]+) was asked for at [^<]*, and has not come yet", page)
    assert found == ["500.00"]


async def test_an_option_that_is_an_amount_is_written_as_one(house: PitWithPages) -> None:
    """2000 for a largest bet of 2,000.00 was one of 20.00: amounts were asked in minor units."""
    boss = house.enters("Aino", PitRole.PIT_BOSS)
    page = (await boss.get("/tables/T1")).text
    assert ">max_bet = 1000.00</option>" in page
    await said(boss, "/tables/T1/settings", do="close_table")
    done = await said(boss, "/tables/T1/settings", do="set_option", option="max_bet", value="2000")
    assert done == "Done. T1 plays with max_bet = 2000.00"
    assert house.service.state is not None
    assert house.service.state.options.max_bet == 200_000
    assert house.audited()[0][2] == "T1, set options: max_bet = 2000.00"
    done = await said(
        boss, "/tables/T1/settings", do="set_option", option="burn_after_shuffle", value="2"
    )
    assert done == "Done. T1 plays with burn_after_shuffle = 2"
