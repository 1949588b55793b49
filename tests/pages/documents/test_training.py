"""The report of a training: readable on a trainer's screen and a telephone, in light and dark."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from controller.devices.inputs import Doubt
from controller.table.irregularities.holds import Resolution
from controller.training.page import link
from controller.training.page import page as page_of
from tests.pages.browser.looks import unreadable
from tests.pages.conftest import OpenTab
from tests.training.records import Trained


def trained() -> Trained:
    """A round with trouble answered wrongly, a refused press and a card too early."""
    made = Trained()
    made.bets()
    made.pit.deal("Th")
    made.pit.resolve(Resolution.SET_ASIDE)
    made.pit.no_more_bets()
    made.pit.deal("Th")
    made.trouble("garbage")
    made.pit.doubt(Doubt.GARBLED)
    made.pit.resolve(Resolution.NO_CARD)
    made.pit.deal("9c 5d Kh 7s 6c")
    made.pit.press("next")
    made.finish()
    return made


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_a_trainer_reads_it_at_a_glance(
    open_tab: OpenTab, size: tuple[int, int], scheme: str
) -> None:
    found = trained().report
    page = open_tab("about:blank", scheme=scheme)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.set_content(page_of(found, "secret"))
    tiles, links = page.locator(".tiles li"), page.locator(".mistakes a")
    assert tiles.count() == 4
    expect(tiles.last).to_be_in_viewport()
    assert "3" in tiles.nth(1).inner_text()
    assert "1 early card" in tiles.nth(1).inner_text()
    expect(page.locator(".mistakes li").first).to_be_in_viewport()
    assert [each.get_attribute("href") for each in links.all()] == [
        link(found, each.round, each.seq, "secret") for each in found.mistakes
    ]
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert unreadable(page) == []
