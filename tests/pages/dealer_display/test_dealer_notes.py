"""The dealer display: what the pit says, until the dealer says that it has been read."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import expect

from controller.table import inputs as i
from controller.table.inputs.pit import PIT_ACTS
from controller.table.roles import pit_person
from tests.pages.browser.looks import cut_off, unreadable
from tests.pages.browser.server import PageServer
from tests.pages.conftest import SIZES, OpenTab
from tests.pages.dealer_display.dealer import at_display, settled_eye
from tests.pages.pictures.moments import dealer_view, moment
from tests.support.forms import quick_first
from tests.support.pit import Pit, setup

#: As long as one may be.
LONGEST = "A guest of the house comes to seat three at nine. " * 4


def table() -> Pit:
    """Bets are open, and the pit has written."""
    pit = Pit(replace(setup(7), pit_acts=PIT_ACTS))
    pit.shuffle()
    at_ms = pit.state.clock.at_ms
    note = i.SendNote(LONGEST.strip())
    pit.give(i.FromPit(note, pit_person(1), "floor", "0f1e2d3c", at_ms, at_ms + 9_000))
    return pit


@pytest.mark.parametrize("size", quick_first(list(SIZES.values()), [SIZES["720p"]]))
def test_the_longest_message_is_read_whole_and_goes_by_its_key(
    open_tab: OpenTab, service: PageServer, size: tuple[int, int]
) -> None:
    pit = table()
    page = at_display(open_tab, service, dealer_view(pit))
    page.set_viewport_size({"width": size[0], "height": size[1]})
    expect(page.locator("#line")).to_contain_text("A guest of the house")
    assert cut_off(page) == []
    assert unreadable(page) == []
    settled_eye(page)
    page.keyboard.press("m")
    sent = service.next_sent().body
    assert (sent["do"], sent["note"]) == ("read_note", pit.state.pit.notes[0].seq)


@pytest.mark.parametrize(
    "name", quick_first(["offered_split", "ten_vying", "low_or_high"], ["ten_vying"])
)
def test_a_message_leaves_room_for_every_play(
    open_tab: OpenTab, service: PageServer, name: str
) -> None:
    noted, picture = dealer_view(table()), dealer_view(moment(name))
    *keys, floor = picture["keys"]
    picture |= {"note": noted["note"], "keys": [*keys, noted["keys"][-2], floor]}
    page = at_display(open_tab, service, picture)
    expect(page.get_by_role("button", name="Message read")).to_be_visible()
    assert cut_off(page) == []
