"""`tablectl demo --studio`: robots, and a person with a telephone, at a table that deals itself."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from controller.__main__ import main
from controller.record.reading.verify import verify
from tests.pages.browser.looks import cut_off, unreadable
from tests.pages.conftest import ARGS, browser_path
from tests.support.patience import PATIENCE_S
from tests.support.processes.town import free_pair

PHONE: Any = {"width": 390, "height": 844}
WINDOW_MS = 1_000 * PATIENCE_S


class StudioDemo(NamedTuple):
    """A demo at work: the page on which people join, and the table."""

    join: str
    table: str
    folder: Path


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[StudioDemo]:
    port = free_pair()
    demo = subprocess.Popen(
        [sys.executable, "-m", "controller", "demo", "--studio", "--game", "blackjack", "--seats",
         "2", "--speed", "3", "--port", str(port), "--dir", str(tmp_path)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    said = ""
    try:
        assert demo.stdout is not None
        while "Ctrl-C" not in said:
            line = demo.stdout.readline()
            assert line, said
            said += line
        found = re.findall(r"(?:join|Overlay): +(http://[\d.:]+)", said)
        yield StudioDemo(found[0], found[1], tmp_path)
    finally:
        demo.send_signal(signal.SIGINT)
        rest = demo.communicate(timeout=2 * PATIENCE_S)[0]
    assert demo.returncode == 0, said + rest
    left = subprocess.run(
        ["pgrep", "-f", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert left.stdout == "", "a process stayed behind"
    assert verify(tmp_path / "record").good


@pytest.fixture
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=browser_path(), args=ARGS)
        yield launched
        launched.close()


def minor(page: Page) -> int:
    """The play money that the page shows, in minor units."""
    return round(float(page.locator("#money").inner_text().split()[-1].replace(",", "")) * 100)


def join(page: Page, studio: StudioDemo, name: str) -> None:
    page.goto(studio.join)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Join the table").click()
    expect(page.locator("#money")).to_contain_text(name)


def bet_something(page: Page, before: int) -> int:
    """Bet in the first window that this machine is quick enough for; how much, in minor units.

    A slow answer may lead to a second chip: what counts is what prompt and money agree upon, of
    the `before` that there was.
    """
    deadline_s = time.monotonic() + 2 * PATIENCE_S
    chip = page.locator("#keys .chip").nth(1)
    while True:
        said = re.search(r"Your bet: ([\d.]+)", page.locator("#prompt").inner_text())
        bet = round(float(said[1]) * 100) if said else 0
        if bet and minor(page) == before - bet:
            return bet
        assert time.monotonic() < deadline_s, page.locator("#prompt").inner_text()
        with suppress(PlaywrightTimeout):  # the window closed, and its keys are gone
            if not bet and chip.is_visible():
                chip.click(timeout=2_000)
        page.wait_for_timeout(1_000)


def play_until_settled(page: Page) -> None:
    """Stand, or whatever comes first, until the round's result is there."""
    deadline_s = time.monotonic() + 2 * PATIENCE_S
    last = page.locator("#last")
    key = page.locator("#keys .choice").first
    while not last.inner_text():
        assert time.monotonic() < deadline_s, page.locator("#prompt").inner_text()
        with suppress(PlaywrightTimeout):  # time was over, and the keys are gone
            if key.is_visible():
                said = page.locator("#keys .choice").filter(has_text=re.compile("Stand|No"))
                said.first.click(timeout=2_000)
        page.wait_for_timeout(100)


def raw_status(origin: str, path: str) -> int:
    """The status of an answer to a path that nobody has tidied up."""
    host, port = origin.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), PATIENCE_S) as line:
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        return int(line.recv(64).split()[1])


