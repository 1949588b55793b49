"""Draws every page of a pit for its README: `python -m tests.pages.pictures.pit_pages`.

On a telephone (390), a desk (1280) and a 4K wall (3840, which is shown half as large). Pictures are
WebP of 100 kB at most.
"""

from __future__ import annotations

import asyncio
import io
import ssl
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from controller.bus.messages import CardPicture, CardPictures, PicturesRequest
from controller.people.pin_hash import hashed_pin
from controller.people.sealing import table_public
from controller.pit.accounts.roles import Identity, PitRole
from controller.pit.alerts.causes import Cause
from controller.pit.alerts.deliveries import due, leave
from controller.pit.alerts.settings import AlertKind, AlertSettings, Webhook
from controller.pit.alerts.store import alerts, answer, judge
from controller.pit.archive.store import Store
from controller.pit.directories import rows
from controller.pit.directories.settings import PeopleSettings
from controller.pit.reports.handover.handover import give
from controller.pit.reports.search.pictures import TablePictures
from controller.pit.sign_in.oidc.fetch import Fetch
from controller.pit.sign_in.oidc.provider import Provider
from controller.pit.sign_in.oidc.settings import OidcSection
from controller.pit.wall.wall import Wall
from controller.rules.cards import card
from drivers.vision.card_recognizer import CardRecognizer
from drivers.vision.frame_reading import evidence_jpeg
from sim_hw.devices.deck_art import DECKS, face
from sim_hw.devices.lens import Lens, slide, small
from tests.pages.conftest import ARGS, ROOT, browser_path
from tests.pages.pit_pages.evening import DAY, kept_evening
from tests.pages.pit_pages.pit_server import SETTINGS, PitServer, asked_of, now_ms, troubled
from tests.pages.pit_pages.played_status import hear, status_body
from tests.pit.archive.books.archived import Archived
from tests.pit.directories.at_tables import PitTable
from tests.records.dealing import two_days
from tests.support.filmed import FilmedTable

PICTURES: Final = ROOT / "controller" / "pit" / "pictures"
#: Pages by the name of their pictures.
PAGES: Final = {
    "wall": "/", "alerts": "/alerts", "reports": f"/reports?from={DAY}&by=hour",
    "rounds": "/rounds?table=T1",
    "round": "/rounds/T1/2", "seen": "/rounds/T8/1", "live": "/tables/T2/live",
    "handover": "/handover",
    "table": "/tables/T1",
    "chips": "/tables/T1/chips", "records": "/records", "users": "/users", "people": "/people",
    "audit": "/audit",
    "sessions": "/sessions", "app": "/sessions/app",
}  # fmt: skip
#: So many records on a card was drawn that its camera saw.
STEPS: Final = {"seen": 3}
ALERTS: Final = AlertSettings(
    webhooks=(Webhook("pager", "https://pager.example/in", Path("pager.secret")),)
)
HOUSE: Final = OidcSection(
    "Casino Helsinki", "https://id.example", "pit", roles={"floor": ("floor",)}
)
SIZES: Final = {390: (390, 844), 1280: (1280, 800), 3840: (3840, 2160)}
MOST_BYTES: Final = 100_000
_WIDEST: Final = 2_000
#: A page that goes on below is shown so many screens high at most.
_SCREENS: Final = 2


