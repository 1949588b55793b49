"""The tabs that pages are shown in are watched, and alone."""

from __future__ import annotations

import pytest

from tests.pages.browser.tab import TabKind, Tabs


@pytest.mark.parametrize("host", ["example.com", "192.0.2.1"])
def test_a_page_that_asks_outside_this_machine_is_told(all_tabs: Tabs, host: str) -> None:
    tab = all_tabs.take(TabKind("Europe/Helsinki", "dark", None))
    answer = tab.page.evaluate(
        f"fetch('https://{host}/pixel', {{mode: 'no-cors'}}).then(() => 'there', () => 'not there')"
    )
    assert answer == "not there"
    assert tab.strangers() == {host}
    tab.leave()
    all_tabs.give_back(tab)


def test_a_complaint_that_was_provoked_hides_no_other_with_its_words(all_tabs: Tabs) -> None:
    tab = all_tabs.take(TabKind("Europe/Helsinki", "dark", None))
    complains = "each => { for (const said of each) console.error(said); }"
    tab.page.evaluate(complains, ["answered 409"])
    while not tab.provoked("409"):
        tab.page.wait_for_timeout(20)
    tab.page.evaluate(complains, ["answered 409", "409 is no amount", "the last"])
    while "the last" not in tab.complaints:
        tab.page.wait_for_timeout(20)
    assert tab.complaints == ["409 is no amount", "the last"]
    assert not tab.provoked("answered 409"), "it was known"
    tab.leave()
    all_tabs.give_back(tab)
