"""An archived round walked through in the pit: beside each card what its camera saw of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from controller.bus.messages import CardPicture, CardPictures, PicturesRefused, PicturesRequest
from controller.pit.line.questions import NobodyThere
from controller.pit.reports.search.pictures import TablePictures
from controller.pit.wall.settings import WallSettings
from controller.table.facts import HoldRaised
from controller.table.irregularities.holds import Resolution
from tests.pages.browser.looks import unreadable
from tests.pages.conftest import OpenTab
from tests.pages.pit_pages.pit_server import PitServer
from tests.pages.pit_pages.test_felt import SIZES, opened, wide
from tests.pages.rounds.test_evidence import as_seen
from tests.pit.archive.books.archived import Archived
from tests.support.filmed import CARDS, DRAWN, HIDDEN, FilmedTable
from tests.support.forms import quick_first

#: Shown as it is: no part of it outside its place, at its own proportions.
WHOLE = """async (image) => {
  await image.decode();
  const box = image.getBoundingClientRect();
  const room = image.closest(".seen").getBoundingClientRect();
  const share = image.naturalWidth / image.naturalHeight;
  return image.naturalWidth > 0 && Math.abs(box.width / box.height - share) < 0.02
    && box.left >= room.left && box.right <= room.right + 1 && box.bottom <= room.bottom + 1;
}"""


class PicturePit:
    """A pit whose table T1 was filmed: what it answers is `says`."""

    def __init__(self) -> None:
        self.table = FilmedTable(lambda code: as_seen("Kc" if code == "?" else code))
        self.table.whole()
        self.void()
        self.asked = 0
        self.away = False
        self.gone: tuple[str, ...] = ()
        self.forged: tuple[str, ...] = ()
        self.server = PitServer(WallSettings(offline_s=3_600), pictures=TablePictures(self.answer))

    def void(self) -> None:
        """Round 2: its first card cannot be told, and the round is made void for it."""
        pit = self.table.pit
        pit.bet(1)
        pit.no_more_bets()
        self.table.deal("?")
        assert pit.resolve(Resolution.VOID).refused == ""

    async def answer(self, _: str, request: PicturesRequest) -> CardPictures | PicturesRefused:
        self.asked += 1
        if self.away:
            raise NobodyThere
        kept = self.table.kept
        other = next(iter(kept.values()))
        pictures = tuple(
            CardPicture(each, other if each in self.forged else kept[each])
            for each in request.names if each not in self.gone
        )  # fmt: skip
        return CardPictures("T1", pictures, gone=self.gone)


@pytest.fixture
def filmed() -> Iterator[PicturePit]:
    made = PicturePit()
    with made.server as server:
        archive = Archived(server.known.engine)
        archive.add("T1", made.table.pit.records)
        archive.keep()
        yield made


def walked(page: Page) -> dict[str, str]:
    """What is seen at each step: the name of nothing, or of the card whose picture it is."""
    found: dict[str, str] = {}
    while True:
        said = page.locator("#said").inner_text().splitlines()[0]
        image = seen(page).locator("img")
        found[said] = image.get_attribute("src") or "" if image.count() else ""
        if image.count():
            assert image.evaluate(WHOLE), f"{said}: it is cut or squeezed"
        if page.locator("#on").is_disabled():
            return found
        place = page.locator("#place").inner_text()
        page.keyboard.press("ArrowRight")
        expect(page.locator("#place")).not_to_have_text(place)


def seen(page: Page) -> Locator:
    return page.get_by_role("group", name="What the camera saw")


@pytest.mark.parametrize("size", quick_first(SIZES, [(390, 844)]))
def test_each_card_of_a_round_is_seen_as_its_camera_saw_it(
    open_tab: OpenTab, filmed: PicturePit, size: tuple[int, int]
) -> None:
    page = opened(open_tab, filmed.server, size, "/rounds/T1/1")
    page.keyboard.press("ArrowRight")
    expect(seen(page).locator("img")).to_be_visible()
    assert unreadable(page) == []
    assert wide(page) <= 0, "nothing has to be scrolled sideways"
    page.keyboard.press("ArrowLeft")
    steps = walked(page)
    with_picture = {said for said, src in steps.items() if src}
    assert {said.rpartition(" to ")[0] for said in with_picture if " to " in said} == {
        "10♥", "9♣", "8♦", "5♣",
    }  # fmt: skip
    assert "The operator shows 7♠" in with_picture
    assert not any("face down" in said for said in with_picture)
    assert len({steps[said] for said in with_picture}) == len((*CARDS, DRAWN))
    assert filmed.asked == 1, "the table is asked once"
    # The felt stays where it is, whether there is a picture or not.
    tops = set()
    for key in ("Home", "ArrowRight", "End"):
        page.locator("#replay").focus()
        page.keyboard.press(key)
        tops.add(page.evaluate("document.querySelector('#felt').offsetTop"))
    assert len(tops) == 1


def test_what_stopped_the_table_is_seen_where_the_round_goes_on(
    open_tab: OpenTab, filmed: PicturePit
) -> None:
    """A hold is no step of the game, and may be all that there is of its card."""
    page = opened(open_tab, filmed.server, (1280, 800), "/rounds/T1/2")
    while page.locator("#on").is_enabled():
        expect(seen(page).locator("img")).to_have_count(0)
        page.keyboard.press("ArrowRight")
    held = next(each for each in filmed.table.pit.records if isinstance(each.fact, HoldRaised))
    expect(seen(page)).to_have_text(f"What the camera saw at record {held.seq}")
    expect(seen(page).locator("img")).to_be_visible()


def test_what_is_not_to_be_had_is_said_beside_its_card(
    open_tab: OpenTab, filmed: PicturePit
) -> None:
    names = filmed.table.name
    filmed.gone, filmed.forged = (names("Th"),), (names(HIDDEN),)
    page = opened(open_tab, filmed.server, (1280, 800), "/rounds/T1/1")
    page.keyboard.press("ArrowRight")
    expect(seen(page)).to_have_text("T1 keeps no picture of this card any more.")
    page.keyboard.press("ArrowRight")
    expect(seen(page).locator("img")).to_be_visible()
    while "shows" not in page.locator("#said").inner_text():
        page.keyboard.press("ArrowRight")
    expect(seen(page)).to_contain_text("not the picture on record, and is not shown")
    expect(seen(page).locator("img")).to_have_count(0)


def test_a_table_that_is_away_is_asked_again(open_tab: OpenTab, filmed: PicturePit) -> None:
    filmed.away = True
    page = opened(open_tab, filmed.server, (390, 844), "/rounds/T1/1")
    page.keyboard.press("ArrowRight")
    expect(seen(page)).to_contain_text("T1 is away, or its software gives no pictures.")
    assert unreadable(page) == []
    assert wide(page) <= 0
    filmed.away = False
    seen(page).get_by_role("button", name="Ask again").click()
    expect(seen(page).locator("img")).to_be_visible()
    assert filmed.asked == 2
