"""A studio player's page: in the language of the table's players, and who leaves in mid-round."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
import uvicorn
from playwright.sync_api import Page, expect

from controller.languages.languages import LANGUAGES, language
from controller.languages.translation import Translation
from controller.rules.spoken import speaking
from controller.table.views.english import ENGLISH
from controller.table.views.scene import scene
from sim_hw.studio.__main__ import _Web
from sim_hw.studio.account import Stake
from sim_hw.studio.api import TableApi
from sim_hw.studio.game_server import GameServer
from sim_hw.studio.guests import Guests
from sim_hw.studio.web import PlayersPages
from tests.languages.pseudo import greek, pseudo_language
from tests.languages.wordiest import WORDIEST
from tests.pages.browser.looks import unreadable
from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab
from tests.pages.documents.test_rules import _SPILLS, WIDEST
from tests.pages.languages.test_languages import english_on, show_displays
from tests.pages.pictures.moments import MOMENTS, NAMES, moment
from tests.pages.pictures.pit import as_json
from tests.sim_hw.test_guests import SEATS, StandIn
from tests.support.forms import quick_first

LEAST = 1_000


class PlayPages:
    """A game server's pages before a table whose pages are those of `service`."""

    def __init__(self, service: PageServer) -> None:
        self.api = StandIn()
        self.service = service
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:{1}".format(*self.listening.getsockname())
        self.guests = Guests(GameServer(self.api, SEATS, behind=0, least=LEAST, seed=1))

    def show(self, name: str, reader: Translation | None) -> None:
        """The picture of that moment, as the table sends it in that language."""
        with speaking(reader):
            self.guests.scene = as_json(
                scene(moment(name).state, NAMES).drawn_in(reader or ENGLISH)[0]
            )

    async def serve(self, begun: threading.Event, ended: asyncio.Event) -> None:
        table = TableApi(self.service.url, "t")
        await table.learn_language()
        await table.close()
        self.api.language, self.api.words = table.language, table.words
        pages = PlayersPages(self.guests, self.service.url, "")
        pages._picture = b"\xff\xd8"
        web = _Web(uvicorn.Config(pages.app, log_level="warning", lifespan="off"))
        serving = asyncio.ensure_future(web.serve(sockets=[self.listening]))
        begun.set()
        await ended.wait()
        pages.end()
        web.should_exit = True
        await serving
        await pages.close()
        await self.api.close()


@contextmanager
def studio(service: PageServer, reader: Translation | None) -> Iterator[PlayPages]:
    service.stage.language = reader
    with speaking(reader):
        show_displays(service, reader or ENGLISH, next(iter(MOMENTS)))
    made = PlayPages(service)
    made.show(next(iter(MOMENTS)), reader)
    begun = threading.Event()
    ends: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def serve() -> None:
        ended = asyncio.Event()
        ends.append((asyncio.get_running_loop(), ended))
        await made.serve(begun, ended)

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    try:
        assert begun.wait(10)
        yield made
    finally:
        ends[0][0].call_soon_threadsafe(ends[0][1].set)
        thread.join()
        made.listening.close()


def joined(open_tab: OpenTab, made: PlayPages) -> Page:
    page = open_tab(made.url, font=WIDEST)
    expect(page.locator("#join")).to_be_visible()
    page.locator("#name").fill("Maija")
    page.locator("#join button").click()
    expect(page.locator("#leave")).to_be_visible()
    return page


def test_the_players_page_says_nothing_in_english(open_tab: OpenTab, service: PageServer) -> None:
    reader = pseudo_language()
    with studio(service, reader) as made:
        page = joined(open_tab, made)
        for name in MOMENTS:
            made.show(name, reader)
            expect(page.locator("#limits")).to_have_text(made.guests.scene["limits"])  # type: ignore[index]
            assert [each for each in english_on(page) if "Maija" not in each] == [], name
        page.goto("about:blank")


def test_what_is_not_done_is_said_in_its_language(
    open_tab: OpenTab, service: PageServer, complaint: Callable[[str], None]
) -> None:
    with studio(service, pseudo_language()) as made:
        page = open_tab(made.url)
        page.locator("#name").fill("Robot 1")
        page.locator("#join button").click()
        expect(page.locator("#answer")).to_contain_text(greek("obots are called so"))
        complaint("409")
        page.goto("about:blank")


@pytest.mark.parametrize("code", quick_first(LANGUAGES, [WORDIEST]))
def test_it_fits_a_telephone_and_a_desk(open_tab: OpenTab, service: PageServer, code: str) -> None:
    with studio(service, language(code)) as made:
        page = joined(open_tab, made)
        expect(page.locator("html")).to_have_attribute("lang", code)
        for width, height in ((390, 844), (1280, 800)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(_SPILLS) == [], width
            assert unreadable(page) == [], width
        page.goto("about:blank")


def test_who_is_leaving_still_answers_for_the_hand(open_tab: OpenTab, service: PageServer) -> None:
    """Everybody else waited for the table's clock to do it."""
    with studio(service, None) as made:
        page = joined(open_tab, made)
        (guest,) = made.guests._guests.values()
        made.guests.server.bets.in_play = True
        made.guests.server.bets.stakes.append(Stake(guest.player, 1, 2_500))
        page.locator("#leave").click()
        expect(page.locator("#prompt")).to_have_text("You are leaving the table")
        expect(page.locator("#leave")).to_be_hidden()
        made.show("five_keys", None)
        assert made.guests.scene is not None
        made.guests.scene["players"] = [{"seat": 1, "name": "Maija", "away": False}]
        expect(page.locator("#prompt")).to_have_text("Your turn: choose")
        page.locator("#keys button", has_text="Stand").click()
        expect(page.locator("#keys button", has_text="Stand")).to_be_enabled()
        assert [each["do"] for each in made.api.sent][-1] == "decide"
        page.goto("about:blank")
