"""What the camera saw of a card, on the dealer display while the table is held for it."""

from __future__ import annotations

import cv2
import pytest
from playwright.sync_api import Route, expect

from controller.rules.cards import card
from sim_hw.cardboard import DECKS, face
from tests.pages.conftest import SIZES, OpenTab
from tests.pages.dealer import at_display, seen, show, two_holds
from tests.pages.looks import cut_off
from tests.pages.pit import Picture
from tests.pages.server import PageServer

NAME = "5e" * 32


def held() -> Picture:
    """Two readers differ on a card; its picture is kept."""
    picture = two_holds().dealer_view() | {"seq": 10_000}
    first = picture["holds"][0] | {"picture": NAME}
    return picture | {"holds": [first, *picture["holds"][1:]]}


@pytest.mark.parametrize("size", SIZES)
def test_the_picture_stands_beside_the_words_and_cuts_nothing_off(
    open_tab: OpenTab, service: PageServer, size: str
) -> None:
    page = at_display(open_tab, service, two_holds().dealer_view(), size=size)
    jpeg = cv2.imencode(".jpg", face(DECKS["kotka"], card("Th")))[1].tobytes()

    def answer(route: Route) -> None:
        route.fulfill(body=jpeg, content_type="image/jpeg")

    page.route(f"**/api/v1/pictures/{NAME}", answer)
    show(service, held())
    seen(page, held())
    image = page.get_by_role("img", name="The card as the camera saw it")
    expect(image).to_be_visible()
    page.wait_for_function("document.querySelector('.evidence').naturalWidth > 0")
    words, box = page.locator("#why").bounding_box(), image.bounding_box()
    assert words is not None
    assert box is not None
    assert words["x"] + words["width"] <= box["x"] + 1
    assert box["height"] > 100
    assert cut_off(page) == []


def test_a_picture_that_is_not_kept_leaves_no_trace(open_tab: OpenTab, service: PageServer) -> None:
    page = at_display(open_tab, service, two_holds().dealer_view())
    page.route(f"**/api/v1/pictures/{NAME}", lambda route: route.fulfill(body="", status=200))
    show(service, held())
    seen(page, held())
    expect(page.locator(".evidence")).to_have_count(0)