def net_of(studio: StudioDemo, name: str) -> int:
    """What that player won in the newest round with a bet of hers, by the table's own account, in
    minor units.
    """
    with httpx.Client(base_url=studio.table, trust_env=False, timeout=PATIENCE_S) as table:
        players = table.get("/api/v1/scene").json()["players"]
        seat = next(each["seat"] for each in players if each["name"] == name)
        rounds = table.get("/api/v1/table").json()["rounds"]
    played = [
        [each["net"] for each in one["seats"] if each["seat"] == seat]
        for one in sorted(rounds, key=lambda each: each["number"])
    ]
    nets = next(each for each in reversed(played) if each)
    return sum(round(float(each) * 100) for each in nets)


def test_a_person_who_joins_sees_the_table_and_has_a_seat(
    studio: StudioDemo, browser: Browser
) -> None:
    """Without a bet: how long a window is open to this machine is none of this test's affair."""
    page = browser.new_context(viewport=PHONE).new_page()
    join(page, studio, "Maija")
    before = minor(page)
    assert cut_off(page) == []
    expect(page.locator(".camera")).to_have_js_property("naturalWidth", 960, timeout=WINDOW_MS)
    overlay = page.frame_locator(".overlay")
    expect(overlay.locator(".seat").filter(has_text="Maija")).to_be_visible()
    page.reload()
    expect(page.locator("#money")).to_contain_text("Maija")
    assert minor(page) == before, "a reload finds the same seat"


@pytest.mark.long
def test_a_person_joins_from_a_telephone_and_plays(studio: StudioDemo, browser: Browser) -> None:
    phone = browser.new_context(viewport=PHONE)
    page = phone.new_page()
    join(page, studio, "Maija")
    before = minor(page)
    bet = bet_something(page, before)
    assert cut_off(page) == []
    assert unreadable(page) == []
    # What is shown of the table: the camera above it and the overlay, both through this server.
    expect(page.locator(".camera")).to_have_js_property("naturalWidth", 960, timeout=WINDOW_MS)
    overlay = page.frame_locator(".overlay")
    expect(overlay.locator(".seat").filter(has_text="Maija")).to_be_visible()

    page.reload()
    expect(page.locator("#money")).to_contain_text("Maija")
    assert minor(page) == before - bet, "a reload finds the same seat and bet"
    play_until_settled(page)
    assert minor(page) == before + net_of(studio, "Maija")
    assert cut_off(page) == []
    phone.close()


@pytest.mark.long
def test_who_goes_offline_or_finds_no_seat_is_told_and_a_killed_table_keeps_the_bet(
    studio: StudioDemo, browser: Browser
) -> None:
    people = [browser.new_context(viewport=PHONE) for _ in range(3)]
    ann, bea, cai = [each.new_page() for each in people]
    for page, name in ((ann, "Ann"), (bea, "Bea"), (cai, "Cai")):
        join(page, studio, name)
    expect(cai.locator("#last")).to_have_text("All seats are taken: bet behind a player")
    expect(cai.locator("#keys .seat")).to_have_text(["Behind Ann", "Behind Bea"], timeout=WINDOW_MS)
    assert cut_off(cai) == []

    # After a double tap, a second tab of the same person shows the same account.
    expect(ann.locator("#keys .chip").first).to_be_visible(timeout=WINDOW_MS)
    ann.locator("#keys .chip").first.dblclick()
    second = people[0].new_page()
    second.goto(studio.join)
    expect(second.locator("#money")).to_contain_text("Ann")
    deadline_s = time.monotonic() + PATIENCE_S
    while minor(second) != minor(ann):
        assert time.monotonic() < deadline_s
        ann.wait_for_timeout(100)

    people[0].set_offline(True)
    expect(ann.locator("#camera[data-lost]")).to_be_attached(timeout=WINDOW_MS)
    ann.get_by_role("button", name="Leave").click()
    expect(ann.locator("#answer")).to_contain_text("The line is lost")
    people[0].set_offline(False)
    expect(ann.locator("#camera[data-lost]")).not_to_be_attached(timeout=WINDOW_MS)
    expect(ann.locator("#answer")).to_be_empty(timeout=WINDOW_MS)
    expect(ann.locator("#money")).to_contain_text("Ann")

    before = minor(bea)
    bet = bet_something(bea, before)
    kill_service(studio)
    expect(bea.locator("#prompt")).to_contain_text("does not answer")
    expect(bea.locator("#prompt")).not_to_contain_text("does not answer", timeout=WINDOW_MS)
    assert minor(bea) == before - bet
    play_until_settled(bea)
    assert minor(bea) == before + net_of(studio, "Bea")


