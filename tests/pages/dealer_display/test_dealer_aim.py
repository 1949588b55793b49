"""The dealer display: which picture a hasty press belongs to."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from controller.table.irregularities.holds import Resolution
from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab
from tests.pages.dealer_display.dealer import (
    answered,
    at_its_own_time,
    expect_picture,
    settling,
    show,
    to_choose,
)
from tests.pages.pictures.pit import Picture, as_json
from tests.support.pit import Pit, opened

#: A double tap of a nervous finger, and a press that was thought of.
NERVOUS_MS, THOUGHT_MS = 250, 600


def next_picture(page: Page, service: PageServer, picture: Picture) -> None:
    show(service, picture)
    expect_picture(page, picture)


def two_kept() -> Pit:
    """Two cards lie ready before the round is dealt."""
    pit = opened()
    pit.bet(1)
    pit.bet(2)
    for code in ("5c", "3h"):
        pit.deal(code)
        pit.resolve(Resolution.KEEP)
    pit.no_more_bets()
    return pit


def kept_cards() -> tuple[Picture, Picture]:
    pit = two_kept()
    first = as_json(pit.display)
    pit.press("next")
    return first, as_json(pit.display)


def payments() -> tuple[Picture, Picture]:
    pit = settling()
    first = pit.dealer_view()
    return first, pit.next().dealer_view()


@pytest.mark.parametrize("pictures", [kept_cards, payments])
def test_a_key_that_is_tapped_twice_is_pressed_for_the_picture_before(
    open_tab: OpenTab, service: PageServer, pictures: Callable[[], tuple[Picture, Picture]]
) -> None:
    """ "Kept card dealt" and "Done" stand there again for the next card and the next payment."""
    first, second = pictures()
    label = [each["label"] for each in first["keys"]]
    assert label == [each["label"] for each in second["keys"]]
    page = at_its_own_time(open_tab, service, first)
    page.keyboard.press("Enter")
    assert service.next_sent().body["view_seq"] == first["seq"]
    answered(page)
    next_picture(page, service, second)
    page.clock.run_for(NERVOUS_MS)
    page.keyboard.press("Enter")
    assert service.next_sent(2).body["view_seq"] == first["seq"]
    answered(page)
    page.clock.run_for(THOUGHT_MS)
    page.keyboard.press("Enter")
    assert service.next_sent(3).body["view_seq"] == second["seq"]


def test_nobody_answers_at_once_to_a_table_that_stops(
    open_tab: OpenTab, service: PageServer
) -> None:
    """ "V" voids the round, and many letters of a hold are those of plays."""
    pit = to_choose()
    calm = pit.dealer_view()
    page = at_its_own_time(open_tab, service, calm)
    held = pit.stand().misread().dealer_view()
    next_picture(page, service, held)
    page.clock.run_for(THOUGHT_MS)
    page.keyboard.press("n")
    assert service.next_sent().body["view_seq"] == calm["seq"]
    answered(page)
    page.keyboard.press("c")  # the floor can be called whatever is shown
    assert service.next_sent(2).body["view_seq"] == held["seq"]
    answered(page)
    page.clock.run_for(THOUGHT_MS)
    page.keyboard.press("n")
    assert service.next_sent(3).body["view_seq"] == held["seq"]


def test_no_more_bets_is_taken_although_a_bet_came_just_now(
    open_tab: OpenTab, service: PageServer
) -> None:
    """At a studio's table they come until the last moment, and the key is the same."""
    pit = opened()
    pit.bet(1)
    first = as_json(pit.display)
    page = at_its_own_time(open_tab, service, first)
    pit.bet(2)
    second = as_json(pit.display)
    assert first["keys"] == second["keys"]
    next_picture(page, service, second)
    page.keyboard.press("Enter")
    assert service.next_sent().body["view_seq"] == second["seq"]
