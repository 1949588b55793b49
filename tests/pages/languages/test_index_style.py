"""A table speaks one language for cards: that of the index that its cards print, on every page."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.__main__ import main
from controller.rules.cards import IndexStyle
from controller.table import inputs as i
from controller.table.evolve.evolve import evolve
from controller.table.logbook.entries import entry
from controller.table.recorded.round import RecordedRound
from controller.table.state.state import State
from controller.table.views.logbook import line
from controller.table.views.public import public
from controller.table.views.replay import known_rounds, replay
from controller.table.views.scene import scene
from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab
from tests.pages.pictures.pit import as_json
from tests.support.dealt.croupier import Croupier
from tests.support.dealt.journals import QuickPit, write_journal
from tests.support.forms import quick_first
from tests.support.pit import setup

FINNISH = frozenset({"1", "11", "12", "13"})
ANGLO = frozenset("AJQK")
OTHER = {IndexStyle.FINNISH: ANGLO, IndexStyle.ANGLO: FINNISH}
OWN = {IndexStyle.FINNISH: FINNISH, IndexStyle.ANGLO: ANGLO}
#: A card in words: its index and the sign of its suit.
LABEL = re.compile("([0-9]+|[AJQK])(?=[♣♦♥♠])")
ROUNDS = 8
TOKEN = "the-token"


@pytest.fixture(scope="module", params=quick_first(["blackjack", "finnish-27"], ["blackjack"]))
def game(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(scope="module", params=list(IndexStyle), ids=lambda each: str(each.value))
def style(request: pytest.FixtureRequest) -> IndexStyle:
    found: IndexStyle = request.param
    return found


@pytest.fixture(scope="module")
def played(game: str, style: IndexStyle) -> QuickPit:
    """Some rounds, and another of courts and Aces that the floor is called in."""
    pit = QuickPit(replace(setup(3, game), index=style))
    croupier = Croupier(pit, random.Random(7))
    for _ in range(ROUNDS):
        croupier.round({1: 1_000, 2: 2_000, 3: 1_000})
    for seat in (1, 2, 3):
        pit.bet(seat)
    pit.no_more_bets()
    pit.deal("Ks Qd Ah Jc")
    pit.press("call")
    return pit


def ranks_on(page: Page) -> set[str]:
    """What the page says of cards: every index that is drawn, and every card in a text."""
    drawn = page.locator(".card-index").all_text_contents()
    return {*drawn, *LABEL.findall(page.locator("body").inner_text())}


def at_status(open_tab: OpenTab, service: PageServer, pit: QuickPit) -> Page:
    state = pit.state
    also = {"simulated": False, "notice": []}
    service.show("/events/status", "status", as_json(public(state)) | also)
    for each in known_rounds(state):
        shown = replay(each, index=state.setup.index)
        service.stage.documents[f"/api/v1/rounds/{each.number}"] = as_json(shown)
    page = open_tab(f"{service.url}/")
    expect(page.locator("#live")).to_have_text("Live")
    return page


@pytest.mark.parametrize("page_of", quick_first(["dealer", "players"], ["dealer"]))
def test_displays_name_cards_by_their_index(
    open_tab: OpenTab, service: PageServer, played: QuickPit, style: IndexStyle, page_of: str
) -> None:
    shown_now = scene(played.state)
    service.show(f"/events/{page_of}", "scene", as_json(getattr(shown_now, page_of)))
    page = open_tab(f"{service.url}/{page_of}")
    expect(page.locator(".card-index").first).to_be_attached()
    shown = ranks_on(page)
    assert shown & OWN[style]
    assert not shown & OTHER[style]


@pytest.mark.long
def test_the_status_page_and_its_replays_name_cards_by_their_index(
    open_tab: OpenTab, service: PageServer, played: QuickPit, style: IndexStyle
) -> None:
    page = at_status(open_tab, service, played)
    shown = ranks_on(page)
    for each in public(played.state).rounds:
        page.get_by_role("button", name=f"Replay round {each.number}", exact=True).click()
        expect(page.locator("#replay h3")).to_contain_text(f"Round {each.number},")
        shown |= ranks_on(page)
    assert shown >= OWN[style]
    assert not shown & OTHER[style]


@pytest.mark.long
def test_the_logbook_page_names_cards_by_their_index(
    open_tab: OpenTab, service: PageServer, played: QuickPit, style: IndexStyle
) -> None:
    state, lines = played.state, []
    at: State | None = None
    for record in played.records:
        before, at = at, evolve(at, record)
        lines.append(as_json(line(entry(before or at, record), state.words)))
    service.stage.documents["/api/v1/record/logbook"] = {
        "lines": lines, "more": False, "problem": "",
    }  # fmt: skip
    service.stage.documents["/api/v1/table"] = as_json(public(state)) | {"simulated": False}
    page = open_tab(f"{service.url}/logbook#token={TOKEN}")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#said")).to_contain_text(f"{len(lines):,} entries")
    shown = ranks_on(page)
    assert shown >= OWN[style]
    assert not shown & OTHER[style]


def test_the_command_line_names_cards_by_their_index(
    played: QuickPit, style: IndexStyle, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "record"
    write_journal(record, played.records)
    said = ""
    last: RecordedRound = known_rounds(played.state)[-1]
    for command in (
        ["logbook", str(record)],
        *(["replay", str(record), "--round", str(number)] for number in range(1, last.number + 1)),
    ):
        assert main(command) == 0
        said += capsys.readouterr().out
    shown = set(LABEL.findall(said))
    assert shown >= OWN[style]
    assert not shown & OTHER[style]


def test_the_style_is_on_record(played: QuickPit, style: IndexStyle) -> None:
    assert played.state.setup.index is style
    assert i.Setup.__dataclass_fields__["index"].default is IndexStyle.FINNISH
