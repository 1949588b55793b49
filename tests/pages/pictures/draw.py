"""Draws the pictures of the READMEs anew: `python -m tests.pages.pictures.draw`.

The light language comes from its table, the pages from pictures that the real table would send,
the reading from a drawn card.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from playwright.sync_api import Page, expect, sync_playwright

from controller.devices.lights import LOOKS
from controller.devices.scene import Light
from controller.rules.cards import card
from controller.web.light_language import lights_svg
from drivers.vision.card_recognizer import CardRecognizer
from drivers.vision.finding.card_edges import Image, image_of
from drivers.vision.frame_reading import evidence_jpeg
from sim_hw.devices.deck_art import DECKS, face
from sim_hw.devices.lens import Lens, slide, small
from tests.pages.browser.server import PageServer
from tests.pages.conftest import ARGS, PAGES, ROOT, WEB, WORLD, browser_path
from tests.pages.pictures.moments import dealer_view, moment
from tests.pages.pictures.pit import Picture, seven_seats
from tests.pages.pictures.strip_picture import strip_svg
from tests.pages.pit_pages.pit_server import SETTINGS, PitServer, asked_of, troubled

_READING_HIGH = 240
PICTURES = ROOT / "controller" / "web" / "pictures"
NAMES = ("Aino", "Eino", "Helmi", "Onni", "Lyyli", "Toivo", "Saima")
SIZE = {"width": 1440, "height": 810}
FLIGHT_MS = 700
#: What a studio's camera would show under an overlay.
FELT_SEEN = "#1f5c45"
LOG = (
    "Round 4: the house takes.", "Round 5: no more bets.", "Aino stands.", "Eino stands.",
    "Helmi stands.", "Onni stands.", "Lyyli is asked.",
)  # fmt: skip
#: Pictures of the dealer display in other games, and the moment that each shows.
GAMES = {"blackjack": "offered_split", "seven-twenty-seven": "ten_vying"}


def world_of(view: Picture, service_url: str, log: Sequence[str] = ()) -> Picture:
    """The simulated world as it would lie under what the dealer display shows."""
    dealer, shoe = view["dealer"], view["shoe"]
    low = [each for each in dealer["cards"] if each["raised"]]
    return {
        "game": view["game"], "title": view["game"], "seed": 7, "speed": 1, "round": view["round"],
        "paused": False, "dealer": "robot",
        "scanner": {"name": "scanner", "plugged": True, "busy": False},
        "seats": [_seat(view, number) for number in range(1, view["seats"] + 1)],
        "dealer_cards": _codes(dealer), "low_cards": len(low), "discard": 96, "burned": 1,
        "ready": 0,
        "shoe": {
            "size": shoe["size"], "left": shoe["size"] - shoe["gone"],
            "cut": shoe["size"] - shoe["cut"],
        },
        "pot": _minor(view["pot"]), "button": view["button"], "words": view["words"],
        "index": view["words"]["index"],
        "vying": bool(view["pot"]), "hand": {"card": None, "to": None}, "rule": view["rule"],
        "service_url": service_url, "log": list(log),
    }  # fmt: skip


def _seat(view: Picture, number: int) -> dict[str, Any]:
    mine = [each for each in view["hands"] if each["seat"] == number]
    speaks = next((each for each in mine if each["active"]), mine[-1] if mine else None)
    colour = LOOKS[Light(speaks["light"]) if speaks else Light.EMPTY].colour
    asked = speaks is not None and speaks["light"] == Light.CHOOSE.value
    return {
        "seat": number, "name": NAMES[(number - 1) % len(NAMES)], "bank": 100_000 - 4_350 * number,
        "hands": [_hand(view, each) for each in mine if each["hand"]],
        "side": sum(_minor(each["wager"]) for each in mine if not each["hand"]),
        "folded": any(each["note"] == "folded" for each in mine),
        "said": "hit?" if asked else "", "light": colour._asdict(),
    }  # fmt: skip


def _hand(view: Picture, hand: Picture) -> Picture:
    lies = not hand["settled"] and not view["pot"]
    return {
        "hand": hand["hand"], "cards": _codes(hand), "doubled": "doubled" in hand["note"],
        "bet": _minor(hand["wager"]) if lies else 0,
    }  # fmt: skip


def _codes(hand: Picture) -> list[str]:
    return [each["code"] or "??" for each in hand["cards"]]


def _minor(text: str) -> int:
    """What an amount as text is in minor units; 0 for one that is not tracked, or none."""
    digits = text.replace(",", "").replace(".", "")
    return int(digits) if digits.isdigit() else 0


def main() -> None:
    """Write every picture."""
    reading()
    (PICTURES / "lights.svg").write_text(lights_svg(), encoding="utf-8")
    (ROOT / "drivers" / "panel" / "strip.svg").write_text(strip_svg(), encoding="utf-8")
    pit = seven_seats().next().play_out().rounds(3).repeat().next().until_asked(5)
    pages = {path: WEB / "pages" / name / f"{name}.html" for path, name in PAGES.items()}
    pages["/overlay/theme.css"] = WEB / "pages" / "overlay" / "theme.css"
    with (
        sync_playwright() as playwright,
        PageServer(WEB, pages) as service,
        PageServer((WORLD, WEB), {"/": WORLD / "table.html"}) as table,
    ):
        browser = playwright.chromium.launch(executable_path=browser_path(), args=ARGS)
        page = browser.new_page(viewport={"width": SIZE["width"], "height": SIZE["height"]})
        service.show("/events/dealer", "scene", pit.dealer_view())
        service.show("/events/players", "scene", pit.players_view())
        now_ms = int(page.evaluate("Date.now()"))
        service.show("/events/status", "status", _recent(pit.status_view(), now_ms))
        table.show("/events", "world", world_of(pit.dealer_view(), service.url, LOG))
        _take(page, f"{table.url}/", "table")
        _take(page, f"{service.url}/dealer#token=shown", "dealer")
        _take(page, f"{service.url}/players", "players")
        _take(page, f"{service.url}/", "status", whole=True)
        service.show("/events/players", "scene", _elsewhere(pit.players_view(), now_ms))
        _take(page, f"{service.url}/overlay", "overlay", behind=FELT_SEEN)
        for name, shown in GAMES.items():
            service.show("/events/dealer", "scene", dealer_view(moment(shown)))
            _take(page, f"{service.url}/dealer", name)
        with PitServer(SETTINGS) as many:
            many.do(troubled)
            many.sign_in(page)
            page.emulate_media(color_scheme="dark")
            _take(page, f"{many.url}/", "wall")
            many.do(asked_of)
            _take(page, f"{many.url}/tables/T1", "acts", whole=True)
        browser.close()


def reading() -> None:
    """A card as the shoe's camera sees it, and beside it the evidence that is kept of its reading.

    What the README says of it is printed.
    """
    kind = card("Jc")
    printed = small(face(DECKS["kotka"], kind))
    frame = Lens(3).picture(0.0, printed, slide(3, 1), 0.0, None)
    reading = CardRecognizer().read(frame)
    assert reading.rectified is not None
    jpeg = np.frombuffer(evidence_jpeg(reading.rectified.image), np.uint8)
    image = image_of(cv2.imdecode(jpeg, cv2.IMREAD_COLOR))
    between = np.full((_READING_HIGH, 8, 3), 255, np.uint8)
    shown = np.hstack([_high(frame), between, _high(image)])
    cv2.imwrite(str(PICTURES / "reading.jpg"), shown)
    sys.stdout.write(f"{reading.index_text} read as {reading.card}, sure to {reading.confidence}\n")


def _high(picture: Image) -> Image:
    width = round(picture.shape[1] * _READING_HIGH / picture.shape[0])
    return image_of(cv2.resize(picture, (width, _READING_HIGH)))


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


def _elsewhere(view: Picture, now_ms: int) -> Picture:
    """The same round, played by people who are elsewhere; seat 5 has eight seconds still."""
    players = [
        {"seat": seat, "name": name, "away": name == "Onni", "leaves": False}
        for seat, name in enumerate(NAMES, start=1)
    ]
    window = {
        "kind": "decision", "seat": 5, "hand": 1, "length_ms": 12_000, "left_ms": 8_000,
        "closes_at_ms": now_ms, "last_called": False, "expired": False,
    }  # fmt: skip
    return view | {"players": players, "window": window}


def _take(page: Page, url: str, name: str, whole: bool = False, behind: str = "") -> None:
    page.goto(url)
    if behind:
        page.evaluate("(seen) => { document.documentElement.style.background = seen; }", behind)
    page.wait_for_timeout(FLIGHT_MS)
    for frame in page.frames[1:]:  # the dealer display within the table's page
        expect(frame.locator("h1")).not_to_be_empty()
    path: Path = PICTURES / f"{name}.png"
    page.screenshot(path=path, full_page=whole)


if __name__ == "__main__":
    main()
