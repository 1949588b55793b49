"""The dealer display: what a press sends, and how its answer is shown."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab
from tests.pages.dealer_display.dealer import (
    REACTION_MS,
    TOKEN,
    answered,
    at_display,
    at_its_own_time,
    expect_picture,
    settled_eye,
    settling,
    show,
    to_choose,
)
from tests.support.forms import quick_first


def test_a_key_sends_its_command_and_nothing_else(open_tab: OpenTab, service: PageServer) -> None:
    picture = to_choose().dealer_view()
    page = at_display(open_tab, service, picture)
    settled_eye(page)
    page.keyboard.press("s")
    sent = service.next_sent()
    command = {"do": "decide", "seat": 1, "hand": 1, "action": "stand"}
    assert sent.path == "/api/v1/commands"
    assert sent.body == command | {"view_seq": picture["seq"]}
    assert sent.headers["authorization"] == f"Bearer {TOKEN}"
    assert sent.headers["content-type"] == "application/json"
    assert re.fullmatch(r"[0-9a-f-]{36}", sent.headers["idempotency-key"])


@pytest.mark.long
def test_touch_and_capital_letters_do_the_same(open_tab: OpenTab, service: PageServer) -> None:
    page = at_display(open_tab, service, to_choose().dealer_view())
    settled_eye(page)
    page.get_by_role("button", name="Hit").click()
    answered(page)
    page.keyboard.press("H")
    touched, typed = service.next_sent(1), service.next_sent(2)
    assert touched.body == typed.body
    assert touched.body["action"] == "hit"
    assert touched.headers["idempotency-key"] != typed.headers["idempotency-key"]


def test_a_key_that_is_held_down_presses_once(open_tab: OpenTab, service: PageServer) -> None:
    page = at_display(open_tab, service, settling().dealer_view())
    settled_eye(page)
    for _ in range(5):
        page.keyboard.down("Enter")
    service.next_sent()
    answered(page)
    assert len(service.stage.sent) == 1
    page.keyboard.up("Enter")


def test_a_press_before_anybody_could_read_belongs_to_the_picture_before(
    open_tab: OpenTab, service: PageServer
) -> None:
    pit = to_choose()
    old = pit.dealer_view()
    page = at_its_own_time(open_tab, service, old)
    new = pit.stand().deal("2d").dealer_view()
    assert new["keys"] != old["keys"]
    show(service, new)
    expect_picture(page, new)
    page.keyboard.press("s")
    assert service.next_sent().body["view_seq"] == old["seq"]
    answered(page)
    page.clock.run_for(REACTION_MS + 50)
    page.keyboard.press("h")
    assert service.next_sent(2).body["view_seq"] == new["seq"]


# Answers


def test_a_refused_press_says_the_rule(
    open_tab: OpenTab, service: PageServer, complaint: Callable[[str], None]
) -> None:
    pit = to_choose()
    view = pit.dealer_view()
    page = at_display(open_tab, service, view)
    rule = "Seat 1 must hit: hard 13 is under 15"
    service.answers(409, {"accepted": False, "seq": 9, "refused": rule})
    settled_eye(page)
    page.keyboard.press("s")
    expect(page.get_by_role("status")).to_contain_text(rule)
    # The refusal's own record may come after the answer: nothing differs but its number and time.
    later = {**view, "seq": view["seq"] + 1, "at_ms": view["at_ms"] + 40}
    show(service, later)
    expect_picture(page, later)
    expect(page.get_by_role("status")).to_contain_text(rule)
    show(service, pit.stand().dealer_view())
    expect(page.get_by_role("status")).not_to_contain_text(rule)
    complaint("409")


@pytest.mark.parametrize("status", quick_first([401, 403], [403]))
def test_a_display_that_the_table_does_not_know_says_so(
    open_tab: OpenTab, service: PageServer, complaint: Callable[[str], None], status: int
) -> None:
    page = at_display(open_tab, service, to_choose().dealer_view())
    service.answers(status, {"detail": "no"})
    settled_eye(page)
    page.keyboard.press("s")
    expect(page.get_by_role("status")).to_contain_text("Open it again with its token")
    complaint(str(status))


def test_a_press_that_did_not_arrive_says_so(
    open_tab: OpenTab, service: PageServer, complaint: Callable[[str], None]
) -> None:
    page = at_display(open_tab, service, to_choose().dealer_view())
    page.route("**/api/v1/commands", lambda route: route.abort())
    settled_eye(page)
    page.keyboard.press("s")
    expect(page.get_by_role("status")).to_contain_text("Not sent")
    complaint("ERR_FAILED")
