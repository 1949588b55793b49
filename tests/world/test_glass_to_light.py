"""From a card's bytes on a serial port to the dealer's display in a real browser, and back.

The service runs as a process on a real pty; the dealer is the keyboard of headless Chromium.
"""

from __future__ import annotations

import os
import re
import sys
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from controller.access.token import write_token
from controller.record.journal import Journal
from controller.rules.cards import card
from controller.table.facts import CardDealt, HandSettled
from drivers.code_book import check_character
from tests.pages.browser.tab import TIMEOUT_MS
from tests.pages.conftest import ARGS, browser_path
from tests.pages.dealer_display.dealer import settled_eye
from tests.support.processes.town import LineProcess

CONFIG = """\
[table]
name = "T1"
game = "21-24-27"
seats = 3
[record]
folder = "record"
trust_clock = true
[web]
port = 0
token_file = "token"
[scanner]
port = "{port}"
"""


class WiredTable:
    """The service on a pty, and the wire to it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        self.token = write_token(folder / "token")
        config = folder / "table.toml"
        config.write_text(CONFIG.format(port=os.ttyname(self.slave)))
        self.service = LineProcess([sys.executable, "-m", "controller", "run", str(config)])
        self.url = self.service.until(lambda line: line.startswith("ready ")).split()[1]
        self.serial = 0

    def scan(self, codes: str) -> None:
        """Cards leave the shoe: their printed codes, each with its own serial number."""
        for code in codes.split():
            self.serial += 1
            text = f"{code.upper()}{self.serial:06d}"
            os.write(self.master, f"{text}{check_character(text)}\r".encode())

    def stop(self) -> None:
        """Stop the service; what it wrote can be read."""
        self.service.close()

    def close(self) -> None:
        self.stop()
        os.close(self.master)
        os.close(self.slave)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[WiredTable]:
    built = WiredTable(tmp_path)
    yield built
    built.close()


@pytest.fixture
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=ARGS)
        opened = browser.new_page(viewport={"width": 1280, "height": 720})
        opened.set_default_timeout(TIMEOUT_MS)
        yield opened
        browser.close()


def says(page: Page, headline: str) -> None:
    expect(page.locator("h1")).to_have_text(headline)


def accepted(page: Page, key: str) -> bool:
    """Press a key whose command is sent; whether the table took it."""
    with page.expect_response("**/api/v1/commands") as answer:
        page.keyboard.press(key)
    return answer.value.ok


def press(page: Page, key: str, headline: str) -> None:
    """Press a key once the picture can have been read, again where another came in between."""
    settled_eye(page)
    while not accepted(page, key):
        settled_eye(page)
    says(page, headline)


def bet(page: Page, seat: int, typed: str, shown: str) -> None:
    """Touch a seat, type the amount, Enter; again where another picture came in between."""
    spot = page.locator(f'[data-seat="{seat}"]')
    while True:
        settled_eye(page)
        spot.click()
        page.keyboard.type(typed)
        expect(page.locator("dialog[open] .pad-sum")).to_contain_text(shown)
        if accepted(page, "Enter"):
            break
        page.keyboard.press("Escape")
    expect(spot).to_contain_text(shown)


def test_a_round_from_the_wire_to_the_display_and_back(table: WiredTable, page: Page) -> None:
    page.goto(f"{table.url}dealer#token={table.token}")
    says(page, "Load the shoe")
    assert "token" not in page.url
    press(page, "Enter", "Cut the pack")
    press(page, "Enter", "Burn a card")
    table.scan("2c")
    says(page, "Place your bets")
    bet(page, 2, "25", "25.00")
    press(page, "Enter", "Card to seat 2")
    table.scan("Kh 9c")
    says(page, "Card to seat 2")
    table.scan("Td 7h")  # hard 23 against hard 16
    says(page, "Seat 2: stand or hit?")
    expect(page.locator("#keys button")).to_have_text(
        [re.compile("Stand"), re.compile("Hit"), re.compile("Call the floor")]
    )
    press(page, "s", "Dealer draws: hard 16 is under 21")
    table.scan("Qs")
    says(page, "Pay seat 2: 25.00")
    expect(page.locator("#why")).to_have_text("The dealer busts with 28.")
    press(page, "Enter", "Place your bets")
    table.stop()
    journal = Journal(table.folder / "record")
    facts = [record.fact for record in journal.newest_day.records()]
    journal.close()
    assert [f.card for f in facts if isinstance(f, CardDealt)] == [
        card(code) for code in ("Kh", "9c", "Td", "7h", "Qs")
    ]
    assert [f.net for f in facts if isinstance(f, HandSettled)] == [2_500]


@pytest.mark.long
def test_a_garbled_code_stops_the_table_and_the_card_is_entered_twice_confirmed(
    table: WiredTable, page: Page
) -> None:
    page.goto(f"{table.url}dealer#token={table.token}")
    says(page, "Load the shoe")
    press(page, "Enter", "Cut the pack")
    press(page, "Enter", "Burn a card")
    table.scan("2c")
    says(page, "Place your bets")
    bet(page, 1, "10", "10.00")
    press(page, "Enter", "Card to seat 1")
    os.write(table.master, b"KH0000\x00\r")
    says(page, "Card not read: look at it, then enter it")
    page.get_by_role("button", name="Enter the card").click()
    page.get_by_role("button", name="13 King").click()
    page.get_by_role("button", name="hearts").click()
    page.get_by_role("button", name=re.compile("It is .*♥")).click()
    page.get_by_role("button", name="Yes").click()
    says(page, "Card to the dealer")


@pytest.mark.long
def test_a_lost_service_is_told_at_once(table: WiredTable, page: Page) -> None:
    page.goto(f"{table.url}dealer#token={table.token}")
    says(page, "Load the shoe")
    table.service.kill()
    expect(page.locator("#lost")).to_be_visible()
    table.service = LineProcess([sys.executable, "-c", "print('gone')"])
