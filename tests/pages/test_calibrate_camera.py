"""The camera's calibration on its page: what to do, how far it is, why it waits, what is wrong."""

from __future__ import annotations

import argparse
import io
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from playwright.sync_api import Browser, Page, expect

from calibration import certificate
from calibration.devices.charuco_board import CARD_MM
from controller.assembly.certificates import check_certificates
from controller.assembly.wiring import load
from controller.commands.calibrate.command import run
from controller.rules.cards import Card, Pack, card
from sim_hw.devices.deck_art import DECKS, face
from sim_hw.devices.lens import CARD_PX, Lens, slide, small
from tests.calibration.bench import CONFIG
from tests.calibration.test_calibrate_camera import Hands
from tests.calibration.test_charuco_board import posed, seen_from
from tests.pages.looks import cut_off, unreadable
from tests.support.patience import PATIENCE_S
from tests.support.stream import Stream, streaming

KING, TWO, SEVEN = KINDS = (card("Kh"), card("2c"), card("7d"))
FAR_MM = 2.2 * 900 * CARD_MM[1] / CARD_PX


class Walk:
    """Somebody at the shoe, who looks at the page and lays what it asks for."""

    def __init__(self, page: Page, stream: Stream, hands: Hands, portal: BlockingPortal) -> None:
        self.page, self._stream, self._hands, self._portal = page, stream, hands, portal

    def board(self, nth: int) -> None:
        asked(self.page, f"Board, {nth} of 5")
        self._portal.call(self._hands.board, nth)

    def far_board(self) -> None:
        self._stream.show(seen_from(posed(away_mm=FAR_MM)))

    def away(self) -> None:
        asked(self.page, "Take the board away")
        self._hands.away()

    def too_bright(self) -> None:
        """A card whose paper has no detail left."""
        printed = small(face(DECKS["kotka"], KING))
        shown = Lens(7).picture(0.0, printed, slide(7, 1), 0.0, None)
        self._stream.show(np.where(shown > 150, 255, shown).astype(np.uint8))

    def card(self, text: str, kind: Card) -> None:
        asked(self.page, text)
        self._portal.call(self._hands.card, kind)


def asked(page: Page, text: str) -> None:
    expect(page.locator("#text")).to_contain_text(text)


class Printed(io.StringIO):
    """What a command in another thread prints: pytest's own capture may lose what comes while it
    is read."""

    def __init__(self) -> None:
        super().__init__()
        self._came = threading.Event()

    def write(self, text: str) -> int:
        written = super().write(text)
        self._came.set()
        return written

    def wait_for(self, wanted: str) -> re.Match[str]:
        """Until it has printed what the expression `wanted` finds."""
        while (found := re.search(wanted, self.getvalue())) is None:
            assert self._came.wait(PATIENCE_S), f"nothing more than: {self.getvalue()!r}"
            self._came.clear()
        return found


@contextmanager
def walking(
    browser: Browser, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Walk, Callable[[], int]]]:
    """`tablectl calibrate camera --page` of a deck of three cards; and its exit status."""
    monkeypatch.setattr(Pack, "kinds", lambda _: KINDS)
    config = folder / "table.toml"
    statuses: list[int] = []
    with streaming() as stream, start_blocking_portal() as portal:
        hands = Hands(stream, "kotka")
        config.write_text(f'{CONFIG}[camera]\nsource = "{stream.url}"\n')
        asked_for = argparse.Namespace(kind="camera", config=config, page=0, pins=None)
        working = threading.Thread(target=lambda: statuses.append(run(asked_for)))
        printed = Printed()
        with monkeypatch.context() as printing:
            printing.setattr(sys, "stdout", printed)
            working.start()
            found = printed.wait_for(r"Open (\S+)")
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(found[1])

        def ended() -> int:
            working.join(PATIENCE_S)
            assert statuses, "the command still runs"
            return statuses[0]

        try:
            yield Walk(page, stream, hands, portal), ended
        finally:
            if not statuses and page.locator("#give-up").is_visible():
                page.locator("#give-up").click()
            working.join(PATIENCE_S)
            page.close()


def test_the_page_leads_through_the_calibration_of_a_camera(
    browser: Browser,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with walking(browser, tmp_path, monkeypatch) as (walk, ended):
        page = walk.page
        for nth in (1, 2, 3, 4):
            walk.board(nth)
        asked(page, "Board, 5 of 5")
        expect(page.locator("#step-text")).to_have_text("Step 1 of 3: the board in five positions")
        walk.far_board()
        expect(page.locator(".waiting")).to_contain_text("of the board")
        walk.board(5)
        walk.away()
        walk.card("1 of 3: King of hearts", KING)
        walk.card("2 of 3: Two of clubs", SEVEN)
        asked(page, "This reads as Seven of diamonds. Is it the Two of clubs?")
        expect(page.locator("#step-done")).to_have_js_property("value", 1)
        expect(page.locator("#live")).to_have_js_property("naturalWidth", 640)
        assert unreadable(page) == []
        assert [each for each in cut_off(page) if "scrolls" not in each] == []
        page.get_by_role("button", name="No, the right one").click()
        walk.card("2 of 3: Two of clubs", TWO)
        walk.card("3 of 3: Seven of diamonds", SEVEN)
        for nth, kind in enumerate(KINDS, start=1):
            walk.card(f"{nth} of 3, once more: {kind.name}", kind)
        asked(page, "All good. Write it")
        expect(page.locator("#last")).to_have_text("Seven of diamonds: read")
        page.get_by_role("button", name="Yes").click()
        asked(page, "Written")
        expect(page.locator("#how")).to_contain_text("tablectl doctor")
        assert ended() == 0
    assert not caplog.records, "the live picture ends with the calibration"
    config = load(tmp_path / "table.toml")
    made_ms = certificate.read(tmp_path / "certificates" / "camera.json").made_ms
    check_certificates(config, made_ms)


def test_a_light_that_is_too_bright_is_refused_at_the_first_card(
    browser: Browser,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with walking(browser, tmp_path, monkeypatch) as (walk, ended):
        for nth in (1, 2, 3, 4, 5):
            walk.board(nth)
        walk.away()
        asked(walk.page, "1 of 3")
        walk.too_bright()
        asked(walk.page, "Paper, brightest channel")
        expect(walk.page.locator("#text")).to_contain_text("Less light")
        expect(walk.page.locator("#how")).to_contain_text("Nothing was written")
        assert ended() == 1
    assert not (tmp_path / "certificates").exists()
