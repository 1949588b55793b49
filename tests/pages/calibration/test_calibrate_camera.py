"""The camera's calibration on its page: what to do, how far it is, why it waits, what is wrong."""

from __future__ import annotations

import argparse
import io
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from playwright.sync_api import Browser, Page, expect

from calibration import certificate
from calibration.camera.charuco_board import CARD_MM
from calibration.camera.stills import TAKE_AWAY
from controller.assembly.certificates import check_certificates
from controller.assembly.wiring import load
from controller.commands.calibrate.command import run
from controller.rules.cards import Card, Pack, card
from sim_hw.devices.deck_art import DECKS, face
from sim_hw.devices.lens import CARD_PX, Lens, slide, small
from tests.calibration.bench import CONFIG
from tests.calibration.camera.test_calibrate_camera import CameraHands
from tests.calibration.camera.test_charuco_board import posed, seen_from
from tests.pages.browser.looks import cut_off, unreadable
from tests.support.patience import PATIENCE_S
from tests.support.stream import Stream, streaming

KING, TWO, FOUR = KINDS = (card("Kh"), card("2c"), card("4d"))
ONCE_MORE = re.compile(r"once more: ([^,]+)(, the other way round)?")
#: Something was said since, or the page asks for the card to be taken away, as a slow one does.
SAID_OR_HELD_UP = """([said, away]) => document.querySelectorAll('#said li').length > said
    || document.querySelector('.waiting')?.textContent === away"""
FAR_MM = 2.2 * 900 * CARD_MM[1] / CARD_PX


class ShoeWalk:
    """Somebody at the shoe, who looks at the page and lays what it asks for."""

    def __init__(
        self, page: Page, stream: Stream, hands: CameraHands, portal: BlockingPortal
    ) -> None:
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

    def card(self, text: str, kind: Card, *, turned: bool = False) -> None:
        asked(self.page, text)
        self._portal.call(partial(self._hands.card, kind, turned=turned))

    def back(self) -> None:
        """A card that is named by nobody but a person."""
        self._portal.call(self._hands.back)

    def once_more(self) -> None:
        """Lay what the page names until it asks whether to write."""
        page = self.page
        while "once more" in (text := str(page.locator("#text").inner_text())):
            found = ONCE_MORE.search(text)
            assert found is not None
            (kind,) = (each for each in KINDS if each.name == found[1])
            said = page.locator("#said li").count()
            self._portal.call(partial(self._hands.card, kind, turned=bool(found[2])))
            while page.locator("#said li").count() == said:
                page.wait_for_function(SAID_OR_HELD_UP, arg=[said, TAKE_AWAY])
                if page.locator("#said li").count() == said:
                    self._portal.call(self._hands.again)
                    expect(page.locator(".waiting")).not_to_have_text(TAKE_AWAY)
            expect(page.locator("#last")).to_contain_text(re.compile("read|aside|All good"))
            if str(page.locator("#last").inner_text()).endswith(": read"):
                # What is asked next is on the page a moment later; after the last card the camera
                # is let go.
                expect(page.locator("#text")).not_to_have_text(text)


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
    browser: Browser, folder: Path, monkeypatch: pytest.MonkeyPatch, deck: tuple[Card, ...] = KINDS
) -> Iterator[tuple[ShoeWalk, Callable[[], int]]]:
    """`tablectl calibrate camera --page` of a small deck; and its exit status."""
    monkeypatch.setattr(Pack, "kinds", lambda _: deck)
    config = folder / "table.toml"
    statuses: list[int] = []
    with streaming() as stream, start_blocking_portal() as portal:
        hands = CameraHands(stream, "kotka")
        config.write_text(f'{CONFIG}[camera]\nsource = "{stream.url}"\n')
        asked_for = argparse.Namespace(
            kind="camera", config=config, page=0, pins=None, undo=False, serial_digits=0,
            allow_simulated=False,
        )  # fmt: skip
        working = threading.Thread(target=lambda: statuses.append(run(asked_for)), daemon=True)
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
            yield ShoeWalk(page, stream, hands, portal), ended
        finally:
            if not statuses and page.locator("#give-up").is_visible():
                page.locator("#give-up").click()
            working.join(PATIENCE_S)
            page.close()