def kill_service(studio: StudioDemo) -> None:
    """The table's service dies at once; the demo starts it again."""
    found = subprocess.run(
        ["pgrep", "-f", f"controller run .*{studio.folder}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    (pid,) = found.stdout.split()
    os.kill(int(pid), signal.SIGKILL)


@pytest.mark.long
def test_another_ones_seat_and_foreign_pages_are_refused(
    studio: StudioDemo, browser: Browser
) -> None:
    origin = {"Origin": studio.join}
    with httpx.Client(
        base_url=studio.join, trust_env=False, headers=origin, timeout=PATIENCE_S
    ) as ann:
        assert ann.post("/act", json={"do": "bet", "amount": 1_000}).status_code == 401
        assert ann.post("/act", json={"do": "join", "name": "Ann"}).status_code == 200
        twice = ann.post("/act", json={"do": "join", "name": "Ann2"})
        assert (twice.status_code, twice.json()["why"]) == (409, "you have joined already")
        theirs = ann.post("/act", json={"do": "decide", "seat": 2, "hand": 1, "action": "hit"})
        assert (theirs.status_code, theirs.json()["why"]) == (409, "that hand is another player's")
        for body in (b"", b"[]", b"{", b'{"do": "fly"}', b"x" * 5_000, b"[" * 4_000):
            answer = ann.post("/act", content=body)
            assert answer.status_code == 409
            assert len(answer.json()["why"]) > 10
        foreign = ann.post("/act", json={"do": "leave"}, headers={"Origin": "http://evil.example"})
        assert foreign.status_code == 403
        assert limits_in(ann, "en").startswith("Minimum")
        assert not limits_in(ann, "fi").startswith("Minimum"), (
            "the overlay is in the page's language"
        )
        # Nothing else of the table is reached through the players' server.
        for path in (
            "/api/v1/scene",
            "/events/dealer",
            "/logbook",
            "/static/pages/dealer/dealer.js",
        ):
            assert ann.get(path).status_code in (404, 405), path
        for path in (
            "/static/../api/v1/table", "/static/%2e%2e/api/v1/table", "/static/..%2fmetrics",
            "/static/drawing/../../events/dealer", "/static/%00", "/static/drawing/%2e%2e/a.js",
        ):  # fmt: skip
            assert raw_status(studio.join, path) in (400, 404), path


def limits_in(client: httpx.Client, lang: str) -> str:
    """The limits, as the stream that the overlay is drawn from says them in that language."""
    with client.stream("GET", f"/events/players?lang={lang}", timeout=PATIENCE_S) as stream:
        views = (json.loads(line[5:]) for line in stream.iter_lines() if line.startswith("data:"))
        return str(next(each["limits"] for each in views if "limits" in each))


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (("--headless", "--rounds", "2"), "leave out --headless"),
        (("--bet-spots",), "--bet-spots"),
        (("--people",), "--people"),
        (("--pit",), "leave out --pit"),
        (("--game", "seven-twenty-seven", "--seats", "5"), "for a pot"),
    ],
)
def test_what_does_not_go_with_a_studio_is_refused(
    more: tuple[str, ...], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "--studio", *more]) == 2
    assert why in capsys.readouterr().err


def test_an_address_to_join_at_without_a_studio_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["demo", "--join-address", "0.0.0.0"]) == 2
    assert "goes with --studio" in capsys.readouterr().err