@contextmanager
def played() -> Iterator[PitServer]:
    """A pit of forty tables: T1's record of two days is archived, four others have an evening."""
    provider = Provider(HOUSE, "", Fetch(ssl.create_default_context()), lambda: 0)
    at_tables = {name: PitTable(name) for name in ("T1", "T6", "T7")}
    keys = {name: table_public(each.key) for name, each in at_tables.items()}
    filmed = FilmedTable(as_filmed)
    filmed.whole()

    async def pictures(table: str, asked: PicturesRequest) -> CardPictures:
        return CardPictures(table, tuple(CardPicture(it, filmed.kept[it]) for it in asked.names))

    served = PitServer(
        SETTINGS, provider=provider, alerts=ALERTS, people=PeopleSettings(14, keys),
        pictures=TablePictures(pictures),
    )  # fmt: skip
    with served as pit:
        dealt = two_days("21-24-27")
        archive = Archived(pit.known.engine, dealt.now_ms)
        archive.add("T1", dealt.records)
        archive.keep()
        at_ms = now_ms()
        held = Cause("held:T7", AlertKind.HELD, "T7", "A card was read twice", at_ms - 125_000)
        disk = Cause("disk", AlertKind.DISK, "", "1.4 GB are free where the archive lies", at_ms)
        with pit.known.engine.begin() as connection:
            kept_evening(connection, first=2)
            judge(connection, [held, disk], lambda kind, table: False, ALERTS, at_ms)
            shown = tuple(alerts(connection, ALERTS))
            answer(connection, shown[-1].number, "Eero", "", ALERTS, at_ms)
            told = due(connection, "pager", at_ms, 1)[0]
            leave(connection, told, 40, at_ms - 60_000, "it answered 503")
        archive.add("T8", filmed.pit.records)
        archive.keep()
        pit.do(troubled)
        pit.do(asked_of)
        lying = status_body(two_days("blackjack"), "T2")
        pit.do(lambda wall: hear(lying, wall))
        eero = pit.known.add("Eero", PitRole.PIT_BOSS)
        note = "T7 reads badly when its light is off; the technician knows."
        give(
            pit.known.engine, Identity(eero, "Eero", frozenset({PitRole.PIT_BOSS})), note, at_ms, ""
        )

        people_at_tables(pit, at_tables)

        def show(wall: Wall) -> None:
            wall.show_alerts(shown)

        pit.do(show)
        yield pit


def as_filmed(code: str) -> bytes:
    """What is kept of a card that a shoe's camera reads."""
    printed = small(face(DECKS["kotka"], card(code)))
    frame = Lens(3).picture(0.0, printed, slide(3, 1), 0.0, None)
    rectified = CardRecognizer().read(frame).rectified
    assert rectified is not None
    return evidence_jpeg(rectified.image)


def people_at_tables(pit: PitServer, tables: dict[str, PitTable]) -> None:
    """Two tables have the newest directory of their people, the third is off."""
    known, store = pit.known, Store(pit.known.engine, now_ms)
    store.load()
    pin = hashed_pin("471108").encode()
    for name, role, at in (
        ("Ulla", PitRole.DEALER, {"T6", "T7"}), ("Olli", PitRole.FLOOR, {rows.EVERYWHERE}),
    ):  # fmt: skip
        number = known.add(name, role)
        with known.engine.begin() as connection:
            rows.set_tables(connection, number, frozenset(at))
            rows.set_pin(connection, number, pit.pins.sealed(pin, number), now_ms())

    async def send(name: str, body: bytes) -> bool:
        if name != "T1":
            tables[name].take(body, now_ms(), pit.directory_keys)
        return True

    # The browser has a loop on this thread.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, pit.directories.look(send)).result()
        for name in ("T6", "T7"):
            tables[name].archive(store)
        pool.submit(asyncio.run, pit.directories.look(send)).result()


def main() -> None:
    """Write every picture."""
    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as playwright, played() as pit:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=ARGS)
        page = browser.new_page(color_scheme="dark")
        page.goto(f"{pit.url}/sign-in")
        _take(page, "sign-in")
        pit.sign_in(page)
        for name, path in PAGES.items():
            page.goto(pit.url + path)
            for _ in range(STEPS.get(name, 0)):
                expect(page.locator("#felt")).to_be_visible()
                page.keyboard.press("ArrowRight")
            _take(page, name)
        browser.close()


def _take(page: Page, name: str) -> None:
    for width, (_, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(700)
        whole = int(page.evaluate("document.documentElement.scrollHeight"))
        clip = {"x": 0, "y": 0, "width": width, "height": min(whole, _SCREENS * height)}
        screenshot = page.screenshot(full_page=True, clip=clip)  # type: ignore[arg-type]
        (PICTURES / f"{name}-{width}.webp").write_bytes(_small(screenshot))


def _small(png: bytes) -> bytes:
    """As good as it fits."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    if picture.width > _WIDEST:
        picture = picture.resize(
            (picture.width // 2, picture.height // 2), Image.Resampling.LANCZOS
        )
    for quality in (80, 60, 45, 30, 20, 10):
        made = io.BytesIO()
        picture.save(made, "WEBP", quality=quality, method=6)
        if made.tell() <= MOST_BYTES:
            return made.getvalue()
    raise ValueError("the picture is too large at any quality")


if __name__ == "__main__":
    main()
