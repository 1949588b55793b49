"""A command of the pit that comes late acts no more, one that comes again acts once: pressed in a
browser, sent through a real nats-server, and said on the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.pit.accounts.audit.log import newest_rows
from controller.pit.wall.settings import WallSettings
from controller.table.inputs.pit import PIT_ACTS
from tests.bus.nats_server import NatsServer
from tests.pages.conftest import OpenTab
from tests.pages.pit_pages.pit_over_bus import PitOverBus
from tests.pages.pit_pages.pit_server import asked_of
from tests.support.patience import PATIENCE_S
from tests.support.pit import setup

#: A command lasts ten seconds, and clocks may differ by five.
LATE_MS = 20_000
DONE = "Done. T1 shows the message to its dealer"
#: Sends the form twice at once, as two presses before the first answer do; what each page says.
TWICE = """async (form) => {
    const body = () => new URLSearchParams(new FormData(form));
    const send = () => fetch(form.action, { method: "POST", body: body(), headers: { Accept: "text/html" } });
    const answers = await Promise.all([send(), send()]);
    const pages = await Promise.all(answers.map((each) => each.text()));
    return pages.map((text) => new DOMParser().parseFromString(text, "text/html").getElementById("said").textContent);
}"""  # noqa: E501


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[NatsServer]:
    with NatsServer(tmp_path / "nats") as server:
        yield server


@pytest.fixture
def pit(broker: NatsServer, tmp_path: Path) -> Iterator[PitOverBus]:
    table = replace(setup(3), pit_acts=PIT_ACTS)
    with PitOverBus(WallSettings(offline_s=3_600), table, broker, tmp_path) as server:
        yield server


@pytest.fixture
def page(pit: PitOverBus, open_tab: OpenTab) -> Page:
    """The page of T1, at which somebody has written to the dealer."""
    pit.do(asked_of)
    page = open_tab("about:blank")
    page.set_default_timeout(PATIENCE_S * 1_000)
    pit.sign_in(page)
    page.goto(f"{pit.url}/tables/T1")
    page.get_by_label("It stays on the display until it is read").fill("Break in ten minutes")
    return page


def notes(pit: PitOverBus) -> list[str]:
    return [each.text for each in pit.table_state().pit.notes]


def newest_audit(pit: PitOverBus) -> str:
    with pit.known.engine.connect() as connection:
        return newest_rows(connection, 1)[0].about


def test_a_late_command_is_refused_and_the_page_says_so(page: Page, pit: PitOverBus) -> None:
    before = pit.table_state().seq
    pit.behind_ms = LATE_MS
    page.get_by_role("button", name="Send", exact=True).click()
    late = re.compile(r"T1: This came \d+ s too late by the table's clock: look at the table")
    expect(page.locator("#said")).to_have_text(late)
    assert notes(pit) == []
    assert pit.table_state().seq > before, "that it was refused stands on record"
    assert late.match(newest_audit(pit))
    # What is asked for in time acts.
    pit.behind_ms = 0
    page.get_by_label("It stays on the display until it is read").fill("Break in five minutes")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.locator("#said")).to_have_text(DONE)
    assert notes(pit) == ["Break in five minutes"]


def test_a_repeated_command_acts_once_and_both_pages_say_the_same(
    page: Page, pit: PitOverBus
) -> None:
    form = page.locator("form", has=page.get_by_role("button", name="Send", exact=True))
    pages = form.evaluate(TWICE)
    assert pages == [DONE] * 2
    assert len(pit.sent) == 2, "it went over the bus twice"
    assert pit.sent[0] == pit.sent[1]
    assert notes(pit) == ["Break in ten minutes"]
    seq = pit.table_state().seq
    # Pressed once more later, from the page as it was.
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.locator("#said")).to_have_text(DONE)
    assert len(pit.sent) == 3
    assert (notes(pit), pit.table_state().seq) == (["Break in ten minutes"], seq)


@pytest.mark.long
def test_a_command_that_a_broker_held_back_acts_no_more_when_it_comes(
    page: Page, pit: PitOverBus, broker: NatsServer
) -> None:
    """The broker stands still while it is pressed, and delivers once the command is over."""
    # Its clock is slow by what makes it late as soon as it is over: nobody waits for fifteen.
    pit.behind_ms = 5_500
    broker.freeze()
    try:
        page.get_by_role("button", name="Send", exact=True).click()
        unknown = "T1 did not answer: look at it before you ask again"
        expect(page.locator("#said")).to_have_text(unknown, timeout=PATIENCE_S * 1_000)
    finally:
        broker.thaw()
    assert newest_audit(pit) == unknown
    # What the broker held back comes before what is asked for now.
    pit.behind_ms = 0
    page.get_by_label("It stays on the display until it is read").fill("Break in five minutes")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.locator("#said")).to_have_text(DONE)
    assert notes(pit) == ["Break in five minutes"]
