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
