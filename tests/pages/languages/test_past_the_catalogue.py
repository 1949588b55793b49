"""No sentence of a table reaches a reader past the catalogue: every page, every answer as JSON.

The table's whole web is asked in Greek letters, so that whatever is still English shows. A page or
an address that is new comes along by itself: until somebody says here how it is opened, or why it
is for programs, a test fails.
"""

from __future__ import annotations

import contextlib
import io
import random
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

import controller.web.api.odds as odds_api
from controller.__main__ import main
from controller.commands.day import shift
from controller.commands.record import logbook
from controller.config.device_sections import DEVICES
from controller.config.sections import SECTIONS
from controller.devices.inputs import Button
from controller.record.reading.expected import Results
from controller.rules.games.registry import game
from controller.rules.messages import Language
from controller.service.odds.against_odds import AgainstOdds
from controller.web import reader_language
from controller.web.api.description import openapi
from controller.web.api.record_queries import RecordQueries
from controller.web.app import create_app
from controller.web.settings import PAGES, WebSettings
from tests.languages.pseudo import pseudo_language
from tests.languages.test_rule_sheets import CITED, typed
from tests.languages.test_views import NAMES_OF, WORD, english_in
from tests.pages.conftest import OpenTab
from tests.pages.documents.test_rules import TOKEN, WholeWeb, serving
from tests.pages.languages.test_languages import english_on
from tests.support.dealt.journals import QuickPit, write_journal
from tests.support.forms import quick_first
from tests.support.patience import PATIENCE_S
from tests.support.pit import setup
from tests.table.any_moment.test_irregularities_at_random import TroubledCroupier
from tests.web.desk import PlayedDesk

#: Addresses of a table that only programs ask.
FOR_PROGRAMS: Final = {
    "/healthz": "whoever watches the service",
    "/metrics": "Prometheus",
    "/api/v1/pictures/{name}": "a picture",
}
#: Keys of answers whose values are codes, beside those of a view.
CODES: Final = frozenset({"best", "head", "marks", "meanings", "option", "steps.said", "zone"})
#: What is typed: options with their values, keys of the configuration, commands, keys' names.
TYPED: Final = {
    *typed(game("blackjack")),
    *(each.value for each in Button),
    *SECTIONS, *DEVICES, "options",
    *(key for kind in (SECTIONS | DEVICES).values() for key in kind.__annotations__),
}  # fmt: skip
#: What is alike in every language, that beside letters of a strategy card, a time zone, hashes and
#: builds, and the reasons that somebody gave.
ALIKE: Final = re.compile(
    r"tablectl [a-z]+|\bUTC\b|\bNI\b|\b[0-9a-f]{16,}\b|0\.0-test|\((random|mistaken)\)|"
    + "|".join(rf"\b{re.escape(each)}\b" for each in sorted(TYPED, key=len)[::-1])
)
TOKEN_HEADERS: Final = {"Authorization": f"Bearer {TOKEN}"}
#: Each page, and what stands on it once it is drawn.
DRAWN: Final = {
    "/": "#ledger, #rounds tr",
    "/dealer": "#headline:not(:empty)",
    "/players": "#notice:not(:empty)",
    "/rules": "#sections section",
    "/logbook": "tbody tr",
    "/shift": "#lines tr",
    "/chips": "body[data-old]",
    "/manual": "#sections section",
    "/odds": "#card td button",
    "/fairness": "main",
    "/overlay": "#notice:not(:empty)",
}


@pytest.fixture(scope="module")
def greek() -> Language:
    return pseudo_language()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[QuickPit, Path]:
    """A table on which much went wrong and then a round went well, with its record."""
    pit = QuickPit(setup(5, "blackjack"))
    table = TroubledCroupier(pit, random.Random("past the catalogue"))
    while not pit.state.rounds.past or pit.state.rounds.past[-1].void:
        table.play(dict.fromkeys(range(1, 6), 1_000))
        table.pit.scanner_down()
        table.pit.scanner_up()
        while table.pit.state.holds:
            table.choose()
    folder = tmp_path_factory.mktemp("played") / "record"
    write_journal(folder, pit.records)
    return pit, folder


