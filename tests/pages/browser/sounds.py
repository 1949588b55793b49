"""What a page lets be heard: the tones that it begins, and whether the browser let it."""

from __future__ import annotations

from typing import Any, Final

from playwright.sync_api import Page

#: Counts the tones that a page begins, and lets them be heard; to be run before the page is.
LISTEN: Final = """
globalThis.tones = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) {
  tones.push([this.context.state, this.frequency.value]);
  start.apply(this, when);
};
"""


def tones(page: Page) -> list[Any]:
    """The tones that the page has begun so far."""
    return list(page.evaluate("globalThis.tones"))
