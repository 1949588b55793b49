"""What a picture costs the dealer display: how often the page is laid out for it."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import CDPSession

from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab
from tests.pages.dealer_display.dealer import at_display
from tests.pages.pictures.moments import dealer_view, moment
from tests.support.forms import long_only

DRAWN: Final = 10
#: Draws pictures that differ in one hand each.
DRAW: Final = """async ([view, count]) => {
  const { draw } = await import('/static/pages/dealer/dealer.js');
  for (let nth = 0; nth < count; nth += 1) {
    view.hands[nth % view.hands.length].total = `hard ${10 + nth}`;
    draw({ ...view, hands: structuredClone(view.hands), seq: view.seq + nth + 1 });
  }
}"""


def layouts(line: CDPSession) -> float:
    """How often the page has been laid out so far."""
    metrics = line.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == "LayoutCount"))


@pytest.mark.parametrize(("name", "most"), [("fourteen_insured", 12), long_only("five_keys", 7)])
def test_a_picture_that_has_to_be_fitted_is_laid_out_a_few_times(
    open_tab: OpenTab, service: PageServer, name: str, most: int
) -> None:
    """A small panel has a small processor: seat by seat, size by size, it was 32 times, and 9."""
    picture = dealer_view(moment(name))
    page = at_display(open_tab, service, picture)
    page.set_viewport_size({"width": 800, "height": 480})
    line = page.context.new_cdp_session(page)
    line.send("Performance.enable")
    page.evaluate(DRAW, [picture, 1])
    before = layouts(line)
    page.evaluate(DRAW, [picture, DRAWN])
    # A frame of the page's own may come between.
    assert layouts(line) - before <= DRAWN * most + 2
    line.detach()
