"""How late the overlay draws what is due, in headless Chromium at 1920 by 1080."""

from __future__ import annotations

import random
import time
from itertools import pairwise
from typing import Any, Final

from playwright.sync_api import sync_playwright

from tests.bench.table import BenchLine, print_table, quantile
from tests.pages.browser.server import PageServer
from tests.pages.conftest import ARGS, WEB, browser_path
from tests.pages.pictures.moments import players_view
from tests.pages.players.test_seated import full

VIEWS, DELAY_MS = 300, 400
FRAME_MS: Final = 1_000 / 60
#: Every view that is drawn: its number, and when, to less than a millisecond. The table's time is
#: that of this machine, as the browser's is.
_WATCH: Final = """() => {
    globalThis.seen = [];
    new MutationObserver(() => {
        const now = performance.timeOrigin + performance.now();
        globalThis.seen.push([Number(document.body.dataset.seq), now]);
    }).observe(document.body, { attributeFilter: ["data-drawn"] });
}"""


def _lateness_ms() -> list[float]:
    """Of each view: how long after it was due it was drawn, by the table's time."""
    chance = random.Random(1)
    pages = {
        "/overlay": WEB / "pages" / "overlay" / "overlay.html",
        "/overlay/theme.css": WEB / "pages" / "overlay" / "theme.css",
    }
    view: dict[str, Any] = players_view(full("Ann"))
    due: dict[int, int] = {}
    with PageServer(WEB, pages) as service, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=ARGS)
        page = browser.new_page(viewport={"width": 1920, "height": 1080})
        first = view | {"seq": 1, "at_ms": service.stage.now_ms - DELAY_MS}
        service.show("/events/players", "scene", first)
        page.goto(f"{service.url}/overlay?delay_ms={DELAY_MS}")
        page.wait_for_selector('body[data-seq="1"]')
        page.wait_for_timeout(3_000)  # the table's time is known by several beats
        page.evaluate(_WATCH)
        for seq in range(2, VIEWS + 2):
            at_ms = service.stage.now_ms
            due[seq] = at_ms + DELAY_MS
            service.show("/events/players", "scene", view | {"seq": seq, "at_ms": at_ms})
            time.sleep(chance.uniform(0.05, 0.15))
        page.wait_for_selector(f'body[data-seq="{VIEWS + 1}"]')
        drawings = page.evaluate("globalThis.seen")
        browser.close()
    return [drawn - due[seq] for seq, drawn in drawings if seq in due]


def lines() -> list[BenchLine]:
    """What was measured."""
    late = _lateness_ms()
    p99 = quantile(late, 0.99)
    # As RTP reckons it (RFC 3550, 6.4.1): the mean difference between one delay and the next.
    jitter = sum(abs(one - other) for one, other in pairwise(late)) / (len(late) - 1)
    return [
        BenchLine(
            f"overlay, {len(late)} views: due to drawn, painted with the next frame",
            f"{quantile(late, 0.5):.1f} ms",
            f"{p99:.1f} ms", f"{FRAME_MS:.1f} ms at p99, none early",
            p99 <= FRAME_MS and min(late) >= 0,
        ),
        BenchLine("  jitter of the delay", f"{jitter:.1f} ms", "", "10 ms", jitter <= 10),
    ]  # fmt: skip


if __name__ == "__main__":
    print_table(lines())