def test_a_deck_of_two_cards_is_captured_verified_and_written(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the quick form shows of the next test."""
    with walking(browser, tmp_path, monkeypatch, (KING, TWO)) as (walk, ended):
        for nth in (1, 2, 3, 4, 5):
            walk.board(nth)
        walk.away()
        walk.card("0 of 2 captured", KING, turned=True)
        walk.card("1 of 2 captured", TWO)
        asked(walk.page, "once more")
        walk.once_more()
        asked(walk.page, "All good. Write it")
        walk.page.get_by_role("button", name="Yes").click()
        asked(walk.page, "Written")
        assert ended() == 0
    config = load(tmp_path / "table.toml")
    check_certificates(config, certificate.read(tmp_path / "certificates" / "camera.json").made_ms)


@pytest.mark.long
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
        walk.card("0 of 3 captured", KING, turned=True)
        walk.card("1 of 3 captured", FOUR)
        asked(page, "2 of 3 captured")
        walk.card("2 of 3 captured", KING)
        expect(page.locator("#last")).to_have_text(
            "That was the King of hearts again: it counts once"
        )
        states = page.locator("#deck button").evaluate_all(
            "all => all.map((each) => each.dataset.state)"
        )
        assert states == ["captured", "missing", "last"]
        expect(page.locator("#live")).to_have_js_property("naturalWidth", 640)
        for width, height in ((1280, 900), (800, 480)):
            page.set_viewport_size({"width": width, "height": height})
            assert unreadable(page) == []
            assert [each for each in cut_off(page) if "is cut" in each] == []
            for each in ("#text", "#live", "#deck", "#choices button"):
                expect(page.locator(each).first).to_be_in_viewport(ratio=1)
        page.get_by_role("button", name="Undo: it was not the Four of diamonds").click()
        asked(page, "1 of 3 captured")
        page.get_by_role("button", name="King of hearts: take back").click()
        asked(page, "Take back the King of hearts and capture it again?")
        page.locator("#choices").get_by_role("button", name="No").click()
        walk.back()
        asked(page, "Which card is this?")
        expect(page.locator("#choices button")).to_have_text(["None of these: take it away"])
        page.locator("#deck").get_by_role("button", name="Two of clubs").click()
        expect(page.locator("#last")).to_have_text("Two of clubs: captured")
        page.get_by_role("button", name="Undo: it was not the Two of clubs").click()
        expect(page.locator("#last")).to_have_text("Two of clubs: taken back")
        walk.card("1 of 3 captured", FOUR)
        walk.card("2 of 3 captured", TWO, turned=True)
        expect(page.locator("#text")).to_contain_text("once more", timeout=20_000)
        walk.once_more()
        asked(page, "All good. Write it")
        expect(page.locator("#last")).to_contain_text(": read")
        page.get_by_role("button", name="Yes").click()
        asked(page, "Written")
        expect(page.locator("#how")).to_contain_text("tablectl doctor")
        assert ended() == 0
    assert not caplog.records, "the live picture ends with the calibration"
    config = load(tmp_path / "table.toml")
    made_ms = certificate.read(tmp_path / "certificates" / "camera.json").made_ms
    check_certificates(config, made_ms)


@pytest.mark.long  # the limit: tests/calibration/camera; a refusal on the page: test_calibrate.py
def test_a_light_that_is_too_bright_is_refused_at_the_first_card(
    browser: Browser,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with walking(browser, tmp_path, monkeypatch) as (walk, ended):
        for nth in (1, 2, 3, 4, 5):
            walk.board(nth)
        walk.away()
        asked(walk.page, "0 of 3 captured")
        walk.too_bright()
        asked(walk.page, "Paper, brightest channel")
        expect(walk.page.locator("#text")).to_contain_text("Less light")
        expect(walk.page.locator("#how")).to_contain_text("Nothing was written")
        assert ended() == 1
    assert not (tmp_path / "certificates" / "camera.json").exists()
