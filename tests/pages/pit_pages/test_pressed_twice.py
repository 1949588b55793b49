"""A form of the pit's pages that is pressed twice is sent once."""

from __future__ import annotations

from tests.pages.conftest import OpenTab
from tests.pages.pit_pages.pit_server import PitServer
from tests.pages.pit_pages.test_wall import pit

__all__ = ["pit"]

#: Whether the browser would send the form of that address if it was pressed now.
WOULD_SEND = """(action) => {
  const form = document.querySelector(`form[action="${action}"]`);
  return form.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true }));
}"""


def test_a_form_that_is_pressed_twice_is_sent_once(open_tab: OpenTab, pit: PitServer) -> None:
    """The link or token that the first answer shows, once, was lost with the second one."""
    page = open_tab("about:blank")
    page.clock.install()
    pit.sign_in(page)
    page.goto(f"{pit.url}/users")
    assert page.evaluate(WOULD_SEND, "/users/add")
    assert not page.evaluate(WOULD_SEND, "/users/add")
    assert page.evaluate(WOULD_SEND, "/sign-out"), "another form is another matter"
    page.clock.run_for(6_000)
    assert page.evaluate(WOULD_SEND, "/users/add"), "no answer came: it may be sent again"
