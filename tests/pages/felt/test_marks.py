"""What a glance finds: numbers that belong together, and marks where a reader chose all colours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, expect

from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab
from tests.pages.dealer_display.dealer import at_display, to_choose
from tests.pages.pictures.moments import dealer_view, moment, said, started

#: Where each number of a total stands: left, right and the middle of its height.
NUMBERS = """(root) => [...root.querySelectorAll('.total-part b')].map((node) => {
  const box = node.getBoundingClientRect();
  return [box.left, box.right, (box.top + box.bottom) / 2];
})"""
OUTLINED = """(nodes) => nodes.filter(
  (node) => getComputedStyle(node).outlineStyle === 'solid').map((node) => node.dataset.seat)"""


def test_two_totals_without_words_stand_side_by_side(
    open_tab: OpenTab, service: PageServer
) -> None:
    """5.5 and 15.5: one stood above the other, the stroke between them alone."""
    pit = started("seven-twenty-seven", 5, dict.fromkeys(range(1, 6), 1000))
    pit.deal("Ac 9d Th 2c 3c 6h Qd 5d 4c 9c")
    said(pit, *["pass"] * 5, *["no-card"] * 5)
    while "shows" in pit.display.headline:
        pit.press("next")
    assert pit.display.headline.startswith("Pay seat 1 from the pot")
    page = at_display(open_tab, service, dealer_view(pit))
    shown = page.locator(".total[data-parts]")
    assert {each.evaluate("node => node.closest('.versus') !== null") for each in shown.all()} == {
        True, False
    }  # fmt: skip
    for each in shown.all():
        (_, ends, high), (begins, _, low) = each.evaluate(NUMBERS)
        size = each.locator("b").first.evaluate("node => node.getBoundingClientRect().height")
        assert abs(high - low) < 1
        assert 0 < begins - ends < 1.2 * size


def test_the_seat_in_turn_and_the_shoe_are_seen_in_a_readers_own_colours(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_display(open_tab, service, to_choose().dealer_view())
    with own_colours(page):
        assert page.locator(".seat").evaluate_all(OUTLINED) == ["1"]
        assert ground(page, ".gauge-gone") != ground(page, ".gauge-track")


def test_the_one_key_is_seen_in_a_readers_own_colours(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_display(open_tab, service, dealer_view(moment("from_the_pot")))
    with own_colours(page):
        expect(page.get_by_role("button", name="Done")).to_be_visible()
        done, call = "#keys .key:not([data-quiet])", "#keys .key[data-quiet]"
        assert ground(page, done) != ground(page, call)


@contextmanager
def own_colours(page: Page) -> Iterator[None]:
    page.emulate_media(forced_colors="active")
    try:
        yield
    finally:
        page.emulate_media(forced_colors="none")


def ground(page: Page, selector: str) -> str:
    found: str = page.locator(selector).first.evaluate(
        "node => getComputedStyle(node).backgroundColor"
    )
    return found
