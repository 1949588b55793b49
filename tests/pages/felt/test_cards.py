"""The cards that we draw: every kind in both index styles, and face down without a trace."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from controller.rules.cards import DECK_52, JOKER, IndexStyle
from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab
from tests.pages.pictures.pit import PicturedTable
from tests.support.forms import long_only, quick_first

DRAWN = """async ([codes, style, face]) => {
  const { card } = await import('/static/drawing/cards.js');
  return codes.map((code) => {
    const drawn = card(code, { style, face });
    return [[...drawn.querySelectorAll('text')].map((each) => each.textContent).join(''),
            drawn.getAttribute('aria-label'), drawn.outerHTML];
  });
}"""


@pytest.fixture
def page(open_tab: OpenTab, service: PageServer) -> Page:
    service.show("/events/players", "scene", PicturedTable().players_view())
    return open_tab(f"{service.url}/players")


def drawn(page: Page, codes: list[str], style: str, face: str) -> list[list[str]]:
    made: list[list[str]] = page.evaluate(DRAWN, [codes, style, face])
    return made


@pytest.mark.parametrize(("face", "times"), [("full", 2), long_only("plain", 1)])
def test_every_card_prints_the_index_of_its_style(page: Page, face: str, times: int) -> None:
    codes = [each.code for each in DECK_52]
    finnish = [text for text, _, _ in drawn(page, codes, "finnish", face)]
    anglo = [text for text, _, _ in drawn(page, codes, "anglo", face)]
    assert finnish == [each.index(IndexStyle.FINNISH) * times for each in DECK_52]
    assert anglo == [each.index(IndexStyle.ANGLO) * times for each in DECK_52]


@pytest.mark.parametrize("face", quick_first(["full", "plain"], ["full"]))
def test_a_joker_has_no_index_in_the_finnish_style(page: Page, face: str) -> None:
    assert drawn(page, [JOKER.code], "finnish", face)[0][0] == ""
    assert drawn(page, [JOKER.code], "anglo", face)[0][0] == "JOKER"


@pytest.mark.long
def test_every_card_is_told_in_words(page: Page) -> None:
    codes = [each.code for each in (*DECK_52, JOKER)]
    words = [label for _, label, _ in drawn(page, codes, "finnish", "full")]
    assert words == [each.name for each in (*DECK_52, JOKER)]


def test_no_two_cards_look_alike(page: Page) -> None:
    codes = [each.code for each in (*DECK_52, JOKER)]
    pictures = {picture for _, _, picture in drawn(page, codes, "finnish", "full")}
    assert len(pictures) == len(codes)


def test_cards_that_lie_face_down_look_all_the_same(page: Page) -> None:
    backs = {picture for _, _, picture in drawn(page, ["", "??"], "finnish", "full")}
    assert len(backs) == 1
    assert "face-down card" in backs.pop()