@pytest.fixture
def house(
    greek: Language, played: tuple[QuickPit, Path], monkeypatch: pytest.MonkeyPatch
) -> Iterator[WholeWeb]:
    """That table's web, in Greek letters to everybody."""
    for module in (reader_language, logbook, shift):
        monkeypatch.setattr(module, "language", lambda _: greek)
    # The processes of the record's questions know no Greek: asked here, the same commands do.
    monkeypatch.setattr(RecordQueries, "_run", asked_here)
    pit, folder = played
    desk = PlayedDesk()
    desk.pit = pit
    odds = AgainstOdds(folder)
    odds.results = Results()
    with serving(desk, WebSettings(token=TOKEN, record=folder, odds=odds)) as opened:
        yield opened


async def asked_here(_: RecordQueries, words: Sequence[str]) -> tuple[list[bytes], str]:
    """What the command prints, from this process."""
    while True:
        printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        with contextlib.redirect_stdout(printed):
            assert main(words) == 0
            # A page may ask once more as its test ends, and then pytest, in its own thread, puts
            # back the standard output that it took: what was printed meanwhile went there.
            undisturbed = sys.stdout is printed
        printed.flush()
        if undisturbed:
            return printed.buffer.getvalue().splitlines(), ""


#: A card as programs name it, also where a list holds nothing else.
CARD_CODE = re.compile("[2-9TJQKA][cdhs]")


def sentences(document: object) -> list[str]:
    """What of an answer is English, each text with its place, but for codes."""
    found = (each.partition(": ") for each in english_in(document))
    return [
        f"{place}: {text}"
        for place, _, text in found
        if is_said(text) and place.rpartition(".")[2] not in CODES and place not in CODES
        and not CARD_CODE.fullmatch(text)
    ]  # fmt: skip


def is_said(text: str) -> bool:
    """Whether English is left in it once what is typed, cited or a name is taken away."""
    return bool(WORD.search(NAMES_OF.sub("", ALIKE.sub("", CITED.sub("", text)))))


def addresses() -> list[str]:
    """Every address that answers a GET with a document."""
    settings = WebSettings(token=TOKEN, record=Path("record"), odds=AgainstOdds(Path("record")))
    paths: dict[str, Any] = openapi(create_app(PlayedDesk(), settings))["paths"]
    return [path for path, how in paths.items() if "get" in how]


@pytest.mark.parametrize("address", [each for each in addresses() if each not in FOR_PROGRAMS])
def test_no_answer_says_anything_past_the_catalogue(house: WholeWeb, address: str) -> None:
    newest = house.desk.pit.state.rounds.past[-1].number
    path = address.replace("{number}", str(newest)).replace("{step}", "1")
    answer = httpx.get(house.url + path, headers=TOKEN_HEADERS, timeout=PATIENCE_S, verify=False)
    assert answer.status_code == 200, answer.text
    assert sentences(answer.json()) == []


@pytest.mark.parametrize("path", PAGES)
def test_no_page_says_anything_past_the_catalogue(
    house: WholeWeb, open_tab: OpenTab, path: str
) -> None:
    page = opened(house, open_tab, path)
    cited = {word for each in CITED.finditer(page.inner_text("body")) for word in each[0].split()}
    assert [each for each in english_on(page) if is_said(each) and each not in cited] == []


def opened(house: WholeWeb, open_tab: OpenTab, path: str) -> Page:
    page = open_tab(f"{house.url}{path}#token={TOKEN}")
    expect(page.locator(DRAWN[path]).first).to_be_attached()
    expect(page.locator("html")).to_have_attribute("lang", "fi")
    return page


@pytest.mark.parametrize("path", quick_first(tuple(PAGES), ("/odds",)))
def test_a_sentence_that_a_script_says_by_itself_is_found(
    house: WholeWeb, open_tab: OpenTab, path: str
) -> None:
    script = PAGES[path].removesuffix(".html") + ".js"
    said = """
      {
        const said = document.createElement("p");
        said.append("said by itself");
        document.body.append(said);
      }"""

    def with_more(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text() + said)

    page = open_tab("about:blank")
    page.route(f"**/{script}", with_more)
    page.goto(f"{house.url}{path}#token={TOKEN}")
    expect(page.get_by_text("said by itself")).to_be_attached()
    assert "said by itself" in english_on(page)
    # What the page asks for is answered before the table's web ends.
    expect(page.locator(DRAWN[path]).first).to_be_attached()
    page.unroute(f"**/{script}")


def test_a_sentence_that_an_answer_says_by_itself_is_found(
    house: WholeWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(odds_api, "say", lambda *_: "said by itself")
    answer = httpx.get(
        f"{house.url}/api/v1/odds", headers=TOKEN_HEADERS, timeout=PATIENCE_S, verify=False
    )
    assert sentences(answer.json()) == ["rule: said by itself"]
