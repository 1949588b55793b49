"""The page on which a browser checks hidden cards by itself: the same, another, not turned."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from controller.record.codec import encode
from controller.rules.cards import card
from controller.rules.sealed import Sealed
from controller.table import facts as f
from controller.table.facts import Fact, Record
from controller.web.feed.public_facts import PublicFacts
from tests.pages.browser.looks import unreadable
from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab

NONCE = bytes(range(16))
SEALED = Sealed(card("Th"), "4711", nonce=NONCE)
DEALT = f.CardDealtDown(SEALED, 0, 1, "scanner")
TURNED = f.CardTurned(card("Th"), 0, 1, NONCE.hex(), "4711")

#: What a blackjack table of the house calls its dealer and seats, and what its cards print.
BLACKJACK = {"dealer": "operator", "seat": "box", "joker": False, "index": "finnish"}


class Feed:
    """Shows the page one fact after the other, as the table sends them."""

    def __init__(self, service: PageServer) -> None:
        self._service = service
        self._known = PublicFacts()
        self._seq = 0
        service.show("/events/public", "clock", {"at_ms": 1, "error_ms": None})
        service.stage.documents["/api/v1/table"] = {"words": BLACKJACK}

    def tell(self, fact: Fact) -> None:
        self._seq += 1
        line = self._known.of(encode(Record(self._seq, 1, 2, "", fact)))
        assert line is not None
        event: dict[str, Any] = {
            "seq": self._seq, "round": "ab-7", "at_ms": 1,
            "kind": line.kind, "fact": json.loads(line.fact),
        }  # fmt: skip
        self._service.show("/events/public", "fact", event)


@pytest.mark.parametrize(
    ("turned", "tone", "says", "checked"),
    [
        (TURNED, "good", "1 hidden card was turned: it had not changed.", "the same card"),
        (
            f.CardTurned(card("9h"), 0, 1, NONCE.hex(), "4711"), "bad",
            "1 of 1 turned card: not what was committed to.", "NOT the card",
        ),
        (
            f.CardTurned(card("Th"), 0, 1, NONCE.hex(), "4712"), "bad",
            "1 of 1 turned card: not what was committed to.", "NOT the card",
        ),
        (
            f.CardTurned(card("Th"), 0, 1), "bad",
            "1 of 1 turned card: not what was committed to.", "NOT the card",
        ),
        (f.RoundEnded(7, 0), "wait", "No hidden card has been turned yet.", "was not turned"),
    ],
)  # fmt: skip
def test_the_browser_says_whether_a_hidden_card_changed(
    open_tab: OpenTab, service: PageServer, turned: Fact, tone: str, says: str, checked: str
) -> None:
    feed = Feed(service)
    page = open_tab(f"{service.url}/fairness")
    expect(page.locator("#none")).to_be_visible()
    expect(page.locator(".limits")).to_contain_text("It says nothing of the shuffle")
    feed.tell(DEALT)
    row = page.locator("#cards tr")
    expect(row).to_have_text("7Operatorhiddenlies face down")
    feed.tell(turned)
    expect(row).to_contain_text(checked)
    expect(page.locator("#verdict")).to_have_text(says)
    expect(page.locator("#verdict")).to_have_attribute("data-tone", tone)
    if tone == "good":
        page.locator("summary").click()
        expect(page.locator("#example")).to_contain_text(SEALED.digest)
        for size in ((1280, 1200), (390, 844)):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            assert unreadable(page) == []


def test_a_card_that_could_not_be_read_is_not_called_the_same(
    open_tab: OpenTab, service: PageServer
) -> None:
    feed = Feed(service)
    page = open_tab(f"{service.url}/fairness")
    expect(page.locator("#none")).to_be_visible()
    feed.tell(f.CardDealtDown(Sealed(None), 0, 1, "scanner"))
    expect(page.locator("#cards tr")).to_have_count(1)
    feed.tell(f.CardTurned(card("Th"), 0, 1))
    expect(page.locator("#cards tr")).to_contain_text("could not be read when it was dealt")
    expect(page.locator("#verdict")).to_have_attribute("data-tone", "wait")


@pytest.mark.long
def test_a_lost_line_is_shown_and_the_page_goes_on_where_it_was(
    open_tab: OpenTab, service: PageServer
) -> None:
    feed = Feed(service)
    page = open_tab(f"{service.url}/fairness")
    expect(page.locator("#none")).to_be_visible()
    feed.tell(DEALT)
    expect(page.locator("#cards tr")).to_have_count(1)
    with page.expect_request("**/events/public?after=1"):
        service.cut_streams()
    expect(page.locator("#lost")).to_be_hidden()


def test_the_page_begins_anew_where_the_record_is_another_one(
    open_tab: OpenTab, service: PageServer
) -> None:
    """The table was put back to an older record: its feed has nothing after the last fact."""
    feed = Feed(service)
    page = open_tab(f"{service.url}/fairness")
    expect(page.locator("#none")).to_be_visible()
    feed.tell(DEALT)
    expect(page.locator("#cards tr")).to_have_count(1)
    service.show("/events/public", "reset", {"fork": True, "why": "no such record"})
    expect(page.locator("#cards tr")).to_have_count(0)
    service.show("/events/public", "clock", {"at_ms": 1, "error_ms": None})
    with page.expect_request("**/events/public?newest=*"):
        service.cut_streams()
    expect(page.locator("#lost")).to_be_hidden()
    expect(page.locator("#verdict")).to_have_text("No hidden card has been turned yet.")


@pytest.mark.parametrize(("index", "printed"), [("finnish", "11 ♦"), ("anglo", "J ♦")])
def test_cards_and_hands_are_called_as_the_table_calls_them(
    open_tab: OpenTab, service: PageServer, index: str, printed: str
) -> None:
    """A player has an 11 on the felt: a J here would be another card."""
    feed = Feed(service)
    service.stage.documents["/api/v1/table"] = {"words": BLACKJACK | {"index": index}}
    page = open_tab(f"{service.url}/fairness")
    jack = Sealed(card("Jd"), "4711", nonce=NONCE)
    for nth, seat in enumerate((0, 3)):
        feed.tell(f.CardDealtDown(jack, seat, 1, "scanner"))
        expect(page.locator("#cards tr")).to_have_count(nth + 1)
        feed.tell(f.CardTurned(card("Jd"), seat, 1, NONCE.hex(), "4711"))
        expect(page.locator("[data-state=same]")).to_have_count(nth + 1)
    cells = page.locator("#cards td:is(:nth-child(2), :nth-child(3))")
    expect(cells).to_have_text(["Box 3", printed, "Operator", printed])


def test_where_the_table_says_nothing_of_itself_cards_are_named_in_full(
    open_tab: OpenTab, service: PageServer, complaint: Callable[[str], None]
) -> None:
    feed = Feed(service)
    del service.stage.documents["/api/v1/table"]
    page = open_tab(f"{service.url}/fairness")
    feed.tell(DEALT)
    expect(page.locator("#cards tr")).to_have_count(1)
    feed.tell(TURNED)
    expect(page.locator("#cards tr")).to_contain_text("Ten of hearts")
    complaint("404")
