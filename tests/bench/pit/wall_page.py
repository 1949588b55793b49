"""What a frame of the wall costs its page (scripts, styles, layout), with 1,000 tables that all
change ten times a second, in headless Chromium.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import sync_playwright

from controller.pit.wall.settings import WallSettings
from controller.pit.wall.wall import Wall
from tests.bench.table import BenchLine, print_table, quantile
from tests.pages.conftest import ARGS, browser_path
from tests.pages.pit_pages.pit_server import GAMES, PitServer, now_ms
from tests.pit.wall.statuses import news

TABLES: Final = 1_000
PICTURES: Final = 50
#: As often as the wall draws.
EVERY_S: Final = 0.1
LIMIT_MS: Final = 16.0
SIZES: Final = ((390, 844), (1280, 800), (3840, 2160))
#: What the page's thread does for a frame, before it is painted; the scripts are these two.
UPDATE: Final = ("RunMicrotasks", "FunctionCall")
LAYOUT: Final = ("UpdateLayoutTree", "Layout")
CARDS: Final = ("7h", "Ks", "2c", "9d", "Ah")


def _change(nth: int, wall: Wall) -> None:
    """Every table has dealt another card: it waits for something else, and for another."""
    now = now_ms()
    for number in range(TABLES):
        card = CARDS[(number + nth) % len(CARDS)]
        wall.hear(
            news(
                f"T{number}", seq=nth + 9, at_ms=now, since_ms=now - 2_000,
                game=GAMES[number % len(GAMES)],
                waiting_for=f"Card for seat {1 + (number + nth) % 7}, after the {card}",
            )
        )  # fmt: skip


def costs(size: tuple[int, int]) -> tuple[int, list[float], float]:
    """How many tiles are drawn; what each frame costs, and a picture on average: processor ms."""
    with (
        tempfile.TemporaryDirectory() as folder,
        PitServer(WallSettings(offline_s=3_600)) as pit,
        sync_playwright() as playwright,
    ):
        trace = Path(folder) / "trace.json"
        browser = playwright.chromium.launch(executable_path=browser_path(), args=ARGS)
        page = browser.new_page(viewport={"width": size[0], "height": size[1]})
        pit.do(partial(_change, 0))
        pit.sign_in(page)
        page.wait_for_selector(".tile .what")
        page.wait_for_timeout(1_500)
        browser.start_tracing(
            page=page, path=str(trace), categories=["devtools.timeline", "v8.execute"]
        )
        for nth in range(1, PICTURES + 1):
            began_s = time.monotonic()
            pit.do(partial(_change, nth))
            page.wait_for_timeout(max(0.0, EVERY_S - (time.monotonic() - began_s)) * 1_000)
        browser.stop_tracing()
        tiles = page.locator(".tile").count()
        browser.close()
        frames = list(_frames(json.loads(trace.read_bytes())["traceEvents"]))
    return tiles, frames, sum(frames) / PICTURES


def _frames(events: list[dict[str, Any]]) -> Iterator[float]:
    """Of each frame in which something was laid out: scripts since the one before, and layout."""
    threads: defaultdict[tuple[int, int], list[dict[str, Any]]] = defaultdict(list)
    for each in events:
        if each.get("ph") == "X" and each["name"] in UPDATE + LAYOUT:
            threads[each["pid"], each["tid"]].append(each)
    ours = max(threads.values(), key=lambda found: sum(each["name"] == "Layout" for each in found))
    spent = upto = 0.0
    for each in sorted(ours, key=lambda it: float(it["ts"])):
        # What runs within another one is in its time already.
        if each["ts"] >= upto:
            spent += float(each.get("tdur", each["dur"])) / 1_000
            upto = each["ts"] + each["dur"]
        if each["name"] == "Layout":
            yield spent
            spent = 0.0


def lines() -> list[BenchLine]:
    """What was measured."""
    made = []
    for size in SIZES:
        tiles, frames, whole = costs(size)
        p99 = quantile(frames, 0.99)
        made.append(
            BenchLine(
                f"wall, {TABLES} changing tables, {size[0]} px, {tiles} tiles drawn: update and"
                f" layout of a frame ({whole:.1f} ms a picture)",
                f"{quantile(frames, 0.5):.1f} ms", f"{p99:.1f} ms", f"{LIMIT_MS:g} ms at p99",
                p99 <= LIMIT_MS,
            )
        )  # fmt: skip
    return made


if __name__ == "__main__":
    print_table(lines())
