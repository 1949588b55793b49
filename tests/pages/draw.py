"""Draws the pictures of the READMEs anew: `python -m tests.pages.draw`.

The light language comes from its table, the pages from pictures that the real table would send.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect, sync_playwright

from controller.devices.lights import LOOKS
from controller.devices.scene import Light
from controller.pit.pictures import lights_svg
from tests.pages.conftest import ARGS, CHROMIUM, PAGES, PIT, ROOT, WORLD
from tests.pages.pit import Picture, Pit, seven_seats
from tests.pages.server import PageServer

PICTURES = ROOT / "controller" / "pit" / "pictures"
NAMES = ("Aino", "Eino", "Helmi", "Onni", "Lyyli", "Toivo", "Saima")
SIZE = {"width": 1440, "height": 810}
FLIGHT_MS = 700


def world_of(pit: Pit, service_url: str) -> Picture:
    """The simulated world as it would lie under what the table shows."""
    view, dealer = pit.dealer_view(), pit.dealer_view()["dealer"]
    return {
        "game": "21-24-27", "title": view["game"], "seed": 7, "speed": 1, "round": view["round"],
        "paused": False, "dealer": "robot", "scanner": {"plugged": True, "busy": False},
        "seats": [_seat(view, number) for number in range(1, view["seats"] + 1)],
        "dealer_cards": [each["code"] for each in dealer["cards"]], "discard": 96, "burned": 1,
        "shoe": {"size": 324, "left": view["shoe"]["size"] - view["shoe"]["gone"], "cut": 81},
        "hand": {"card": None, "to": None}, "rule": view["rule"], "service_url": service_url,
        "log": ["Round 4: the house takes.", "Round 5: no more bets.", "Aino stands.",
                "Eino stands.", "Helmi stands.", "Onni stands.", "Lyyli is asked."],
    }  # fmt: skip


def _seat(view: Picture, number: int) -> dict[str, Any]:
    hand = next(each for each in view["hands"] if each["seat"] == number)
    colour = LOOKS[Light(hand["light"])].colour
    amounts = (2500, 10000, 5000, 250000, 1250, 3000, 50000)
    return {
        "seat": number, "name": NAMES[number - 1], "bank": 100_000 - 4_350 * number,
        "bet": None if hand["settled"] else amounts[number - 1], "split": [],
        "cards": [each["code"] for each in hand["cards"]],
        "said": "hit?" if hand["active"] else "", "light": colour._asdict(),
    }  # fmt: skip


def main() -> None:
    """Write every picture."""
    (PICTURES / "lights.svg").write_text(lights_svg(), encoding="utf-8")
    pit = seven_seats().next().play_out().rounds(3).repeat().next().until_asked(5)
    pages = {path: PIT / f"{name}.html" for path, name in PAGES.items()}
    with (
        sync_playwright() as playwright,
        PageServer(PIT, pages) as service,
        PageServer(WORLD, {"/": WORLD / "table.html"}) as table,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        page = browser.new_page(viewport={"width": SIZE["width"], "height": SIZE["height"]})
        service.show("/events/dealer", "scene", pit.dealer_view())
        service.show("/events/players", "scene", pit.players_view())
        now_ms = int(page.evaluate("Date.now()"))
        service.show("/events/status", "status", _recent(pit.status_view(), now_ms))
        table.show("/events", "world", world_of(pit, service.url))
        _take(page, f"{table.url}/", "table")
        _take(page, f"{service.url}/dealer#token=shown", "dealer")
        _take(page, f"{service.url}/players", "players")
        _take(page, f"{service.url}/", "status", whole=True)
        browser.close()


def _recent(status: Picture, now_ms: int) -> Picture:
    """The same evening, but tonight: the table has waited for nine seconds."""
    shift = now_ms - 9_000 - int(status["since_ms"])
    rounds = [
        each
        | {
            "started_ms": each["started_ms"] + shift,
            "ended_ms": each["ended_ms"] and each["ended_ms"] + shift,
        }
        for each in status["rounds"]
    ]
    return status | {"since_ms": now_ms - 9_000, "rounds": rounds}


def _take(page: Page, url: str, name: str, whole: bool = False) -> None:
    page.goto(url)
    page.wait_for_timeout(FLIGHT_MS)
    for frame in page.frames[1:]:  # the dealer display within the table's page
        expect(frame.locator("h1")).not_to_be_empty()
    path: Path = PICTURES / f"{name}.png"
    page.screenshot(path=path, full_page=whole)


if __name__ == "__main__":
    main()
