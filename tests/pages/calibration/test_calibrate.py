"""A calibration on its page, done by somebody who looks at the lights and clicks what is asked."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from playwright.sync_api import Browser, Page, expect

from controller.assembly.wiring import load
from sim_hw.devices.pins.pin_wire import SOCKET_VARIABLE
from sim_hw.devices.spot_lamps import LampColour
from tests.calibration.bench import CalibrationBench, bench
from tests.pages.browser.looks import cut_off, unreadable
from tests.support.patience import PATIENCE_S

WHITE = LampColour(True, True, True)
ADDRESS = re.compile(r"Open (http://127\.0\.0\.1:\d+/)\?key=(\S+)")


class PageCalibration:
    """A calibration on a page, and the table on the bench that it is of."""

    def __init__(
        self, table: CalibrationBench, url: str, key: str, process: subprocess.Popen[str]
    ) -> None:
        self.table, self.url, self.key, self._process = table, url, key, process

    def ended(self) -> tuple[int, str]:
        out, _ = self._process.communicate(timeout=PATIENCE_S)
        return self._process.returncode, out


@contextmanager
def calibrating(
    folder: Path, kind: str
) -> Iterator[tuple[PageCalibration, CalibrationBench, BlockingPortal]]:
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(bench(folder)) as table,
    ):
        process = subprocess.Popen(
            [sys.executable, "-m", "controller", "calibrate", kind, str(table.config),
             "--allow-simulated", "--page"],
            env={**os.environ, "GPIOZERO_PIN_FACTORY": "tablectl_sim",
                 SOCKET_VARIABLE: str(folder / "pins")},
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            assert process.stdout is not None
            found = ADDRESS.match(process.stdout.readline())
            assert found is not None
            yield PageCalibration(table, found[1], found[2], process), table, portal
        finally:
            process.kill()
            process.communicate()


def test_lights_are_calibrated_on_the_page(browser: Browser, tmp_path: Path) -> None:
    with calibrating(tmp_path, "leds") as (calibration, table, portal):
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(f"{calibration.url}?key={calibration.key}")
        asked(page, "All 9 pins are low")
        page.get_by_role("button", name="All dark").click()
        lit_before: list[str] = []
        for pin in (6, 7, 8, 9, 10, 11, 12, 13, 14):
            asked(page, f"GPIO {pin} is lit")
            lamp = portal.call(table.lit, 3, lit_before)[0]
            lit_before.append(lamp)
            colour = {"r": "red", "g": "green", "b": "blue"}[lamp[1]]
            page.get_by_role("button", name=f"Spot {lamp[0]} {colour}").click()
            if pin == 8:
                asked(page, "GPIO 9 is lit")
                page.get_by_role("button", name="Undo the last answer").click()
                asked(page, "GPIO 8 is lit")
                page.get_by_role("button", name=f"Spot {lamp[0]} {colour}").click()
        for seat in (1, 2, 3):
            asked(page, f"Spot {seat} is white")
            portal.call(table.shows, seat, WHITE)
            page.keyboard.press("y")
        asked(page, "All good. Write it")
        expect(page.locator("#measured li")).to_have_count(3)
        assert unreadable(page) == []
        # It says where it writes, in as many lines as that takes: it may be scrolled then.
        page.set_viewport_size({"width": 1280, "height": 1400})
        assert cut_off(page) == []
        page.get_by_role("button", name="Yes").click()
        expect(page.locator("#text")).to_contain_text("Written")
        assert calibration.ended()[0] == 0
        page.close()
    assert load(table.config).certified.keys() == {"leds"}


@pytest.mark.long
def test_giving_up_on_the_page_writes_nothing(browser: Browser, tmp_path: Path) -> None:
    with calibrating(tmp_path, "leds") as (calibration, table, _):
        before = table.config.read_text()
        page = browser.new_page()
        page.goto(f"{calibration.url}?key={calibration.key}")
        asked(page, "All 9 pins are low")
        page.get_by_role("button", name="Give up").click()
        expect(page.locator("#text")).to_contain_text("Nothing was written")
        assert calibration.ended()[0] == 1
        page.close()
    assert table.config.read_text() == before


def test_who_has_not_the_key_learns_and_does_nothing(tmp_path: Path) -> None:
    with calibrating(tmp_path, "leds") as (calibration, _, _):
        for path, data, host in (
            ("events", None, ""), ("events?key=wrong", None, ""), ("live", None, ""),
            ("answer", b'{"question": 1, "key": "d"}', ""),
            (f"events?key={calibration.key}", None, "table.example"),
        ):  # fmt: skip
            request = urllib.request.Request(calibration.url + path, data)
            request.add_header("Content-Type", "application/json")
            if host:
                request.add_header("Host", host)
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(request, timeout=PATIENCE_S)
            assert refused.value.code in (400, 403)
            refused.value.close()


def asked(page: Page, text: str) -> None:
    expect(page.locator("#text")).to_contain_text(text)
