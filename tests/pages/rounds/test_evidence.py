"""What the camera saw of a card: on the dealer display while the table is held, and in a replay."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import cv2
import pytest
from playwright.sync_api import Page, Route, expect

from controller.devices.inputs import Reading
from controller.rules.cards import card
from controller.rules.sealed import Sealed
from controller.table.views.replay import find_round, replay
from drivers.vision.frame_reading import EVIDENCE_SIDE
from sim_hw.devices.deck_art import DECKS, face
from tests.pages.browser.looks import cut_off
from tests.pages.browser.server import PageServer
from tests.pages.conftest import SIZES, OpenTab
from tests.pages.dealer_display.dealer import at_display, expect_picture, show, two_holds
from tests.pages.pictures.moments import status_view
from tests.pages.pictures.pit import Picture, as_json
from tests.support.pit import Pit, setup

NAME = "5e" * 32


def held() -> Picture:
    """Two readers differ on a card; its picture is kept."""
    picture = two_holds().dealer_view() | {"seq": 10_000}
    first = picture["holds"][0] | {"picture": NAME}
    return picture | {"holds": [first, *picture["holds"][1:]]}


@pytest.mark.long
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
    expect_picture(page, held())
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
    expect_picture(page, held())
    expect(page.locator(".evidence")).to_have_count(0)


def test_a_picture_that_was_not_to_be_had_once_is_asked_for_again(
    open_tab: OpenTab, service: PageServer, complaint: Callable[[str], None]
) -> None:
    """A hold stands for minutes, and is not drawn anew for its picture."""
    jpeg = cv2.imencode(".jpg", face(DECKS["kotka"], card("Th")))[1].tobytes()
    page = at_display(open_tab, service, two_holds().dealer_view())
    answers = [lambda route: route.abort()]

    def answer(route: Route) -> None:
        if answers:
            answers.pop()(route)
        else:
            route.fulfill(body=jpeg, content_type="image/jpeg")

    page.route(f"**/api/v1/pictures/{NAME}", answer)
    show(service, held())
    image = page.get_by_role("img", name="The card as the camera saw it")
    expect(image).to_be_visible()
    page.wait_for_function("() => document.querySelector('.evidence').naturalWidth > 0")
    complaint("ERR_FAILED")


# In the replay of a round

OPEN = ("Th", "9c", "8d")
"""Two cards for the box and one for the dealer; his second one, `HIDDEN`, lies face down."""
HIDDEN = "7s"


def as_seen(code: str) -> bytes:
    """The evidence of a card that was told: the card itself, as large as the reader keeps it."""
    drawn = face(DECKS["bristol"], card(code))
    scale = EVIDENCE_SIDE / max(drawn.shape[:2])
    return cv2.imencode(".jpg", cv2.resize(drawn, None, fx=scale, fy=scale))[1].tobytes()


@pytest.fixture
def filmed() -> Pit:
    """Blackjack, read by a camera, with the dealer's second card face down."""
    pit = Pit(setup(1, "blackjack"))
    pit.shuffle()
    pit.bet(1)
    pit.no_more_bets()
    for code in (*OPEN, HIDDEN):
        pit.give(Reading("camera", Sealed(card(code)), apart=True, evidence=as_seen(code)))
    return pit


def replayed(open_tab: OpenTab, service: PageServer, pit: Pit) -> tuple[Page, list[str]]:
    """The replay of round 1 on the status page, and the cards whose pictures it asked for."""
    past = find_round(pit.state, 1)
    assert past is not None
    service.show("/events/status", "status", status_view(pit))
    service.stage.documents["/api/v1/rounds/1"] = as_json(replay(past, pit.state.rounds.pictures))
    page = open_tab(f"{service.url}/", size="1080p")
    images = {hashlib.sha256(as_seen(code)).hexdigest(): code for code in (*OPEN, HIDDEN)}
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(images[route.request.url.rsplit("/", 1)[1]])
        route.fulfill(body=as_seen(asked[-1]), content_type="image/jpeg")

    page.route("**/api/v1/pictures/*", answer)
    page.get_by_role("button", name="Replay round 1").click()
    return page, asked


def walked(page: Page, until: str) -> dict[str, bool]:
    """Each step of the replay up to the one that says so, and whether it shows a picture, whole."""
    panel = page.get_by_role("region", name="Replay of a round")
    image = panel.locator("img.evidence")
    shown: dict[str, bool] = {}
    for number in range(1, 20):
        expect(panel.get_by_role("status").first).to_contain_text(f"Step {number} of")
        heading = panel.locator("h4").inner_text()
        shown[heading] = image.count() == 1
        if shown[heading]:
            expect(panel).to_contain_text("What the camera saw of this card")
            assert image.evaluate(_WHOLE), (
                f"{heading}: its picture is cut, squeezed or off the panel"
            )
        if until in heading:
            return shown
        page.keyboard.press("ArrowRight")
    pytest.fail(f"the replay has no step {until!r}: {[*shown]}")


#: Shown at its own proportions, and no part of it outside the panel.
_WHOLE = """async (image) => {
  await image.decode();
  const box = image.getBoundingClientRect();
  const panel = document.querySelector("#replay").getBoundingClientRect();
  const share = image.naturalWidth / image.naturalHeight;
  return image.naturalWidth > 0 && Math.abs(box.width / box.height - share) < 0.01
    && box.left >= panel.left && box.right <= panel.right && box.bottom <= panel.bottom;
}"""


def test_a_replay_shows_what_the_camera_saw_of_each_open_card_and_of_no_hidden_one(
    open_tab: OpenTab, service: PageServer, filmed: Pit
) -> None:
    page, asked = replayed(open_tab, service, filmed)
    assert walked(page, "face down") == {
        "10♥ to box 1": True,
        "9♣ to the operator": True,
        "8♦ to box 1": True,
        "A card, face down, to the operator": False,
    }
    assert set(asked) == set(OPEN)


@pytest.mark.long
def test_once_a_hidden_card_is_turned_its_replay_shows_what_the_camera_saw(
    open_tab: OpenTab, service: PageServer, filmed: Pit
) -> None:
    filmed.press("stand")
    filmed.press("next")
    page, asked = replayed(open_tab, service, filmed)
    shown = walked(page, "shows")
    assert shown["A card, face down, to the operator"]
    assert shown["The operator shows 7♠"]
    assert not shown["Box 1: stand"]
    assert set(asked) == {*OPEN, HIDDEN}


def test_a_replay_says_where_a_picture_is_not_kept_any_more(
    open_tab: OpenTab, service: PageServer, filmed: Pit, complaint: Callable[[str], None]
) -> None:
    page, _ = replayed(open_tab, service, filmed)
    page.unroute("**/api/v1/pictures/*")
    page.get_by_role("region", name="Replay of a round").press("ArrowRight")
    expect(page.locator("figure")).to_have_text(
        "What the camera saw of this card is not kept any more."
    )
    complaint("404")
